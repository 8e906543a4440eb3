"""`tablier eval`: measures the strength of the checkpoints of a run."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
from pathlib import Path
from typing import Any

from tablier.cli.arguments import (
    add_cluster,
    add_json,
    add_seed,
    cluster_of,
    count,
    given_path,
    new_parser,
    split_players,
    writable,
)
from tablier.cli.commands.match import match_pool
from tablier.cli.extras import extra
from tablier.cli.terminal.curves import ENDINGS, Curve, draw

EXAMPLE = """example:
  tablier eval runs/first --opponents random,greedy --games 200
  tablier eval runs/first --plot strength.png
  tablier eval runs/first --last --opponents heuristic,mcts:sims=50,step-100 --games 1000"""


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "eval", "measure the strength of a run's checkpoints", EXAMPLE)
    parser.add_argument("folder", type=given_path, help="folder of the run")
    parser.add_argument(
        "--opponents",
        default="random,greedy",
        help="players, or step-N for an earlier checkpoint (default random,greedy)",
    )
    parser.add_argument("--games", type=count, default=200, metavar="N", help="games per match (default 200)")
    parser.add_argument("--last", action="store_true", help="evaluate only the last checkpoint")
    parser.add_argument("--player", default="", help="player string for the networks, such as gumbel:sims=64,net={}")
    add_seed(parser, "the dice")
    parser.add_argument(
        "--processes", type=count, default=os.cpu_count(), metavar="N", help="worker processes (default: one per core)"
    )
    add_cluster(parser)
    parser.add_argument("--plot", type=given_path, metavar="FILE.png", help="also plot strength over training steps")
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    with extra("train"):
        from tablier.learn.strength import HEADING, Strength, measure
    picture = writable(args.plot, *ENDINGS) if args.plot else None
    found: list[Strength] = []
    with cluster_of(args) as cluster:
        for row in measure(
            Path(args.folder),
            split_players(args.opponents),
            args.games,
            last=args.last,
            player=args.player,
            seed=args.seed,
            processes=args.processes,
            pool=match_pool(cluster),
        ):
            if not found and not args.json:
                print(HEADING)
            found.append(row)
            if not args.json:
                bar = "#" * round(30 * row.match.rate)
                print(f"{row}  {bar}" if sys.stdout.isatty() else row, flush=True)
    if args.json:
        print(
            json.dumps(
                [{**dataclasses.asdict(row), "rate": row.match.rate, "interval": row.match.interval} for row in found]
            )
        )
    if picture:
        curves: dict[str, Curve] = {}
        for row in found:
            curves.setdefault(row.opponent, []).append((row.step, row.match.rate, *row.match.interval))
        draw(curves, "games won", picture)
    return 0
