"""Rejects requests with foreign hosts or origins, or with bodies too large or too slow; adds security headers."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Event

from tablier.messages import Message
from tablier.web.http.refusals import refusal
from tablier.web.service.clients import LOOPBACK, Network, client_of

POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
READING = ("GET", "HEAD", "OPTIONS")
CLIENT = "tablier.client"
"""The key of the client (`clients.Client`) in the scope of a request."""
PATIENCE = 15.0
"""Timeout for a request body, in seconds."""
DRAINED, DRAINING = 2**18, 1.0
"""Up to this many bytes, a body that is too large is still read, for at most this many seconds."""


class Guard:
    """ASGI middleware that checks requests before the application sees them.

    Args:
        app: the application to protect.
        host: the address the server listens on.
        names: additional host names to accept.
        body: the maximum size of a request body, in bytes.
        record: the maximum size of an uploaded record, in bytes.
        proxies: the proxies whose `X-Forwarded-For` header names the client.
    """

    def __init__(
        self,
        app: ASGIApp,
        host: str,
        names: tuple[str, ...],
        body: int,
        record: int,
        proxies: tuple[Network, ...] = (),
    ) -> None:
        self._app, self._body, self._record, self._proxies = app, body, record, proxies
        self._names = {*LOOPBACK, host.strip("[]").lower(), *(name.lower() for name in names)}
        self._everywhere = host in ("0.0.0.0", "::", "")
        if host not in LOOPBACK:
            self._names |= {socket.gethostname().lower(), f"{socket.gethostname().lower()}.local"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on or refuses it (ASGI interface)."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        send = _with_headers(send, scope["path"])
        headers = Headers(scope=scope)
        peer = scope["client"][0] if scope.get("client") else LOOPBACK[0]  # a Unix socket has no address
        scope[CLIENT] = client_of(peer, ",".join(headers.getlist("x-forwarded-for")), self._proxies)

        async def refuse(status: int, message: Message) -> None:
            close = {"Connection": "close"} if status in (408, 413) else {}  # the rest of the body is not read
            await refusal(status, message, headers.get("accept-language", ""), close)(scope, receive, send)

        if problem := self._host_problem(headers) or self._origin_problem(scope["method"], headers):
            await refuse(403, problem)
            return
        if scope["method"] in READING:  # these endpoints ignore the body
            await self._app(scope, receive, send)
            return
        most = self._record if scope["path"].rstrip("/").endswith("/records") else self._body
        try:
            async with asyncio.timeout(PATIENCE):
                body = await _read(headers, receive, most)
        except _TooLarge:
            await _drain(headers, receive)
            await refuse(413, Message("body.too_large", most=most))
            return
        except TimeoutError:
            await refuse(408, Message("body.late", seconds=f"{PATIENCE:g}"))
            return
        if body is None:  # the client has disconnected
            return
        given = False

        async def again() -> Event:
            nonlocal given
            if given:
                return await receive()  # the disconnect
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, again, send)

    def _host_problem(self, headers: Headers) -> Message | None:
        """Checks the host, to prevent DNS rebinding: another site could point its name at this machine."""
        name = _hostname(f"//{headers.get('host', '')}")
        if name in self._names or (self._everywhere and _is_address(name)):
            return None
        return Message("host.unknown")

    def _origin_problem(self, method: str, headers: Headers) -> Message | None:
        """Checks the origin, to prevent CSRF: only this server's page and programs may change anything."""
        if method in READING:
            return None
        origin = headers.get("origin")
        if origin is not None:
            host = headers.get("host", "").lower()
            if origin.lower() not in (f"http://{host}", f"https://{host}"):
                return Message("origin.foreign")
        elif headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return Message("origin.foreign")
        return None


class _TooLarge(Exception):
    pass


async def _read(headers: Headers, receive: Receive, most: int) -> bytes | None:
    """Reads the body, up to `most` bytes; returns None if the client disconnects."""
    length = headers.get("content-length", "0")
    if not length.isdecimal() or len(length) > 12 or int(length) > most:
        raise _TooLarge
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if len(body) > most:
            raise _TooLarge
        if not message.get("more_body", False):
            return bytes(body)


async def _drain(headers: Headers, receive: Receive) -> None:
    """Reads a body that is a little too large to its end.

    A connection that is closed with unread data is reset, and its client may never see the answer. A client that sends
    `Expect` waits for the answer before it sends the body.
    """
    length = headers.get("content-length", "")
    if "expect" in headers or not length.isdecimal() or len(length) > 12 or int(length) > DRAINED:
        return
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DRAINING):
            while (await receive()).get("more_body", False):
                pass


def _hostname(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _with_headers(send: Send, path: str) -> Send:
    more = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
    if path.startswith("/api/"):
        more.append((b"cache-control", b"no-store"))

    async def wrapped(message: Event) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *more]
        await send(message)

    return wrapped
