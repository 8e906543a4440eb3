"""Benchmarks of search, compared with open_spiel if it is installed."""

from __future__ import annotations

import importlib.util
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import tablier
from tablier import Game, State
from tablier._core import search as _search
from tablier.bench.timing import Job, Row, human, one_core, rates
from tablier.evaluators import (
    Evaluation,
    HeuristicEvaluator,
    Leaves,
    NativeEvaluator,
    RolloutEvaluator,
    UniformEvaluator,
)
from tablier.evaluators.network import describe
from tablier.players.lookahead import ExpectimaxPlayer
from tablier.search import Search, SearchConfig

THROWS_BEFORE = 30
"""Number of random rolls before a middle-game position."""


def measure(progress: Callable[[str], None] = lambda _: None) -> list[Row]:
    """Measures everything in this file. `progress` is called with a description of the next measurement."""
    rows = []
    for name, simulations in (("tic_tac_toe", 1_000), ("pig", 1_000), ("backgammon", 100)):
        progress(f"MCTS with rollouts at {name}")
        rows.append(rollouts(name, simulations))
    progress("MCTS at trictrac")
    rows += trictrac_search()
    progress("pools")
    rows += pools()
    progress("expectimax")
    rows += expectimax()
    return rows


def middle_game(game: Game, seed: int) -> State:
    """Plays at random into the middle game and returns a state with a decision."""
    draw = random.Random(seed)
    state = game.new_initial_state()
    throws = 0
    while throws < THROWS_BEFORE or state.is_chance_node():
        throws += state.is_chance_node()
        state.apply_action(draw.choice(state.legal_actions()))
        if state.is_terminal():
            return middle_game(game, seed + 1000)
    return state


def _searching(search: Search, states: list[State]) -> Job:
    return lambda: sum(search.run(state).simulations for state in states)


def first_decision(state: Any) -> Any:
    """Rolls until a player is to decide; open_spiel's MCTSBot crashes at a roll. Works for states of both libraries."""
    draw = random.Random(1)
    while state.is_chance_node():
        state.apply_action(draw.choice(state.legal_actions()))
    return state


def rollouts(name: str, simulations: int) -> Row:
    """Measures MCTS with one random rollout per simulation, from the first decision."""
    game = tablier.load_game(name)
    config = SearchConfig(n_simulations=simulations)
    ours = Search(game, RolloutEvaluator(game), config, reuse=False)
    jobs: dict[str, Job] = {"tablier": _searching(ours, [first_decision(game.new_initial_state())])}
    if importlib.util.find_spec("pyspiel"):
        import pyspiel

        theirs = pyspiel.load_game(name)
        bot = pyspiel.MCTSBot(theirs, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, simulations, 1000, False, 1, False)

        start = first_decision(theirs.new_initial_state())

        def step() -> int:
            bot.step(start)
            return simulations

        jobs["MCTSBot"] = step
    with one_core():
        seen = rates(jobs)
    rate = seen.pop("tablier")
    return Row(f"{name}: MCTS, 1 rollout, {simulations:,} sims", "simulations", rate, seen)


def trictrac_search() -> list[Row]:
    """Measures MCTS with chance nodes in middle-game positions of Trictrac."""
    game = tablier.load_game("trictrac", utility="win")
    states = [middle_game(game, seed) for seed in range(8)]
    kinds: list[tuple[NativeEvaluator, int]] = [
        (UniformEvaluator(game), 10_000),
        (HeuristicEvaluator(game), 1_000),
        (RolloutEvaluator(game), 1_000),
    ]
    rows = []
    for evaluator, simulations in kinds:
        search = Search(game, evaluator, SearchConfig(n_simulations=simulations), reuse=False)
        with one_core():
            rate = rates({"tablier": _searching(search, states)})["tablier"]
        result = search.run(states[0])
        note = f"{result.bytes / result.nodes:.0f} bytes a node"
        rows.append(Row(f"trictrac: MCTS, {evaluator.evaluator}, {simulations:,} sims", "simulations", rate, note=note))
    return rows


class _Constant:
    """The uniform evaluator, implemented in Python."""

    def __init__(self, game: Game) -> None:
        self._shape = (game.num_distinct_actions(), game.num_players())

    def evaluate(self, leaves: Leaves) -> Evaluation:
        actions, players = self._shape
        return np.zeros((len(leaves), actions), np.float32), np.zeros((len(leaves), players), np.float32)


def pools(n: int = 256, simulations: int = 1_000) -> list[Row]:
    """Measures many searches at once, compared with one after the other."""
    game = tablier.load_game("trictrac", utility="win")
    states = [middle_game(game, seed) for seed in range(n)]
    config = SearchConfig(n_simulations=simulations, evaluator="uniform", memory_mb=8)
    single = Search(game, UniformEvaluator(game), config, reuse=False)

    def pooled(threads: int) -> Job:
        pool = _search.Pool(game, config, n, 0, threads)

        def job() -> int:
            for i, state in enumerate(states):
                pool.set_root(i, state, False)
            pool.run()
            return n * simulations

        return job

    constant = _Constant(game)
    asked = _search.Pool(game, SearchConfig(n_simulations=100, memory_mb=2), n, 0, 1)
    leaves = Leaves.empty(game, n)

    def through_python() -> int:
        for i, state in enumerate(states):
            asked.set_root(i, state, False)
        while asked.busy:
            rows = asked.collect(**leaves.arrays())
            if rows:
                asked.resume(*constant.evaluate(leaves.first(rows)))
        return n * 100

    one = Search(game, constant, SearchConfig(n_simulations=100), reuse=False)
    with one_core():
        seen = rates({"pool": pooled(1), "one search": _searching(single, states)})
        python = rates({"pool": through_python, "one search": _searching(one, states[:8])})
    two = rates({"one": pooled(1), "two": pooled(2)})
    return [
        Row(f"trictrac: pool of {n}, uniform", "simulations", seen["pool"], {"one search": seen["one search"]}),
        Row(f"trictrac: pool of {n}, 2 threads", "simulations", two["two"], {"1 thread": two["one"]}),
        Row(
            f"trictrac: collect() and resume(), {n} leaves",
            "simulations",
            python["pool"],
            {"one search": python["one search"]},
            "a constant evaluator in Python, all arrays written",
        ),
    ]


def value_network(game: Game, path: Path, width: int = 128) -> None:
    """Writes an ONNX value network with one hidden layer and random weights."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    draw = np.random.default_rng(0)
    features = int(np.prod(game.features_shape()))
    shapes = {"w1": (features, width), "b1": (width,), "w2": (width, 1), "b2": (1,)}
    weights = [numpy_helper.from_array(draw.normal(0, 0.1, s).astype(np.float32), n) for n, s in shapes.items()]
    nodes = [
        helper.make_node("Gemm", ["features", "w1", "b1"], ["h"]),
        helper.make_node("Relu", ["h"], ["a"]),
        helper.make_node("Gemm", ["a", "w2", "b2"], ["v"]),
        helper.make_node("Tanh", ["v"], ["value"]),
    ]
    graph = helper.make_graph(
        nodes,
        "value",
        [helper.make_tensor_value_info("features", TensorProto.FLOAT, ["n", features])],
        [helper.make_tensor_value_info("value", TensorProto.FLOAT, ["n", 1])],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    helper.set_model_props(model, describe(game))
    onnx.save(model, str(path))


def expectimax() -> list[Row]:
    """Measures two-ply expectimax in middle-game positions of Trictrac."""
    game = tablier.load_game("trictrac", utility="win")
    states = [middle_game(game, seed) for seed in range(16)]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "value.onnx"
        value_network(game, path)
        players = {
            "network 217-128-1": ExpectimaxPlayer(game, plies=2, net=str(path)),
            "heuristic": ExpectimaxPlayer(game, plies=2, eval="heuristic"),
        }
        for name, player in players.items():

            def job(player: ExpectimaxPlayer = player) -> int:
                for state in states:
                    player.choose(state)
                return len(states)

            with one_core():
                rate = rates({"tablier": job})["tablier"]
            rows.append(
                Row(f"trictrac: expectimax, 2 plies, {name}", "moves", rate, note=f"{human(1000 / rate)} ms a move")
            )
    return rows
