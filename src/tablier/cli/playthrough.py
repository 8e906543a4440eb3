"""`tablier playthrough`: one random game written down in full, as kept in tests/playthroughs."""

from __future__ import annotations

import argparse
import sys
from typing import Any

import tablier
from tablier.testing import playthrough

EXAMPLE = "example:\n  tablier playthrough pig > tests/playthroughs/pig.txt"


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = subparsers.add_parser(
        "playthrough",
        help="write a random game down in full",
        epilog=EXAMPLE,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("name", help="a game, see `tablier games`")
    parser.add_argument("--seed", type=int, default=0, help="another seed, another game (default 0)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    sys.stdout.write(playthrough(tablier.load_game(args.name), args.seed))
    return 0
