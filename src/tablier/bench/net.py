"""Benchmarks of networks in the core, compared with onnxruntime on the same positions, and of search with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from tablier._core import BatchEnv, Game, nets
from tablier.bench.learn import training
from tablier.bench.search import middle_game
from tablier.bench.timing import Job, Row, human, one_core, rates
from tablier.evaluators import CoreEvaluator, ExpectimaxEvaluator
from tablier.learn.algorithms.td import TD, TDConfig, game_of
from tablier.learn.data.td_games import SessionGames, new_room
from tablier.learn.networks.core_net import CoreNet, to_core
from tablier.learn.networks.inference import frozen
from tablier.registry import DEFAULT_GAME
from tablier.search import ExpectimaxConfig, Search, SearchConfig

GAMES, MOVES = 256, 16
BATCHES = (64, 256, 1024, 4096)
"""Batch sizes of onnxruntime; the best one counts."""


def measure(progress: Callable[[str], None] = lambda _: None) -> list[Row]:
    """Measures everything in this file. `progress` is called with a description of the next measurement."""
    torch.set_num_threads(1)
    config = TDConfig(net="core", hidden=16, encoding="markov")
    game = game_of(config)
    net = _network(game, config)
    progress("afterstates")
    rows = afterstates(game, net)
    progress("expectimax")
    rows += expectimax(game, net)
    progress("tree search")
    rows += trees(game, net, _network(game, config, policy=True))
    progress("steps of training")
    return rows + steps()


def _network(game: Game, config: TDConfig, policy: bool = False) -> CoreNet:
    """Returns a network with random weights, whose values differ from position to position."""
    torch.manual_seed(0)
    actions = game.num_distinct_actions() if policy else 0
    net = CoreNet(int(np.prod(game.features_shape())), actions, config.width, (config.hidden,))
    torch.nn.init.normal_(net.value.weight, std=0.3)
    return net


def afterstates(game: Game, net: CoreNet) -> list[Row]:
    """Measures the evaluation of every afterstate of real decisions, moves and features included."""
    file = to_core(net, game)
    jobs: dict[str, Job] = {name: _playing(game, file, name) for name in nets.kernels() if name != "reference"}
    ask, rivals = frozen(net, game), {}
    env = BatchEnv(game, GAMES, seed=1)
    played = SessionGames(env, MOVES, 0.0)
    features = played.next(net, np.random.default_rng(0)).features.reshape(GAMES * MOVES, -1)
    for batch in BATCHES:
        rivals[f"batches of {batch}"] = _asking(ask, features, batch)
    rivals["with its moves and features"] = lambda: played.next(net, np.random.default_rng(0)).evaluations
    with one_core():
        seen = rates({**jobs, **rivals})
    best = max(seen[f"batches of {batch}"] for batch in BATCHES)
    others = {"onnxruntime alone": best}
    whole = f"{human(seen['with its moves and features'])} by onnxruntime with moves and features"
    what = f"{game.name}: afterstates by a network of the core"
    return [Row(f"{what}, {name}", "evaluations", seen[name], others, whole) for name in jobs]


def _playing(game: Game, file: bytes, kernels: str) -> Job:
    env, network = BatchEnv(game, GAMES, seed=1), nets.Network(file, kernels)
    room: dict[str, Any] = new_room(game, GAMES, MOVES)
    del room["features"]  # they are for training, not for the network
    return lambda: env.play(network, **room)


def _asking(ask: Callable[..., Any], features: Any, batch: int) -> Job:
    def job() -> int:
        for begin in range(0, len(features), batch):
            ask(features[begin : begin + batch])
        return len(features)

    return job


def expectimax(game: Game, net: CoreNet) -> list[Row]:
    """Measures full-width search in middle-game positions."""
    evaluator = CoreEvaluator(game, to_core(net, game))
    searched = evaluator.searched
    roots = [searched.row(middle_game(game, seed)) for seed in range(16)]
    rows = []
    for plies, keep in ((1, 8), (2, 8), (3, 4)):
        config = ExpectimaxConfig(plies, keep, 0.0, searched.objective)
        search = ExpectimaxEvaluator(searched.game, evaluator, config)

        def job(search: ExpectimaxEvaluator = search) -> int:
            for root in roots:
                search.look(root)
            return len(roots)

        with one_core():
            rate = rates({"tablier": job})["tablier"]
        what = f"{game.name}: expectimax, {plies} plies, keep={keep}, network of the core"
        rows.append(Row(what, "moves", rate, note=f"{human(1000 / rate)} ms a move"))
    return rows


def trees(game: Game, value: CoreNet, policy: CoreNet) -> list[Row]:
    """Measures tree search in middle-game positions, with priors from afterstates and from a policy head."""
    states = [middle_game(game, seed) for seed in range(8)]
    rows = []
    for root in ("puct", "gumbel"):
        for net, prior in ((value, "afterstates"), (policy, "a policy head")):
            evaluator = CoreEvaluator(game, to_core(net, game))
            objective = evaluator.searched.objective
            search = Search(game, evaluator, SearchConfig(2000, root=root, objective=objective), reuse=False)

            def job(search: Search = search) -> int:
                return sum(search.run(state).simulations for state in states)

            with one_core():
                rate = rates({"tablier": job})["tablier"]
            rows.append(Row(f"{game.name}: tree search, {root}, priors from {prior}", "simulations", rate))
    return rows


def steps() -> list[Row]:
    """Measures training steps of TD as in `tablier train`, on all cores, and the share of time spent learning."""
    config = TDConfig(game=DEFAULT_GAME, net="core", encoding="markov")
    both = {
        "core": training(config, TD, "positions"),
        "mlp": training(TDConfig(net="mlp", encoding="markov"), TD, "positions"),
    }
    seen = rates(both, seconds=3)
    exact = rates({"exact": training(TDConfig(net="core", exact=True, encoding="markov"), TD, "positions")}, seconds=3)[
        "exact"
    ]
    rivals = {"onnxruntime plays": seen["mlp"]}
    return [
        Row("TD(lambda)'s steps, network of the core, two cores", "positions", seen["core"], rivals),
        Row("TD(lambda)'s steps, exact targets, two cores", "positions", exact),
    ]
