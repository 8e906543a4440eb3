"""Hundreds of faults, for `make faults`: kills, torn writes, full disks, errors of the disk and damaged files.

The seed decides the faults. Every one must end in a clean resume or a clear refusal, and lose nothing acknowledged.
"""

import argparse
import itertools
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from damage import files_below, spoil_run, spoil_tables, spoil_tournament
from tables import Tables
from tournaments import Tournament
from training import SETTINGS, Training
from workshop import FAIL, FULL, KILL, MOMENT, TEAR, Workshop

NAMES = {KILL: "killed before", TEAR: "killed within", FULL: "disk full", FAIL: "disk error", MOMENT: "random moment"}


def faults_of(operations, draw):
    """Yields lists of faults without end: first each operation alone, then several at random."""
    for at in draw.sample(range(1, operations + 1), operations):
        yield [(at, draw.choice((KILL, KILL, TEAR, FULL, FAIL)))]
    while True:
        kinds = [draw.choice((KILL, TEAR, FULL, FAIL, MOMENT)) for _ in range(draw.randint(1, 4))]
        yield [(draw.uniform(0.02, 1.5) if how == MOMENT else draw.randint(1, operations), how) for how in kinds]


def subjects(workshop, base, draw):
    """Yields (name, operations, disturb) of everything that is disturbed, and the trainings."""
    tournament = Tournament(workshop, base / "arena")
    tables = Tables(workshop, base / "tables", draw.randrange(1000))
    trainings = [Training(workshop, name, base / name) for name in SETTINGS]
    found = {"arena": (tournament.operations, tournament.disturb), "server": (70, tables.disturb)}
    found |= {one.algorithm: (one.operations, one.disturb) for one in trainings}
    return found, trainings, tournament, tables


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    end, draw = time.monotonic() + 60 * args.minutes, random.Random(args.seed)
    faults, ends = Counter(), Counter()
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        (base / "logs").mkdir()
        with Workshop(base / "logs") as workshop:
            found, trainings, tournament, tables = subjects(workshop, base, draw)
            stored = tables.store("stored")
            plans = {name: faults_of(operations, draw) for name, (operations, _) in found.items()}
            for number in itertools.count():
                if time.monotonic() > end:
                    break
                for name, (_, disturb) in found.items():
                    planned = next(plans[name])
                    met = disturb(f"{number}", planned)
                    faults[name] += met
                    for _, how in planned:
                        faults[NAMES[how]] += 1
                one = trainings[number % len(trainings)]
                file = draw.choice(files_below(one.whole))
                ends[f"{file.name.split('-')[0].split('.')[0]} {spoil_run(one, file, base / 'spoilt', draw)}"] += 1
                ends[f"arena {spoil_tournament(workshop, tournament.path, base / 'spoilt', draw)}"] += 1
                ends[f"games {spoil_tables(workshop, *stored, base / 'spoilt', draw)}"] += 1
                print(f"round {number + 1}: {sum(faults[name] for name in found)} faults", flush=True)
    for name, count in [*faults.items(), *ends.items()]:
        print(f"{count:6} {name}")
    print(f"{sum(faults[name] for name in found)} faults met, {sum(ends.values())} damaged files, ", end="")
    print(f"{tables.acknowledged} acknowledged requests of the server, none lost; seed {args.seed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
