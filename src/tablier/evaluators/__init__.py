"""Evaluators estimate the value of positions. They share one narrow protocol, so they compose.

An evaluator takes a batch of leaves. It returns logits of the actions, or None for a uniform policy, and every player's
expected return from that position on. Expectimax over an evaluator is an evaluator, and so is a cache around one.
"""

from __future__ import annotations

from tablier._core import Game
from tablier._core import search as _search
from tablier.evaluators.cache import CachedEvaluator
from tablier.evaluators.core_network import CoreEvaluator, is_core_network
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
    "CoreEvaluator",
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
"""Evaluator classes by name."""


def make_evaluator(
    game: Game, name: str = "", net: str = "", rollouts: int = 1, seed: int = 0, threads: int = 1, by: str = ""
) -> tuple[Evaluator, SearchedGame]:
    """Creates an evaluator from a name or a network file, and the game to search with it.

    Without a name or a network, it is the game's heuristic if there is one, otherwise random rollouts.

    Args:
        game: the game to play.
        name: "heuristic", "points", "rollout" or "uniform".
        net: path of a core network or an ONNX network.
        rollouts: number of games per evaluation, for "rollout".
        seed: seed for evaluators that draw random numbers.
        threads: number of threads.
        by: "win" for values that are win chances, even if the network was trained on margins of points; this needs a
            core network. Empty for the network's own values.

    Returns:
        The evaluator, and the game with the rewards and encoding that the evaluator needs.

    Raises:
        MessageError (a ValueError): both a name and a network are given, the name is unknown, the game has no
            heuristic, or the network cannot be used, or its values cannot be turned into win chances.

    Examples:
        >>> from tablier.registry import DEFAULT_GAME, load_game
        >>> evaluator, searched = make_evaluator(load_game(DEFAULT_GAME))
        >>> type(evaluator).__name__
        'HeuristicEvaluator'
    """
    if by not in ("", "win"):
        raise MessageError.of("evaluator.by", by=by[:60])
    if net:
        if name:
            raise MessageError.of("evaluator.two", name=name[:60], network=net)
        if is_core_network(net):
            core = CoreEvaluator(game, net, threads, by=by)
            return core, core.searched
        network = OnnxEvaluator(game, net, threads)
        if by and network.searched.win_chance(0.0) is None:
            raise MessageError.of("evaluator.no_link", network=net, game=game.name)
        return network, network.searched
    searched = SearchedGame(game, utility="score" if name == "points" else "win")
    if by and searched.win_chance(0.0) is None:
        raise MessageError.of("evaluator.no_link", network=name or "heuristic", game=game.name)
    name = name or ("heuristic" if _search.has_heuristic(searched.game) else "rollout")
    if name not in EVALUATORS:
        raise MessageError.of("evaluator.unknown", name=name[:60], names=", ".join(EVALUATORS))
    if name == "rollout":
        return RolloutEvaluator(searched.game, rollouts, threads, seed), searched
    return EVALUATORS[name](searched.game, threads=threads, seed=seed), searched
