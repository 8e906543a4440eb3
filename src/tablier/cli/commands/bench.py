"""`tablier bench`: measures speed on this machine, and prints the behaviour signature."""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import os
import platform
import sys
from typing import Any

from tablier.bench.timing import table
from tablier.cli.arguments import add_json, new_parser
from tablier.cli.extras import extra

EXAMPLE = """example:
  tablier bench
  tablier bench adapters
  tablier bench search
  tablier bench learn
  tablier bench net
  tablier bench web --games 500
  tablier bench --json > bench.json
  tablier bench --signature"""

SUBJECTS = {"core": "", "adapters": "openspiel", "search": "play", "learn": "train", "net": "train", "web": "web"}
"""Modules of `tablier.bench` and the extra that each needs."""
MOST_GAMES = 800
"""Games at once; each has a connection, and the server accepts a few more."""


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "bench", "measure speed, and compare with OpenSpiel if installed", EXAMPLE)
    parser.add_argument("subject", nargs="?", choices=SUBJECTS, default="core", help="what to measure (default core)")
    parser.add_argument("--games", type=int, metavar="N", help="games at once, for web (default 500)")
    add_json(parser)
    parser.add_argument("--signature", action="store_true", help="print only the behaviour signature")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    if args.signature:
        from tablier.testing import signature

        numbers = signature()
        print(json.dumps(numbers) if args.json else "\n".join(f"{number}  {name}" for name, number in numbers.items()))
        return 0
    if args.games is not None and (args.subject != "web" or not 1 <= args.games <= MOST_GAMES):
        raise ValueError(f"--games is for tablier bench web, and must be from 1 to {MOST_GAMES}")
    with extra(SUBJECTS[args.subject]):
        measure = importlib.import_module(f"tablier.bench.{args.subject}").measure
    chosen = {} if args.games is None else {"games": args.games}
    rows = measure(lambda what: print(f"... {what}", file=sys.stderr), **chosen)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    if args.json:
        machine = {"machine": platform.machine(), "python": platform.python_version(), "load": load}
        dicts = [{**dataclasses.asdict(row), "ratio": row.ratio} for row in rows]
        print(json.dumps({"machine": machine, "rows": dicts}, indent=2))
    else:
        print(table(rows))
        busy = "" if load is None else f"; load average {load:.1f}"
        print(f"\none core unless noted; medians of 3 interleaved runs{busy}")
    return 0
