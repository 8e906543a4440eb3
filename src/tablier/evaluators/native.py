"""Evaluators implemented in C++. Search with one of them never calls into Python."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tablier._core import Game
from tablier._core import search as _search
from tablier._core.nets import Network
from tablier.evaluators.protocol import Evaluation, Leaves
from tablier.messages import MessageError


class NativeEvaluator:
    """Base class of the C++ evaluators.

    Args:
        game: the game to evaluate.
        threads: number of threads.
        seed: seed for evaluators that draw random numbers.
    """

    evaluator = "uniform"
    """Name of the evaluator in the C++ core."""
    rollouts = 1
    """Number of games per evaluation."""
    network: Network | None = None
    """The network, for the evaluator "network"."""
    link: NDArray[np.float64] | None = None
    """Turns the margins of a network into win chances (`Home.win_link`); None leaves them as they are."""

    def __init__(self, game: Game, threads: int = 1, seed: int = 0) -> None:
        self._game, self._threads, self._seed = game, threads, seed

    def evaluate(self, leaves: Leaves) -> Evaluation:
        """Returns None for the logits, and the values of the leaves."""
        self._seed += 1
        return None, _search.evaluate(self._game, self, leaves.states, self._seed, self._threads)


class UniformEvaluator(NativeEvaluator):
    """Gives every position the value 0 and every action the same probability."""


class RolloutEvaluator(NativeEvaluator):
    """Averages random games played to the end.

    Args:
        game: the game to evaluate.
        rollouts: number of games per evaluation, from 1 to 1,000,000.
        threads: number of threads.
        seed: seed of the games.

    Raises:
        ValueError: `rollouts` is out of range.
    """

    evaluator = "rollout"

    def __init__(self, game: Game, rollouts: int = 1, threads: int = 1, seed: int = 0) -> None:
        super().__init__(game, threads, seed)
        if not 1 <= rollouts <= 10**6:
            raise ValueError(f"rollouts must be from 1 to 1000000, not {rollouts}")
        self.rollouts = rollouts


class HeuristicEvaluator(NativeEvaluator):
    """Uses the game's built-in heuristic (Trictrac has one). Raises MessageError for a game without a heuristic."""

    evaluator = "heuristic"

    def __init__(self, game: Game, threads: int = 1, seed: int = 0) -> None:
        super().__init__(game, threads, seed)
        if not _search.has_heuristic(game):
            raise MessageError.of("game.no_heuristic", game=game.name)


class PointsEvaluator(NativeEvaluator):
    """Gives a position the mean reward of the next roll and ignores everything after it."""

    evaluator = "points"
