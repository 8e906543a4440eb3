"""Rules.md, 4: the rest corner."""

from drawn import finals, jans, may_play, must_play


def test_4_1_the_corner_is_taken_by_two_men_in_one_throw():
    position = "1:11 8:2 10:2 | 24:15"
    assert may_play(position, (4, 2), (8, 12), (10, 12))
    assert not may_play(position, (4, 1), (8, 12), (1, 2))


def test_4_1_and_left_by_two():
    position = "7:13 12:2 | 1:15"
    assert may_play(position, (3, 2), (12, 15), (12, 14))
    assert not may_play(position, (3, 2), (12, 15), (7, 9))


def test_4_1_a_third_man_comes_and_goes_alone():
    assert may_play("7:12 12:3 | 1:15", (3, 2), (12, 15), (7, 9))
    assert may_play("7:13 12:2 | 1:15", (5, 2), (7, 12), (7, 9))


def test_4_1_of_three_men_two_do_not_leave():
    assert not may_play("7:12 12:3 | 1:15", (3, 2), (12, 15), (12, 14))


def test_4_2_by_effect_with_a_doublet():
    assert may_play("1:13 9:2 | 24:15", (3, 3), (9, 12), (9, 12))


def test_4_3_by_power_the_men_that_would_reach_13_are_placed_on_12():
    assert may_play("1:11 8:2 9:2 | 24:15", (5, 4), (8, 12), (9, 12))


def test_4_3_by_power_with_a_doublet():
    assert may_play("1:13 9:2 | 24:15", (4, 4), (9, 12), (9, 12))


def test_4_3_not_by_power_when_the_opposing_corner_is_held():
    assert not may_play("1:11 8:2 9:2 | 13:2 24:13", (5, 4), (8, 12), (9, 12))


def test_4_3_not_by_power_with_an_ace():
    """The ace would need a man on 12, but the corner is empty."""
    position = "1:13 7:2 | 24:15"
    assert all(final[11] == 0 for final in finals(position, (6, 1)))


def test_4_4_not_by_power_when_it_can_be_taken_by_effect():
    position = "1:9 7:2 8:2 9:2 | 24:15"
    assert may_play(position, (5, 4), (7, 12), (8, 12))
    assert not may_play(position, (5, 4), (8, 12), (9, 12))


def test_4_4_not_even_to_keep_a_small_jan():
    """By effect from 6 and 7, which breaks the jan; by power from 7 and 8, which would keep it."""
    position = "1:2 2:2 3:2 4:2 5:2 6:2 7:1 8:1 11:1 | 24:15"
    assert may_play(position, (6, 5), (6, 12), (7, 12))
    assert not may_play(position, (6, 5), (7, 12), (8, 12))
    assert "conserve_small" not in jans(position, (6, 5))


def test_4_4_taking_the_corner_is_voluntary():
    position = "1:11 8:2 10:2 | 24:15"
    assert may_play(position, (4, 2), (1, 5), (1, 3))


def test_4_4_unless_nothing_else_plays_both_numbers():
    """Power is the only way to play two twos: a man may not stop on 13."""
    position = "11:15 | 8:2 15:7 16:2 22:4"
    assert must_play(position, (2, 2), (11, 12), (11, 12))


def test_4_5_a_vacated_corner_is_empty_again():
    assert may_play("1:11 8:2 9:2 | 6:2 24:13", (5, 4), (8, 12), (9, 12))
    assert "corner" in jans("1:9 8:2 9:2 12:2 | 6:2 24:13", (5, 4))


def test_4_6_the_opposing_corner_is_never_entered():
    for position in ("9:15 | 1:15", "9:15 | 13:2 24:13"):
        for dice in ((4, 4), (4, 3), (2, 2)):
            assert all(final[12] <= 0 for final in finals(position, dice))


def test_4_3_the_corner_by_power_may_fill_the_big_jan():
    """Rules.md, 8. The corner cannot be taken by effect with the six: no man stands on 6."""
    position = "1:3 7:3 8:2 9:3 10:2 11:2 | 24:15"
    assert jans(position, (6, 4)) == {"fill_big": 1}
    assert must_play(position, (6, 4), (7, 12), (9, 12))
