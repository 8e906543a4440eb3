"""Runs pieces of work in children whose file operations fail or kill them, at a chosen operation.

A workshop is a process that has imported everything and forks a child for each piece of work, because importing torch
takes longer than the work. `faults.c`, which is loaded into it, makes the operations of a child fail.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
BUILD = HERE.parent.parent / "build" / "faults"
KILL, TEAR, FULL, FAIL, MOMENT = 1, 2, 3, 4, 5
"""What happens at an operation, as `faults.c` describes it; MOMENT kills the child after a time."""
Fault = tuple[float, int]
"""The number of an operation, or seconds for MOMENT, and what happens then."""


@dataclass(frozen=True)
class Outcome:
    """How a child ended."""

    code: int
    """Its exit code, or minus the number of the signal that killed it."""
    out: str
    err: str

    @property
    def killed(self) -> bool:
        return self.code == -signal.SIGKILL

    def said(self, word: str) -> list[list[str]]:
        """Returns the arguments of the lines of stdout that begin with a word and are complete."""
        lines = self.out.split("\n")[:-1]
        return [line.split()[1:] for line in lines if line.startswith(word + " ")]

    @property
    def operations(self) -> int:
        """How many operations a child counted that ended by itself."""
        return int(self.said("operations")[0][0])


def library() -> Path:
    """Compiles `faults.c` if it has changed."""
    BUILD.mkdir(parents=True, exist_ok=True)
    built, source = BUILD / "faults.so", HERE / "faults.c"
    with (BUILD / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not built.exists() or built.stat().st_mtime < source.stat().st_mtime:
            flags = ["-std=gnu11", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"]
            subprocess.run(["cc", *flags, str(source), "-o", str(built), "-ldl"], check=True)
    return built


class Child:
    """A piece of work in progress."""

    def __init__(self, workshop: Workshop, pid: int, log: Path) -> None:
        self.pid, self._workshop, self._log = pid, workshop, log

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def said(self) -> str:
        return self._log.read_text()

    def wait(self) -> Outcome:
        code = self._workshop.ask({"wait": self.pid})
        self._workshop.running.discard(self.pid)
        return Outcome(code, self._log.read_text(), self._log.with_suffix(".err").read_text())


class Workshop:
    """Use it as a context manager.

    Args:
        logs: a folder for what children print, which must not be one where operations fail.
    """

    def __init__(self, logs: Path) -> None:
        self._logs, self._count = logs, 0
        self.running: set[int] = set()
        env = {**os.environ, "LD_PRELOAD": str(library()), "OMP_NUM_THREADS": "1", "LC_ALL": "C.UTF-8"}
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env
        )

    def __enter__(self) -> Workshop:
        return self

    def __exit__(self, *_: object) -> None:
        for pid in self.running:  # a test that failed did not wait for them
            os.kill(pid, signal.SIGKILL)
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def ask(self, what: dict) -> int:
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def start(self, work: str, folder: Path, *arguments: str, at: int = 0, how: int = 0) -> Child:
        """Starts a piece of work of `works.py`; operation number `at` below the folder fails, or none if it is 0."""
        self._count += 1
        log = self._logs / f"{self._count}.out"
        for path in (log, log.with_suffix(".err")):
            path.touch()
        told = {"work": work, "arguments": arguments, "folder": str(folder), "at": at, "how": how, "log": str(log)}
        child = Child(self, self.ask(told), log)
        self.running.add(child.pid)
        return child

    def live(self, work: str, folder: Path, *arguments: str, at: float = 0, how: int = 0) -> Outcome:
        """Runs a piece of work to its end, which is a fault if `at` is not 0."""
        if how != MOMENT:
            return self.start(work, folder, *arguments, at=int(at), how=how).wait()
        child = self.start(work, folder, *arguments)
        time.sleep(at)
        child.kill()
        return child.wait()


def _fork(told: dict) -> int:
    if pid := os.fork():
        return pid
    import works

    code = 70
    try:
        log = Path(told["log"])
        for number, path in ((1, log), (2, log.with_suffix(".err"))):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), number)
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
        faults = ctypes.CDLL(None)
        faults.faults_counted.restype = ctypes.c_long
        faults.faults_arm(told["folder"].encode(), ctypes.c_long(told["at"]), told["how"])
        code = getattr(works, told["work"])(*told["arguments"])
        print("operations", faults.faults_counted(), flush=True)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        os._exit(code)


def _serve() -> None:
    """Forks a child for each request, and reports the exit codes of those that are waited for."""
    import works

    works.import_everything()
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        told = json.loads(line)
        answer = os.waitstatus_to_exitcode(os.waitpid(told["wait"], 0)[1]) if "wait" in told else _fork(told)
        print(answer, file=answers, flush=True)


if __name__ == "__main__":
    _serve()
