"""Closes idle connections and limits the number of connections per address."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from tablier.web.http.guard import LOOPBACK, PATIENCE

MOST_OF_ADDRESS = 200
"""Connections per remote address: enough for a classroom behind one router, but too few to fill the server."""


class Connection(H11Protocol):
    """An HTTP connection that closes itself if a request does not arrive within the guard's timeout."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accepts the connection unless its address has too many."""
        super().connection_made(transport)
        address = self.client[0] if self.client else LOOPBACK[0]
        if address not in LOOPBACK and self._of(address) > MOST_OF_ADDRESS:
            transport.abort()
            return
        self.loop.call_later(PATIENCE, self._look, None)

    def _of(self, address: str) -> int:
        clients = [getattr(one, "client", None) for one in self.connections]
        return len([client for client in clients if client and client[0] == address])

    def _look(self, before: Any) -> None:
        """Checks periodically whether a request is taking too long to arrive.

        `before` is the completed request before the one that was arriving at the last check. If it is still the same,
        that request has been arriving for a whole period.
        """
        if self.transport.is_closing():
            return
        answered = self.cycle is not None and self.cycle.response_complete
        arriving = self.cycle if answered and self.timeout_keep_alive_task is None else None
        if self.cycle is None or (arriving is not None and arriving is before):
            self.transport.close()
            return
        self.loop.call_later(PATIENCE, self._look, arriving)
