"""Makes the hole table of Trictrac: the chance to win by the holes that each player still needs.

    python tools/hole_table.py NETWORK.safetensors --games 100000

A core network plays both sides at one ply. Every time the men are set up, the holes that the player to throw and the
opponent still need are noted, and at the end of the game who won. Where few games passed, the table leans on a model in
which the holes of a setting do not depend on the score.

Some other positions are noted with the margin of points that the network expects. They give the slope: what a lead adds
to the log-odds (`win_link` in games/trictrac/hole_table.py).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

import tablier
from tablier._core import BatchEnv, nets
from tablier.evaluators import CoreEvaluator
from tablier.trictrac import Position

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "src" / "tablier" / "games" / "trictrac" / "hole_table.json"
HOLES = 12
MEN, OWN_POINTS, OWN_HOLES, THEIR_POINTS, THEIR_HOLES = 192, 196, 197, 200, 201
"""In the features (docs/contract.md, section 5): the number of entries about the men, and where the score is."""
NOTED = 16
"""One position in this many is noted for the slope."""
SLOTS, MOVES = 512, 64
FAR = 5
"""The model is made of settings in which both players need at least this many holes, so that none ends the game."""
WEIGHT = 300
"""The model counts as much as this many games."""

Start = tuple[int, int, int]
"""The player who throws, the holes they need, and the holes the opponent needs."""
Lead = tuple[int, int, int, float]
"""A player, the holes they need, the holes the opponent needs, and the player's points ahead, marked and to come."""


class Tally:
    """What the games told."""

    def __init__(self) -> None:
        self.games = 0
        self.visits = np.zeros((HOLES + 1, HOLES + 1))
        self.wins = np.zeros((HOLES + 1, HOLES + 1))
        self.settings: Counter[tuple[int, int, bool]] = Counter()
        """Holes of the thrower and of the opponent in a setting, and whether the thrower throws first again."""
        self.leads: list[tuple[int, int, float, bool]] = []
        """Of noted positions: the needs, the lead, and whether the player won."""

    def add(self, starts: list[Start], leads: list[Lead], winner: int) -> None:
        """Adds a game with the starts of its settings and some of its positions."""
        self.games += 1
        self.leads += [(mine, theirs, lead, player == winner) for player, mine, theirs, lead in leads]
        for player, mine, theirs in starts:
            self.visits[mine, theirs] += 1
            self.wins[mine, theirs] += player == winner
        for (player, mine, theirs), (then, first, second) in pairwise(starts):
            if min(mine, theirs) >= FAR:
                same = player == then
                left = (first, second) if same else (second, first)
                self.settings[mine - left[0], theirs - left[1], same] += 1

    def model(self) -> NDArray[np.float64]:
        """Returns the table of the model."""
        total = sum(self.settings.values())
        shares = {setting: count / total for setting, count in self.settings.items()}
        table = np.full((HOLES + 1, HOLES + 1), 0.5)
        table[0, 1:], table[1:, 0] = 1, 0
        for _ in range(200):  # a setting without holes leads back to the same entry
            for mine in range(1, HOLES + 1):
                for theirs in range(1, HOLES + 1):
                    table[mine, theirs] = sum(
                        share * _after(table, max(0, mine - own), max(0, theirs - other), same)
                        for (own, other, same), share in shares.items()
                    )
        return table

    def table(self) -> NDArray[np.float64]:
        """Returns the chances of the player who throws."""
        return (self.wins + WEIGHT * self.model()) / (self.visits + WEIGHT)

    def slope(self, table: NDArray[np.float64], start: NDArray[np.float64]) -> float:
        """Fits the slope to the noted positions by maximum likelihood.

        Args:
            table: the chances of the player who throws, by needs.
            start: the margin that the network expects for them at the start of a setting.
        """
        needs = np.array([row[:2] for row in self.leads])
        mine, theirs = needs[:, 0], needs[:, 1]
        lead = np.array([row[2] for row in self.leads]) - (start[mine, theirs] - start[theirs, mine]) / 2
        won = np.array([row[3] for row in self.leads], float)
        chance = (table[mine, theirs] + 1 - table[theirs, mine]) / 2
        log_odds, holes, slope = np.log(chance / (1 - chance)), lead / HOLES / (mine + theirs + 1), 1.0
        for _ in range(20):  # Newton
            now = 1 / (1 + np.exp(-log_odds - slope * holes))
            slope += float(((won - now) @ holes) / ((now * (1 - now) * holes) @ holes))
            losses = won * np.log(now) + (1 - won) * np.log(1 - now)
        print(f"slope {slope:.2f} from {len(won):,} positions, log loss {-losses.mean():.4f}")
        return slope


def _after(table: NDArray[np.float64], mine: int, theirs: int, same: bool) -> float:
    if mine == 0 and theirs == 0:
        return 0.5
    if mine == 0 or theirs == 0:
        return float(mine == 0)
    return float(table[mine, theirs] if same else 1 - table[theirs, mine])


def play(network: nets.Network, games: int, seed: int) -> Tally:
    """Plays games and tallies them."""
    game = tablier.load_game("trictrac", utility="score", encoding="markov", first_throw="white")
    env, tally = BatchEnv(game, SLOTS, seed=seed, threads=2), Tally()
    untouched = game.new_initial_state().features(0)[:MEN]
    shape = (SLOTS, MOVES)
    room: dict[str, Any] = {
        "features": np.zeros((*shape, *game.features_shape()), np.float32),
        "viewer": np.zeros(shape, np.int32),
        "before": np.zeros(shape, np.float32),
        "after": np.zeros(shape, np.float32),
        "over": np.zeros(shape, np.bool_),
        "best": np.zeros((SLOTS, MOVES + 1), np.float32),
        "explored": np.zeros((SLOTS, MOVES + 1), np.bool_),
    }
    starts: list[list[Start]] = [[(0, HOLES, HOLES)] for _ in range(SLOTS)]
    leads: list[list[Lead]] = [[] for _ in range(SLOTS)]
    draw = np.random.default_rng(seed)
    margins = np.zeros(SLOTS)
    with tqdm(total=games, unit="game") as bar:
        while tally.games < games:
            env.play(network, **room)
            begins = (room["features"][..., :MEN] == untouched).all(axis=2) & (room["viewer"] >= 0)
            gains = room["before"] + room["after"]
            noted = (draw.random(shape) < 1 / NOTED) & (room["viewer"] >= 0)
            for slot, move in zip(*np.nonzero(begins | noted | room["over"]), strict=True):
                row, viewer = room["features"][slot, move], int(room["viewer"][slot, move])
                mine, theirs = (HOLES - round(HOLES * float(row[i])) for i in (OWN_HOLES, THEIR_HOLES))
                if begins[slot, move]:
                    starts[slot].append((viewer, mine, theirs))
                if noted[slot, move] and min(mine, theirs) > 0:
                    to_come = 2 * (1 - 2 * viewer) * float(room["best"][slot, move] - room["before"][slot, move])
                    marked = HOLES * float(row[OWN_POINTS] - row[THEIR_POINTS])
                    leads[slot].append((viewer, mine, theirs, marked + to_come))
                if room["over"][slot, move]:
                    since = np.nonzero(room["over"][slot, :move])[0]
                    margin = gains[slot, since[-1] + 1 if len(since) else 0 : move + 1].sum()
                    margin += 0 if len(since) else margins[slot]
                    tally.add(starts[slot], leads[slot], int(margin < 0))
                    starts[slot], leads[slot] = [(0, HOLES, HOLES)], []
                    bar.update(1)
            for slot in range(SLOTS):
                ends = np.nonzero(room["over"][slot])[0]
                rest = gains[slot, ends[-1] + 1 :].sum() if len(ends) else gains[slot].sum() + margins[slot]
                margins[slot] = rest
    return tally


def starts_of(file: str) -> NDArray[np.float64]:
    """Returns the margin that the network expects at the start of a setting, by needs, for the player who throws."""
    found = np.zeros((HOLES + 1, HOLES + 1))
    evaluator = CoreEvaluator(tablier.load_game("trictrac"), file)
    assert evaluator.searched.margins is not None
    needs = range(1, HOLES + 1)
    states = [Position(holes=(HOLES - a, HOLES - b)).state(evaluator.searched.game) for a in needs for b in needs]
    found[1:, 1:] = evaluator.searched.margins(states).reshape(HOLES, HOLES)
    return found


def main() -> int:
    """Runs the tool."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", help="core network that plays")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default=str(TABLE))
    args = parser.parse_args()
    network = nets.Network(Path(args.network).read_bytes())
    tally, check = play(network, args.games, args.seed), play(network, max(1, args.games // 5), args.seed + 1)
    table = tally.table()
    print(f"{tally.games:,} games; mean squared error of the table and of the model on {check.games:,} other games:")
    for name, one in (("table", table), ("model", tally.model())):
        seen = check.visits > 0
        rates = check.wins[seen] / check.visits[seen]
        noise = (rates * (1 - rates) / check.visits[seen]) * check.visits[seen] / check.visits.sum()
        error = ((one[seen] - rates) ** 2 * check.visits[seen]).sum() / check.visits.sum() - noise.sum()
        print(f"  {name}: {error:.2e} beyond the noise of the counts")
    slope = tally.slope(table, starts_of(args.network))
    about = {"network": Path(args.network).name, "games": tally.games, "seed": args.seed}
    rows = [[round(float(table[mine, theirs]), 4) for theirs in range(1, HOLES + 1)] for mine in range(1, HOLES + 1)]
    text = ",\n    ".join(json.dumps(row) for row in rows)
    Path(args.out).write_text(
        f'{{\n  "about": {json.dumps(about)},\n  "slope": {slope:.2f},\n  "throws": [\n    {text}\n  ]\n}}\n'
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
