"""`tablier match`: two players, many games on paired dice."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
from typing import Any

from tablier.arena import MatchResult, play_match
from tablier.registry import load_game

EXAMPLE = """example:
  tablier match heuristic greedy --games 1000
  tablier match mcts:ms=20 expectimax:plies=2 --game trictrac --games 200 --processes 2 --json
  tablier match greedy random --game pig"""


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = subparsers.add_parser(
        "match",
        help="play two players against each other on paired dice",
        epilog=EXAMPLE,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("first", help="a player, such as heuristic or mcts:sims=200")
    parser.add_argument("second", help="another")
    parser.add_argument("--game", default="trictrac", help="which game (default trictrac)")
    parser.add_argument("--games", type=int, default=100, help="how many games (default 100)")
    parser.add_argument("--seed", type=int, default=0, help="of dice and players (default 0)")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="processes (default: one a core)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from tqdm import tqdm

    with tqdm(total=args.games, unit="game", disable=not sys.stderr.isatty()) as bar:

        def progress(score: MatchResult) -> None:
            bar.set_postfix_str(f"{score.rate:.1%}")
            bar.update(score.games - bar.n)

        game = load_game(args.game)
        score = play_match(
            game, args.first, args.second, args.games, seed=args.seed, processes=args.processes, progress=progress
        )
    if args.json:
        low, high = score.interval
        print(json.dumps({**dataclasses.asdict(score), "rate": score.rate, "low": low, "high": high}))
    else:
        first, second = score.ms_per_move
        print(f"{score}; {first:.2f} and {second:.2f} ms a decision")
    return 0
