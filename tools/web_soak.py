"""Runs the web server for an hour under bad company: python tools/web_soak.py [--minutes 60] [--games 100].

Games are played at a human pace, as in `tablier bench web`. Beside them, other clients connect and stay silent, leave
in the middle of a request, send one byte at a time, send garbage, never read the response, watch tables and vanish, and
begin tables that nobody plays at. The server keeps few tables in memory, so that this cache soon stops growing. The
memory and the open files of the server are sampled every second.

Fails if a game sees an error, if a move is lost, or if the median memory of the last quarter is more than 10% above
that of the second quarter.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from tablier.bench import web

REPORTS = 12
"""Lines of the report."""
EACH = 4
"""Rude clients of each kind at a time."""
HOLD = 40.0
"""Seconds that a rude client holds a connection at most; the server should end it sooner."""
BEGUN = 4.0
"""Tables per second that nobody plays at."""
GROWTH = 1.1
"""How much the memory may grow from the second quarter to the last."""

HEAD = b"Host: 127.0.0.1\r\nX-Forwarded-For: 192.0.2.%d\r\n"
MALFORMED = (
    b"GET / HTTP/1.1\r\nHost: \x00\r\n\r\n",
    b"GET " + b"/x" * 40_000 + b" HTTP/1.1\r\n\r\n",
    b"POST /api/v1/tables HTTP/1.1\r\n" + HEAD % 1 + b"Content-Length: 4\r\n\r\n{{{{",
    b"POST /api/v1/tables HTTP/1.1\r\n" + HEAD % 2 + b"Content-Length: -1\r\n\r\n",
    b"POST /api/v1/records HTTP/1.1\r\n" + HEAD % 3 + b"Transfer-Encoding: chunked\r\n\r\nZZ\r\n",
    b"POST /api/v1/records HTTP/1.1\r\n" + HEAD % 4 + b"Content-Length: 999999999\r\n\r\n",
    b"GET /api/v1/tables/..%2f..%2fetc HTTP/1.1\r\n" + HEAD % 5 + b"\r\n",
)


async def _until_closed(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(HOLD):
            while await reader.read(65_536):
                pass


async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, chance: random.Random) -> None:
    """Says nothing."""
    await _until_closed(reader)


async def leaving(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, chance: random.Random) -> None:
    """Leaves in the middle of a request."""
    writer.write(
        (b"POST /api/v1/tables HTTP/1.1\r\n" + HEAD % 9 + b'Content-Length: 50\r\n\r\n{"game"')[: chance.randrange(99)]
    )
    await asyncio.sleep(chance.uniform(0, 1))


async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, chance: random.Random) -> None:
    """Sends one byte at a time."""
    writer.write(b"POST /api/v1/tables HTTP/1.1\r\n" + HEAD % 10 + b"Content-Length: 500\r\n\r\n")
    for _ in range(int(HOLD)):
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(1)


async def garbage(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, chance: random.Random) -> None:
    """Sends something that is no request."""
    writer.write(chance.randbytes(chance.randrange(5_000)) if chance.random() < 0.5 else chance.choice(MALFORMED))
    await _until_closed(reader)


async def unread(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, chance: random.Random) -> None:
    """Asks for many files and never reads them."""
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    writer.write((b"GET /index.html HTTP/1.1\r\n" + HEAD % 11 + b"\r\n") * 200)
    await asyncio.sleep(chance.uniform(1, HOLD))


RUDE = (silent, leaving, slow, garbage, unread)


async def rude(
    port: int,
    kind: Callable[[asyncio.StreamReader, asyncio.StreamWriter, random.Random], Awaitable[None]],
    seed: int,
    end: float,
) -> None:
    """Connects again and again until `end` (monotonic time)."""
    chance = random.Random(seed)
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            with contextlib.suppress(OSError):
                await kind(reader, writer, chance)
            writer.transport.abort()
        await asyncio.sleep(chance.uniform(0, 2))


async def visit(port: int, seen: web.Seen, end: float) -> None:
    """Begins tables that nobody plays at, from many networks, watches each for a moment and vanishes."""
    chance, n = random.Random(7), 0
    while time.monotonic() < end:
        n += 1
        address = f"172.{n % 16 + 16}.{chance.randrange(256)}.1"
        async with web.Client(port, seen, address) as client:
            status, body = await client.ask("", "POST", "/tables", chance.choice(web.GAMES)[1])
        if status != 201:
            seen.problems.append(f"visit: {status} {body[:200]!r}")
            return
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        path = f"/api/v1/tables/{json.loads(body)['table']}/events"
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: {address}\r\n\r\n".encode())
        await asyncio.sleep(1 / BEGUN)
        writer.transport.abort()


def sample(process: int) -> tuple[float, int]:
    """Returns the resident memory of a process in megabytes, and the number of its open files."""
    status = Path(f"/proc/{process}/status").read_text()
    memory = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))
    return float(memory) / 1000, len(list(Path(f"/proc/{process}/fd").iterdir()))


async def report(process: int, seen: web.Seen, minutes: float, end: float) -> list[float]:
    """Samples and prints until `end`; returns the memory."""
    memory: list[float] = []
    print(
        f"{'minute':>6} {'MB':>6} {'files':>6} {'moves':>8} {'median ms':>10} {'99% ms':>8} {'late 99% ms':>12}",
        flush=True,
    )
    for n in range(REPORTS):
        start, late = len(seen.seconds["play"]), len(seen.late)
        until = end - 60 * minutes * (REPORTS - 1 - n) / REPORTS
        while time.monotonic() < until:
            await asyncio.sleep(1)
            megabytes, files = sample(process)
            memory.append(megabytes)
        times, lag = seen.seconds["play"][start:] or [0.0], seen.late[late:]
        speed = f"{1000 * statistics.median(times):10.1f} {web.within(times, 0.99):8.1f} {web.within(lag, 0.99):12.1f}"
        moves = len(seen.seconds["play"])
        print(f"{minutes * (n + 1) / REPORTS:6.1f} {memory[-1]:6.0f} {files:6d} {moves:8d} {speed}", flush=True)
    return memory


async def soak(port: int, process: int, minutes: float, games: int) -> tuple[web.Seen, list[float], int]:
    """Runs everything; returns what the games saw, the memory, and the number of moves found again."""
    seen, chance = web.Seen(), random.Random(1)
    end = time.monotonic() + 60 * minutes

    async def one(seed: int) -> None:
        await asyncio.sleep(chance.uniform(0, web.THINKS[1]))
        async with web.Client(port, seen, f"10.{seed // 250}.{seed % 250}.1") as client:
            await web.play(client, web.tables(games)[seed], seen, end, random.Random(seed))

    jobs = [asyncio.create_task(one(seed)) for seed in range(games)]
    beside = [asyncio.create_task(rude(port, kind, seed, end)) for kind in RUDE for seed in range(EACH)]
    beside += [asyncio.create_task(visit(port, seen, end)), asyncio.create_task(web.watch_clock(seen))]
    memory = await report(process, seen, minutes, end)
    for problem in await asyncio.gather(*jobs, return_exceptions=True):
        if isinstance(problem, BaseException):
            seen.problems.append(f"{type(problem).__name__}: {problem}")
    for task in beside:
        task.cancel()
    await asyncio.gather(*beside, return_exceptions=True)
    return seen, memory, await web.check(port, seen)


def main() -> int:
    """Runs the server and the clients, and judges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0, help="duration (default 60)")
    parser.add_argument("--games", type=int, default=100, help="games at a time (default 100)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, web.serving(folder, "--cache", "100") as (port, process):
        seen, memory, found = asyncio.run(soak(port, process, args.minutes, args.games))
        size = sum(path.stat().st_size for path in Path(folder).iterdir()) / 1e6
    quarter = len(memory) // 4
    early, late = statistics.median(memory[quarter : 2 * quarter]), statistics.median(memory[3 * quarter :])
    lost, bad = len(seen.lost), len(seen.problems)
    print(f"{found} moves found again in {len(seen.moves)} games, {lost} games with lost moves, {bad} problems")
    print(f"memory: second quarter {early:.0f} MB, last {late:.0f} MB; database {size:.1f} MB")
    for problem in seen.problems[:10]:
        print(f"  {problem}")
    return 0 if not seen.problems and late < GROWTH * early else 1


if __name__ == "__main__":
    sys.exit(main())
