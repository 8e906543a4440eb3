"""Local worker processes for tournaments. A player that crashes its process or never answers does not stop them.

An executor is any function that takes jobs and yields their results: `in_this_process`, `LocalWorkers`, or one that
sends jobs to other machines. It may split and repeat jobs, because the result of a game depends only on its job and its
number.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from multiprocessing import connection
from typing import Any

from tablier.arena.jobs import DIED, SLOW, GameResult, Job, play_job
from tablier.arena.processes import SPAWN, deaf_children, end_with_parent
from tablier.messages import MessageError

Executor = Callable[[Iterable[Job]], Iterator[tuple[Job, GameResult]]]
"""Maps jobs to results, in any order."""
TRIES = 2
"""How often a game is tried if its process dies. The player loses only after that: the cause may lie elsewhere."""
POLL = 0.2
"""Seconds between two checks of the workers' time limits."""


def in_this_process(jobs: Iterable[Job]) -> Iterator[tuple[Job, GameResult]]:
    """Plays all jobs in this process, one after the other. A player that hangs or crashes it stops everything."""
    for job in jobs:
        for result in play_job(job):
            yield job, result


class LocalWorkers:
    """An executor that plays jobs in several processes on this machine.

    A player that takes longer than the limit of its job, or whose process dies twice in the same game, loses that game;
    the process is replaced and the job continues.

    Args:
        count: number of processes.
    """

    def __init__(self, count: int) -> None:
        self._count = count

    def __call__(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, GameResult]]:
        """Plays the jobs, which are taken one by one, and yields each result as soon as the game ends."""
        rest = iter(jobs)
        first = list(islice(rest, self._count))
        waiting = chain(first, rest)
        died: dict[tuple[str, str, int], int] = {}
        workers = [_Worker() for _ in first]
        try:
            while True:
                for worker in workers:
                    if worker.job is None and (job := next(waiting, None)):
                        worker.give(job)
                busy = [worker for worker in workers if worker.job]
                if not busy:
                    return
                ready = connection.wait([worker.pipe for worker in busy], POLL)
                for worker in busy:
                    if worker.pipe in ready:
                        yield from _received(worker, died)
                for worker in workers:
                    yield from _timed_out(worker)
        finally:
            for worker in workers:
                worker.end()


class _Worker:
    """A process that plays one job at a time, and is replaced if it dies."""

    def __init__(self) -> None:
        self.job: Job | None = None
        self.turn: Any = SPAWN.RawArray("d", 3)  # when the decision began (0: none), the player, the game
        self._start()

    def _start(self) -> None:
        self.turn[:] = (0.0, -1.0, -1.0)
        self.pipe, theirs = SPAWN.Pipe()
        self.process = SPAWN.Process(target=_serve, args=(theirs, self.turn), daemon=True)
        with deaf_children():
            self.process.start()
        theirs.close()

    def give(self, job: Job) -> None:
        """Sends a job to the process."""
        self.job = job
        try:
            self.pipe.send(job)
        except OSError:  # it died while it had nothing to do
            self.restart(job.numbers)

    def restart(self, numbers: tuple[int, ...]) -> None:
        """Replaces the process and gives it the rest of the job."""
        self.end()
        self._start()
        job, self.job = self.job, None
        if job is not None and numbers:
            self.give(replace(job, numbers=numbers))

    def end(self) -> None:
        """Kills the process, even in the middle of a game."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _received(worker: _Worker, died: dict[tuple[str, str, int], int]) -> Iterator[tuple[Job, GameResult]]:
    """Yields the result that a worker sent; replaces the worker if it died."""
    job = worker.job
    assert job is not None
    try:
        result = worker.pipe.recv()
    except (EOFError, OSError):
        yield from _died(worker, job, died)
        return
    if isinstance(result, MessageError):
        raise result
    left = tuple(number for number in job.numbers if number != result.number)
    worker.job = replace(job, numbers=left) if left else None
    yield job, result


def _died(worker: _Worker, job: Job, died: dict[tuple[str, str, int], int]) -> Iterator[tuple[Job, GameResult]]:
    worker.process.join()
    number, player = job.numbers[0], int(worker.turn[1])
    key = (job.first.name, job.second.name, number)
    died[key] = died.get(key, 0) + 1
    left = job.numbers
    if died[key] >= TRIES:
        if player < 0:
            raise MessageError.of("arena.worker_died", code=worker.process.exitcode or 0, number=number)
        yield job, GameResult.failure(number, player, DIED, str(worker.process.exitcode))
        left = left[1:]
    worker.restart(left)


def _timed_out(worker: _Worker) -> Iterator[tuple[Job, GameResult]]:
    """Replaces a worker whose player has been thinking for too long."""
    began, player, number = worker.turn
    job = worker.job
    if job is None or not began or time.monotonic() - began <= job.setup.limit or worker.pipe.poll():
        return
    if player < 0 or int(number) != job.numbers[0]:  # it has just answered, and its message is on the way
        return
    yield job, GameResult.failure(int(number), int(player), SLOW, f"{time.monotonic() - began:.1f}")
    worker.restart(job.numbers[1:])


def _serve(pipe: connection.Connection, turn: Any) -> None:
    """Plays jobs until the parent closes the pipe."""
    end_with_parent()

    def deciding(number: int, player: int) -> None:
        turn[0] = 0.0  # first, so that the parent never combines an old time with a new player
        turn[2], turn[1] = number, player
        turn[0] = time.monotonic() if player >= 0 else 0.0

    while True:
        try:
            job = pipe.recv()
        except EOFError:
            return
        try:
            for result in play_job(job, deciding):
                pipe.send(result)
        except MessageError as error:
            pipe.send(error)
        except BrokenPipeError:  # the parent was killed
            return
