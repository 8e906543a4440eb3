"""Rules.md, 11: hold or leave."""

from drawn import BLACK, GO, HOLD_OR_GO, MOVE, TALONS, WHITE, board, leave, may_leave, men, parts, play, set_up, throw

FOUR_POINTS = "1:13 12:2 | 23:2 24:13"
FOUR_AGAINST = "1:13 12:2 | 13:2 24:13"
BOTH = "1:13 12:2 | 13:2 18:1 24:12"


def test_11_a_hole_by_ones_own_throw_may_be_left():
    state = throw(set_up(FOUR_POINTS, points=(10, 0), points_run=(True, False)), 3, 1)
    assert parts(state).stage == HOLD_OR_GO
    assert may_leave(state)


def test_11_without_a_hole_there_is_no_choice():
    state = throw(set_up(FOUR_POINTS), 3, 1)
    assert parts(state).stage == MOVE
    assert not may_leave(state)


def test_11_who_holds_keeps_the_remainder_and_plays_on():
    state = throw(set_up(FOUR_POINTS, points=(10, 0), points_run=(True, False)), 3, 1)
    play(state)
    assert parts(state).points == (2, 0)
    assert parts(state).player == BLACK
    assert men(state) != board(TALONS)


def test_11_the_opponent_then_marks_his_share():
    state = play(throw(set_up(BOTH, points=(10, 0), points_run=(True, False)), 6, 1))
    assert parts(state).points == (0, 4)


def test_11_who_leaves_loses_the_points_and_throws_first():
    state = leave(throw(set_up(FOUR_POINTS, points=(10, 8), holes=(1, 1)), 3, 1))
    facts = parts(state)
    assert facts.holes == (2, 1)
    assert facts.points == (0, 0)
    assert facts.points_run == (False, False)
    assert list(facts.board) == board(TALONS)
    assert facts.player == WHITE
    assert facts.throws == (0, 0)


def test_11_the_opponent_marks_nothing_for_a_throw_that_was_left():
    state = throw(set_up(BOTH, points=(10, 0), points_run=(True, False)), 6, 1)
    assert parts(state).due == (2, 4)
    assert parts(leave(state)).points == (0, 0)


def test_11_a_hole_by_the_others_throw_must_be_held():
    state = play(throw(set_up(FOUR_AGAINST, points=(0, 10), points_run=(False, True)), 3, 1))
    assert parts(state).holes == (0, 2)
    assert parts(state).points == (0, 2)
    assert state.is_chance_node()


def test_11_any_number_of_holes_gives_one_choice():
    position = "2:1 4:1 5:2 7:2 8:2 9:2 10:1 11:2 12:2 | 14:1 16:1 17:1 20:1 22:1 23:1 24:9"
    state = throw(set_up(position, points=(10, 0), points_run=(True, False)), 6, 5)
    assert parts(state).holes == (8, 0)
    play(state)
    assert state.is_chance_node()


def test_11_the_last_hole_ends_the_game_at_once():
    state = throw(set_up(BOTH, points=(10, 8), holes=(11, 11)), 6, 1)
    assert state.is_terminal()
    assert parts(state).winner == WHITE
    assert parts(state).points[BLACK] == 0


def test_11_colours_may_swap_after_bearing_off():
    state = play(throw(set_up("24:2 | 1:15", swap_colours_on_exit=True), 6, 5))
    assert parts(state).swapped
    assert men(state) == board(TALONS), "the coordinates never change"


def test_11_but_not_after_leaving():
    state = throw(set_up(FOUR_POINTS, points=(10, 0), points_run=(True, False), swap_colours_on_exit=True), 3, 1)
    state.apply_action(GO)
    assert not parts(state).swapped
