"""`tablier match`: plays a match of two players on paired dice or, in games without dice, from paired openings."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
from typing import TYPE_CHECKING, Any

from tablier.cli.arguments import add_game, add_json, add_seed, count, count_or_none, game_of, new_parser, no_people

if TYPE_CHECKING:
    from tablier.arena import MatchResult

EXAMPLE = """example:
  tablier match heuristic greedy --games 1000
  tablier match mcts:ms=20 expectimax:plies=2 --game trictrac --games 200 --processes 2 --json
  tablier match greedy random --game pig"""


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "match", "play a match between two players", EXAMPLE)
    parser.add_argument("first", help="player, such as heuristic or mcts:sims=200")
    parser.add_argument("second", help="the other player")
    add_game(parser)
    parser.add_argument("--games", type=count, default=100, metavar="N", help="number of games (default 100)")
    add_seed(parser)
    parser.add_argument(
        "--processes", type=count, default=os.cpu_count(), metavar="N", help="worker processes (default: one per core)"
    )
    parser.add_argument(
        "--openings",
        type=count_or_none,
        metavar="N",
        help="in games without dice, start each pair of games from one of\n"
        "at least N random openings (default: as many as games; 0: none)",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from tablier.arena import play_match
    from tablier.cli.terminal.screen import progress

    game = game_of(args)
    no_people([args.first, args.second])
    with progress(args.games, "game") as done:
        shown = 0

        def report(score: MatchResult) -> None:
            nonlocal shown
            done(score.games - shown)
            shown = score.games

        score = play_match(
            game,
            args.first,
            args.second,
            args.games,
            seed=args.seed,
            processes=args.processes,
            openings=args.games if args.openings is None else args.openings,
            progress=report,
        )
    if args.json:
        low, high = score.interval
        print(json.dumps({**dataclasses.asdict(score), "rate": score.rate, "low": low, "high": high}))
    else:
        first, second = score.ms_per_move
        print(f"{score}; {first:.2f} and {second:.2f} ms per decision")
    return 0
