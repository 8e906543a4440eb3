"""Connections: an idle one is closed and does not lock others out."""

import asyncio
import socket
import threading
from contextlib import ExitStack

import pytest
import uvicorn
from serving import PATIENCE, until

from tablier.web.http import connections
from tablier.web.http.connections import Connection

REQUEST = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"


BIG = b"x" * 20_000_000
"""More than the buffers of the sockets take."""


async def greet(scope, receive, send):
    if scope["path"] == "/wait":
        while (await receive())["type"] != "http.disconnect":
            pass
        return
    if scope["path"] == "/big":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": BIG})
        return
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


def connect(server, source="127.0.0.1"):
    return socket.create_connection(server.address, timeout=PATIENCE, source_address=(source, 0))


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


def test_a_network_does_not_have_them_all(server, monkeypatch):
    monkeypatch.setattr(connections, "MOST_OF_NETWORK", 3)
    with ExitStack() as stack:
        open_ones = [stack.enter_context(connect(server, f"127.0.1.{n}")) for n in range(1, 4)]
        assert all(ask(raw) for raw in open_ones)
        assert is_closed(stack.enter_context(connect(server, "127.0.1.4")))
        assert ask(stack.enter_context(connect(server, "127.0.2.1")))


def test_a_newcomer_takes_the_place_of_the_oldest_idle_connection_of_the_largest_network(server, monkeypatch):
    monkeypatch.setattr(connections, "MOST", 5)
    with ExitStack() as stack:
        alone = stack.enter_context(connect(server, "127.0.2.1"))
        assert ask(alone)
        crowd = [stack.enter_context(connect(server, f"127.0.1.{n}")) for n in range(1, 5)]
        assert all(ask(raw) for raw in crowd)
        assert ask(crowd[0])  # so the second one has been idle longest
        newcomers = [stack.enter_context(connect(server, f"127.0.{n}.1")) for n in (3, 4)]
        assert all(ask(raw) for raw in newcomers)
        assert all(is_closed(raw) for raw in crowd[1:3])
        assert all(ask(raw) for raw in (alone, crowd[0], crowd[3], *newcomers))


def test_a_connection_that_is_in_use_is_not_closed_for_a_newcomer(server, monkeypatch):
    monkeypatch.setattr(connections, "MOST", 2)
    with ExitStack() as stack:
        waiting = [stack.enter_context(connect(server, f"127.0.1.{n}")) for n in (1, 2)]
        for raw in waiting:
            raw.sendall(REQUEST.replace(b"/", b"/wait", 1))
        until(lambda: len(server._server.server_state.tasks) == 2)
        assert is_closed(stack.enter_context(connect(server, "127.0.2.1")))
        assert server.open_ones() == 2


def test_requests_that_never_arrive_make_room_for_a_newcomer(server, monkeypatch):
    monkeypatch.setattr(connections, "MOST", 2)
    with ExitStack() as stack:
        slow = [stack.enter_context(connect(server, f"127.0.1.{n}")) for n in (1, 2)]
        for raw in slow:
            raw.sendall(b"POST /wait HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nbegun")
        until(lambda: len(server._server.server_state.tasks) == 2)
        assert ask(stack.enter_context(connect(server, "127.0.2.1")))
        assert is_closed(slow[0])


def test_a_client_that_does_not_read_the_response_is_disconnected(server):
    with connect(server) as raw:
        raw.sendall(REQUEST.replace(b"/", b"/big", 1))
        until(lambda: server.lose_patience() or server.open_ones() == 0)


def test_a_client_that_reads_slowly_gets_the_whole_response(server):
    with connect(server) as raw:
        raw.sendall(REQUEST.replace(b"/", b"/big", 1))
        received = len(raw.recv(1_000))
        (connection,) = server._server.server_state.connections
        for _ in range(2):
            server.lose_patience()
            unsent = connection.transport.get_write_buffer_size()
            while connection.transport.get_write_buffer_size() == unsent:
                received += len(raw.recv(1_000))
        server.lose_patience()
        while received < len(BIG):
            more = len(raw.recv(1_000_000))
            assert more, "the server has closed it"
            received += more


def test_garbage_is_answered_and_not_logged(server, caplog):
    with connect(server) as raw:
        raw.sendall(b"\x00\x01 nonsense\r\n\r\n")
        assert raw.recv(1_000).startswith(b"HTTP/1.1 400")
    until(lambda: server.open_ones() == 0)
    assert caplog.records == []
