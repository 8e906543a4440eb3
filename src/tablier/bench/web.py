"""Benchmark of the web server: response times with 200 concurrent games, and a check that no move is lost.

The server runs in a separate process, started by `tablier serve`, with its database on disk. Each game has a scripted
client with one connection and about a second between requests, like a fast human player. Afterwards every record is
downloaded, replayed and compared with the responses the client received.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

from tablier import records
from tablier.bench.timing import Row

SECONDS = 30.0
"""Default duration of the benchmark."""
THINKS = (0.5, 1.5)
"""Range of the pause between two requests of a client in seconds, drawn uniformly."""
GAMES: list[tuple[int, dict[str, Any]]] = [
    (60, {"game": "trictrac", "seats": ["human", "human"]}),
    (40, {"game": "trictrac", "seats": ["human", "random"]}),
    (40, {"game": "pig", "seats": ["human", "human"]}),
    (40, {"game": "pig", "seats": ["human", "random"]}),
    (20, {"game": "tic_tac_toe", "seats": ["human", "human"]}),
]
"""Number of concurrent games of each kind. The computer players do not search, so the server itself is measured."""


@dataclass
class Seen:
    """The observations of all clients."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: {"play": [], "look": [], "begin": []})
    """Response times by kind of request."""
    problems: list[str] = field(default_factory=list)
    """Descriptions of failed requests and lost moves."""
    moves: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """Acknowledged moves by table, as (version, action)."""


class Client:
    """A minimal HTTP client for this server: one connection, one request at a time."""

    def __init__(self, port: int, seen: Seen) -> None:
        self._port, self._seen = port, seen

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
            seen.problems += [f"{table}: lost {move}" for move in lost]
            found += len(moves) - len(lost)
    return found


async def _everything(port: int, seconds: float) -> tuple[Seen, int, float]:
    seen, chance = Seen(), random.Random(1)
    begun = time.monotonic()

    async def one(setup: dict[str, Any], delay: float, seed: int) -> None:
        await asyncio.sleep(delay)  # people do not all arrive at once
        async with Client(port, seen) as client:
            await play(client, setup, seen, begun + seconds, random.Random(seed))

    places = [setup for count, setup in GAMES for _ in range(count)]
    jobs = [one(setup, chance.uniform(0, min(2.0, seconds / 4)), seed) for seed, setup in enumerate(places)]
    for problem in await asyncio.gather(*jobs, return_exceptions=True):
        if isinstance(problem, BaseException):
            seen.problems.append(f"{type(problem).__name__}: {problem}")
    took = time.monotonic() - begun
    return seen, await check(port, seen), took


def measure(progress: Callable[[str], None] = lambda _: None, seconds: float = SECONDS) -> list[Row]:
    """Measures response rates, with the median and 99th percentile of the response time.

    Args:
        progress: called with a description of the measurement.
        seconds: duration.

    Raises:
        ValueError: the server is not installed or did not start, a request failed, a move was lost, or the time was too
            short for a request of each kind.
    """
    if not (find_spec("fastapi") and find_spec("uvicorn")):
        raise ValueError("the web server needs FastAPI and uvicorn: pip install 'tablier[web]'")
    games = sum(count for count, _ in GAMES)
    progress(f"{games} games at once for {seconds:g} seconds")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tablier", "serve", "--port", "0", "--db", f"{folder}/games.sqlite"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                said = re.search(r"127\.0\.0\.1:(\d+)", process.stdout.readline())
                if said is None:
                    raise ValueError("the server did not start")
                seen, found, took = asyncio.run(_everything(int(said[1]), seconds))
            finally:
                process.terminate()
    if seen.problems:
        raise ValueError(f"{len(seen.problems)} problems; the first one: {seen.problems[0]}")
    rows = []
    for what, name in (("play", "an action, its dice and the view"), ("look", "a look at the table")):
        times = sorted(seen.seconds[what])
        if not times:
            raise ValueError(f"no answer in {seconds:g} seconds: {name}; measure for longer")
        middle, high = 1000 * statistics.median(times), 1000 * times[int(0.99 * len(times))]
        note = f"median {middle:.1f} ms, 99% within {high:.1f} ms"
        rows.append(Row(f"web, {games} games at once: {name}", "answers", len(times) / took, note=note))
    rows[0] = Row(rows[0].what, "answers", rows[0].rate, note=f"{rows[0].note}; {found} moves, none lost, no error")
    return rows
