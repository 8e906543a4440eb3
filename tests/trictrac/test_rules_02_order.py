"""Rules.md, 2: the draw, whose throw it is, and the order of things inside a throw."""

import pytest
from drawn import BLACK, MOVE, TALONS, WHITE, board, men, parts, play, set_up, throw

import tablier


def new_game(**options):
    return tablier.load_game("trictrac", **options).new_initial_state()


def test_2_1_the_higher_die_begins_and_plays_both_dice():
    state = throw(new_game(), 5, 2)
    assert parts(state).player == WHITE
    assert parts(state).dice == (5, 2)
    assert parts(state).stage == MOVE
    assert parts(state).throws == (1, 0)


def test_2_1_black_begins_when_his_die_is_higher():
    state = throw(new_game(), 2, 5)
    assert state.current_player() == BLACK
    assert parts(state).throws == (0, 1)


@pytest.mark.parametrize("die", range(1, 7))
def test_2_1_equal_dice_are_drawn_again(die):
    assert throw(new_game(), die, die) == new_game()


def test_2_1_the_draw_is_one_of_36_equally_likely_outcomes():
    assert new_game().chance_outcomes() == [(i, 1 / 36) for i in range(36)]


def test_2_1_fresh_roll_throws_anew_after_the_draw():
    state = throw(new_game(first_throw="fresh_roll"), 2, 5)
    assert state.is_chance_node()
    throw(state, 4, 4)
    assert state.current_player() == BLACK
    assert parts(state).dice == (4, 4)


def test_2_1_white_begins_without_a_draw():
    state = throw(new_game(first_throw="white"), 1, 1)
    assert state.current_player() == WHITE
    assert parts(state).stage == MOVE


def test_2_1_only_the_first_setting_is_drawn():
    state = throw(set_up("1:13 12:2 | 23:2 24:13", points=(8, 0), points_run=(True, False), first_throw="draw"), 3, 1)
    state.apply_action(1)
    assert not parts(state).drawing
    assert men(state) == board(TALONS)
    throw(state, 1, 6)
    assert state.current_player() == WHITE, "the leaver throws, whatever the dice"


def test_2_2_a_later_setting_may_open_with_a_doublet():
    state = throw(set_up("24:2 | 1:15"), 1, 1)
    play(state)
    throw(state, 6, 6)
    assert parts(state).stage == MOVE
    assert parts(state).dice == (6, 6)


def test_2_3_the_mover_marks_before_he_plays_and_the_other_after():
    """6-1: White makes a false hit by the sum; 4 to Black."""
    state = set_up("1:7 6:2 7:2 11:2 12:2 | 13:2 14:2 17:2 18:2 19:1 22:1 23:1 24:4")
    throw(state, 6, 1)
    due = parts(state).due
    assert due[1] == 4
    assert parts(state).points == (due[0], 0)
    play(state)
    assert parts(state).points == (due[0], 4)


def test_2_3_then_the_other_player_throws():
    state = play(throw(set_up(TALONS, throws=(0, 0)), 6, 5))
    assert state.is_chance_node()
    assert parts(state).player == BLACK
    assert parts(state).throws == (1, 0)
    assert parts(state).dice == (0, 0)
