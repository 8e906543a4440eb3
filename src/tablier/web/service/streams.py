"""Counts the open event streams of a server, and those of each table's watchers."""

from __future__ import annotations

from tablier.web.service.clients import Client
from tablier.web.service.limits import Limits, Shares


class Streams:
    """The open event streams. Use this class only from the event loop.

    Whoever has a seat at a table does not count among its watchers, so watchers cannot shut players out.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._all = Shares(limits.streams, limits.streams_of_address, limits.network)
        self._watchers: dict[str, Shares] = {}

    def has_room(self, client: Client, tid: str, has_seat: bool) -> bool:
        """Returns whether a client can open a stream of a table."""
        return self._all.has_room(client) and (has_seat or self._watchers_of(tid).has_room(client))

    def take(self, client: Client, tid: str, has_seat: bool) -> bool:
        """Counts a stream that is opened; returns False if a limit is reached."""
        if not self.has_room(client, tid, has_seat):
            return False
        self._all.take(client)
        if not has_seat:
            watchers = self._watchers[tid] = self._watchers_of(tid)
            watchers.take(client)
        return True

    def give_back(self, client: Client, tid: str, has_seat: bool) -> None:
        """Counts a stream that is closed; the arguments are those of `take`."""
        self._all.give_back(client)
        if not has_seat:
            self._watchers[tid].give_back(client)
            if self._watchers[tid].is_unused:
                del self._watchers[tid]

    def _watchers_of(self, tid: str) -> Shares:
        limits = self._limits
        return self._watchers.get(tid) or Shares(limits.streams_of_table, limits.watchers_of_address, limits.network)
