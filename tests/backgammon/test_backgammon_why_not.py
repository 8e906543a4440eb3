"""Why a move of backgammon is not legal: the rule that forbids it."""

import pytest

import tablier
from tablier.backgammon import Position
from tablier.games import home_of
from tablier.messages import render

HOME = home_of(tablier.load_game("backgammon"))


def board(**men):
    """Returns 24 signed counts: p6=2 are two men of player 0 on point 6, a minus sign means player 1."""
    found = [0] * 24
    for name, count in men.items():
        found[int(name[1:]) - 1] = count
    return found


@pytest.mark.parametrize(
    ("men", "bar", "dice", "tried", "rule"),
    [
        (
            {"p6": 5, "p13": 5, "p24": 5, "p1": -5, "p5": -2, "p19": -8},
            0,
            (6, 1),
            [(6, 5)],
            "2 opposing men hold point 5.",
        ),
        ({"p6": 5, "p13": 5, "p24": 4, "p19": -15}, 1, (4, 1), [(6, 2)], "must enter before anything else moves"),
        ({"p6": 5, "p13": 5, "p24": 5, "p19": -15}, 0, (4, 1), [(6, 7)], "Men only move toward their home"),
        ({"p6": 5, "p13": 5, "p24": 5, "p19": -15}, 0, (4, 1), [(6, 3)], "leads from point 6 to point 3"),
        ({"p6": 5, "p13": 5, "p24": 5, "p19": -15}, 0, (4, 1), [(19, 15)], "belong to the other player"),
        ({"p6": 5, "p13": 5, "p24": 5, "p19": -15}, 0, (4, 1), [(5, 1)], "There is no man on point 5."),
        ({"p6": 14, "p13": 1, "p19": -15}, 0, (6, 1), [(6, 0)], "one is still on point 13"),
        ({"p6": 1, "p3": 14, "p19": -15}, 0, (5, 4), [(3, 0)], "bears off only the rearmost man here"),
        ({"p6": 5, "p13": 10, "p12": -2, "p9": -2, "p20": -11}, 0, (4, 1), [(13, 8)], "holds those points: 9 12"),
        ({"p6": 5, "p13": 10, "p20": -15}, 0, (6, 1), [(6, 0), (6, 0)], "one is still on point 13"),
        ({"p17": 1, "p2": 14, "p6": -2, "p20": -13}, 0, (6, 5), [(17, 12)], "the higher one: the 6"),
    ],
)
def test_the_rule_that_forbids_a_step(men, bar, dice, tried, rule):
    state = Position(board=board(**men), bar=(bar, 0)).throw(*dice)
    (found,) = HOME.why_not(state, tried)
    assert rule in render(found, "en")
    assert render(found, "fr") != render(found, "en")
