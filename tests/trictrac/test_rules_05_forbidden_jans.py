"""Rules.md, 5: a man may not stop in a jan that the opponent can still fill."""

import pytest
from drawn import finals, may_play


def enters(position, dice, fields):
    return any(final[f - 1] > 0 for final in finals(position, dice) for f in fields)


BIG, SMALL = range(14, 19), range(19, 25)


def test_5_all_is_forbidden_while_the_opponent_has_his_men_at_home():
    assert not enters("10:15 | 24:15", (6, 5), BIG)


def test_5_the_big_jan_opens_when_he_lacks_the_men():
    """Black needs twelve men on or before 13; here four have passed it."""
    assert may_play("10:15 | 8:4 24:11", (6, 5), (10, 16), (10, 15))


def test_5_the_big_jan_needs_two_men_as_far_back_as_its_first_field():
    """Black's field 7 is 18: with one man on or behind it they cannot fill, with two they can."""
    assert not enters("12:15 | 13:2 14:2 15:4 16:3 17:2 20:2", (2, 4), (16, 14))
    assert enters("12:15 | 13:2 14:2 15:4 16:2 17:4 20:1", (6, 6), (18,))


def test_5_a_full_jan_is_forbidden():
    assert not enters("11:2 12:13 | 13:2 14:2 15:2 16:2 17:3 18:2 1:2", (6, 6), BIG)


def test_5_the_small_jan_opens_when_its_talon_is_too_thin():
    """One man on Black's talon cannot make two."""
    position = "12:2 17:13 | 24:1 20:4 1:10"
    assert may_play(position, (6, 5), (17, 23), (17, 22))


@pytest.mark.parametrize(("talon", "open_"), [(1, True), (2, False)])
def test_5_the_small_jan_counts_the_men_on_its_first_fields(talon, open_):
    """With twelve men in the small jan, at least two of them on the talon, it can be filled."""
    position = f"12:15 | 24:{talon} 23:{12 - talon} 1:3"
    assert may_play(position, (6, 1), (12, 19)) == open_


def test_5_men_borne_off_do_not_count():
    assert enters("12:15 | 1:3 2:8", (6, 5), BIG)


def test_5_the_test_is_of_material_only_and_ignores_blocked_ways():
    """Black's fifteen could fill their big jan, though White's men stand on all fields before it."""
    assert not enters("12:3 7:12 | 24:15", (6, 5), BIG)
