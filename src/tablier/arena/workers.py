"""Local worker processes for tournaments. A player that crashes its process or never answers does not stop them.

An executor is any function that takes jobs and yields their results: `in_this_process`, `LocalWorkers`, or one that
sends jobs to other machines. It may split and repeat jobs, because the result of a game depends only on its job and its
number.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from multiprocessing import connection
from typing import Any

from tablier.arena.jobs import DIED, SLOW, GameResult, Job, play_job
from tablier.arena.processes import SPAWN, deaf_children, end_group, end_with_parent, lead_group
from tablier.messages import MessageError

Executor = Callable[[Iterable[Job]], Iterator[tuple[Job, GameResult]]]
"""Maps jobs to results, in any order."""
TRIES = 2
"""How often a game is tried if its process dies. The player loses only after that: the cause may lie elsewhere."""
POLL = 0.2
"""Seconds between two checks of the workers' time limits."""
GRACE = 5.0
"""Seconds that a process may take to end once it has closed its pipe. Longer, and a player has closed it."""
LARGEST = 1 << 20
"""Maximum number of bytes of a message from a worker."""
DECIDED = "decided"
"""What a watched worker sends after each decision, and its parent answers."""


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
                    elif worker.has_ended():
                        yield from _died(worker, died)
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

    def give(self, job: Job, is_watched: bool = False) -> None:
        """Sends a job to the process. If it is watched, every decision must be confirmed."""
        self.job = job
        try:
            self.pipe.send((job, is_watched))
        except OSError:  # it died while it had nothing to do
            self.restart(job.numbers, is_watched)

    def received(self) -> Any:
        """Returns the next message; None if the process has closed the pipe, or a player has written to it.

        Does not wait for the end of a message, which might never come. Honest ones are short and arrive in one piece.
        """
        try:
            if sys.platform != "win32":
                os.set_blocking(self.pipe.fileno(), False)
            message = pickle.loads(self.pipe.recv_bytes(LARGEST))
            if sys.platform != "win32":
                os.set_blocking(self.pipe.fileno(), True)
        except (EOFError, ConnectionResetError):
            self.process.join(GRACE)  # so that its exit code is known
            return None
        except Exception:
            return None
        return message

    def has_ended(self) -> bool:
        """Tells whether the process is gone and has left no message. A child of it may still hold the pipe open."""
        return not self.process.is_alive() and not self.pipe.poll()

    def restart(self, numbers: tuple[int, ...], is_watched: bool = False) -> None:
        """Replaces the process and gives it the rest of the job."""
        self.end()
        self._start()
        job, self.job = self.job, None
        if job is not None and numbers:
            self.give(replace(job, numbers=numbers), is_watched)

    def end(self) -> None:
        """Kills the process, even in the middle of a game, and those that players started in it."""
        assert self.process.pid is not None
        end_group(self.process.pid)
        self.process.kill()  # if it does not lead a group yet
        self.process.join()
        self.pipe.close()


def _received(worker: _Worker, died: dict[tuple[str, str, int], int]) -> Iterator[tuple[Job, GameResult]]:
    """Yields the result that a worker sent; replaces the worker if it died."""
    job = worker.job
    assert job is not None
    result = worker.received()
    if isinstance(result, MessageError):
        raise result
    if result == DECIDED:
        worker.turn[0] = 0.0  # the player is not slow, even if this process was
        with contextlib.suppress(OSError):  # it has just died
            worker.pipe.send(DECIDED)
    elif isinstance(result, GameResult):
        left = tuple(number for number in job.numbers if number != result.number)
        worker.job = replace(job, numbers=left) if left else None
        yield job, result
    else:
        yield from _died(worker, died)


def _died(worker: _Worker, died: dict[tuple[str, str, int], int]) -> Iterator[tuple[Job, GameResult]]:
    """Replaces a worker. If its process died in this game before, the player who was deciding loses.

    The second time the worker is watched: a player may have closed the pipe or written to it, which comes to light only
    after its decision.
    """
    job = worker.job
    assert job is not None
    worker.process.kill()
    worker.process.join()
    number, player = job.numbers[0], int(worker.turn[1])
    key = (job.first.name, job.second.name, number)
    died[key] = died.get(key, 0) + 1
    if died[key] < TRIES:
        worker.restart(job.numbers, is_watched=True)
        return
    if player < 0:
        raise MessageError.of("arena.worker_died", code=worker.process.exitcode or 0, number=number)
    yield job, GameResult.failure(number, player, DIED, str(worker.process.exitcode))
    worker.restart(job.numbers[1:])


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
    lead_group()
    end_with_parent()
    process, is_watched = os.getpid(), False

    def deciding(number: int, player: int) -> None:
        if os.getpid() != process:  # a player has forked, and this is the copy
            os._exit(1)
        if player < 0 and is_watched:
            _send(pipe, DECIDED)
            _next(pipe)
        turn[0] = 0.0  # first, so that the parent never combines an old time with a new player
        turn[2], turn[1] = number, player
        turn[0] = time.monotonic() if player >= 0 else 0.0

    while True:
        job, is_watched = _next(pipe)
        try:
            for result in play_job(job, deciding):
                _send(pipe, result)
        except MessageError as error:
            _send(pipe, error)


def _send(pipe: connection.Connection, message: object) -> None:
    try:
        pipe.send(message)
    except OSError:  # the parent was killed, or a player closed the pipe
        os._exit(1)


def _next(pipe: connection.Connection) -> Any:
    try:
        return pipe.recv()
    except (EOFError, OSError):
        os._exit(1)
