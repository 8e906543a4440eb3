"""What one server gives: caps, all in one place, and the buckets from which new tables are served."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The caps of a server."""

    think: float = 5.0
    """Seconds that a player may take for one decision, or a hint."""
    threads: int = 2
    """Opponents of people that think at once; other kinds of work have a thread each (`think.Thinkers`)."""
    waiting: int = 8
    """Hints, records and uploads that may wait; further ones are refused (429)."""
    body: int = 16_384
    """Bytes of a request's body,"""
    record: int = 1_000_000
    """and of an uploaded record."""
    tables: int = 5_000
    """Unfinished tables of the last `age` seconds; at that many no new one is begun (429)."""
    age: float = 86_400.0
    stored: int = 200_000
    """Tables in the file; then it is full (507), and nothing is taken away."""
    live: int = 400
    """Tables kept in memory; those nobody is at are read from the file again."""
    actions: int = 20_000
    """Actions of one table."""
    burst: int = 300
    """Tables that one address may begin at once,"""
    refill: float = 1.0
    """and then so many a second."""
    streams: int = 500
    """Event streams at once,"""
    streams_of_table: int = 50
    """and at one table."""


class Buckets:
    """How many more tables an address may begin now."""

    def __init__(self, burst: int, refill: float, addresses: int = 10_000) -> None:
        self._burst, self._refill, self._addresses = burst, refill, addresses
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> bool:
        """Whether there is one; it is then taken."""
        now = time.monotonic()
        left, at = self._left.pop(address, (float(self._burst), now))
        left = min(float(self._burst), left + (now - at) * self._refill)
        self._left[address] = (left - 1 if left >= 1 else left, now)
        if len(self._left) > self._addresses:
            self._left.popitem(last=False)
        return left >= 1
