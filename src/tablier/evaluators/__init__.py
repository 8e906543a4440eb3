"""Anything that says what positions are worth: one narrow protocol, so that evaluators compose.

An evaluator takes a batch of leaves and answers with logits of actions (or None: all alike) and the returns that every
player will still collect. Expectimax over an evaluator is an evaluator, and so is a cache around one.
"""

from __future__ import annotations

from tablier._core import Game
from tablier._core import search as _search
from tablier.evaluators.cache import CachedEvaluator
from tablier.evaluators.expectimax import ExpectimaxEvaluator
from tablier.evaluators.native import (
    HeuristicEvaluator,
    NativeEvaluator,
    PointsEvaluator,
    RolloutEvaluator,
    UniformEvaluator,
)
from tablier.evaluators.network import NetworkEvaluator, OnnxEvaluator, TorchEvaluator
from tablier.evaluators.protocol import Evaluation, Evaluator, Leaves, checked
from tablier.evaluators.searched_game import SearchedGame
from tablier.evaluators.stamp import stamp_network
from tablier.messages import MessageError

__all__ = [
    "CachedEvaluator",
    "Evaluation",
    "Evaluator",
    "ExpectimaxEvaluator",
    "HeuristicEvaluator",
    "Leaves",
    "NativeEvaluator",
    "NetworkEvaluator",
    "OnnxEvaluator",
    "PointsEvaluator",
    "RolloutEvaluator",
    "SearchedGame",
    "TorchEvaluator",
    "UniformEvaluator",
    "checked",
    "make_evaluator",
    "stamp_network",
]

EVALUATORS = {
    "heuristic": HeuristicEvaluator,
    "points": PointsEvaluator,
    "rollout": RolloutEvaluator,
    "uniform": UniformEvaluator,
}
"""Names to classes."""


def make_evaluator(
    game: Game, name: str = "", net: str = "", rollouts: int = 1, seed: int = 0, threads: int = 1
) -> tuple[Evaluator, SearchedGame]:
    """The evaluator of a name or of a network's file, and the game as it is to be searched with it.

    Without either it is the game's heuristic where there is one, else random rollouts.
    """
    if net:
        if name:
            raise MessageError.of("evaluator.two", name=name[:60], network=net)
        network = OnnxEvaluator(game, net, threads)
        return network, network.searched
    searched = SearchedGame(game, utility="score" if name == "points" else "win")
    name = name or ("heuristic" if _search.has_heuristic(searched.game) else "rollout")
    if name not in EVALUATORS:
        raise MessageError.of("evaluator.unknown", name=name[:60], names=", ".join(EVALUATORS))
    if name == "rollout":
        return RolloutEvaluator(searched.game, rollouts, threads, seed), searched
    return EVALUATORS[name](searched.game, threads=threads, seed=seed), searched
