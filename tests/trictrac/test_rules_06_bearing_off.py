"""Rules.md, 6: bearing off."""

from drawn import (
    BLACK,
    TALONS,
    WHITE,
    board,
    finals,
    jans,
    may_play,
    men,
    must_play,
    parts,
    play,
    score,
    set_up,
    throw,
    unplayed,
)


def test_6_nobody_leaves_while_a_man_is_outside_the_last_quarter():
    assert not may_play("12:2 24:13 | 1:15", (1, 1), (24, 25), (24, 25))


def test_6_the_last_man_enters_with_one_number_and_the_other_bears_off():
    assert may_play("17:1 22:14 | 1:15", (3, 2), (17, 19), (22, 25))


def test_6_one_man_enters_and_leaves_in_one_go():
    assert may_play("18:1 23:14 | 1:15", (6, 1), (18, 25))


def test_6_an_exact_number_bears_off_or_is_played_inside():
    position = "19:2 22:2 | 1:15"
    assert may_play(position, (3, 3), (22, 25), (22, 25))
    assert may_play(position, (3, 3), (19, 22), (19, 22))


def test_6_a_failing_number_is_played_inside():
    assert len(finals("20:2 | 1:15", (2, 1))) == 2
    assert may_play("20:2 | 1:15", (2, 1), (20, 22), (20, 21))
    assert may_play("20:2 | 1:15", (2, 1), (20, 23))


def test_6_an_excess_number_bears_off_the_rearmost_man():
    assert must_play("22:1 23:2 | 1:15", (6, 5), (22, 25), (23, 25))


def test_6_and_no_other():
    """The 4 is excess for 22, but 20 stands behind and plays it inside."""
    position = "20:1 22:2 | 1:15"
    assert not may_play(position, (4, 4), (22, 25), (22, 25))
    assert must_play(position, (4, 4), (20, 24), (22, 25))


def test_6_excess_is_a_last_resort():
    """20-22-off wastes one number, 20 off and 24 off would waste two."""
    assert must_play("20:1 24:2 | 6:14", (6, 2), (20, 25))


def test_6_one_excess_exit_is_as_good_as_another():
    """5-2: 20 off exactly and 24 off by excess, or 20-22 and off by excess."""
    position = "20:1 24:2 | 6:14"
    assert len(finals(position, (5, 2))) == 2
    assert may_play(position, (5, 2), (20, 25), (24, 25))
    assert may_play(position, (5, 2), (20, 25))


def test_6_the_duty_to_play_both_comes_before_sparing_excess():
    assert must_play("23:4 | 3:8", (3, 1), (23, 24), (23, 25))


def test_6_a_number_blocked_by_opposing_men_is_not_excess_for_a_man_nearer_the_exit():
    """The 3 of 21 is blocked on 24; the man on 23 may not use it while 21 stands behind."""
    position = "21:2 23:2 | 24:1 1:14"
    assert not may_play(position, (3, 3), (23, 25), (23, 25))
    assert unplayed(position, (3, 3)) == 2


def test_6_a_full_return_jan_is_kept_by_bearing_off_spare_men():
    position = "19:2 20:2 21:2 22:3 23:3 24:3 | 1:15"
    assert jans(position, (3, 2)) == {"conserve_return": 1}
    assert must_play(position, (3, 2), (22, 25), (23, 25))


def test_6_one_number_fills_while_the_other_bears_off():
    position = "19:3 20:1 21:2 22:3 23:3 24:3 | 1:15"
    assert may_play(position, (3, 1), (19, 20), (22, 25))
    assert jans(position, (3, 1)) == {"fill_return": 1}


def test_6_all_men_out_is_worth_4_and_6_on_a_doublet():
    assert score("23:1 24:1 | 1:15", (2, 1)) == (4, 0, {"exit": 1})
    assert score("23:1 24:1 | 1:15", (2, 2)) == (6, 0, {"exit": 1})


def test_6_who_can_bear_off_the_last_man_must():
    """19 off and 23 off, or 19-22-off: one excess each."""
    assert must_play("19:1 23:1 | 4:1 5:1", (6, 3), (19, 25), (23, 25))


def test_6_fewest_excess_exits_come_before_the_last_man():
    """Open point: both men could leave by two excess exits; 21-24 and 23 off uses one and is the only play."""
    assert must_play("21:1 23:1 | 4:4 6:3 9:5 11:3", (5, 3), (21, 24), (23, 25))
    assert "exit" not in jans("21:1 23:1 | 4:4 6:3 9:5 11:3", (5, 3))


def test_6_no_number_is_unplayed_when_the_last_man_is_out():
    assert score("22:1 | 5:13", (4, 3)) == (4, 0, {"exit": 1})


def test_6_then_all_men_go_back_points_stay_and_he_throws_again():
    state = throw(set_up("24:2 | 1:15", points=(2, 4), holes=(3, 2)), 6, 5)
    play(state)
    facts = parts(state)
    assert list(facts.board) == board(TALONS)
    assert facts.points == (6, 4)
    assert facts.holes == (3, 2)
    assert facts.player == WHITE
    assert facts.throws == (0, 0)


def test_6_this_holds_for_black_too():
    state = play(throw(set_up("24:2 | 1:15", mover=BLACK), 6, 5))
    assert men(state) == board(TALONS)
    assert parts(state).player == BLACK


def test_6_the_old_law_bears_off_only_what_cannot_be_played_inside():
    """Two readings are possible; the engine allows no exact exits, only exits by excess."""
    position = "19:2 24:2 | 1:15"
    assert may_play(position, (1, 1), (24, 25), (24, 25))
    assert not may_play(position, (1, 1), (24, 25), (24, 25), by_default_only=True)
    assert may_play("22:2 | 1:15", (6, 5), (22, 25), (22, 25), by_default_only=True)


def test_6_last_throw_carries_over():
    state = play(throw(set_up("24:2 | 1:15", last_throw_carries_over=True), 6, 5))
    assert men(state) == board(TALONS)
    assert parts(state).dice == (6, 5)
    assert parts(state).throws == (1, 0)
    assert state.current_player() == WHITE
