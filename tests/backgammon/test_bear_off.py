"""The bear-off: exact values once both players are home, compared with values worked out from the rules."""

from functools import cache

import numpy as np
import pytest
from positions import setup, turn

import tablier
from tablier._core import backgammon

GAME = tablier.load_game("backgammon")
THROWS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


def places(home):
    """Returns a player's 26 places with these men on points 1 to 6."""
    return (15 - sum(home), *home, *[0] * 19)


@cache
def wins(mine, theirs):
    """Returns the chance of the player on throw, from the rules alone."""
    total = 0.0
    for high, low in THROWS:
        ends = {tuple(after[1:7]) for after, _ in turn(places(mine), places(theirs), (high, low))}
        best = max(1.0 if not any(end) else 1 - wins(theirs, end) for end in ends)
        total += (1 if high == low else 2) * best
    return total / 36


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ((1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1)),
        ((0, 0, 0, 0, 1, 1), (0, 0, 0, 0, 1, 1)),
        ((0, 1, 0, 0, 0, 1), (1, 1, 1, 0, 0, 0)),
        ((2, 1, 0, 0, 0, 0), (0, 0, 1, 1, 0, 0)),
        ((0, 0, 3, 0, 0, 0), (1, 0, 0, 2, 0, 0)),
    ],
)
def test_few_men_against_few_are_exact(mine, theirs):
    assert backgammon.bear_off_win(mine, theirs) == pytest.approx(wins(mine, theirs), abs=2e-6)


def test_a_throw_of_two_men_on_the_six_and_five_points():
    # 6-5 (two throws of 36), and the doublets 6-6, 5-5, 4-4, 3-3 bear off both men.
    throws = backgammon.bear_off_throws((0, 0, 0, 0, 1, 1))
    assert throws[0] == pytest.approx(6 / 36)
    assert throws.sum() == pytest.approx(1)


@pytest.mark.parametrize("home", [(0, 0, 0, 0, 0, 15), (3, 3, 3, 2, 2, 2), (15, 0, 0, 0, 0, 0), (1, 1, 1, 1, 1, 1)])
def test_distributions_add_up(home):
    throws = backgammon.bear_off_throws(home)
    assert throws.min() >= 0
    assert throws.sum() == pytest.approx(1, abs=1e-5)


def test_fifteen_men_on_the_ace_take_seven_or_eight_throws_without_doublets():
    # Each throw takes two men, a doublet four: eight throws without a doublet.
    throws = backgammon.bear_off_throws((15, 0, 0, 0, 0, 0))
    assert throws[7] == pytest.approx((5 / 6) ** 7, abs=1e-6)
    assert throws[8:].sum() == pytest.approx(0, abs=1e-6)


def test_many_men_follow_from_the_number_of_throws():
    mine, theirs = (3, 3, 3, 1, 0, 0), (2, 2, 2, 2, 1, 1)
    a, b = backgammon.bear_off_throws(mine), backgammon.bear_off_throws(theirs)
    later = 1 - np.cumsum(b) + b
    assert backgammon.bear_off_win(mine, theirs) == pytest.approx(float(a @ later), abs=1e-5)


def test_the_sum_of_throws_is_close_to_exact_play():
    # Six men each are in the exact table, which both ways must nearly agree on.
    mine, theirs = (1, 1, 1, 1, 1, 1), (0, 2, 0, 2, 0, 2)
    a, b = backgammon.bear_off_throws(mine), backgammon.bear_off_throws(theirs)
    assert backgammon.bear_off_win(mine, theirs) == pytest.approx(float(a @ (1 - np.cumsum(b) + b)), abs=0.003)


def test_a_player_with_all_men_left_loses_a_gammon():
    assert backgammon.known_equity(setup(GAME, "1:1", "6:15")) == pytest.approx(2)
    only_wins = tablier.load_game("backgammon", scoring="win_loss")
    assert backgammon.known_equity(setup(only_wins, "1:1", "6:15")) == pytest.approx(1)


def test_one_throw_decides_whether_the_gammon_is_saved():
    # From the six point, 11 throws with a six, 5-1 and 4-2 (4), 3-3 and 2-2 bear off a man.
    saved = 17 / 36
    assert backgammon.bear_off_throws((0, 0, 0, 0, 0, 15), first=True)[0] == pytest.approx(saved)
    assert backgammon.known_equity(setup(GAME, "6:15", "1:1")) == pytest.approx(-1 - (1 - saved), abs=1e-6)


def test_values_are_player_zeros():
    first = backgammon.known_equity(setup(GAME, "2:2 3:1", "1:2 6:3"))
    assert backgammon.known_equity(setup(GAME, "2:2 3:1", "1:2 6:3", player=1)) == pytest.approx(-first)


@pytest.mark.parametrize("dice", [(6, 5), (2, 1), (3, 3), (1, 1)])
def test_after_a_throw_it_is_the_value_of_the_best_play(dice):
    state = setup(GAME, "1:2 4:2 6:1", "2:3 5:2", dice=dice)
    best = max(value(state.child(action)) for action in state.legal_actions())
    assert backgammon.known_equity(state) == pytest.approx(best)


def value(state):
    return state.returns()[0] if state.is_terminal() else backgammon.known_equity(state)


@pytest.mark.parametrize(("mover", "other"), [("7:1 1:2", "1:3"), ("bar:1 1:2", "1:3"), ("1:3", "6:1 20:1")])
def test_men_outside_leave_it_unknown(mover, other):
    assert backgammon.known_equity(setup(GAME, mover, other)) is None


def test_with_three_men_both_must_have_borne_off_one():
    hyper = tablier.load_game("backgammon", start="hyper")
    assert backgammon.known_equity(setup(hyper, "6:2", "6:3")) is None
    assert backgammon.known_equity(setup(hyper, "6:2", "6:2")) == pytest.approx(
        2 * backgammon.bear_off_win((0, 0, 0, 0, 0, 2), (0, 0, 0, 0, 0, 2)) - 1
    )


@pytest.mark.parametrize("men", [(0,) * 5, (16, 0, 0, 0, 0, 0), (-1, 0, 0, 0, 0, 0), (8, 8, 0, 0, 0, 0)])
def test_impossible_positions_are_refused(men):
    with pytest.raises(ValueError, match="men"):
        backgammon.bear_off_throws(men)


def test_men_are_numbers():
    with pytest.raises(TypeError, match="six integers"):
        backgammon.bear_off_throws("none")


def test_the_first_man_is_that_of_fifteen():
    with pytest.raises(ValueError, match="15 men"):
        backgammon.bear_off_throws((1, 0, 0, 0, 0, 0), first=True)
