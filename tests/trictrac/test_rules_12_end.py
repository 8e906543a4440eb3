"""Rules.md, 12: the end of the game, the pavillon and the stakes."""

import pytest
from drawn import BLACK, WHITE, parts, play, set_up, throw

FOUR_POINTS = "1:13 12:2 | 23:2 24:13"
FOUR_AGAINST = "1:13 12:2 | 13:2 24:13"


def won(holes, holes_run, first_hole, stake_rule):
    """Returns the stake when White wins the last hole or two on their own throw."""
    state = set_up(
        FOUR_POINTS,
        points=(8, 2),
        points_run=(False, False),
        holes=holes,
        holes_run=holes_run,
        first_hole=first_hole,
        stake_rule=stake_rule,
    )
    throw(state, 3, 1)
    assert parts(state).winner == WHITE
    return parts(state).stake


def test_12_twelve_holes_win():
    state = throw(set_up(FOUR_POINTS, points=(8, 2), holes=(11, 3)), 3, 1)
    assert state.is_terminal()
    assert state.legal_actions() == []


def test_12_also_by_the_throw_of_the_other():
    state = play(throw(set_up(FOUR_AGAINST, points=(2, 8), holes=(3, 11)), 3, 1))
    assert parts(state).winner == BLACK


def test_12_another_number_may_be_agreed():
    assert throw(set_up(FOUR_POINTS, points=(8, 2), holes=(2, 2), holes_to_win=3), 3, 1).is_terminal()
    assert not throw(set_up(FOUR_POINTS, points=(8, 2), holes=(11, 2), holes_to_win=13), 3, 1).is_terminal()


def test_12_the_second_to_win_a_hole_takes_the_pavillon():
    state = set_up(FOUR_POINTS, points=(8, 2), holes=(0, 3), holes_run=(False, True), first_hole=BLACK)
    throw(state, 3, 1)
    assert parts(state).holes_run == (True, False)
    assert parts(state).can_big_bredouille == (True, False)


def test_12_and_returns_it_when_the_other_wins_a_hole_for_good():
    state = set_up(FOUR_POINTS, points=(8, 2), holes=(2, 3), holes_run=(False, True), first_hole=WHITE)
    throw(state, 3, 1)
    assert parts(state).holes_run == (False, False)


def test_12_single_stakes():
    assert won((11, 0), (True, False), WHITE, "single") == 1


@pytest.mark.parametrize(
    ("holes", "run", "first", "stake"),
    [
        ((11, 0), True, WHITE, 2),
        ((11, 5), True, BLACK, 2),  # the second scorer, without interruption
        ((11, 5), False, WHITE, 1),
    ],
)
def test_12_double_stakes_for_a_grande_bredouille(holes, run, first, stake):
    assert won(holes, (run, False), first, "double") == stake


@pytest.mark.parametrize(
    ("holes", "run", "first", "stake"),
    [
        ((11, 0), True, WHITE, 4),  # the loser has no hole
        ((11, 5), True, BLACK, 3),  # started second and kept the flag
        ((11, 8), True, BLACK, 3),
        ((11, 5), False, WHITE, 2),  # fewer than six holes
        ((11, 6), False, WHITE, 1),
    ],
)
def test_12_quadruple_stakes(holes, run, first, stake):
    assert won(holes, (run, False), first, "quadruple") == stake


def test_12_returns_are_the_stake_with_utility_win():
    state = set_up(FOUR_POINTS, points=(8, 2), holes=(11, 5), utility="win", stake_rule="quadruple")
    assert state.returns() == [0, 0]
    assert throw(state, 3, 1).returns() == [2, -2]
