"""Rules.md, 10: points, holes, bredouille. The printed cases are in test_vectors.py."""

import pytest
from drawn import BLACK, WHITE, parts, play, set_up, throw

GIVES_4 = ("1:13 12:2 | 23:2 24:13", (3, 1))  # mezeas
COSTS_4 = ("1:13 12:2 | 13:2 24:13", (3, 1))  # contre-mezeas
GIVES_4_COSTS_4 = ("1:13 12:2 | 13:2 18:1 24:12", (6, 1))  # hits 18 for 2, and contre-mezeas


def marked(case, **state):
    position, dice = case
    return throw(set_up(position, **state), *dice)


def test_10_twelve_points_from_zero_are_a_double_hole():
    state = marked(GIVES_4, points=(8, 0), points_run=(True, False))
    assert parts(state).holes == (2, 0)
    assert parts(state).points == (0, 0)


def test_10_interrupted_ones_a_single_hole():
    state = marked(GIVES_4, points=(8, 4), points_run=(False, True))
    assert parts(state).holes == (1, 0)


def test_10_the_first_point_of_one_breaks_the_run_of_the_other():
    state = marked(GIVES_4, points=(0, 8), points_run=(False, True))
    assert parts(state).points_run == (True, False)
    assert parts(state).can_bredouille == (True, False)


def test_10_the_second_to_score_may_win_in_bredouille_too():
    state = marked(GIVES_4, points=(8, 6), points_run=(True, False))
    assert parts(state).holes == (2, 0)


def test_10_a_hole_wipes_the_opponents_points():
    state = marked(GIVES_4, points=(10, 10))
    assert parts(state).points == (2, 0)


def test_10_the_remainder_is_a_fresh_run():
    state = marked(GIVES_4, points=(10, 10))
    assert parts(state).points_run == (True, False)


def test_10_the_opponents_share_is_marked_after_the_movers():
    position, dice = GIVES_4_COSTS_4
    state = throw(set_up(position, points=(0, 8), points_run=(False, True)), *dice)
    assert parts(state).due == (2, 4)
    play(state)
    assert parts(state).holes == (0, 1), "the mover's 2 broke the run first"
    assert parts(state).points == (0, 0), "and the hole wipes them"


def test_10_from_zero_if_the_mover_made_a_hole():
    position, dice = GIVES_4_COSTS_4
    state = play(throw(set_up(position, points=(10, 10)), *dice))
    assert parts(state).holes == (1, 0)
    assert parts(state).points == (0, 4)
    assert parts(state).points_run == (False, True)


@pytest.mark.parametrize("mover", [WHITE, BLACK])
def test_10_either_player_marks_alike(mover):
    state = marked(GIVES_4, points=(8, 8), mover=mover)
    assert parts(state).holes == ((1, 0) if mover == WHITE else (0, 1))


def test_10_a_score_is_twelve_a_hole_and_the_points():
    state = marked(GIVES_4, points=(2, 6), holes=(3, 1))
    assert state.returns() == [3 * 12 + 6, 1 * 12 + 6]
