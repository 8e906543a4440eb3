"""Random games in lock step with OpenSpiel's backgammon. `make backgammon-proof` plays ten thousand."""

import pytest
from backgammon_lockstep import ROLLS, Report, compare_decision, play, spiel_game

import tablier


@pytest.mark.parametrize(("start", "games", "seed"), [("standard", 24, 1000), ("hyper", 60, 2000)])
def test_both_programs_agree_on_every_decision(start, games, seed):
    report = Report()
    for i in range(games):
        play(start, seed + i, report)
    assert report.differences == {}, report.first
    assert report.games == sum(report.ends.values()) == games
    assert report.second_halves > 50
    assert len(report.ends) == 3  # single wins, gammons and backgammons all occurred


def test_the_comparison_notices_another_throw_and_another_position():
    ours, theirs = tablier.load_game("backgammon").new_initial_state(), spiel_game().new_initial_state()
    ours.apply_action(6 * (3 - 1) + 1 - 1)
    theirs.apply_action(ROLLS[True][4, 1, True])
    report = Report()
    compare_decision(ours, theirs, report)
    assert set(report.differences) == {
        "an action here is illegal there",
        "a spelling of theirs is refused here",
        "a spelling leads to different positions",
        "positions that can be reached only here",
        "positions that can be reached only there",
    }
