"""Benchmark of the web server: response times with hundreds of concurrent games, and a check that no move is lost.

The server runs in a separate process, started by `tablier serve`, with its database on disk. Each game has a scripted
client with one connection, an address of its own and about two seconds between requests, like a human player.
Afterwards every record is downloaded, replayed and compared with the responses the client received.

Clients share a process. Its event loop may be late on a busy machine, and that time is part of every response time, so
it is measured too.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

from tablier import records
from tablier.bench.timing import Row

SECONDS = 30.0
"""Default duration of the benchmark."""
THINKS = (1.0, 3.0)
"""Range of the pause between two requests of a client in seconds, drawn uniformly."""
GAMES: list[tuple[int, dict[str, Any]]] = [
    (150, {"game": "trictrac", "seats": ["human", "human"]}),
    (100, {"game": "trictrac", "seats": ["human", "random"]}),
    (100, {"game": "pig", "seats": ["human", "human"]}),
    (100, {"game": "pig", "seats": ["human", "random"]}),
    (50, {"game": "tic_tac_toe", "seats": ["human", "human"]}),
]
"""Number of concurrent games of each kind. The computer players do not search, so the server itself is measured."""
LOOK = 0.02
"""Seconds between two measurements of how late the clients' event loop is."""


@dataclass
class Seen:
    """The observations of all clients."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: {"play": [], "look": [], "begin": []})
    """Response times by kind of request."""
    problems: list[str] = field(default_factory=list)
    """Descriptions of failed requests and lost moves."""
    moves: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """Acknowledged moves by table, as (version, action)."""
    lost: set[str] = field(default_factory=set)
    """Tables that lack an acknowledged move."""
    late: list[float] = field(default_factory=list)
    """How late the clients' event loop was, in seconds, at regular intervals."""


class Client:
    """A minimal HTTP client for this server: one connection, one request at a time.

    Args:
        port: the port of the server.
        seen: collects response times.
        address: the client's address, which a server that trusts this machine as a proxy believes.
    """

    def __init__(self, port: int, seen: Seen, address: str = "127.0.0.1") -> None:
        self._port, self._seen, self._address = port, seen, address

    async def __aenter__(self) -> Client:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._writer.close()

    async def ask(self, what: str, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, bytes]:
        """Sends a request.

        Args:
            what: the key in `Seen.seconds` for the response time; empty to discard it.
            method: the HTTP method.
            path: the path below /api/v1.
            body: JSON data, or None.
            token: bearer token, or empty.

        Returns:
            The status and the body of the response.
        """
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} /api/v1{path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nContent-Length: {len(content)}\r\n"
        head += f"X-Forwarded-For: {self._address}\r\n"
        if content:
            head += "Content-Type: application/json\r\n"
        if token:
            head += f"Authorization: Bearer {token}\r\n"
        begun = time.perf_counter()
        self._writer.write(head.encode() + b"\r\n" + content)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", answer, re.IGNORECASE)
        received = await self._reader.readexactly(int(length[1])) if length else b""
        if what:
            self._seen.seconds[what].append(time.perf_counter() - begun)
        return int(answer.split(None, 2)[1]), received


async def play(client: Client, setup: dict[str, Any], seen: Seen, end: float, chance: random.Random) -> None:
    """Plays one game after another until `end` (monotonic time), or until a request fails.

    Args:
        client: the connection.
        setup: the body of the request that creates a table.
        seen: collects moves and problems.
        end: when to stop, in monotonic time.
        chance: the random number generator of pauses and actions.
    """
    while time.monotonic() < end:
        status, body = await client.ask("begin", "POST", "/tables", setup)
        if status != 201:
            seen.problems.append(f"begin: {status} {body[:200]!r}")
            return
        begun = json.loads(body)
        path, token = f"/tables/{begun['table']}", ",".join(filter(None, begun["tokens"]))
        view, moves = begun["view"], seen.moves.setdefault(begun["table"], [])
        while not view["over"] and time.monotonic() < end:
            await asyncio.sleep(chance.uniform(*THINKS))
            if view["your_turn"]:
                move = (view["version"], chance.choice(view["legal"])["action"])
                wanted = {"version": move[0], "action": move[1]}
                status, body = await client.ask("play", "POST", f"{path}/actions", wanted, token)
                moves.append(move)
            else:
                status, body = await client.ask("look", "GET", path, token=token)
            if status != 200:
                seen.problems.append(f"{path}: {status} {body[:200]!r}")
                return
            view = json.loads(body)


async def check(port: int, seen: Seen) -> int:
    """Downloads and replays every record, and returns the number of acknowledged moves that are in them."""
    found = 0
    async with Client(port, seen) as client:
        for table, moves in seen.moves.items():
            status, body = await client.ask("", "GET", f"/tables/{table}/record?format=json")
            if status != 200:
                seen.problems.append(f"record: {status} {body[:200]!r}")
                continue
            _, actions = records.load(body)
            lost = [move for move in moves if actions[move[0] : move[0] + 1] != (move[1],)]
            seen.lost |= {table} if lost else set()
            seen.problems += [f"{table}: lost {move}" for move in lost]
            found += len(moves) - len(lost)
    return found


def tables(games: int | None = None) -> list[dict[str, Any]]:
    """Returns the requests that create the tables: those of GAMES, or so many in the same proportions."""
    every = [setup for count, setup in GAMES for _ in range(count)]
    return every if games is None else [every[n * len(every) // games % len(every)] for n in range(games)]


async def watch_clock(seen: Seen) -> None:
    """Measures how late the event loop of the clients is, until it is cancelled."""
    while True:
        due = time.perf_counter() + LOOK
        await asyncio.sleep(LOOK)
        seen.late.append(max(0.0, time.perf_counter() - due))


async def _everything(port: int, seconds: float, games: int | None = None) -> tuple[Seen, int, float]:
    seen, chance = Seen(), random.Random(1)
    begun = time.monotonic()
    clock = asyncio.create_task(watch_clock(seen))

    async def one(setup: dict[str, Any], delay: float, seed: int) -> None:
        await asyncio.sleep(delay)  # people do not all arrive at once
        async with Client(port, seen, f"10.{seed // 250}.{seed % 250}.1") as client:
            await play(client, setup, seen, begun + seconds, random.Random(seed))

    arrive = min(THINKS[1], seconds / 4)
    jobs = [one(setup, chance.uniform(0, arrive), seed) for seed, setup in enumerate(tables(games))]
    for problem in await asyncio.gather(*jobs, return_exceptions=True):
        if isinstance(problem, BaseException):
            seen.problems.append(f"{type(problem).__name__}: {problem}")
    took = time.monotonic() - begun
    clock.cancel()
    return seen, await check(port, seen), took


@contextmanager
def serving(folder: str, *more: str) -> Iterator[tuple[int, int]]:
    """Runs a server with its database in a folder and more options, and yields its port and its process id."""
    command = [sys.executable, "-m", "tablier", "serve", "--port", "0", "--db", f"{folder}/games.sqlite"]
    with subprocess.Popen([*command, "--proxy", "127.0.0.1", *more], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            said = re.search(r"127\.0\.0\.1:(\d+)", process.stdout.readline())
            if said is None:
                raise ValueError("the server did not start")
            yield int(said[1]), process.pid
        finally:
            process.terminate()


def within(times: list[float], part: float) -> float:
    """Returns the time within which a part of the times lies, in milliseconds."""
    return 1000 * sorted(times)[int(part * len(times))]


def measure(
    progress: Callable[[str], None] = lambda _: None, seconds: float = SECONDS, games: int | None = None
) -> list[Row]:
    """Measures response rates, with the median and 99th percentile of the response time.

    Args:
        progress: called with a description of the measurement.
        seconds: duration.
        games: number of concurrent games; None for those of GAMES.

    Raises:
        ValueError: the server is not installed or did not start, a request failed, a move was lost, or the time was too
            short for a request of each kind.
    """
    if not (find_spec("fastapi") and find_spec("uvicorn")):
        raise ValueError("the web server needs FastAPI and uvicorn: pip install 'tablier[web]'")
    n = len(tables(games))
    progress(f"{n} games at once for {seconds:g} seconds")
    before = _children_seconds()
    with tempfile.TemporaryDirectory() as folder, serving(folder) as (port, _):
        seen, found, took = asyncio.run(_everything(port, seconds, games))
    cpu = _children_seconds() - before
    if seen.problems:
        lost = f"{len(seen.problems)} problems, {len(seen.lost)} games with lost moves"
        raise ValueError(f"{lost}; the first one: {seen.problems[0]}")
    rows = []
    for what, name in (("play", "an action, its dice and the view"), ("look", "a look at the table")):
        times = seen.seconds[what]
        if not times:
            raise ValueError(f"no answer in {seconds:g} seconds: {name}; measure for longer")
        note = f"median {1000 * statistics.median(times):.1f} ms, 99% within {within(times, 0.99):.1f} ms"
        rows.append(Row(f"web, {n} games at once: {name}", "answers", len(times) / took, note=note))
    late = f"clients late by {1000 * statistics.median(seen.late):.1f} ms, 99% within {within(seen.late, 0.99):.1f} ms"
    more = f"{found} moves, none lost, no error; {late}; the server used {cpu:.0f} s of CPU in {took:.0f} s"
    rows[0] = Row(rows[0].what, "answers", rows[0].rate, note=f"{rows[0].note}; {more}")
    return rows


def _children_seconds() -> float:
    """Returns the CPU time of child processes that have ended."""
    times = os.times()
    return times.children_user + times.children_system
