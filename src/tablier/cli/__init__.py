"""The command line: one file a subcommand, each with `add(subparsers)` and a function that runs it.

Exit codes: 0 done, 1 it failed, 2 it was called wrongly, 130 interrupted, 141 whoever read the output has enough.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

import tablier
from tablier.cli import (
    analyze,
    bench,
    completion,
    doctor,
    eval,
    games,
    match,
    play,
    playthrough,
    replay,
    runs,
    serve,
    simulate,
    train,
)
from tablier.cli.arguments import add_import
from tablier.imports import import_games

COMMANDS = (
    play,
    serve,
    analyze,
    replay,
    simulate,
    match,
    games,
    train,
    eval,
    runs,
    bench,
    playthrough,
    doctor,
    completion,
)
"""In the order of the help."""

_CALLED_WRONGLY = (ValueError, FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError)


def make_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = argparse.ArgumentParser(
        prog="tablier",
        description="Dice board games, and the players that master them.",
        epilog="example:\n  tablier play\n  tablier COMMAND --help",
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tablier {tablier.__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND")
    for command in COMMANDS:
        command.add(subparsers)
    for one in subparsers.choices.values():
        add_import(one)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command; returns its exit code."""
    parser = make_parser()
    args, rest = parser.parse_known_args(argv)
    args.rest = rest
    if not hasattr(args, "run"):
        parser.print_help(sys.stderr)
        raise SystemExit(2)
    if rest and not getattr(args, "takes_rest", False):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    try:
        import_games(args.imports)
        code: int = args.run(args)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it closes stdout
        return 141
    except _CALLED_WRONGLY as error:  # a user's mistake: one line, no traceback
        return _tell(error, 2)
    except (OSError, MemoryError) as error:
        return _tell(error, 1)
    except KeyboardInterrupt:
        print("tablier: stopped", file=sys.stderr)
        return 130
    return code


def _tell(error: BaseException, code: int) -> int:
    text = " ".join(str(error).split()) or type(error).__name__
    print(f"tablier: {text}", file=sys.stderr)
    return code
