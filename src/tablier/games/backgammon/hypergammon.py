"""Exact equities of hypergammon, backgammon with three men a side.

`python tools/hypergammon.py` computes them once, by value iteration over all 10.7 million pairs of positions, and keeps
them in the cache folder.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tablier._core import State, backgammon
from tablier.cache import cache_folder
from tablier.games.backgammon.whole_turns import Words, best_by_action, words_of
from tablier.messages import MessageError

MEN = 3
PLACES = 26
"""Places of a man: off the board, points 1 to 24, the bar."""
POINTS = {"full": 3, "gammons": 2, "win_loss": 1}
"""What the largest win counts, by the option `scoring`."""
COLUMNS = 117
"""Columns of the table that are improved between two reports of progress."""
Progress = Callable[[int, int, float], None]
"""Called with the sweep, the columns done in it, and the largest change so far."""


def table_file(scoring: str = "full") -> Path:
    """Returns where the table for a scoring is kept."""
    return cache_folder("backgammon") / f"hypergammon-{scoring}.npy"


def solve(
    men: int = MEN, points: int = 3, enough: float = 1e-6, progress: Progress = lambda *_: None
) -> NDArray[np.float32]:
    """Computes the equities of all positions by value iteration.

    Args:
        men: number of men of each player, 1 to 3. Three take about ten minutes of one core.
        points: what the largest win counts.
        enough: the iteration ends when no equity changes by more.
        progress: called now and then.

    Returns:
        [count, count]: entry [x, y] is the equity of a player on throw with position y against position x; 0 for pairs
        that are impossible. `positions` numbers them.
    """
    count = backgammon.hyper_count(men)
    table = np.zeros((count, count), np.float32)
    sweep, change = 0, math.inf
    while change > enough:
        sweep, change = sweep + 1, 0.0
        for begin in range(0, count, COLUMNS):
            end = min(count, begin + COLUMNS)
            change = max(change, backgammon.hyper_sweep(table, men, points, begin, end))
            progress(sweep, end, change)
    return table


def positions(sides: NDArray[np.uint8], men: int = MEN) -> NDArray[np.int64]:
    """Returns the numbers of positions in a table.

    Args:
        sides: [..., 25], a player's men on points 1 to 24 and on the bar.
        men: number of men with those borne off.
    """
    off = men - sides.sum(axis=-1, dtype=np.int64, keepdims=True)
    reached = np.cumsum(np.concatenate([off, sides], axis=-1), axis=-1)
    result = np.zeros(sides.shape[:-1], np.int64)
    for k in range(1, men + 1):
        place = (reached >= k).argmax(axis=-1)  # of the k-th man, counted from those borne off
        result += np.array([math.comb(p + k - 1, k) for p in range(PLACES)])[place]
    return result


class Hypergammon:
    """Exact play from a table.

    Args:
        table: the equities, from `solve`.
        scoring: the option `scoring` of the game that it was computed for.
    """

    def __init__(self, table: NDArray[np.float32], scoring: str = "full") -> None:
        self._table, self._scoring = table, scoring

    @classmethod
    def load(cls, scoring: str = "full") -> Hypergammon:
        """Reads the table from the cache folder; raises MessageError if it has not been computed."""
        path = table_file(scoring)
        if not path.is_file():
            raise MessageError.of("hypergammon.missing", scoring=scoring, path=str(path))
        return cls(np.load(path, mmap_mode="r", allow_pickle=False), scoring)

    def equity(self, state: State) -> float:
        """Returns the points that player 0 can expect with perfect play.

        Raises:
            ValueError: the state is not one of hypergammon with this scoring.
        """
        self._expect(state)
        if state.is_terminal():
            return float(state.returns()[0])
        if state.current_player() >= 0:
            best = max(self.values(state).values())
            return best if state.current_player() == 0 else -best
        parts = backgammon.parts(state)
        if parts.opening:
            return 0.0  # the throw favours neither player
        value = float(self._before_throw(words_of([state]), state)[0])
        return value if parts.player == 0 else -value

    def values(self, state: State) -> dict[int, float]:
        """Returns what the player to move can expect in points after each legal action, with perfect play from then on.

        Raises:
            ValueError: the state is not a decision of hypergammon with this scoring.
        """
        self._expect(state)
        if state.current_player() < 0:
            raise ValueError("no player is to move in this state")
        game = state.get_game()
        _, _, after = backgammon.turns(game, words_of([state]))
        worth = -self._before_throw(after, state)
        sides = backgammon.sides(game, after)
        for i in np.flatnonzero(sides[:, 0].sum(axis=1) == 0):  # the mover has borne off all men
            worth[i] = self._won(sides[i, 1])
        return best_by_action(state, after, worth)

    def best(self, state: State) -> int:
        """Returns the best action; the lowest number if several are equally good."""
        values = self.values(state)
        return max(sorted(values), key=lambda action: values[action])

    def _before_throw(self, words: Words, like: State) -> NDArray[np.float64]:
        """Returns the equity of the player who throws next, for states of the same game."""
        numbers = positions(backgammon.sides(like.get_game(), words))
        found: NDArray[np.float64] = self._table[numbers[:, 0], numbers[:, 1]].astype(np.float64)
        return found

    def _won(self, loser: NDArray[np.uint8]) -> float:
        """Returns what the winner wins against the men that are left."""
        if loser.sum() < MEN:
            return 1.0
        behind = loser[18:].any()  # in the winner's home, or on the bar
        return float(min(POINTS[self._scoring], 3 if behind else 2))

    def _expect(self, state: State) -> None:
        options = state.get_game().options()
        if options.get("start") != "hyper" or options.get("scoring") != self._scoring:
            raise ValueError(f"this is not a state of hypergammon with scoring={self._scoring}")
