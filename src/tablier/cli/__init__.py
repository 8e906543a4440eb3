"""The command line: one file a subcommand, each with `add(subparsers)` and a function that runs it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import tablier
from tablier.cli import bench, eval, games, match, playthrough, runs, serve, train

COMMANDS = (bench, eval, games, match, playthrough, runs, serve, train)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command; returns its exit code: 0 done, 1 it failed, 2 it was called wrongly."""
    parser = argparse.ArgumentParser(prog="tablier", description="Dice board games, and the players that master them.")
    parser.add_argument("--version", action="version", version=f"tablier {tablier.__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add(subparsers)
    args, rest = parser.parse_known_args(argv)
    args.rest = rest
    if rest and not getattr(args, "takes_rest", False):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    try:
        code: int = args.run(args)
    except (ValueError, OSError) as error:  # a user's mistake: one line, no traceback
        print(f"tablier: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("tablier: stopped", file=sys.stderr)
        return 130
    return code
