"""Processes on this machine that play games. Ctrl-C is for the parent alone to handle, and they end when it does."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection, get_context, parent_process
from typing import TypeVar

from tablier.imports import import_games, imported_games
from tablier.messages import MessageError

SPAWN = get_context("spawn")
AHEAD = 3
"""Pieces of work per process that are handed out in advance."""

Part = TypeVar("Part")
Result = TypeVar("Result")


def in_processes(work: Callable[[Part], Result], parts: Iterable[Part], count: int) -> Iterator[Result]:
    """Does pieces of work in several processes.

    Args:
        work: the work. It is sent to the processes, which import the same games as this one.
        parts: the pieces, which are taken one by one as processes become free.
        count: number of processes.

    Yields:
        The results, in any order.

    Raises:
        MessageError: a process was ended from outside.
    """
    with ProcessPoolExecutor(count, SPAWN, _prepare, (imported_games(),)) as pool:
        running: set[Future[Result]] = set()
        try:
            for part in parts:
                with deaf_children():
                    running.add(pool.submit(work, part))
                while len(running) >= AHEAD * count:
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    yield from (job.result() for job in done)
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (job.result() for job in done)
        except BrokenProcessPool:
            raise MessageError.of("arena.process_ended") from None
        except BaseException:
            for process in list((pool._processes or {}).values()):
                process.terminate()  # otherwise they finish the games in progress
            pool.shutdown(cancel_futures=True)
            raise


def _prepare(sources: list[str]) -> None:
    """Prepares a process of `in_processes`."""
    end_with_parent()
    import_games(sources)


@contextlib.contextmanager
def deaf_children() -> Iterator[None]:
    """Keeps Ctrl-C, which a terminal sends to all processes, from those that are started here.

    In this process it takes effect as soon as they have started.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # which children inherit
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """Makes this process, in the middle of whatever it does, end together with its parent, and ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where `deaf_children` can do nothing
    parent = parent_process()
    if parent is None:
        return
    sentinel = parent.sentinel

    def watch() -> None:
        connection.wait([sentinel])
        end_group(os.getpid())
        os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()


def lead_group() -> None:
    """Makes this process, and those that are started in it, a group that `end_group` can kill."""
    if sys.platform != "win32":
        os.setpgid(0, 0)


def end_group(leader: int) -> None:
    """Kills a process that leads a group, and its group; does nothing if it leads none."""
    if sys.platform != "win32":
        with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS denies it once the leader has ended
            os.killpg(leader, signal.SIGKILL)
