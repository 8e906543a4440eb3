"""tools/make_referee.py: a stopped run continues, a second policy adds its losses, other settings are refused."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from referee_journal import Journal, Refused

from tablier.analysis.referee import Referee
from tablier.cli import main

ROOT = Path(__file__).parents[2]
SMALL = ["--games", "36", "--portion", "18", "--decisions", "2", "--seed", "1", "--threads", "2"]
FIRST = ["--policy", "heuristic", "--judges", "greedy", "--count", "10", *SMALL]
SECOND = ["--again", "expectimax:plies=1,eval=points", *SMALL]


def run(*arguments):
    command = [sys.executable, "tools/make_referee.py", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("referee") / "whole.npz"
    assert run(path, *FIRST).returncode == 0
    once = path.read_bytes()
    assert run(path, *SECOND).returncode == 0
    return path, once


def test_a_second_policy_adds_its_losses(made, capsys):
    path, _ = made
    referee = Referee.read(path)
    assert referee.about["again"]["policy"] == SECOND[1]
    assert (referee.about["unit"], referee.about["again"]["unit"]) == ("win_chance", "points")
    assert all(case.again.keys() == case.losses.keys() for case in referee.cases)
    score = referee.score("random")
    assert score.again.decisions == score.total.decisions == 10
    assert main(["referee", "random", "heuristic", "--file", str(path)]) == 0
    assert "The second loss comes from rollouts by expectimax" in capsys.readouterr().out
    assert "must be another one" in run(path, "--again", "heuristic").stderr
    damaged = path.with_name("damaged.npz")
    with np.load(path) as arrays:
        kept = dict(arrays)
    np.savez_compressed(damaged, **{**kept, "losses_again": kept["losses_again"][1:]})
    with pytest.raises(ValueError, match="is damaged"):
        Referee.read(damaged)


def test_a_stopped_run_continues(made, tmp_path):
    """A journal cut in the middle of a line leads to the same referee."""
    once = made[1]
    journal = tmp_path / "new.npz.part"
    script = f"""
import sys; sys.path.insert(0, "tools"); sys.argv = ["make_referee.py", {str(tmp_path / "new.npz")!r}, *{FIRST!r}]
import make_referee as tool
add = tool.Journal.add
def add_and_stop(self, line):
    add(self, line)
    if line.get("at") == 3:
        raise KeyboardInterrupt
tool.Journal.add = add_and_stop
if __name__ == "__main__":
    sys.exit(tool.main())
"""
    file = tmp_path / "stopped.py"
    file.write_text(script)
    stopped = subprocess.run([sys.executable, file], cwd=ROOT, capture_output=True, text=True)
    assert (stopped.returncode, "Run the same command to continue" in stopped.stderr) == (130, True)
    lines = journal.read_bytes().splitlines(keepends=True)
    assert [json.loads(line)["at"] for line in lines if b'"at"' in line] == [0, 1, 2, 3]
    journal.write_bytes(b"".join(lines)[:-7])
    other = run(tmp_path / "new.npz", *FIRST, "--seed", "2")
    assert (other.returncode, "belongs to a run with other settings" in other.stderr) == (2, True)
    assert run(tmp_path / "new.npz", *FIRST).returncode == 0
    assert not journal.exists()
    assert (tmp_path / "new.npz").read_bytes() == once


def test_a_damaged_journal_is_refused(tmp_path):
    path = tmp_path / "x.part"
    path.write_text("no journal\n")
    with pytest.raises(Refused, match="is damaged"):
        Journal(str(tmp_path / "x"), {})
    assert path.read_text() == "no journal\n"


def test_bad_input(tmp_path):
    for wrong in (
        ["--policy", "random"],
        ["--policy", "heuristic", "--games", "0"],
        ["--policy", "heuristic", "--players", "nobody"],
        ["--again", "heuristic"],
        ["--policy", "expectimax:plies=1,net=none.safetensors"],
    ):
        found = run(tmp_path / "none.npz", *wrong)
        assert (found.returncode, "Traceback" in found.stderr) == (2, False), found.stderr
        assert not list(tmp_path.iterdir())


def test_the_order_is_compared_with_matches(made, tmp_path, capsys):
    pytest.importorskip("scipy")
    path, arena = made[0], tmp_path / "order.sqlite"
    assert main(["arena", str(arena), "random", "heuristic", "--games", "20", "--luck", "none", "--workers", "1"]) == 0
    capsys.readouterr()
    assert main(["referee", "--matches", str(arena), "--file", str(path)]) == 0
    told = capsys.readouterr().out
    assert "In 1 of 1 pairs of players, the matches have a clear winner (95%). The referee agrees in 1" in told
    assert main(["referee", "--matches", str(arena), "--file", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["clear"], found["agreed"]) == (1, 1)
    assert found["scores"][0]["rating"] > found["scores"][1]["rating"]
    assert main(["referee", "--file", str(path)]) == 2
    assert main(["referee", "--file", str(path), "--matches", str(path)]) == 2
    pig = tmp_path / "pig.sqlite"
    assert main(["arena", str(pig), "random", "greedy", "--game", "pig", "--games", "2", "--workers", "1"]) == 0
    assert main(["referee", "--file", str(path), "--matches", str(pig)]) == 2
    assert "is a tournament of pig" in capsys.readouterr().err
