"""Measures self-play for TD without a cluster, and with one and two workers: python tools/cluster_speed.py.

Plays batches of 256 games of 32 moves with an untrained network of the default size. Each way of playing gets its turn
in every round, so that other load on the machine affects all of them alike; the median over the rounds counts. Nobody
trains meanwhile. Then times the learner: preparing a batch, training on it, exporting the weights.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tablier._core import BatchEnv
from tablier.cluster import Pool
from tablier.cluster.connection import start_local
from tablier.cluster.worker import size_of
from tablier.learn.algorithms.td import TD, TDConfig, game_of
from tablier.learn.data.spread_games import Piece, Pieces, Plan
from tablier.learn.data.td_games import LocalBatch
from tablier.learn.networks.core_net import CoreNet, to_core


def alone(config: TDConfig, network: bytes, batches: int) -> int:
    """Plays batches in this process; returns the games that ended."""
    batch = LocalBatch(BatchEnv(game_of(config), config.games, seed=1), config.moves, 0.0, False)
    return sum(int(batch.play(network)[0].over.sum()) for _ in range(batches))


def spread(pool: Pool, config: TDConfig, network: bytes, batches: int) -> tuple[int, int]:
    """Plays batches on the workers, two in progress at each; returns the games that ended and the bytes received."""
    game = game_of(config)
    pieces = Pieces(pool, game, Plan.of(game, config.moves, 0.0, False))
    groups = deque(BatchEnv(game, config.games, seed=seed).save() for seed in range(2 * pool.workers))
    out: deque[tuple[bytes, Any]] = deque()
    games = received = 0
    for number in range(batches + len(groups)):
        if number >= 2 * pool.workers:
            saved, future = out.popleft()
            piece: Piece = pieces.take(future, config.games, saved, network)[0]
            games, received = games + piece.games, received + size_of(piece)
            groups.append(piece.saved)
        if number < batches:
            saved = groups.popleft()
            out.append((saved, pieces.submit(config.games, saved, network)))
        if not out:
            break
    return games, received


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """Returns how long a call takes, and its result."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def learner(config: TDConfig) -> dict[str, float]:
    """Returns the seconds that the learner needs for a batch and for an export of its weights."""
    td = TD(game_of(config), config)
    td.step(1)
    net = td._net
    assert isinstance(net, CoreNet)
    moves, _ = LocalBatch(BatchEnv(td.game, config.games), config.moves, 0.0, False).play(to_core(net, td.game))
    prepare, examples = seconds(lambda: td._prepared(moves))
    trained = [seconds(lambda: td._learn(examples, np.random.default_rng(0)))[0] for _ in range(10)]
    export = [seconds(lambda: to_core(net, td.game))[0] for _ in range(5)]
    td.close()
    return {"prepare": prepare, "train": statistics.median(trained), "export": statistics.median(export)}


def main() -> None:
    """Measures and prints JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--batches", type=int, default=12, help="batches per round and worker")
    args = parser.parse_args()
    config = TDConfig()
    td = TD(game_of(config), config)
    net = td._net
    assert isinstance(net, CoreNet)
    network = to_core(net, td.game)
    td.close()
    rates: dict[str, list[float]] = {"alone": [], "one worker": [], "two workers": []}
    games = received = 0
    start_local(3)
    pools = {"one worker": Pool(1), "two workers": Pool(2)}
    for pool in pools.values():
        pool.wait_for_all()
        spread(pool, config, network, 4)
    for _ in range(args.rounds):
        took, played = seconds(partial(alone, config, network, args.batches))
        rates["alone"].append(played / took)
        for name, pool in pools.items():
            took, (more, size) = seconds(partial(spread, pool, config, network, args.batches * pool.workers))
            rates[name].append(more / took)
            games, received = games + more, received + size
    for pool in pools.values():
        pool.close()
    middle = {name: statistics.median(found) for name, found in rates.items()}
    report: dict[str, Any] = {"games/s": {name: round(rate, 1) for name, rate in middle.items()}}
    report["two workers / one"] = round(middle["two workers"] / middle["one worker"], 2)
    report["overhead of one worker"] = round(1 - middle["one worker"] / middle["alone"], 3)
    report |= {"bytes per game": round(received / games), "bytes per weight update": len(network)}
    report["learner's seconds per batch"] = {name: round(one, 5) for name, one in learner(config).items()}
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
