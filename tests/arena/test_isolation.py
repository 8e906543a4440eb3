"""Worker processes: whatever a player does to its own, it loses its game and the others go on."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from interrupting import is_alive

import tablier
from tablier.arena import Entrant, Job, LocalWorkers, Setup

BAD = str(Path(__file__).parent / "bad_players.py")
PIG = tablier.load_game("pig", win_score=30).options()
LONG = 5.0
"""A limit for decisions, in seconds: enough for any honest one on a busy machine."""


@pytest.fixture
def children(tmp_path, monkeypatch):
    """The processes that players have left behind."""
    monkeypatch.setenv("TEST_CHILDREN", str(tmp_path))
    yield lambda: [int(path.name) for path in tmp_path.iterdir()]
    for path in tmp_path.iterdir():
        if is_alive(path.name):
            os.kill(int(path.name), 9)


def played(name, games=2, limit=LONG):
    setup = Setup("pig", PIG, limit=limit, judge=None)
    job = Job(setup, Entrant(name, name), Entrant("random", "random"), tuple(range(games)), (BAD,))
    return [(one.number, one.failed, one.reason, one.detail) for _, one in LocalWorkers(1)([job])]


@pytest.mark.parametrize(
    ("name", "reason", "detail"), [("forksanddies", "died", "3"), ("forksandexits", "crashed", "SystemExit: 4")]
)
def test_what_a_player_leaves_behind_ends_with_its_worker(name, reason, detail, children):
    assert played(name, limit=1e9) == [(0, 0, reason, detail), (1, 0, reason, detail)]
    assert len(children()) >= 2
    while any(map(is_alive, children())):
        time.sleep(0.01)


def test_a_copy_of_a_worker_does_not_play_on():
    assert [number for number, *_ in played("doubles", 6)] == [0, 1, 2, 3, 4, 5]


def test_a_player_that_closes_the_pipe_loses():
    assert played("closes") == [(0, 0, "died", "1"), (1, 0, "died", "1")]


@pytest.mark.parametrize("name", ["scribbles", "pickles"])
def test_a_player_that_writes_to_the_pipe_loses(name):
    assert [one[:3] for one in played(name)] == [(0, 0, "died"), (1, 0, "died")]


def test_a_message_without_an_end_is_not_waited_for():
    assert [one[:3] for one in played("nibbles", limit=1e9)] == [(0, 0, "died"), (1, 0, "died")]


PARENT = f"""if True:
    from tablier.arena import Entrant, Job, LocalWorkers, Setup
    if __name__ == "__main__":
        setup, players = Setup("pig", {PIG!r}, limit=1e9), (Entrant("waits", "waits"), Entrant("random", "random"))
        list(LocalWorkers(1)([Job(setup, *players, (0,), ({BAD!r},))]))
"""


def test_what_a_player_leaves_behind_ends_with_the_parent(children):
    with subprocess.Popen([sys.executable, "-c", PARENT]) as parent:
        while not children():
            assert parent.poll() is None
            time.sleep(0.01)
        parent.kill()
    while any(map(is_alive, children())):
        time.sleep(0.01)
