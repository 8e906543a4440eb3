"""The limits of a server, and the rate limit for new tables."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The limits of a server. Numbers in parentheses are the HTTP status of a refusal."""

    think: float = 5.0
    """Seconds that a player may use for a decision or a hint."""
    threads: int = 2
    """Threads for searches by opponents of people; other kinds of work have one thread each (`thinkers.Thinkers`)."""
    waiting: int = 8
    """Hints, records and uploads in the queue (429)."""
    body: int = 16_384
    """Size of a request body, in bytes (413)."""
    record: int = 1_000_000
    """Size of an uploaded record, in bytes (413)."""
    tables: int = 5_000
    """Unfinished tables created within the last `age` seconds (429)."""
    age: float = 86_400.0
    """Seconds after which an unfinished table no longer counts."""
    stored: int = 200_000
    """Tables in the database (507); nothing is ever deleted."""
    live: int = 400
    """Tables cached in memory; unused ones are evicted and loaded again when needed."""
    actions: int = 20_000
    """Actions of a table (409)."""
    burst: int = 300
    """Tables an address can create in a burst (429)."""
    refill: float = 1.0
    """Tables per second an address can create after a burst."""
    streams: int = 500
    """Open event streams (429)."""
    streams_of_table: int = 50
    """Open event streams of a table (429)."""


class Buckets:
    """A token bucket per address that limits how fast it can create tables.

    Args:
        burst: the capacity of a bucket.
        refill: tokens added per second.
        addresses: how many addresses to remember; the least recently used is forgotten first.
    """

    def __init__(self, burst: int, refill: float, addresses: int = 10_000) -> None:
        self._burst, self._refill, self._addresses = burst, refill, addresses
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> bool:
        """Takes a token from an address's bucket; returns False if it is empty."""
        now = time.monotonic()
        left, at = self._left.pop(address, (float(self._burst), now))
        left = min(float(self._burst), left + (now - at) * self._refill)
        self._left[address] = (left - 1 if left >= 1 else left, now)
        if len(self._left) > self._addresses:
            self._left.popitem(last=False)
        return left >= 1
