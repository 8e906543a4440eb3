"""Measures self-play for TD without a cluster, and with one and two workers: python tools/cluster_speed.py.

Plays batches of 256 games of 32 moves, as TD does by default, with an untrained network. Each way of playing gets its
turn in every round, so that other load on the machine affects all of them alike; the median over the rounds counts.
Processor time hardly depends on that load. While workers play, this process only passes games on: it neither opens
results nor trains. Then times what the learner does for a batch: open it, compute targets, train, export the weights.
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
from tablier.learn.algorithms.td import TD, TDConfig, game_of
from tablier.learn.data.spread_games import Piece
from tablier.learn.data.td_games import LocalBatch
from tablier.learn.data.td_pieces import td_task
from tablier.learn.networks.core_net import CoreNet, to_core


def alone(batch: LocalBatch, network: bytes, batches: int) -> int:
    """Plays batches in this process; returns the games that ended."""
    return sum(int(batch.play(network)[0].over.sum()) for _ in range(batches))


def spread(pool: Pool, config: TDConfig, saved: bytes, network: bytes, batches: int) -> Piece:
    """Plays batches on from saved games on the workers, two in progress at each; returns the last result."""
    task = td_task(game_of(config), config.moves, 0.0, False)
    groups = deque([saved] * (2 * pool.workers))
    out: deque[Any] = deque()
    piece = None
    for number in range(batches + 2 * pool.workers):
        if number >= 2 * pool.workers:
            piece = out.popleft().result()
            groups.append(piece.saved)
        if number < batches:
            out.append(pool.submit(task.work, task.plan, 0, config.games, groups.popleft(), network))
    assert isinstance(piece, Piece)
    return piece


def processor_seconds(pool: Pool) -> tuple[float, float]:
    """Returns the processor time so far of a worker, all its threads included, and of this process."""
    return pool.submit(time.process_time).result(), time.process_time()


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """Returns how long a call takes, and its result."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def processor_ms(work: Callable[[], Any], times: int = 10) -> float:
    """Returns the processor time of a call in milliseconds, the mean of several."""
    start = time.process_time()
    for _ in range(times):
        work()
    return round(1000 * (time.process_time() - start) / times, 2)


def learner(config: TDConfig, piece: Piece) -> dict[str, float]:
    """Returns the processor time that the learner needs for a batch from a worker, in milliseconds."""
    td = TD(game_of(config), config)
    td.step(1)
    td.close()
    net = td._net
    assert isinstance(net, CoreNet)
    task = td_task(td.game, config.moves, 0.0, False)
    moves = task.joined(task.opened(piece, config.games), piece.evaluations)
    examples = td._prepared(moves)
    return {
        "open": processor_ms(lambda: task.opened(piece, config.games)),
        "targets": processor_ms(lambda: td._prepared(moves)),
        "train": processor_ms(lambda: td._learn(td._passes(examples, np.random.default_rng(0)))),
        "export": processor_ms(lambda: to_core(net, td.game)),
    }


def main() -> None:
    """Measures and prints JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--batches", type=int, default=16, help="batches per round and worker")
    parser.add_argument("--games", type=int, default=TDConfig.games, help="games per batch (default 256)")
    args = parser.parse_args()
    config = TDConfig(games=args.games)
    td = TD(game_of(config), config)
    net = td._net
    assert isinstance(net, CoreNet)
    network = to_core(net, td.game)
    td.close()
    batch = LocalBatch(BatchEnv(game_of(config), config.games, seed=1), config.moves, 0.0, False)
    alone(batch, network, 40)  # until games end at a steady rate
    saved = batch.env.save()
    start_local(3)
    pools = {"one worker": Pool(1), "two workers": Pool(2)}
    for pool in pools.values():
        pool.wait_for_all()
        spread(pool, config, saved, network, 4)
    rates: dict[str, list[float]] = {"alone": [], "one worker": [], "two workers": []}
    cpu = {"alone": 0.0, "worker": 0.0, "driver": 0.0}
    games = 0
    for _ in range(args.rounds):
        start = time.process_time()
        took, played = seconds(partial(alone, batch, network, args.batches))
        cpu["alone"] += time.process_time() - start
        rates["alone"].append(args.batches / took)
        games += played
        for name, pool in pools.items():
            before = processor_seconds(pool)
            took, piece = seconds(partial(spread, pool, config, saved, network, args.batches * pool.workers))
            rates[name].append(args.batches * pool.workers / took)
            after = processor_seconds(pool)
            if pool.workers == 1:
                cpu["worker"] += after[0] - before[0]
                cpu["driver"] += after[1] - before[1]
    rounds = args.rounds * args.batches
    received = sum(tally.received for pool in pools.values() for tally in pool.tallies) / (3 * rounds + 8)
    for pool in pools.values():
        pool.close()
    each = games / rounds  # games that end in a batch
    middle = {name: each * statistics.median(found) for name, found in rates.items()}
    report: dict[str, Any] = {"games/s": {name: round(rate, 1) for name, rate in middle.items()}}
    report["two workers / one"] = round(middle["two workers"] / middle["one worker"], 2)
    report["overhead of one worker"] = round(1 - middle["one worker"] / middle["alone"], 3)
    report["processor ms per batch"] = {name: round(1000 * one / rounds, 2) for name, one in cpu.items()}
    report["processor overhead of one worker"] = round(cpu["worker"] / cpu["alone"] - 1, 3)
    report |= {"games per batch": round(each, 1), "bytes per game": round(received / each)}
    report["bytes per weight update"] = len(network)
    report["learner's processor ms per batch"] = learner(config, piece)
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
