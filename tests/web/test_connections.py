"""Connections: who opens one and asks for nothing does not keep it, and does not keep others out."""

import asyncio
import socket
import threading

import pytest
import uvicorn

from tablier.web.http import connections
from tablier.web.http.connections import Connection

REQUEST = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"


async def greet(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"hi"})


@pytest.fixture
def address(monkeypatch):
    """A server that waits for a request no longer than two seconds."""
    monkeypatch.setattr(connections, "PATIENCE", 2.0)
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(greet, http=Connection, log_level="error", lifespan="off", timeout_keep_alive=60)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=asyncio.run, args=(server.serve(sockets=[listening]),))
    thread.start()
    yield listening.getsockname()
    server.should_exit = True
    thread.join(20)


def is_closed(raw):
    """Waits until the server closes a connection, in good order or not."""
    raw.settimeout(20)
    try:
        return raw.recv(1) == b""
    except ConnectionResetError:
        return True


def ask(raw):
    raw.settimeout(20)
    raw.sendall(REQUEST)
    answer = b""
    while not answer.endswith(b"hi"):
        more = raw.recv(1000)
        assert more, "the server has closed it"
        answer += more
    return answer.startswith(b"HTTP/1.1 200")


def test_a_silent_connection_is_closed(address):
    with socket.create_connection(address) as silent, socket.create_connection(address) as slow:
        slow.sendall(REQUEST[:10])
        assert is_closed(silent)
        assert is_closed(slow)


def test_a_request_that_stays_unfinished_after_another_is_closed(address):
    with socket.create_connection(address) as raw:
        assert ask(raw)
        raw.sendall(REQUEST[:10])
        assert is_closed(raw)


def test_a_connection_that_asks_now_and_then_stays_open(address):
    with socket.create_connection(address) as raw:
        for _ in range(2):
            assert ask(raw)
            threading.Event().wait(4.5)  # more than twice the patience
        assert ask(raw)


def test_one_address_does_not_have_them_all(address, monkeypatch):
    monkeypatch.setattr(connections, "LOOPBACK", ("192.0.2.1",))
    monkeypatch.setattr(connections, "MOST_OF_ADDRESS", 3)
    open_ones = [socket.create_connection(address) for _ in range(3)]
    assert all(ask(raw) for raw in open_ones)
    with socket.create_connection(address) as refused:
        assert is_closed(refused)
    assert all(ask(raw) for raw in open_ones)
    for raw in open_ones:
        raw.close()
