"""Evaluators that run in C++. A search that is given one needs no call to Python at all."""

from __future__ import annotations

from tablier._core import Game
from tablier._core import search as _search
from tablier.evaluators.protocol import Evaluation, Leaves
from tablier.messages import MessageError


class NativeEvaluator:
    """One of the evaluators that C++ knows by name."""

    evaluator = "uniform"
    rollouts = 1

    def __init__(self, game: Game, threads: int = 1, seed: int = 0) -> None:
        self._game, self._threads, self._seed = game, threads, seed

    def evaluate(self, leaves: Leaves) -> Evaluation:
        """No logits, and the values to come."""
        self._seed += 1
        return None, _search.evaluate(self._game, self, leaves.states, self._seed, self._threads)


class UniformEvaluator(NativeEvaluator):
    """Knows nothing: every value is 0, every action alike."""


class RolloutEvaluator(NativeEvaluator):
    """The mean of random games played to the end, on as many threads as asked for."""

    evaluator = "rollout"

    def __init__(self, game: Game, rollouts: int = 1, threads: int = 1, seed: int = 0) -> None:
        super().__init__(game, threads, seed)
        if not 1 <= rollouts <= 10**6:
            raise ValueError(f"rollouts is from 1 to 1000000, not {rollouts}")
        self.rollouts = rollouts


class HeuristicEvaluator(NativeEvaluator):
    """The game's own quick guess, where it has one (Trictrac has)."""

    evaluator = "heuristic"

    def __init__(self, game: Game, threads: int = 1, seed: int = 0) -> None:
        super().__init__(game, threads, seed)
        if not _search.has_heuristic(game):
            raise MessageError.of("game.no_heuristic", game=game.name)


class PointsEvaluator(NativeEvaluator):
    """What the next throw of the dice brings on average, and nothing beyond."""

    evaluator = "points"
