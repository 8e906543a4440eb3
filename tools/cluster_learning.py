"""Compares TD on a cluster with TD on one machine, per game: python tools/cluster_learning.py [--help].

Trains two runs with the same settings for the same number of steps, each of which plays the same number of moves: one
in this process, one asynchronously on the workers of a cluster. Then plays a match between the two networks, on paired
dice, and prints the win rate of the cluster's network with its 95% interval. With --synchronous both runs would be
identical.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from tablier.arena import play_match
from tablier.cluster import connect
from tablier.learn import open_run, run_training
from tablier.learn.data.place import Spread
from tablier.learn.runs.run import metrics
from tablier.registry import load_game

GAME = "trictrac"


def train(folder: Path, settings: dict[str, Any], spread: Spread | None) -> dict[str, float]:
    """Trains a run; returns the last row of its metrics."""
    with open_run(folder, "td", settings, spread=spread) as run:
        run_training(run, show=False)
    row: dict[str, float] = metrics(folder)[-1]
    return row


def main() -> None:
    """Trains, plays and prints JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--steps", type=int, default=800, help="steps per run (default 800)")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--staleness", type=int, default=0, help="bound in steps (default: twice the workers)")
    parser.add_argument("--games", type=int, default=4000, help="games of the match (default 4000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cluster", default="local", help="address of the cluster (default local)")
    args = parser.parse_args()
    settings = {"game": GAME, "steps": args.steps, "seed": args.seed, "td_lambda": 0.2, "tensorboard": False}
    settings |= {"lr_half_life": max(1, args.steps // 3), "checkpoint_every": 50}
    with tempfile.TemporaryDirectory() as place:
        here, there = Path(place) / "here", Path(place) / "there"
        report: dict[str, Any] = {"steps": args.steps, "workers": args.workers}
        start = time.monotonic()
        rows = {"one machine": train(here, settings, None)}
        middle = time.monotonic()
        with connect(args.cluster, args.workers) as pool:
            pool.wait_for_all()
            rows["cluster"] = train(there, settings, Spread(pool, staleness=args.staleness))
        report["seconds"] = {"one machine": round(middle - start, 1), "cluster": round(time.monotonic() - middle, 1)}
        report["games"] = {name: row["games"] for name, row in rows.items()}
        stale = [row["staleness"] for row in metrics(there)]
        report["staleness"] = {"mean": round(sum(stale) / len(stale), 2), "most": max(stale)}
        cluster, alone = (f"expectimax:plies=1,net={folder}/best.safetensors" for folder in (there, here))
        match = play_match(load_game(GAME), cluster, alone, args.games, seed=args.seed, processes=2)
    report["win rate of the cluster"] = round(match.rate, 4)
    report["interval"] = [round(bound, 4) for bound in match.interval]
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
