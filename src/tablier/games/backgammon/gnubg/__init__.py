"""GNU Backgammon as an engine: best plays, evaluations and legal plays of many positions at a time.

The program is free software of its own and not part of Tablier (Debian: the package `gnubg`). It runs as separate
processes that live as long as the `Gnubg` object, without the cube, for money, without noise.
"""

from __future__ import annotations

import atexit
import itertools
import math
import os
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from tablier.messages import MessageError

SERVER = Path(__file__).with_name("server.py")
PLACES = ("/usr/games", "/usr/local/bin", "/usr/local/games", "/opt/homebrew/bin")
"""Folders where the program may be besides those of PATH: Debian's folder of games is not on root's PATH."""
GREETING = b"gnubg ready\n"
HEADER = struct.Struct("<cBBxI")
LENGTH = struct.Struct("<I")
BOARD, SIDES = (2, 25), 50
AT_ONCE = 1 << 16
"""Bytes to read at once: as many as a pipe holds."""
PATIENCE = 120.0
"""Seconds to wait for the program to start, and the least time that an answer may take."""
SLOWEST = (0.05, 0.5, 5.0, 60.0)
"""Seconds that one position may take at 0, 1, 2 and 3 plies, generously, before the program counts as stuck."""
TOGETHER = (512, 128, 16, 1)
"""Positions per question and process at 0, 1, 2 and 3 plies."""
MOST_PLIES = len(SLOWEST) - 1
MOST_POINTS = 3.001
"""No number in an evaluation is larger, but for rounding: a backgammon counts three points."""
MOST_PLAYS = 3060
"""The program knows no more plays of a throw."""
SIZES = {b"E": (24, 24), b"P": (SIDES, SIDES), b"L": (LENGTH.size, LENGTH.size + MOST_PLAYS * SIDES)}
"""The least and the most bytes of an answer for each position."""

T = TypeVar("T")
Boards = NDArray[np.uint8]
"""[n, 2, 25]: men of the opponent and of the player to act, on points 1 to 24 of their own numbering and on the bar."""


def program() -> str | None:
    """Returns the path of GNU Backgammon; None if it is not installed."""
    return shutil.which("gnubg") or shutil.which("gnubg", path=os.pathsep.join(PLACES))


class Poll(Protocol):
    """What `select.poll` makes; Windows has none."""

    def poll(self, timeout: float | None = ..., /) -> list[tuple[int, int]]:
        """Returns pairs of a file and its events, after so many milliseconds at most."""
        ...


class Process:
    """One running GNU Backgammon, which answers one question at a time."""

    _questions: int
    _answers: int
    _writable: Poll
    _readable: Poll

    def __init__(self, path: str) -> None:
        self.owner = os.getpid()
        self._process: subprocess.Popen[bytes] | None = None
        self._held = ExitStack()
        try:
            self._start(path)
            if self._read(len(GREETING), PATIENCE) != GREETING:
                raise _failed("it did not start as expected")
        except OSError as error:
            self.close()
            raise _failed(str(error)) from error
        except BaseException:  # Ctrl-C too
            self.close()
            raise

    def ask(self, kind: bytes, plies: int, prune: bool, records: NDArray[np.uint8], seconds: float) -> None:
        """Sends a question; raises MessageError if it is not read in time. The answer must be read before the next."""
        if self._has_answered():
            raise senseless("it comes before it is asked for")
        end = time.monotonic() + seconds
        data = memoryview(HEADER.pack(kind, plies, prune, len(records)) + records.tobytes())
        while data:
            try:
                data = data[os.write(self._questions, data) :]
            except BlockingIOError:
                _wait(self._writable, end, seconds)
            except OSError as error:
                raise _failed(str(error)) from error

    def answer(self, seconds: float, sizes: range) -> bytes:
        """Returns the answer; raises MessageError if it does not come in time or its size is not one of `sizes`."""
        (length,) = LENGTH.unpack(self._read(LENGTH.size, seconds))
        if length not in sizes:
            raise senseless(f"it has {length} bytes")
        return self._read(length, PATIENCE)

    def close(self) -> None:
        """Ends the process and what it has started. A process that was forked from the owner leaves it alone."""
        if self.owner != os.getpid():
            return
        process, self._process = self._process, None
        if process is not None:
            if sys.platform != "win32":
                with suppress(OSError):
                    os.killpg(process.pid, signal.SIGKILL)  # it leads a session of its own
            process.wait()
        self._held.close()

    def _has_answered(self) -> bool:
        """Returns whether there is something to read, and not merely the end."""
        return sys.platform != "win32" and any(events & select.POLLIN for _, events in self._readable.poll(0))

    def _start(self, path: str) -> None:
        if sys.platform == "win32":
            raise OSError("it cannot be asked on Windows")
        folder = self._held.enter_context(
            tempfile.TemporaryDirectory(prefix="tablier-gnubg-", ignore_cleanup_errors=True)
        )
        with ExitStack() as theirs:
            theirs_in, self._questions = _pipe(theirs, self._held)
            self._answers, theirs_out = _pipe(self._held, theirs)
            os.set_blocking(self._questions, False)
            self._writable, self._readable = select.poll(), select.poll()  # `select.select` knows 1,024 files only
            self._writable.register(self._questions, select.POLLOUT)
            self._readable.register(self._answers, select.POLLIN)
            self._process = subprocess.Popen(
                [path, "-t", "-q", "-r", f"--prefsdir={folder}", "-p", str(SERVER)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs_in, theirs_out),
                start_new_session=True,  # Ctrl-C is for the parent, which ends the session
                env={**os.environ, "TABLIER_GNUBG_PIPES": f"{theirs_in} {theirs_out}", "LC_ALL": "C"},
            )

    def _read(self, count: int, seconds: float) -> bytes:
        end, data = time.monotonic() + seconds, bytearray()
        while len(data) < count:
            _wait(self._readable, end, seconds)
            part = os.read(self._answers, min(count - len(data), AT_ONCE))
            if not part:
                raise _failed("it ended; does it support Python?")
            data += part
        return bytes(data)


def _wait(pipe: Poll, end: float, seconds: float) -> None:
    """Waits until a pipe can be read or written; raises MessageError if that takes too long."""
    left = end - time.monotonic()
    if left <= 0 or not pipe.poll(math.ceil(1000 * left)):
        raise _failed(f"no answer within {seconds:.0f} s")


def _pipe(reader: ExitStack, writer: ExitStack) -> tuple[int, int]:
    """Returns the ends of a new pipe, which are closed with their owners."""
    ends = os.pipe()
    for owner, end in zip((reader, writer), ends, strict=True):
        owner.callback(os.close, end)
    return ends


def _failed(problem: str) -> MessageError:
    return MessageError.of("gnubg.failed", problem=problem)


def senseless(problem: str) -> MessageError:
    """Returns the error that the program's answer makes no sense."""
    return MessageError.of("gnubg.senseless", problem=problem)


class Gnubg:
    """GNU Backgammon in one or more processes, which share the positions of each call.

    Args:
        processes: number of processes, at least 1.

    Raises:
        MessageError (a ValueError): the program is not installed, or does not start. Calls raise it when the program
            does not answer, and after that too: any error, also Ctrl-C, closes the engine.
    """

    def __init__(self, processes: int = 1) -> None:
        if processes < 1:
            raise ValueError(f"processes must be at least 1, not {processes}")
        path = program()
        if path is None:
            raise MessageError.of("gnubg.missing")
        self._processes: list[Process] = []
        atexit.register(self.close)
        try:
            for _ in range(processes):
                self._processes.append(Process(path))
        except BaseException:
            self.close()
            raise

    def evaluate(self, boards: Boards, plies: int = 0, prune: bool = True) -> NDArray[np.float32]:
        """Evaluates positions before a throw, without the cube.

        Args:
            boards: the positions; the player to act throws next. Finished games are allowed.
            plies: depth of search, 0 to 3, as GNU Backgammon counts.
            prune: whether a deeper search may leave out plays that look bad at first sight. Without it, the equity at
                one ply is exactly the mean over the throws of the equity at 0 plies after the best play.

        Returns:
            [n, 6]: probabilities of winning, winning a gammon or more, and a backgammon, losing a gammon or more, and
            a backgammon; and the equity in points, all for the player who throws.
        """
        dice = np.zeros((len(boards), 2), np.uint8)
        return np.concatenate([np.empty((0, 6), np.float32), *self._ask(b"E", _values, plies, prune, boards, dice)])

    def play(self, boards: Boards, dice: NDArray[np.uint8], plies: int = 0) -> Boards:
        """Returns the positions after the best play of whole turns; the player to act is then the opponent.

        Args:
            boards: the positions.
            dice: the throws, [n, 2]; the four moves of a doublet are one play.
            plies: depth of search.
        """
        return np.concatenate([np.empty((0, *BOARD), np.uint8), *self._ask(b"P", _after, plies, True, boards, dice)])

    def legal(self, boards: Boards, dice: NDArray[np.uint8]) -> list[Boards]:
        """Returns the positions after every legal play of whole turns; none if no number can be played."""
        return list(itertools.chain.from_iterable(self._ask(b"L", _plays, 0, True, boards, dice)))

    def close(self) -> None:
        """Ends the processes."""
        processes, self._processes = self._processes, []  # none answers any more, even if Ctrl-C comes now
        for process in processes:
            process.close()
        atexit.unregister(self.close)

    def __enter__(self) -> Gnubg:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(
        self,
        kind: bytes,
        read: Callable[[bytes, Boards], T],
        plies: int,
        prune: bool,
        boards: Boards,
        dice: NDArray[np.uint8],
    ) -> list[T]:
        """Returns the answers about portions of the positions, in order, as `read` from bytes and the positions."""
        if not 0 <= plies <= MOST_PLIES:
            raise ValueError(f"plies must be 0 to {MOST_PLIES}, not {plies}")
        if not self._processes:
            raise MessageError.of("gnubg.closed")
        records = np.concatenate([boards.reshape(-1, SIDES), dice.reshape(-1, 2)], axis=1, dtype=np.uint8)
        most = len(self._processes) * TOGETHER[plies]
        answers: list[T] = []
        try:
            for start in range(0, len(records), most):
                parts = np.array_split(records[start : start + most], len(self._processes))
                asked = [(process, part) for process, part in zip(self._processes, parts, strict=True) if len(part)]
                seconds = max(PATIENCE, len(parts[0]) * SLOWEST[plies])
                for process, part in asked:
                    process.ask(kind, plies, prune, part, seconds)
                for process, part in asked:
                    answer = process.answer(seconds, _sizes(kind, len(part)))
                    answers.append(read(answer, part[:, :SIDES].reshape(-1, *BOARD)))
        except BaseException:  # Ctrl-C too: an answer that is still under way would be taken for the next one
            self.close()
            raise
        return answers


def _sizes(kind: bytes, count: int) -> range:
    """Returns the possible sizes of an answer about some positions."""
    least, most = SIZES[kind]
    return range(least * count, most * count + 1)


def _values(answer: bytes, _: Boards) -> NDArray[np.float32]:
    """Returns the evaluations in an answer."""
    values = np.frombuffer(answer, np.float32).reshape(-1, 6)
    if not (np.abs(values) <= MOST_POINTS).all():  # nor is NaN
        raise senseless("a number in it is out of range")
    return values


def _after(answer: bytes, before: Boards) -> Boards:
    """Returns the positions after the best plays. A play moves men or bears them off, and adds none."""
    after = np.frombuffer(answer, np.uint8).reshape(before.shape)
    men, men_before = after.sum(axis=2), before.sum(axis=2)
    if (men[:, 1] != men_before[:, 0]).any() or (men[:, 0] > men_before[:, 1]).any():
        raise senseless("it has other men than the position")
    return after


def _plays(answer: bytes, before: Boards) -> list[Boards]:
    """Returns the positions after every legal play of each position."""
    result, at = [], 0
    while at < len(answer):
        count = int.from_bytes(answer[at : at + LENGTH.size], "little")
        at += LENGTH.size + count * SIDES
        if at > len(answer):
            raise senseless("it breaks off")
        result.append(np.frombuffer(answer, np.uint8, count * SIDES, at - count * SIDES).reshape(count, *BOARD))
    if len(result) != len(before):
        raise senseless(f"it is about {len(result)} positions instead of {len(before)}")
    return result


_shared: Gnubg | None = None
_shared_by = -1


def shared() -> Gnubg:
    """Returns the engine that the players of this process share; a forked process starts its own."""
    global _shared, _shared_by
    if _shared is None or _shared_by != os.getpid() or not _shared._processes:
        _shared, _shared_by = Gnubg(), os.getpid()
    return _shared
