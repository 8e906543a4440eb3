"""Connections: an idle one is closed and does not lock others out."""

import asyncio
import socket
import threading

import pytest
import uvicorn
from serving import PATIENCE, until

from tablier.web.http import connections
from tablier.web.http.connections import Connection

REQUEST = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"


async def greet(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"hi"})


class Server:
    """A server in its own thread, whose timeout fires when a test says so, not by the clock."""

    def __init__(self):
        listening = socket.create_server(("127.0.0.1", 0))
        self.address = listening.getsockname()
        self._loop, self._looks = asyncio.new_event_loop(), []
        self._by_the_clock, self._loop.call_later = self._loop.call_later, self._call_later
        self._server = uvicorn.Server(
            uvicorn.Config(greet, http=Connection, log_level="error", lifespan="off", timeout_keep_alive=3600)
        )
        serving = self._server.serve(sockets=[listening])
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(serving,))
        self._thread.start()

    def _call_later(self, delay, callback, *args, **more):
        if delay == connections.PATIENCE:
            return self._looks.append((callback, args))
        return self._by_the_clock(delay, callback, *args, **more)

    def lose_patience(self):
        """Runs every callback that waits for the timeout now."""

        async def look():
            looks, self._looks = self._looks, []
            for callback, args in looks:
                callback(*args)

        asyncio.run_coroutine_threadsafe(look(), self._loop).result(PATIENCE)

    def open_ones(self):
        return len(self._server.server_state.connections)

    def close(self):
        self._server.should_exit = True
        self._thread.join()
        self._loop.close()


@pytest.fixture
def server():
    made = Server()
    yield made
    made.close()


def connect(server):
    return socket.create_connection(server.address, timeout=PATIENCE)


def is_closed(raw):
    """Waits until the server closes the connection, cleanly or not."""
    try:
        return raw.recv(1) == b""
    except ConnectionResetError:
        return True


def ask(raw):
    raw.sendall(REQUEST)
    answer = b""
    while not answer.endswith(b"hi"):
        more = raw.recv(1000)
        assert more, "the server has closed it"
        answer += more
    return answer.startswith(b"HTTP/1.1 200")


def test_a_silent_connection_is_closed(server):
    with connect(server) as silent, connect(server) as slow:
        slow.sendall(REQUEST[:10])
        until(lambda: server.open_ones() == 2)
        server.lose_patience()
        assert is_closed(silent)
        assert is_closed(slow)


def test_a_request_that_stays_unfinished_after_another_is_closed(server):
    with connect(server) as raw:
        assert ask(raw)
        raw.sendall(REQUEST[:10])
        until(lambda: server.lose_patience() or server.open_ones() == 0)
        assert is_closed(raw)


def test_a_connection_that_asks_now_and_then_stays_open(server):
    with connect(server) as raw:
        for _ in range(3):
            assert ask(raw)
            for _ in range(3):
                server.lose_patience()
        assert ask(raw)


def test_one_address_does_not_have_them_all(server, monkeypatch):
    monkeypatch.setattr(connections, "LOOPBACK", ("192.0.2.1",))
    monkeypatch.setattr(connections, "MOST_OF_ADDRESS", 3)
    open_ones = [connect(server) for _ in range(3)]
    assert all(ask(raw) for raw in open_ones)
    with connect(server) as refused:
        assert is_closed(refused)
    assert all(ask(raw) for raw in open_ones)
    for raw in open_ones:
        raw.close()
