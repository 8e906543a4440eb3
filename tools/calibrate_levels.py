"""Calibrates the levels of a game: finds the noise with which each level wins its share against the one below.

python tools/calibrate_levels.py [--games 400] [--rounds 4] [--target 0.7] [--processes 2] [--output FILE]

The highest level is the network one ply deep without noise; looking three plies ahead is left to the champion. From
there down, the noise of each level is raised until the level above wins the target share. All matches are on paired
dice. The table is written next to the champion's network, with the command and the date, and is used from then on.
"""

from __future__ import annotations

import argparse
import datetime
import json
import math
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from tablier import models
from tablier.arena import play_match, wilson
from tablier.players.champion import champion_of
from tablier.players.level import LEVELS, Level, NoisyPlayer
from tablier.registry import DEFAULT_GAME, load_game

TOP = Level(plies=1, noise=0.0)
STEP = 1.5
"""First guess: each level has this many times the noise of the one above."""
FIRST = 0.5
"""First guess for the level below the top, in units of the margin within which the champion searches."""
SLOPE = 1.3
"""Prior slope of the log-odds of a win against the logarithm of the noise; it counts as one match."""
PORTION = 20


def portion(game_name: str, above: Level, below: Level, games: int, seed: int) -> float:
    """Plays some games; returns the score of the higher level."""
    game = load_game(game_name)
    champion = champion_of(game)
    first, second = (NoisyPlayer(game, champion, level, seed) for level in (above, below))
    return play_match(game, first, second, games, seed=seed).rate * games


def share(pool: ProcessPoolExecutor, args: argparse.Namespace, above: Level, below: Level, seed: int) -> float:
    """Returns the share of the games that the higher level wins."""
    parts = range(seed, seed + args.games // PORTION)
    return sum(pool.map(partial(portion, args.game, above, below, PORTION), parts)) / (len(parts) * PORTION)


def log_odds(rate: float) -> float:
    """Returns the logarithm of the odds, for a rate kept away from 0 and 1."""
    rate = min(0.98, max(0.02, rate))
    return math.log(rate / (1 - rate))


def next_noise(found: list[tuple[float, float]], target: float) -> float:
    """Returns the noise at which a line through the log-odds of the matches so far meets the target."""
    xs, ys = [math.log(noise) for noise, _ in found], [log_odds(rate) for _, rate in found]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((one - x) ** 2 for one in xs)
    slope = (sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) + SLOPE) / (spread + 1)
    change = (log_odds(target) - y) / max(0.3, slope)
    return math.exp(x + min(2.0, max(-2.0, change)))


def calibrate(pool: ProcessPoolExecutor, args: argparse.Namespace, above: Level, guess: float, seed: int) -> Level:
    """Finds the level that loses the target share to a level."""
    found: list[tuple[float, float]] = []
    noise = guess
    for number in range(args.rounds):
        rate = share(pool, args, above, Level(1, noise), seed + 10_000 * number)
        found.append((noise, rate))
        print(f"    noise {noise:8.3f}: {rate:.1%} of {args.games}", flush=True)
        noise = next_noise(found, args.target)
    return Level(1, round(noise, 3))


def main() -> int:
    """Calibrates all levels and writes the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--game", default=DEFAULT_GAME, help=f"the game (default {DEFAULT_GAME})")
    parser.add_argument("--games", type=int, default=400, help="games per match (default 400)")
    parser.add_argument("--rounds", type=int, default=4, help="matches per level (default 4)")
    parser.add_argument("--target", type=float, default=0.7, help="share that a level wins (default 0.7)")
    parser.add_argument("--processes", type=int, default=2, help="worker processes (default 2)")
    parser.add_argument("--seed", type=int, default=1, help="seed of dice and noise (default 1)")
    parser.add_argument("--output", type=Path, help="the table (default: next to the network)")
    args = parser.parse_args()
    if args.games < PORTION or args.games % PORTION or not 0.5 < args.target < 1 or args.rounds < 1:
        parser.error(f"games must be a multiple of {PORTION}, target between 0.5 and 1, rounds at least 1")
    champion = champion_of(load_game(args.game))
    network = champion.network
    if network is None:
        parser.error(f"the champion of {args.game} is not a network")
    output = args.output or models.FOLDER / f"{args.game}.levels.json"
    levels = [TOP]
    rows: list[dict[str, Any]] = [{"plies": TOP.plies, "noise": TOP.noise}]
    with ProcessPoolExecutor(args.processes) as pool:
        for n in range(LEVELS - 1, 0, -1):
            guess = levels[-1].noise * STEP or FIRST * champion.near
            print(f"level {n}, below plies={levels[-1].plies} noise={levels[-1].noise:g}", flush=True)
            level = calibrate(pool, args, levels[-1], guess, args.seed + 1_000_000 * n)
            rate = share(pool, args, levels[-1], level, args.seed + 1_000_000 * n + 500_000)
            low, high = wilson(rate * args.games, args.games)
            print(f"  level {n + 1} wins {rate:.1%} ({low:.1%} to {high:.1%}) of {args.games}", flush=True)
            rows[-1] |= {"wins": round(rate, 4), "interval": [round(low, 4), round(high, 4)]}
            levels.append(level)
            rows.append({"plies": level.plies, "noise": level.noise})
    about = {
        "command": " ".join(["python", "tools/calibrate_levels.py", *sys.argv[1:]]),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "network": models.checksum(network),
        "games": args.games,
        "target": args.target,
    }
    told = ",\n    ".join(json.dumps(row) for row in reversed(rows))
    output.write_text(f'{{\n  "about": {json.dumps(about)},\n  "levels": [\n    {told}\n  ]\n}}\n', encoding="utf-8")
    print(f"written to {output.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
