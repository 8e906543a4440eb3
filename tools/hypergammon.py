"""Solves hypergammon, scores players by exact equities, and compares them with GNU Backgammon's database.

python tools/hypergammon.py                   computes the table (ten minutes) and keeps it in the cache folder
python tools/hypergammon.py --score PLAYER    what a player loses per decision, compared with perfect play
python tools/hypergammon.py --compare FILE    compares with a database of `makehyper`, for 1 to 3 men
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from itertools import combinations_with_replacement
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

import tablier
from tablier._core import backgammon
from tablier.arena.means import PairedMean
from tablier.games.backgammon.hypergammon import MEN, POINTS, Hypergammon, positions, solve, table_file
from tablier.messages import MessageError
from tablier.players import Chooser, make_player

HEADER, RECORD = 40, 28
"""Sizes in a database of `makehyper`: five probabilities and four equities of three bytes each, and one byte more."""


def computed(men: int, scoring: str, enough: float) -> NDArray[np.float32]:
    """Solves the game with a progress bar."""
    with tqdm(total=counts(men), unit="column") as bar:

        def progress(sweep: int, columns: int, change: float) -> None:
            bar.n = columns
            bar.set_description(f"sweep {sweep}, largest change {change:.1g}")

        return solve(men, POINTS[scoring], enough, progress)


def save(table: NDArray[np.float32], path: Path) -> None:
    """Writes a table; after a crash, the file is complete or absent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(f".{os.getpid()}.tmp")
    with beside.open("wb") as file:
        np.save(file, table)
    beside.replace(path)


def losses(exact: Hypergammon, player: Chooser, scoring: str, games: int, seed: int) -> PairedMean:
    """Returns the points that a player loses per decision with a choice, in games against itself."""
    game = tablier.load_game("backgammon", start="hyper", scoring=scoring)
    lost: dict[int, list[float]] = {}
    for number in tqdm(range(games), unit="game"):
        dice, state = random.Random(f"{seed} {number}"), game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                action = dice.choice(state.legal_actions())
            else:
                action = player.choose(state)
                values = exact.values(state)
                if len(values) > 1:
                    listed = next(one for one in values if state.child(one) == state.child(action))
                    lost.setdefault(number, []).append(max(values.values()) - values[listed])
            state.apply_action(action)
    return PairedMean.of(lost)


def database_equities(path: Path) -> tuple[int, NDArray[np.float64]]:
    """Reads the number of men and the equities [on throw, opponent] without the cube from a file of `makehyper`."""
    data = path.read_bytes()
    men = next((n for n in (1, 2, 3) if len(data) == HEADER + RECORD * counts(n) ** 2), None)
    if men is None:
        sys.exit(f"{path} is not a database of makehyper")
    rows = np.frombuffer(data, np.uint8, offset=HEADER).reshape(-1, RECORD)[:, :15].astype(np.float64).reshape(-1, 5, 3)
    win, gammon, triple, lost_gammon, lost_triple = (rows @ (1, 256, 65536) / 16777215).T
    equity = 2 * win - 1 + gammon + triple - lost_gammon - lost_triple
    return men, equity.reshape(counts(men), -1)


def counts(men: int) -> int:
    """Returns the number of positions of one player."""
    return backgammon.hyper_count(men)


def compare(path: Path) -> None:
    """Compares every possible position with the database of GNU Backgammon."""
    men, theirs = database_equities(path)
    ours = np.load(table_file(), mmap_mode="r") if men == MEN else computed(men, "full", 1e-6)
    sides = every_side(men)
    here, there = positions(sides, men), their_numbers(sides)
    on_board = np.flatnonzero(sides.any(axis=1))
    differences = []
    for mine in on_board:
        other = on_board[~((sides[on_board, :24] > 0) & (sides[mine, 23::-1] > 0)).any(axis=1)]
        differences.append(np.abs(ours[here[other], here[mine]] - theirs[there[mine], there[other]]))
    apart = np.concatenate(differences)
    print(f"{men} men: {len(apart)} pairs of positions, mean difference {apart.mean():.2g}, largest {apart.max():.2g}")


def every_side(men: int) -> NDArray[np.uint8]:
    """Returns every position of one player, [n, 25]: men on points 1 to 24 and on the bar."""
    places = list(combinations_with_replacement(range(26), men))
    sides = np.zeros((len(places), 26), np.uint8)
    for row, chosen in zip(sides, places, strict=True):
        np.add.at(row, list(chosen), 1)
    return sides[:, 1:]


def their_numbers(sides: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Returns the numbers of positions in a database of GNU Backgammon: fewer men on the board come first."""
    beyond = sides[:, ::-1].cumsum(axis=1, dtype=np.int64)[:, ::-1]  # men on each point or further back
    ranks = np.array([[comb(m + 24 - i, 25 - i) for m in range(MEN + 1)] for i in range(25)])
    numbers: NDArray[np.int64] = ranks[np.arange(25), beyond].sum(axis=1)
    return numbers


def main() -> None:
    """Computes the table, or uses it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scoring", choices=POINTS, default="full", help="what wins count (full)")
    parser.add_argument("--score", metavar="PLAYER", help="score a player instead")
    parser.add_argument("--games", type=int, default=1000, help="games of the scored player (1000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the dice (1)")
    parser.add_argument("--compare", type=Path, metavar="FILE", help="compare with a database instead")
    given = parser.parse_args()
    try:
        if given.compare:
            compare(given.compare)
        elif given.score:
            game = tablier.load_game("backgammon", start="hyper", scoring=given.scoring)
            player = make_player(given.score, game, seed=given.seed)
            found = losses(Hypergammon.load(given.scoring), player, given.scoring, given.games, given.seed)
            low, high = found.interval()
            print(
                f"{given.score}: {1000 * found.mean:.2f} ± {500 * (high - low):.2f} thousandths of a point per "
                f"decision, {found.games} decisions"
            )
        else:
            path = table_file(given.scoring)
            save(computed(MEN, given.scoring, 1e-6), path)
            print(path)
    except MessageError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
