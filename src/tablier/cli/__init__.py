"""The command line. `commands/` has one file per subcommand, with `add(subparsers)` and `run(args)`.

Exit codes: 0 success, 1 failure, 2 usage error, 130 interrupted, 141 broken pipe.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

import tablier
from tablier.messages import language, said, say

COMMANDS = (
    "play",
    "serve",
    "analyze",
    "rollout",
    "replay",
    "simulate",
    "match",
    "arena",
    "ladder",
    "referee",
    "games",
    "train",
    "eval",
    "runs",
    "bench",
    "playthrough",
    "doctor",
    "completion",
)
"""Modules of `commands/`, in the order of the help. `main` imports them, so that Ctrl-C is handled during imports."""

_CALLED_WRONGLY = (ValueError, FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError)


class Parser(argparse.ArgumentParser):
    """An argument parser that reports errors in one line. Subcommands use it too."""

    def error(self, message: str) -> NoReturn:
        """Prints the error in one line and exits with code 2."""
        self.exit(2, f"{self.prog}: {' '.join(message.split())}; see {self.prog} --help\n")


def make_parser() -> Parser:
    """Returns the parser of all commands."""
    parser = Parser(
        prog="tablier",
        description="Play, analyze and learn dice board games.",
        epilog="example:\n  tablier play\n  tablier COMMAND --help",
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tablier {tablier.__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)
    for name in COMMANDS:
        import_module(f"tablier.cli.commands.{name}").add(subparsers)
    for command in subparsers.choices.values():
        import_module("tablier.cli.arguments").add_import(command)
        command.set_defaults(parser=command)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code.

    Args:
        argv: the arguments after `tablier`; by default those of this process.
    """
    args = argparse.Namespace()
    try:
        code = _run(argv, args)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # otherwise Python reports an error at exit
        return 141
    except _CALLED_WRONGLY as error:  # the user's mistake: one line, no traceback
        return _tell(error, 2, args)
    except (OSError, MemoryError) as error:
        return _tell(error, 1, args)
    except KeyboardInterrupt:
        print(f"tablier: {say(_language(args), 'terminal.stopped')}", file=sys.stderr)
        return 130
    return code


def _run(argv: Sequence[str] | None, args: argparse.Namespace) -> int:
    """Runs a command. Fills in `args`, which the caller needs to report errors."""
    parser = make_parser()
    _, rest = parser.parse_known_args(argv, args)
    args.rest = rest
    if rest and not getattr(args, "takes_rest", False):
        what = f"unknown option {rest[0]}" if rest[0].startswith("-") else f"unexpected argument {rest[0]!r}"
        getattr(args, "parser", parser).error(what)
    if not hasattr(args, "run"):
        parser.print_help(sys.stderr)
        raise SystemExit(2)
    import_module("tablier.imports").import_games(args.imports)
    code: int = args.run(args)
    return code


def _language(args: argparse.Namespace) -> str:
    return language(getattr(args, "lang", None))


def _tell(error: BaseException, code: int, args: argparse.Namespace) -> int:
    text = " ".join(said(error, _language(args)).split()) or type(error).__name__
    print(f"tablier: {text}", file=sys.stderr)
    return code
