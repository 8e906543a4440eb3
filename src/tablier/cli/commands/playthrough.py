"""`tablier playthrough`: prints every state of a random game, in the format of tests/playthroughs."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from tablier.cli.arguments import add_seed, new_parser

EXAMPLE = "example:\n  tablier playthrough pig > tests/playthroughs/pig.txt"


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "playthrough", "print every state of a random game", EXAMPLE)
    parser.add_argument("name", help="name of the game, as in `tablier games`")
    add_seed(parser, "the game")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    import tablier
    from tablier.testing import playthrough

    sys.stdout.write(playthrough(tablier.load_game(args.name), args.seed))
    return 0
