"""The referee: made, saved, read and asked; damaged files are refused."""

import json

import numpy as np
import pytest

from tablier.analysis.referee import Case, Referee
from tablier.cli import main


@pytest.fixture
def file(small_referee):
    return small_referee[0]


def test_better_players_lose_less(file):
    referee = Referee.read(file)
    assert len(referee.cases) == 12
    assert {case.kind for case in referee.cases} == {"move", "hold_or_leave", "bearing_off"}
    scores = {player: referee.score(player) for player in ("heuristic", "random")}
    assert scores["heuristic"].total.loss < scores["random"].total.loss
    assert scores["heuristic"].total.decisions == sum(one.decisions for one in scores["random"].kinds.values()) == 12


def test_the_best_choices_lose_nothing(file):
    referee = Referee.read(file)

    class Best:
        def __init__(self):
            self.cases = iter(referee.cases)

        def choose(self, _):
            losses = next(self.cases).losses
            return min(losses, key=lambda action: losses[action])

    score = referee.score(Best())
    assert (score.total.decisions, score.total.loss, score.total.loss_error) == (12, 0, 0)
    assert score.total.right == pytest.approx(1)
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


def test_a_decision_counts_by_its_weight(file):
    """A loss of 1 with weight 3 and a loss of 0 with weight 1 are a mean loss of 0.75."""
    state = Referee.read(file).cases[0].state
    cases = [
        Case(state, kind, dict.fromkeys(state.legal_actions(), (loss, 0.1)), weight=weight)
        for kind, loss, weight in (("move", 1.0, 3.0), ("move", 0.0, 1.0), ("bearing_off", 0.5, 4.0))
    ]
    score = Referee(state.get_game(), {"policy": "one", "unit": "points"}, cases).score("random")
    assert score.kinds["move"].loss == pytest.approx(0.75)
    assert score.kinds["move"].right == pytest.approx(0.25)
    assert score.kinds["move"].effective == pytest.approx(16 / 10)
    assert score.total.loss == pytest.approx((3 + 0 + 2) / 8)
    assert score.relative.loss == pytest.approx(1)


def test_weights_say_how_often_a_decision_comes_up(file):
    """The weights add up to the share of the strata that the referee has; so small a one lacks two of them."""
    referee = Referee.read(file)
    strata = dict(referee.about["strata"])
    assert sum(strata.values()) == pytest.approx(1)
    del strata["bearing_off, undisputed"], strata["hold_or_leave, undisputed"]
    assert sum(case.weight for case in referee.cases) == pytest.approx(12 * sum(strata.values()), rel=1e-5)


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
        assert one == other


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
        ("weights", 0 * kept["weights"]),
        ("weights", kept["weights"][1:]),
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
    assert json.loads(capsys.readouterr().out)["scores"][0]["total"]["decisions"] == 12
    assert main(["referee", "heuristic", "--file", "none"]) == 2
    assert main(["referee", "nobody", "--file", str(file)]) == 2
