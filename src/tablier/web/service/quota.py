"""Room for new games: how many and how large, in total and for each address and network.

The last part of every total is a reserve for known players, so that a crowd of strangers cannot lock them out.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import Protocol

from tablier.web.service.clients import Client
from tablier.web.service.limits import Limits
from tablier.web.service.refusal import Refused
from tablier.web.service.store import Store

PRESSED = 0.75
"""The fraction of `Limits.disk` or `Limits.stored` from which on old games are deleted (`upkeep`)."""


class Stored(Protocol):
    """Something whose owner is known, as keyed hashes."""

    @property
    def address(self) -> str: ...  # noqa: D102

    @property
    def network(self) -> str: ...  # noqa: D102


class Quota:
    """Counts what is stored. Use this class only from the event loop."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store, self._limits = store, limits
        self.stored = store.count()
        self._size = store.size()
        self._used: Counter[str] = store.usage()
        self._meanwhile: Counter[str] | None = None  # what was stored since a count began
        self.short = asyncio.Event()
        """Set when room is short."""

    def origin(self, client: Client) -> tuple[str, str]:
        """Returns the keyed hashes of a client's address and network, as they are stored with a table."""
        return self._store.keyed("address", client.address), self._store.keyed("network", client.network)

    async def check(self, client: Client, size: int, known: bool = False) -> None:
        """Checks that a client may store a new table.

        Args:
            client: the client.
            size: the size of the table in bytes.
            known: whether the client is a known player, who may use the reserve.

        Raises:
            Refused: the client has too many unfinished tables or the server has (429), or there is no room (507).
        """
        limits, (address, network) = self._limits, self.origin(client)
        most = 1 + limits.reserve if known else 1.0
        await self.check_room(client, size, known)
        if self.stored >= most * limits.stored:
            raise Refused(507, "store.full")
        since = time.time() - limits.age
        open_ones, of_network, of_address = await asyncio.to_thread(
            self._store.unfinished_since, since, address, network
        )
        if open_ones >= most * limits.tables:
            raise Refused(429, "tables.too_many")
        if client.local:
            return
        if of_address >= limits.tables_of_address or of_network >= limits.network * limits.tables_of_address:
            raise Refused(429, "tables.too_many_from_you")

    async def check_room(self, client: Client, size: int, known: bool = False) -> None:
        """Checks that a client may store some bytes; arguments and errors as in `check`."""
        limits, (address, network) = self._limits, self.origin(client)
        self._size = await asyncio.to_thread(self._store.size)
        if self.is_short:
            self.short.set()
        if self._size + size > (1 + limits.reserve if known else 1.0) * limits.disk:
            raise Refused(507, "store.full")
        if client.local:
            return
        room = limits.disk_of_address - size
        if self._used[address] > room or self._used[network] > limits.network * limits.disk_of_address - size:
            raise Refused(507, "store.full_for_you")

    @property
    def is_short(self) -> bool:
        """Whether the database is nearly full."""
        return self._size > PRESSED * self._limits.disk or self.stored > PRESSED * self._limits.stored

    def add(self, row: Stored, size: int) -> None:
        """Counts bytes that were stored for a table or a library; negative for bytes that were freed."""
        for counts in (self._used, self._meanwhile):
            if counts is not None:
                counts[row.address] += size
                counts[row.network] += size

    async def measure(self) -> None:
        """Measures the database again."""
        self._size = await asyncio.to_thread(self._store.size)

    async def refresh(self) -> None:
        """Counts everything again, after tables were packed or deleted.

        What is stored in the meantime may be counted twice until the next time, but is never forgotten.
        """
        await self.measure()
        self.stored = await asyncio.to_thread(self._store.count)
        self._meanwhile = Counter()
        try:
            counted = await asyncio.to_thread(self._store.usage)
            counted.update(self._meanwhile)
            self._used = counted
        finally:
            self._meanwhile = None

    def heaviest(self) -> str:
        """Returns the network that has stored the most."""
        return max((key for key in self._used if str(key).startswith("n")), key=self._used.__getitem__, default="")
