"""`tablier runs`: lists training runs and plots their metrics."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from tablier.cli.arguments import add_json, given_path, new_parser, writable
from tablier.cli.extras import extra
from tablier.cli.terminal.curves import ENDINGS, Curve, draw, sparkline
from tablier.run_metrics import read_rows

EXAMPLE = """example:
  tablier runs
  tablier runs runs --plot curves.png --metric loss
  tablier runs runs/first --metric win_rate"""


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "runs", "list training runs and plot their metrics", EXAMPLE)
    parser.add_argument(
        "folder", type=given_path, nargs="?", default="runs", help="a run, or a folder of runs (default runs)"
    )
    parser.add_argument("--metric", default="loss", help="metric to plot (default loss)")
    parser.add_argument(
        "--plot", type=given_path, metavar="FILE.png", help="write the plot to a file instead of the terminal"
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    with extra("train"):
        from tablier.learn import load_config
        from tablier.learn.runs.files import read
    picture = writable(args.plot, *ENDINGS) if args.plot else None
    place = Path(args.folder)
    if not place.is_dir():
        raise ValueError(f"{place} is not a folder")
    folders = (
        [place] if (place / "config.json").exists() else sorted(path.parent for path in place.glob("*/config.json"))
    )
    if not folders:
        raise ValueError(f"{place} contains no runs")
    found = []
    for folder in folders:
        try:
            algorithm, config = load_config(folder)
            path = folder / "metrics.jsonl"
            rows, bad = read_rows(read(path)) if path.exists() else ([], [])
            found.append((folder, algorithm, config.game, rows))
            if bad:
                print(f"{path}: {len(bad)} damaged lines are left out, first line {bad[0]}", file=sys.stderr)
        except ValueError as error:
            print(f"{folder}: {error}", file=sys.stderr)
    known = sorted({name for _, _, _, rows in found for row in rows for name in row} - {"step"})
    if known and args.metric not in known:
        raise ValueError(f"unknown metric '{args.metric}'; choose from {', '.join(known)}")
    curves: dict[str, Curve] = {
        str(folder): [(row["step"], row[args.metric]) for row in rows if row.get(args.metric) is not None]
        for folder, _, _, rows in found
    }
    if args.json:
        listed = [{"run": str(f), "algorithm": a, "game": g, "last": m[-1] if m else None} for f, a, g, m in found]
        print(json.dumps(listed, indent=2))
    for folder, algorithm, game, rows in () if args.json else found:
        last: dict[str, Any] = rows[-1] if rows else {"step": 0, "seconds": 0.0}
        curve = [] if args.plot else curves[str(folder)]
        print(f"{folder}: {algorithm}, {game}, step {last['step']}, {last['seconds'] / 60:.1f} minutes", end="")
        print(f", {args.metric} {sparkline([point[1] for point in curve])} {curve[-1][1]:g}" if curve else "")
    if picture:
        draw(curves, args.metric, picture)
    return 0
