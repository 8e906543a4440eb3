"""Runs the long comparison of engine and oracle; exits with 1 if they differ anywhere.

python tests/trictrac/oracle_run.py --positions 1000000 --processes 2 --seed 1

Three positions in four are synthetic (oracle/positions.py), the others come from random games. For every 5000
positions, two whole games and a hundred partial games from synthetic positions are played in step under random options.
"""

import argparse
import itertools
import multiprocessing
import random
import sys
import time
from collections import Counter

from comparison import (
    POSITION_OPTIONS,
    play_in_step,
    play_on_in_step,
    position_differences,
    positions_of_games,
    random_options,
    synthetic_positions,
)

CHUNK = 5000
GAMES_PER_CHUNK = 2
STRETCHES_PER_CHUNK = 100
SHOWN = 40


def compare_chunk(task):
    """Compares one chunk, which depends only on its seed; returns (counts by theme, differences)."""
    seed, count = task
    rng = random.Random(seed)
    counts, found = Counter(), []
    synthetic, played = synthetic_positions(rng), positions_of_games(rng)
    for i, options in zip(range(count), itertools.cycle(POSITION_OPTIONS), strict=False):
        board, dice, throw_index, theme = next(played if i % 4 == 3 else synthetic)
        counts[theme] += 1
        found += position_differences(board, dice, throw_index, options)
    for game in range(GAMES_PER_CHUNK + STRETCHES_PER_CHUNK):
        play = play_in_step if game < GAMES_PER_CHUNK else play_on_in_step
        try:
            _, steps = play(random_options(rng), f"{seed} {game}")
            counts["(actions of games)" if play is play_in_step else "(actions of stretches)"] += steps
        except AssertionError as difference:
            found.append(f"{play.__name__} {seed} {game}: {difference}")
    return counts, found


def arguments():
    parser = argparse.ArgumentParser(description="Compare the engine of Trictrac with the brute-force oracle.")
    parser.add_argument("--positions", type=int, default=1_000_000, help="how many positions (1,000,000)")
    parser.add_argument("--processes", type=int, default=1, help="how many processes share the work (1)")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other positions (1)")
    chosen = parser.parse_args()
    if chosen.positions < 1 or chosen.processes < 1:
        parser.error("positions and processes are at least 1")
    return chosen


def main():
    chosen = arguments()
    start = time.monotonic()
    tasks = [
        (f"{chosen.seed}:{first}", min(CHUNK, chosen.positions - first)) for first in range(0, chosen.positions, CHUNK)
    ]
    counts, found, done = Counter(), [], 0
    with multiprocessing.Pool(chosen.processes) as pool:
        for (_, size), (more, differences) in zip(tasks, pool.imap(compare_chunk, tasks), strict=True):
            counts += more
            found += differences
            done += size
            minutes = (time.monotonic() - start) / 60
            line = f"{done:,} of {chosen.positions:,} positions, {len(found)} differences, {minutes:.1f} min"
            print("\r" + line, end="", flush=True)
    print()
    for theme, count in sorted(counts.items()):
        print(f"  {theme:26} {count:>10,}")
    for difference in found[:SHOWN]:
        print(difference)
    minutes = (time.monotonic() - start) / 60
    print(f"{done:,} positions, {len(found)} differences, {minutes:.1f} minutes, seed {chosen.seed}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
