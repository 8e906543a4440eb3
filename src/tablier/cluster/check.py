"""Measures a cluster for `tablier doctor --cluster`: software, cores, round-trip time and bandwidth per worker."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tablier.cluster.pool import Pool

ROUNDS = 20
"""Round trips per worker; the median counts."""
MEGABYTES = 16
"""Size of the object that is sent back and forth."""


@dataclass(frozen=True)
class Check:
    """What was measured for all workers together."""

    workers: int
    """Workers that are ready."""
    nodes: dict[str, int]
    """Workers by node."""
    milliseconds: float
    """Median time of a round trip with an empty message."""
    megabytes: float
    """Megabytes per second from a worker to this process."""


def check(pool: Pool) -> Check:
    """Waits for the workers and measures how fast they answer."""
    pool.wait_for_all(30)
    ready = [tally for tally in pool.tallies if tally.state == "ready"]
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        pool.submit(nothing).result()
        times.append(time.perf_counter() - start)
    start = time.perf_counter()
    data: NDArray[np.uint8] = pool.submit(some_bytes, MEGABYTES).result().copy()
    speed = data.nbytes / 1e6 / (time.perf_counter() - start)
    nodes: dict[str, int] = {}
    for tally in ready:
        nodes[tally.node] = nodes.get(tally.node, 0) + 1
    return Check(len(ready), nodes, 1000 * float(np.median(times)), speed)


def nothing() -> None:
    """Does nothing, to measure the way there and back."""


def some_bytes(megabytes: int) -> NDArray[np.uint8]:
    """Returns an array of random bytes, which cannot be compressed."""
    return np.random.default_rng(0).integers(0, 256, megabytes * 2**20, np.uint8)
