"""The referee: made, saved, read and asked; damaged files are refused."""

import json

import numpy as np
import pytest

from tablier.analysis.referee import Case, Referee, Verdict
from tablier.cli import main


@pytest.fixture
def file(small_referee):
    return small_referee[0]


def test_better_players_lose_less(file):
    referee = Referee.read(file)
    assert len(referee.cases) == 10
    assert {case.kind for case in referee.cases} == {"move", "hold_or_leave", "bearing_off"}
    scores = {player: referee.score(player) for player in ("heuristic", "random")}
    assert scores["heuristic"].total.loss < scores["random"].total.loss
    assert scores["heuristic"].total.decisions == sum(one.decisions for one in scores["random"].kinds.values()) == 10


def test_the_best_choices_lose_nothing(file):
    referee = Referee.read(file)

    class Best:
        def __init__(self):
            self.cases = iter(referee.cases)

        def choose(self, _):
            losses = next(self.cases).losses
            return min(losses, key=lambda action: losses[action])

    score = referee.score(Best())
    assert score.total == Verdict(10, 0.0, 0.0, 1.0)
    assert score.total.interval == (0, 0)
    assert score.total.right_interval[1] == pytest.approx(1)
    assert score.relative.loss == 0


def test_both_policies_count_equally(file):
    """A random choice loses 1 by the first policy and 10 by the second, so 2 and 0 mean 100% of random play."""
    states = [case.state for case in Referee.read(file).cases if len(case.losses) > 1][:3]
    cases = []
    for state in states:
        chosen, *others = state.legal_actions()
        n = len(others)
        first = {chosen: (2.0, 0.3)} | dict.fromkeys(others, ((n - 1) / n, 0.3))
        second = {chosen: (0.0, 4.0)} | dict.fromkeys(others, (10 * (n + 1) / n, 4.0))
        cases.append(Case(state, "move", first, second))

    class First:
        def choose(self, state):
            return state.legal_actions()[0]

    about = {"policy": "one", "unit": "points"}
    relative = Referee(states[0].get_game(), {**about, "again": {"policy": "other"}}, cases).score(First()).relative
    assert relative.loss == pytest.approx(1)
    alone = [Case(case.state, case.kind, case.losses) for case in cases]
    assert Referee(states[0].get_game(), about, alone).score(First()).relative.loss == pytest.approx(2)


def test_an_illegal_choice_is_named(file):
    class Illegal:
        def choose(self, _):
            return 0

    with pytest.raises(ValueError, match="chose action 0, which is not legal"):
        Referee.read(file).score(Illegal())


def test_a_file_means_the_same_after_it_is_saved(file, tmp_path):
    referee = Referee.read(file)
    referee.save(tmp_path / "again.npz")
    again = Referee.read(tmp_path / "again.npz")
    assert again.about == referee.about
    for one, other in zip(referee.cases, again.cases, strict=True):
        assert one == Case(other.state, other.kind, other.losses)


def test_files_that_are_no_referee_are_refused(file, tmp_path):
    wrong = tmp_path / "wrong.npz"
    for data in (b"", b"PK", file.read_bytes()[:-50], file.read_bytes()[:200]):
        wrong.write_bytes(data)
        with pytest.raises(ValueError, match="is damaged, or not a referee"):
            Referee.read(wrong)
    with pytest.raises(ValueError, match="no referee in"):
        Referee.read(tmp_path / "none.npz")
    with np.load(file) as arrays:
        kept = dict(arrays)
    for name, value in (
        ("first", kept["first"][:-1]),
        ("actions", kept["actions"] + 1),
        ("losses", -1 - kept["losses"]),
    ):
        np.savez_compressed(wrong, **{**kept, name: value})
        with pytest.raises(ValueError, match="is damaged, or not a referee"):
            Referee.read(wrong)
    later = {**json.loads(kept["about"].tobytes()), "version": 99}
    np.savez_compressed(wrong, **{**kept, "about": np.frombuffer(json.dumps(later).encode(), np.uint8)})
    with pytest.raises(ValueError, match="later version"):
        Referee.read(wrong)


def test_the_command(file, capsys):
    assert main(["referee", "heuristic", "random", "--file", str(file)]) == 0
    assert "hold or leave" in capsys.readouterr().out
    assert main(["referee", "heuristic", "--file", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"][0]["total"]["decisions"] == 10
    assert main(["referee", "heuristic", "--file", "none"]) == 2
    assert main(["referee", "nobody", "--file", str(file)]) == 2
