"""tools/make_referee.py: a stopped run continues, a second policy adds its losses, other settings are refused."""

import json
from pathlib import Path

import make_referee
import numpy as np
import pytest
from referee_journal import Journal, Refused

from tablier.analysis.referee import Referee
from tablier.cli import main

SMALL = ["--games", "36", "--portion", "18", "--decisions", "2", "--seed", "1", "--threads", "1"]
NETWORK = Path(make_referee.__file__).parent / "referee" / "second.safetensors"
SECOND = ["--again", f"expectimax:plies=1,net={NETWORK}", *SMALL]


def run(*arguments):
    return make_referee.main([*map(str, arguments)])


@pytest.fixture(scope="module")
def twice(small_referee, tmp_path_factory):
    """The small referee with the losses of a second policy."""
    path = tmp_path_factory.mktemp("referee") / "twice.npz"
    path.write_bytes(small_referee[0].read_bytes())
    assert run(path, *SECOND) == 0
    return path


def test_a_second_policy_adds_its_losses(twice, tmp_path, capsys):
    path = twice
    referee = Referee.read(path)
    assert referee.about["again"]["policy"] == SECOND[1]
    assert (referee.about["unit"], referee.about["again"]["unit"]) == ("win_chance", "points")
    assert all(case.again.keys() == case.losses.keys() for case in referee.cases)
    score = referee.score("random")
    assert score.again.decisions == score.total.decisions == 12
    assert main(["referee", "random", "heuristic", "--file", str(path)]) == 0
    assert "The second loss comes from rollouts by expectimax" in capsys.readouterr().out
    assert run(path, "--again", referee.about["policy"]) == 2
    assert "must be another one" in capsys.readouterr().err
    damaged = tmp_path / "damaged.npz"
    with np.load(path) as arrays:
        kept = dict(arrays)
    np.savez_compressed(damaged, **{**kept, "losses_again": kept["losses_again"][1:]})
    with pytest.raises(ValueError, match="is damaged"):
        Referee.read(damaged)


@pytest.mark.slow
def test_a_stopped_run_continues(small_referee, tmp_path, monkeypatch, capsys):
    """A journal cut in the middle of a line leads to the same referee."""
    path, add = tmp_path / "new.npz", Journal.add
    whole, arguments = small_referee

    def add_and_stop(self, line):
        add(self, line)
        if line.get("at") == 3:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "add", add_and_stop)
        assert run(path, *arguments) == 130
    assert "Run the same command to continue" in capsys.readouterr().err
    journal = Path(f"{path}.part")
    lines = journal.read_bytes().splitlines(keepends=True)
    assert [json.loads(line)["at"] for line in lines if b'"at"' in line] == [0, 1, 2, 3]
    journal.write_bytes(b"".join(lines)[:-7])
    assert run(path, *arguments, "--seed", "2") == 2
    assert "belongs to a run with other settings" in capsys.readouterr().err
    assert run(path, *arguments) == 0
    assert not journal.exists()
    assert path.read_bytes() == whole.read_bytes()


def test_any_number_of_workers_finds_the_same_decisions(tmp_path):
    dispute = make_referee.Dispute("trictrac", ("greedy", "random"), ("greedy", "random"), seed=3)
    found = []
    for workers in (1, 2):
        with Journal(str(tmp_path / str(workers)), {}) as journal:
            found.append(make_referee.find(dispute, 5, journal, workers))
    assert found[0] == found[1]
    assert len(found[0][0]) == 6


def test_a_damaged_journal_is_refused(tmp_path):
    path = tmp_path / "x.part"
    path.write_text("no journal\n")
    with pytest.raises(Refused, match="is damaged"):
        Journal(str(tmp_path / "x"), {})
    assert path.read_text() == "no journal\n"


def test_bad_input(tmp_path, capsys):
    for wrong in (
        ["--policy", "random"],
        ["--policy", "heuristic", "--games", "0"],
        ["--policy", "heuristic", "--players", "nobody"],
        ["--again", "heuristic"],
        ["--policy", "expectimax:plies=1,net=none.safetensors"],
    ):
        assert run(tmp_path / "none.npz", *wrong) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
        assert not list(tmp_path.iterdir())


def test_the_order_is_compared_with_matches(twice, tmp_path, capsys):
    pytest.importorskip("scipy")
    path, arena = twice, tmp_path / "order.sqlite"
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
