"""Processes that play games: signals, ends from outside, and as little work in advance as needed."""

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Future

import pytest
from interrupting import children_of, is_alive, processor_seconds, until_children_work

import tablier
from tablier.arena import Entrant, Job, LocalWorkers, Setup, play_match
from tablier.arena.processes import deaf_children, in_processes
from tablier.messages import MessageError

MATCH = """if True:
    import sys
    from tablier.cli import main
    if __name__ == "__main__":
        sys.exit(main("match mcts:sims=3000 greedy --games 40000 --processes 2".split()))
"""


@pytest.fixture
def match():
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", MATCH], start_new_session=True, **pipes) as process:
        until_children_work(process)
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_processes_end_with_their_parent(match, how):
    children = children_of(match)
    match.send_signal(how)
    match.wait()
    while any(map(is_alive, children)):
        time.sleep(0.01)


@pytest.mark.slow
def test_a_process_that_is_killed_ends_the_match_in_one_line(match):
    os.kill(max(children_of(match), key=processor_seconds), signal.SIGKILL)  # not the one that tracks resources
    _, errors = match.communicate()
    assert match.returncode == 2
    assert "was ended from outside" in errors
    assert "Traceback" not in errors


def test_ctrl_c_while_processes_start_takes_effect_afterwards():
    reached = []
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012
            with deaf_children():
                signal.raise_signal(signal.SIGINT)
                reached.append(subprocess.run(["grep", "SigBlk", "/proc/self/status"], capture_output=True, text=True))
            reached.append("never")
    finally:
        signal.signal(signal.SIGINT, before)
    (child,) = reached
    assert int(child.stdout.split()[1], 16) & 1 << signal.SIGINT - 1  # the child does not hear it


class Direct:
    """A pool that does the work at once, and counts it."""

    def __init__(self):
        self.done = 0

    def submit(self, work, /, *args):
        self.done += 1
        future = Future()
        future.set_result(work(*args))
        return future


class Enough(Exception):
    pass


def enough(_):
    raise Enough


def test_a_match_of_any_length_takes_little_memory_and_time_to_start(monkeypatch):
    monkeypatch.setattr("tablier.arena.match.IN_POOL", 3)
    pool = Direct()
    with pytest.raises(Enough):
        play_match(tablier.load_game("pig"), "random", "random", 10**15, pool=pool, progress=enough)
    assert pool.done == 3


def test_processes_take_work_as_they_need_it():
    taken = itertools.count()
    parts = (next(taken) for _ in range(10**9))
    results = in_processes(abs, parts, 1)
    assert len({next(results) for _ in range(4)}) == 4  # in any order
    results.close()
    assert next(taken) < 20


def test_workers_take_jobs_as_they_need_them():
    setup, taken = Setup("pig", tablier.load_game("pig").options()), itertools.count()
    first, second = Entrant("a", "random"), Entrant("b", "random")
    jobs = (Job(setup, first, second, (next(taken),)) for _ in range(10**9))
    results = LocalWorkers(2)(jobs)
    assert len({result.number for _, result in itertools.islice(results, 4)}) == 4  # in any order
    results.close()
    assert next(taken) <= 4 + 2  # the jobs of the two workers
    assert list(LocalWorkers(2)(iter(()))) == []


def test_an_error_of_the_work_is_passed_on():
    with pytest.raises(MessageError):
        list(in_processes(fail, [1], 1))


def fail(_):
    raise MessageError.of("arena.process_ended")
