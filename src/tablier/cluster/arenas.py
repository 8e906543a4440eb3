"""Matches and tournaments on a cluster. The networks of players travel with the work."""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from tablier.arena import GameResult, Job, LocalWorkers
from tablier.cluster.pool import Pool
from tablier.evaluators.network import read_network

JOBS = 4
"""Jobs per piece of work: each starts a process, so that a player who hangs or crashes only loses its game."""
AHEAD = 1_000
"""Pieces of work that are handed to the cluster in advance."""
_NET = re.compile(r"(?<=[:,]net=)[^,]+")


class MatchPlaces:
    """Plays the portions of a match on a cluster: the `pool` of `tablier.arena.play_match`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._files: dict[str, bytes] = {}
        """Networks by path, read once, so that the pool recognises and shares them."""

    def submit(self, work: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """Calls `work(*args)` on a worker, which gets the network files that player strings in `args` name."""
        names = sorted({path for arg in args if isinstance(arg, str) for path in _networks(arg)})
        return self._pool.submit(with_networks, work, args, names, *map(self.content, names))

    def content(self, path: str) -> bytes:
        """Reads a network file, once."""
        if path not in self._files:
            self._files[path] = read_network(Path(path), path)
        return self._files[path]


class TournamentPlaces:
    """An executor for `tablier.arena.run_tournament` that plays its jobs on a cluster."""

    def __init__(self, pool: Pool) -> None:
        self._pool, self._places = pool, MatchPlaces(pool)

    def __call__(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, GameResult]]:
        """Plays the jobs and yields their results."""
        waiting = iter(jobs)
        asked: dict[Future[Any], list[Job]] = {}
        try:
            while part := list(islice(waiting, JOBS)):
                asked[self._submit(part)] = part
                if len(asked) >= AHEAD:
                    yield from _finished(asked)
            while asked:
                yield from _finished(asked)
        finally:
            for future in asked:
                future.cancel()

    def _submit(self, part: list[Job]) -> Future[Any]:
        names = sorted({path for job in part for one in (job.first, job.second) for path in _networks(one.plays)})
        # The workers have imported the files already; their paths mean nothing there.
        bare = [replace(job, imports=()) for job in part]
        return self._pool.submit(play_jobs, bare, names, *map(self._places.content, names))


def _finished(asked: dict[Future[Any], list[Job]]) -> Iterator[tuple[Job, GameResult]]:
    """Waits for some of the parts, removes them, and yields their results."""
    for future in wait(asked, return_when=FIRST_COMPLETED).done:
        part = asked.pop(future)
        for index, result in future.result():
            yield part[index], result


def _networks(player: str) -> list[str]:
    return [path for path in _NET.findall(player) if Path(path).is_file()]


def with_networks(work: Callable[..., Any], args: tuple[Any, ...], names: list[str], *contents: bytes) -> Any:
    """Stores networks on the worker, then calls `work` with player strings that name the stored files."""
    with _stored(names, contents) as here:
        return work(*(_moved(arg, here) if isinstance(arg, str) else arg for arg in args))


def play_jobs(jobs: list[Job], names: list[str], *contents: bytes) -> list[tuple[int, GameResult]]:
    """Plays jobs in a process of their own; returns each result with the index of its job."""
    with _stored(names, contents) as here:
        moved = [
            replace(
                job,
                first=replace(job.first, plays=_moved(job.first.plays, here)),
                second=replace(job.second, plays=_moved(job.second.plays, here)),
            )
            for job in jobs
        ]
        index = {(job.first, job.second, number): i for i, job in enumerate(moved) for number in job.numbers}
        return [(index[job.first, job.second, result.number], result) for job, result in LocalWorkers(1)(moved)]


@contextlib.contextmanager
def _stored(names: list[str], contents: tuple[bytes, ...]) -> Iterator[dict[str, str]]:
    """Writes networks to a folder that only this user can read; yields the new paths, then removes the folder."""
    with tempfile.TemporaryDirectory(prefix="tablier-") as folder:
        here = {}
        for number, (name, content) in enumerate(zip(names, contents, strict=True)):
            path = Path(folder) / f"{number}{Path(name).suffix}"
            path.write_bytes(content)
            here[name] = str(path)
        yield here


def _moved(player: str, here: dict[str, str]) -> str:
    return _NET.sub(lambda found: here.get(found.group(), found.group()), player)
