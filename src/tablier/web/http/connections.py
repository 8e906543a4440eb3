"""Connections: idle ones are closed, and nobody can have them all.

A network has a part of them at most. When all are in use, a newcomer takes the place of the connection that has been
idle longest, of those whose network has the most. Connections from this machine and from proxies are not counted by
network.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from tablier.web.http.guard import PATIENCE
from tablier.web.service.clients import LOOPBACK, Network, is_among, network_of

MOST = 850
"""Connections in total; with the files of the server, below the usual limit of 1024 open files."""
MOST_OF_ADDRESS = 200
"""Connections per remote address: enough for a classroom behind one router, but too few to fill the server."""
MOST_OF_NETWORK = 300
"""Connections per network (IPv4 /24, IPv6 /64)."""

QUIET = logging.getLogger("tablier.web.connections")
QUIET.setLevel(logging.ERROR)
"""Logs errors of the server, and not each malformed request, which anyone can send without end."""


class Connection(H11Protocol):
    """An HTTP connection that closes itself if a request does not arrive, or a response is not read, in time."""

    proxies: tuple[Network, ...] = ()
    """Proxies, which open connections for many clients."""
    active = 0.0
    """When the last request began or ended."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.logger = QUIET

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accepts the connection unless its address or network has too many; makes room for it if there is none."""
        super().connection_made(transport)
        self.active = time.monotonic()
        if self._is_one_too_many() or not self._find_room():
            transport.abort()
            return
        self.loop.call_later(PATIENCE, self._look, None, 0)

    def data_received(self, data: bytes) -> None:
        """Receives a part of a request."""
        self.active = time.monotonic()
        super().data_received(data)

    def on_response_complete(self) -> None:
        """Starts to wait for the next request."""
        self.active = time.monotonic()
        super().on_response_complete()

    @property
    def address(self) -> str:
        """The address at the other end."""
        return self.client[0] if self.client else LOOPBACK[0]

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered: one that is still arriving does not count."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def _is_one_too_many(self) -> bool:
        if self.address in LOOPBACK or is_among(self.address, self.proxies):
            return False
        others = [one.address for one in self._all()]
        network = network_of(self.address)
        in_network = sum(network_of(address) == network for address in others)
        return others.count(self.address) > MOST_OF_ADDRESS or in_network > MOST_OF_NETWORK

    def _find_room(self) -> bool:
        """Closes an idle connection if there are too many; returns False if all of them are in use."""
        if len(self.connections) <= MOST:
            return True
        everyone = self._all()
        crowd = Counter(network_of(one.address) for one in everyone)
        idle = [one for one in everyone if one is not self and one.is_idle]
        if not idle:
            return False
        worst = max(idle, key=lambda one: (crowd[network_of(one.address)], -one.active))
        self.connections.discard(worst)  # it counts until the transport has closed, which may take a moment
        worst.transport.abort()
        return True

    def _all(self) -> list[Connection]:
        return [one for one in self.connections if isinstance(one, Connection)]

    def _look(self, before: Any, unsent: int) -> None:
        """Checks periodically whether a request is taking too long to arrive, or a response to be read.

        `before` is the completed request before the one that was arriving at the last check. If it is still the same,
        that request has been arriving for a whole period. `unsent` is the number of bytes that the client had not read.
        """
        if self.transport.is_closing():
            return
        left = self.transport.get_write_buffer_size()
        if left and left == unsent:
            self.transport.abort()
            return
        answered = self.cycle is not None and self.cycle.response_complete
        arriving = self.cycle if answered and self.timeout_keep_alive_task is None else None
        if self.cycle is None or (arriving is not None and arriving is before):
            self.transport.close()
            return
        self.loop.call_later(PATIENCE, self._look, arriving, left)
