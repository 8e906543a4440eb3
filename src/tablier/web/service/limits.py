"""The limits of a server, and budgets that limit what an address and its network can ask for."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass

from tablier.web.service.clients import Client

DAY = 86_400.0


@dataclass(frozen=True)
class Limits:
    """The limits of a server. Numbers in parentheses are the HTTP status of a refusal.

    What holds "for an address" holds for its network (IPv4 /24, IPv6 /64) too, `network` times as high. Once half of
    the places in a queue, or half of the streams, are in use, an address can have only one (`Shares`).
    """

    think: float = 5.0
    """Seconds that a player may use for a decision or a hint."""
    threads: int = 2
    """Threads for searches by opponents of people; other kinds of work have one thread each (`thinkers.Thinkers`)."""
    waiting: int = 8
    """Requests in the queue of each kind of work: hints, records, lists of runs (429). Past positions have four times
    as many, because they take milliseconds."""
    waiting_of_address: int = 2
    """The same for an address."""
    network: int = 3
    """How many times as much as an address a network may use."""
    body: int = 16_384
    """Size of a request body, in bytes (413)."""
    record: int = 1_000_000
    """Size of an uploaded record, in bytes (413)."""
    tables: int = 20_000
    """Unfinished tables created within the last `age` seconds (429)."""
    tables_of_address: int = 300
    """The same for an address."""
    age: float = DAY
    """Seconds after which an unfinished table no longer counts."""
    stored: int = 1_000_000
    """Tables in the database (507)."""
    disk: int = 2_000_000_000
    """Bytes in the database (507)."""
    disk_of_address: int = 20_000_000
    """Bytes that an address may have stored (507)."""
    reserve: float = 0.2
    """What known players may use beyond `tables`, `stored` and `disk`, as a fraction of them."""
    known: float = 600.0
    """Seconds that a table must exist before its seat tokens make their holders known players."""
    keep: float = 30 * DAY
    """Seconds without a move after which a game may be deleted, once the database is nearly full."""
    live: int = 1_000
    """Tables cached in memory; unused ones are evicted and loaded again when needed."""
    actions: int = 20_000
    """Actions of a table (409)."""
    burst: int = 300
    """Tables an address can create in a burst (429)."""
    refill: float = 1.0
    """Tables per second an address can create after a burst."""
    work: float = 200.0
    """Work an address can ask for per second, in milliseconds of the server's time (429). Requests from this machine
    are not limited."""
    work_burst: float = 5_000.0
    """Work an address can ask for in a burst."""
    hints: float = 0.5
    """Seconds of thinking about hints that an address can ask for per second (429)."""
    hints_burst: float = 120.0
    """The same in a burst."""
    streams: int = 500
    """Open event streams (429)."""
    streams_of_address: int = 60
    """Open event streams of an address (429)."""
    streams_of_table: int = 50
    """Open event streams of a table's watchers (429); those of its players do not count."""
    watchers_of_address: int = 10
    """The same for an address."""


class Budget:
    """Token buckets for addresses and networks: each request takes tokens, which come back with time.

    Work whose cost is known only later is paid for then, and may leave a debt, so on average nobody gets more than the
    refill.

    Args:
        burst: the capacity of an address's bucket.
        refill: tokens added per second.
        network: how many times as much a network gets.
        most: how many buckets to remember; the least recently used is forgotten first.
    """

    def __init__(self, burst: float, refill: float, network: float = 1.0, most: int = 20_000) -> None:
        self._burst, self._refill, self._network, self._most = burst, refill, network, most
        self._left: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def take(self, client: Client, cost: float = 1.0) -> bool:
        """Takes tokens from the buckets of a client; returns False, and takes nothing, if one of them has too few.

        Something that costs more than a bucket can hold needs a full one.
        """
        now = time.monotonic()
        enough = min(cost, self._burst)
        if any(self._left_in(key, share, now) < enough for key, share in self._buckets(client)):
            return False
        self.owe(client, cost)
        return True

    def owe(self, client: Client, cost: float) -> None:
        """Takes tokens for work that has been granted already, even if none are left."""
        now = time.monotonic()
        for key, share in self._buckets(client):
            self._left[key] = (self._left_in(key, share, now) - cost, now)
            self._left.move_to_end(key)
        while len(self._left) > self._most:
            self._left.popitem(last=False)

    def _buckets(self, client: Client) -> list[tuple[tuple[str, str], float]]:
        return [(("address", client.address), 1.0), (("network", client.network), self._network)]

    def _left_in(self, key: tuple[str, str], share: float, now: float) -> float:
        left, at = self._left.get(key, (share * self._burst, now))
        return min(share * self._burst, left + (now - at) * share * self._refill)


class Shares:
    """Counts what is in use at the same time, such as open streams, in total and for each address and network.

    Once half of the total is in use, an address can have only one, so that a few addresses cannot take everything.

    Args:
        most: the limit in total.
        of_address: the limit for an address while less than half of the total is in use.
        network: how many times as much a network gets.
    """

    def __init__(self, most: int, of_address: int, network: int) -> None:
        self._most, self._of_address, self._network = most, of_address, network
        self._all = 0
        self._held: dict[tuple[str, str], int] = {}

    @property
    def is_unused(self) -> bool:
        """Whether nothing is in use."""
        return self._all == 0

    def has_room(self, client: Client) -> bool:
        """Returns whether a client can take one. A local client is limited only in total."""
        of_address = self._of_address if 2 * self._all < self._most else 1
        mine = self._held.get(("address", client.address), 0) < of_address
        mine = mine and self._held.get(("network", client.network), 0) < self._network * of_address
        return self._all < self._most and (client.local or mine)

    def take(self, client: Client) -> bool:
        """Takes one for a client; returns False if a limit is reached."""
        if not self.has_room(client):
            return False
        self._all += 1
        for key in (("address", client.address), ("network", client.network)):
            self._held[key] = self._held.get(key, 0) + 1
        return True

    def give_back(self, client: Client) -> None:
        """Gives one back."""
        self._all -= 1
        for key in (("address", client.address), ("network", client.network)):
            self._held[key] -= 1
            if not self._held[key]:
                del self._held[key]
