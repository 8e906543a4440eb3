"""Exact play in pig, from a table of win probabilities.

What matters is how many points each player still needs, so one table serves all games to at most `MOST` points.
`python tools/pig_table.py` makes it.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from tablier._core import State
from tablier.games.pig.picture import HOLD, ROLL, Race

FILE = Path(__file__).with_name("exact.npy")
MOST = 100
"""The largest number of points needed that the table covers."""
FACES = range(2, 7)
"""The faces that are added to the turn; a 1 ends it."""


@lru_cache(1)
def _table() -> list[list[float]]:
    """Returns win[mine - 1][other - 1]: the win probability at the start of a turn, by the points that are needed."""
    table: list[list[float]] = np.load(FILE, allow_pickle=False).tolist()
    return table


def _starts(mine: int, other: int) -> float:
    """Returns the win probability of a player who starts a turn and needs `mine` points, the opponent `other`."""
    return 1.0 if mine <= 0 else _table()[mine - 1][other - 1]


@lru_cache(1024)
def _turn(mine: int, other: int) -> tuple[tuple[float, float], ...]:
    """Returns the win probabilities after rolling and after holding, for each turn total below `mine`."""
    lost = 1 - _starts(other, mine)
    best = [1.0] * (mine + max(FACES))
    found = []
    for turn in range(mine - 1, -1, -1):
        hold = 1 - _starts(other, mine - turn)
        roll = (lost + sum(best[turn + face] for face in FACES)) / 6
        best[turn] = max(roll, hold)
        found.append((roll, hold))
    return tuple(reversed(found))


def values(state: State) -> dict[int, float]:
    """Returns the expected return, from -1 to 1, of rolling and of holding, with perfect play from then on."""
    race = Race.of(state)
    mine, other = race.goal - race.scores[race.player], race.goal - race.scores[1 - race.player]
    enough = ((1 - _starts(other, mine) + len(FACES)) / 6, 1.0)
    roll, hold = _turn(mine, other)[race.turn] if race.turn < mine else enough
    return {action: 2 * {ROLL: roll, HOLD: hold}[action] - 1 for action in state.legal_actions()}
