"""Rules.md, 3: moving, the duty to play, and the duty to fill and keep."""

from drawn import TALONS, after, board, finals, jans, may_play, must_play, unplayed

# --- 3 ----------------------------------------------------------------------------------------------------------------


def test_3_two_men_or_one_man_play_the_two_numbers():
    assert sorted(finals(TALONS, (5, 4))) == sorted(
        [after(board(TALONS), (1, 6), (1, 5)), after(board(TALONS), (1, 10))]
    )


def test_3_a_doublet_is_two_numbers_and_not_four():
    assert sorted(finals(TALONS, (2, 2))) == sorted(
        [after(board(TALONS), (1, 3), (1, 3)), after(board(TALONS), (1, 5))]
    )


def test_3_a_single_opposing_man_blocks_and_is_not_captured():
    position = "7:2 8:13 | 11:1 24:14"
    assert not may_play(position, (3, 1), (8, 11), (7, 8))
    assert may_play("7:2 8:13 | 10:1 24:14", (3, 1), (8, 11), (7, 8))


def test_3_the_opposing_corner_is_never_occupied_even_when_empty():
    position = "9:15 | 1:15"
    assert not may_play(position, (4, 1), (9, 13), (9, 10))
    assert may_play(position, (5, 1), (9, 14), (9, 10))


def test_3_a_man_rests_only_where_no_opposing_man_stands():
    position = "1:1 2:14 | 4:1 6:1 24:13"
    assert not may_play(position, (5, 3), (1, 9))
    assert may_play("1:1 2:14 | 4:1 24:14", (5, 3), (1, 9))
    assert may_play("1:1 2:14 | 6:1 24:14", (5, 3), (1, 9))


def test_3_an_empty_corner_is_a_rest():
    own = "10:1 14:14 | 1:15"
    assert may_play(own, (2, 4), (10, 16))
    opposing = "8:1 15:8 20:6 | 6:2"
    assert may_play(opposing, (5, 5), (8, 18))


def test_3_an_opposing_corner_that_is_held_is_no_rest():
    assert not may_play("8:1 15:14 | 6:1 13:2", (5, 5), (8, 18))


def test_3_one_may_rest_in_a_forbidden_big_jan():
    """Black can still fill their big jan (13-18), but no longer their small one (19-24)."""
    position = "12:15 | 15:2 16:2 17:2 18:2 20:7"
    assert not may_play(position, (2, 6), (12, 14), (12, 18))
    assert may_play(position, (2, 5), (12, 19))


def test_3_two_men_that_end_like_one_man_are_the_same_play():
    """1-4 and 4-6 by two men equals 1-6 by one: listed once (finals() checks this)."""
    position = "1:14 4:1 | 24:15"
    assert after(board(position), (1, 4), (4, 6)) == after(board(position), (1, 6))
    assert may_play(position, (3, 2), (1, 6))


# --- 3.1 --------------------------------------------------------------------------------------------------------------


def test_3_1_both_numbers_are_played_if_any_play_does():
    """The 4 alone could be 20-24, but then no man could play the 2."""
    position = "14:1 20:14 | 16:1 22:1 1:13"
    assert must_play(position, (4, 2), (14, 20))
    assert unplayed(position, (4, 2)) == 0


def test_3_1_of_two_numbers_that_exclude_each_other_the_higher_is_played():
    position = "19:1 23:2 | 13:4 15:3 21:5 22:1 24:2"
    assert must_play(position, (4, 1), (19, 23))
    assert unplayed(position, (4, 1)) == 1


def test_3_1_the_lower_is_played_if_the_higher_cannot_be():
    position = "11:13 12:2 | 13:2 14:2 16:2 17:2 24:7"
    assert must_play(position, (6, 1), (11, 12))
    assert jans(position, (6, 1))["helpless"] == 1


def test_3_1_the_turn_passes_if_nothing_can_be_played():
    position = "12:15 | 13:3 14:2 15:2 16:2 17:2 18:2 24:2"
    assert must_play(position, (6, 5))
    assert unplayed(position, (6, 5)) == 2


def test_3_1_the_duty_to_play_both_numbers_outranks_keeping():
    """The small jan is full; the 6 can only be played from it."""
    position = "1:2 2:2 3:2 4:2 5:2 6:2 10:3 | 16:2 13:2 24:11"
    assert "conserve_small" not in jans(position, (6, 6))
    assert all(min(final[:6]) < 2 for final in finals(position, (6, 6)))


def test_3_1_a_jan_filled_in_passing_scores_nothing():
    """The 1 fills field 6 from 5; the 6 must then be played from the jan and breaks it."""
    position = "1:2 2:2 3:2 4:2 5:3 6:1 11:3 | 13:2 17:2 24:11"
    assert jans(position, (6, 1)) == {}
    assert all(min(final[:6]) < 2 for final in finals(position, (6, 1)))


# --- 3.2 --------------------------------------------------------------------------------------------------------------


def test_3_2_who_can_fill_must():
    position = "1:3 2:2 3:2 4:2 5:2 6:1 7:3 | 24:15"
    assert may_play(position, (5, 1), (1, 6), (7, 8))
    assert not may_play(position, (5, 1), (1, 6), (6, 7))
    assert not may_play(position, (5, 1), (2, 7), (7, 8))


def test_3_2_who_can_keep_must():
    position = "1:1 2:2 7:2 8:2 9:2 10:2 11:2 12:2 | 23:2 24:13"
    assert all(min(final[6:12]) >= 2 for final in finals(position, (3, 2)))
    assert not may_play(position, (3, 2), (7, 10), (8, 10))


def test_3_2_the_mover_chooses_which_man_fills():
    position = "1:2 2:2 3:3 4:3 5:2 6:1 8:2 | 24:15"
    assert may_play(position, (3, 2), (3, 6), (8, 10))
    assert may_play(position, (3, 2), (4, 6), (8, 11))


def test_3_2_without_a_jan_in_reach_every_base_play_is_legal():
    assert jans("1:13 7:2 | 24:15", (2, 1)) == {}
    assert len(finals("1:13 7:2 | 24:15", (2, 1))) == 6
