"""Turns at work that can be done for a few at a time: those who wait are served in turn, whoever asked for how much."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator


class Turns:
    """Places that owners take in turn. An owner who asks for many waits for their own work, and others do not.

    Use this class only from the event loop.

    Args:
        places: how many can work at the same time.
    """

    def __init__(self, places: int) -> None:
        self._places = self._free = places
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()  # the next owner comes first
        self._asked: Counter[str] = Counter()

    @contextlib.asynccontextmanager
    async def take(self, owner: str) -> AsyncIterator[None]:
        """Waits for a place and holds it."""
        self._asked[owner] += 1
        try:
            await self._wait(owner)
            try:
                yield
            finally:
                self._pass_on()
        finally:
            self._asked[owner] -= 1
            if not self._asked[owner]:
                del self._asked[owner]

    def crowd(self, owner: str) -> float:
        """Returns how long an owner's requests take to be served, counted in requests: all their own, each of which
        waits for one of every other owner."""
        return max(1, self._asked[owner]) * max(1, len(self._asked)) / self._places

    async def _wait(self, owner: str) -> None:
        if self._free:
            self._free -= 1
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():  # it was given the place that it no longer needs
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """Gives a place to the next owner, who then goes to the end of the line."""
        while self._waiting:
            owner, places = self._waiting.popitem(last=False)
            place = places.popleft()
            if places:
                self._waiting[owner] = places
            if not place.done():
                place.set_result(None)
                return
        self._free += 1
