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
    """The evaluator of a name or of a network's file, and the form of the game that it judges.

    Without either it is the game's heuristic where there is one, and else random rollouts.
    """
    if net:
        if name:
            raise ValueError(f"either eval={name} or net={net}: an evaluator is one of them")
        network = OnnxEvaluator(game, net, threads)
        return network, network.form
    form = SearchedGame(game, utility="score" if name == "points" else "win")
    name = name or ("heuristic" if _search.has_heuristic(form.game) else "rollout")
    if name not in EVALUATORS:
        raise ValueError(f"no evaluator is called '{name}'; there are {', '.join(EVALUATORS)}")
    if name == "rollout":
        return RolloutEvaluator(form.game, rollouts, threads, seed), form
    return EVALUATORS[name](form.game, threads=threads, seed=seed), form
