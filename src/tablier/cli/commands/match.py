"""`tablier match`: two players, many games on paired dice or, without dice, from paired openings."""

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
    parser = new_parser(subparsers, "match", "play two players against each other on paired dice", EXAMPLE)
    parser.add_argument("first", help="a player, such as heuristic or mcts:sims=200")
    parser.add_argument("second", help="another")
    add_game(parser)
    parser.add_argument("--games", type=count, default=100, metavar="N", help="how many games (default 100)")
    add_seed(parser)
    parser.add_argument(
        "--processes", type=count, default=os.cpu_count(), metavar="N", help="processes (default: one a core)"
    )
    parser.add_argument(
        "--openings",
        type=count_or_none,
        metavar="N",
        help="without dice each pair of games begins with random moves,\n"
        "in at least so many ways (default: as many as games; 0: none)",
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
        told = 0

        def hear(score: MatchResult) -> None:
            nonlocal told
            done(score.games - told)
            told = score.games

        score = play_match(
            game,
            args.first,
            args.second,
            args.games,
            seed=args.seed,
            processes=args.processes,
            openings=args.games if args.openings is None else args.openings,
            progress=hear,
        )
    if args.json:
        low, high = score.interval
        print(json.dumps({**dataclasses.asdict(score), "rate": score.rate, "low": low, "high": high}))
    else:
        first, second = score.ms_per_move
        print(f"{score}; {first:.2f} and {second:.2f} ms a decision")
    return 0
