"""Expectimax search on top of an evaluator; the result is an evaluator again."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tablier._core import Game
from tablier._core import search as _search
from tablier.evaluators.native import NativeEvaluator
from tablier.evaluators.protocol import Evaluation, Evaluator, Leaves, checked

if TYPE_CHECKING:
    from tablier.search import ExpectimaxConfig

MOST_ROWS = 8192
"""Maximum number of leaves per call of the evaluator."""


class ExpectimaxEvaluator:
    """Evaluates positions by a full-width search through all rolls, with another evaluator at the leaves.

    Args:
        game: the game to search.
        evaluator: evaluates the leaves.
        config: depth and pruning of the search.
        threads: number of threads.
    """

    def __init__(self, game: Game, evaluator: Evaluator, config: ExpectimaxConfig, threads: int = 1) -> None:
        self._game = game
        self._evaluator = evaluator
        self._search = _search.Expectimax(game, config, threads)
        self._seed = 0

    def evaluate(self, leaves: Leaves) -> Evaluation:
        """Returns None for the logits, and the values found by the search."""
        self.look(leaves.states, leaves.player)
        return None, self._search.values()

    def look(self, states: NDArray[np.uint64], player: NDArray[np.int32] | None = None, seconds: float = 1e18) -> int:
        """Searches a batch of positions, one ply deeper at a time until the depth or the time limit is reached.

        Args:
            states: [n, words], the positions.
            player: [n], the player from whose point of view a chance node is encoded; None means seat 0. At a
                decision it is always the player to move.
            seconds: time limit; the first ply is always completed.

        Returns:
            The number of plies completed.
        """
        end = time.monotonic() + seconds
        self._search.begin(states, player)
        plies = 0
        while self._deepen(end if plies else math.inf):
            plies += 1
        return plies

    def _deepen(self, end: float) -> bool:
        """Searches one ply deeper; returns False if the depth or the time limit is reached."""
        left = min(end - time.monotonic(), 1e18)
        if isinstance(self._evaluator, NativeEvaluator):
            self._seed += 1
            return self._search.deepen_native(self._evaluator, self._seed, left)
        return self._search.deepen(left) and self._ask(end)

    def values(self) -> NDArray[np.float32]:
        """Returns each player's expected return from each position of the last `look` on, an array [n, players]."""
        return self._search.values()

    def ranking(self, root: int = 0) -> list[tuple[int, list[float], int]]:
        """Returns the actions of position `root` in the last `look`, best first.

        Each entry has the action, each player's expected return from the position on, and the plies searched.
        """
        return self._search.ranking(root)

    def _ask(self, end: float) -> bool:
        n = len(self._search)
        values = np.zeros((n, self._game.num_players()), np.float32)
        for begin in range(0, n, MOST_ROWS):
            if begin and time.monotonic() > end:
                self._search.drop()
                return False
            leaves = Leaves.empty(self._game, min(MOST_ROWS, n - begin))
            self._search.show(begin, leaves.features, leaves.legal_mask, leaves.states, leaves.player)
            values[begin : begin + len(leaves)] = checked(self._evaluator, leaves)[1]
        self._search.give(values)
        return True
