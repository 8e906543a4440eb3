"""The command line: `commands/` has one file a subcommand, each with `add(subparsers)` and a function that runs it.

Exit codes: 0 done, 1 it failed, 2 it was called wrongly, 130 interrupted, 141 whoever read the output has enough.
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
    "replay",
    "simulate",
    "match",
    "games",
    "train",
    "eval",
    "runs",
    "bench",
    "playthrough",
    "doctor",
    "completion",
)
"""Files of `commands/`, in the order of the help. `main` imports them, so that it catches a Ctrl-C meanwhile."""

_CALLED_WRONGLY = (ValueError, FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError)


class Parser(argparse.ArgumentParser):
    """Tells a mistake in one line, as everything else here does; parsers of commands are made of this class, too."""

    def error(self, message: str) -> NoReturn:
        """One line, and exit code 2."""
        self.exit(2, f"{self.prog}: {' '.join(message.split())}; see {self.prog} --help\n")


def make_parser() -> Parser:
    """The parser of all commands."""
    parser = Parser(
        prog="tablier",
        description="Dice board games, and the players that master them.",
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
    """Runs a command; returns its exit code."""
    args = argparse.Namespace()
    try:
        code = _run(argv, args)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it closes stdout
        return 141
    except _CALLED_WRONGLY as error:  # a user's mistake: one line, no traceback
        return _tell(error, 2, args)
    except (OSError, MemoryError) as error:
        return _tell(error, 1, args)
    except KeyboardInterrupt:
        print(f"tablier: {say(_language(args), 'terminal.stopped')}", file=sys.stderr)
        return 130
    return code


def _run(argv: Sequence[str] | None, args: argparse.Namespace) -> int:
    """Parses into `args`, which the caller keeps if this fails, and runs the command."""
    parser = make_parser()
    _, rest = parser.parse_known_args(argv, args)
    args.rest = rest
    if rest and not getattr(args, "takes_rest", False):
        what = f"there is no option {rest[0]}" if rest[0].startswith("-") else f"{rest[0]!r} is too much"
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
