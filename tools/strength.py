"""Reproduces the ladder of docs/strength.md: each player against the one below, on paired dice.

python tools/strength.py [--games 1000] [--processes 2] prints the table. It fails if the lower bound of a 95%
interval is 50% or less.
"""

from __future__ import annotations

import argparse
import sys

import tablier
from tablier.arena import play_match

LADDER = [
    ("greedy", "random"),
    ("heuristic", "greedy"),
    ("gumbel:sims=800", "heuristic"),
    ("mcts:sims=800,c=0.5", "heuristic"),
    ("expectimax:plies=3,keep=2", "heuristic"),
]
"""The last three take about the same time per decision."""


def main() -> int:
    """Plays the matches and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=1000, help="games per pair (default 1000)")
    parser.add_argument("--processes", type=int, default=2, help="worker processes (default 2)")
    args = parser.parse_args()
    game = tablier.load_game("trictrac")
    print("| player | against | games | wins | 95 % interval | ms per decision |\n|---|---|---|---|---|---|")
    weak = 0
    for first, second in LADDER:
        score = play_match(game, first, second, args.games, processes=args.processes)
        low, high = score.interval
        weak += low <= 0.5
        ms = " and ".join(f"{value:.2f}" for value in score.ms_per_move)
        rate = f"{score.rate:.1%} | {low:.1%} to {high:.1%}"
        print(f"| `{first}` | `{second}` | {score.games:,} | {rate} | {ms} |", flush=True)
    return 1 if weak else 0


if __name__ == "__main__":
    sys.exit(main())
