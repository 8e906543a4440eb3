"""Benchmarks of learning: network runtimes on full batches, self-play, and whole training steps."""

from __future__ import annotations

import contextlib
import logging
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tablier._core import Game
from tablier.bench.timing import Job, Row, one_core, rates
from tablier.learn.algorithms.alphazero import AlphaZero, AlphaZeroConfig, Model, game_of
from tablier.learn.algorithms.td import TD, TDConfig
from tablier.learn.data.selfplay import GROUPS, Groups
from tablier.learn.networks.inference import Ask, frozen
from tablier.learn.networks.nets import AnyNet, make_net, to_onnx
from tablier.learn.runs.config import make_game

BATCH = 256


def measure(progress: Callable[[str], None] = lambda _: None) -> list[Row]:
    """Measures everything in this file. `progress` is called with a description of the next measurement."""
    torch.set_num_threads(1)
    rows = []
    for width, blocks in ((128, 2), (512, 4)):
        progress(f"runtimes, {width} x {blocks}")
        rows += runtimes(width, blocks)
    progress("self-play")
    rows += self_play()
    progress("whole steps of training")
    return rows + steps()


def _network(width: int = 128, blocks: int = 2) -> tuple[Game, AnyNet]:
    config = AlphaZeroConfig(width=width, blocks=blocks)
    game = game_of(config)
    return game, make_net(game, config, policy=True)


def _features(net: AnyNet, rows: int = BATCH) -> NDArray[np.float32]:
    return np.random.default_rng(0).random((rows, net.entry.in_features), np.float32)


def _asking(ask: Ask, features: NDArray[np.float32], times: int = 20) -> Job:
    def job() -> int:
        for _ in range(times):
            ask(features)
        return times * len(features)

    return job


def quantized(net: AnyNet, game: Game) -> Ask:
    """Returns the network with 8-bit weights and activations, quantized by onnxruntime."""
    import onnx
    import onnxruntime
    from onnxruntime.quantization import QuantType, quantize_dynamic

    logging.getLogger().setLevel(logging.ERROR)  # its advice makes no difference for these networks
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "int8.onnx"
        quantize_dynamic(onnx.load_model_from_string(to_onnx(net, game)), path, weight_type=QuantType.QInt8)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
    return lambda features: tuple(session.run(["logits", "value"], {"features": features}))


def runtimes(width: int, blocks: int) -> list[Row]:
    """Measures each runtime on full batches, on one core."""
    game, net = _network(width, blocks)
    features = _features(net)
    shown = torch.from_numpy(features)

    def eager(_: NDArray[np.float32]) -> tuple[None, NDArray[np.float32]]:
        with torch.inference_mode():
            return None, net(shown)[1].numpy()

    traced = torch.jit.freeze(torch.jit.trace(net.eval(), shown))

    def compiled(_: NDArray[np.float32]) -> tuple[None, NDArray[np.float32]]:
        with torch.inference_mode():
            return None, traced(shown)[1].numpy()

    with one_core():
        seen = rates(
            {
                "onnxruntime": _asking(frozen(net, game), features),
                "onnxruntime int8": _asking(quantized(net, game), features),
                "torch": _asking(eager, features),
                "torch traced": _asking(compiled, features),
            }
        )
    rate = seen.pop("onnxruntime")
    return [Row(f"network {width} x {blocks}, batches of {BATCH}", "evaluations", rate, seen, "onnxruntime float32")]


def self_play() -> list[Row]:
    """Measures the evaluations of self-play, compared with the runtime alone, on one core and on two."""
    config = AlphaZeroConfig()
    rows = []
    for threads in (1, 2):
        with one_core() if threads == 1 else contextlib.nullcontext():  # threads inherit the affinity
            seen = rates(
                {"self-play": _playing(config, threads), "runtime alone": _alone(config.games // GROUPS, threads)},
                seconds=2,
            )
        rate = seen.pop("self-play")
        what = f"trictrac: self-play, {config.games} games, {config.sims} sims, {threads} thread{'s' * (threads > 1)}"
        rows.append(Row(what, "evaluations", rate, seen))
    return rows


def _playing(config: AlphaZeroConfig, threads: int) -> Job:
    game, net = _network()
    search = AlphaZero(game, config).search(1)
    groups = Groups(game, config.games, 0, threads)
    step = 0

    def job() -> int:
        nonlocal step
        step += 1
        return groups.play(Model(net, game), search, step, moves=16)()[1]

    return job


def _alone(rows: int, threads: int) -> Job:
    game, net = _network()
    asks = [_asking(frozen(net, game), _features(net, rows), 400) for _ in range(threads)]

    def job() -> int:
        workers = [threading.Thread(target=ask) for ask in asks]
        for one in workers:
            one.start()
        for one in workers:
            one.join()
        return threads * 400 * rows

    return job


def steps() -> list[Row]:
    """Measures training steps as in `tablier train`, on two cores and on one."""
    both = rates({"both": training(AlphaZeroConfig(), AlphaZero, "evaluations")}, seconds=4)["both"]
    with one_core():
        single = rates({"one": training(AlphaZeroConfig(), AlphaZero, "evaluations")}, seconds=4)["one"]
        td = rates({"td": training(TDConfig(net="mlp"), TD, "positions")}, seconds=2)["td"]
    return [
        Row("trictrac: AlphaZero's steps, two cores", "evaluations", both, {"one core": single}, "updates included"),
        Row("trictrac: TD(lambda)'s steps, onnxruntime", "positions", td),
    ]


def training(config: Any, kind: Any, counter: str) -> Job:
    """Returns a job that trains one step and counts what `counter` counts."""
    learner = kind(make_game(config, config.target), config)
    number = 0

    def job() -> int:
        nonlocal number
        number += 1
        before = learner.counters[counter]
        learner.step(number)
        return int(learner.counters[counter] - before)

    for _ in range(3):  # the first steps have too little data to be typical
        job()
    return job
