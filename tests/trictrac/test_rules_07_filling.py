"""Rules.md, 7 and 8: ways, filling and keeping."""

from drawn import TALONS, jans, score, ways

# --- 7 ----------------------------------------------------------------------------------------------------------------


def test_7_a_simple_throw_has_up_to_three_ways():
    """The man on 16 is hit by the 6 from 10, by the 5 from 11, by the 11 from 5."""
    assert ways("5:1 10:7 11:7 | 16:1 24:14", (6, 5), "hit_big") == 3


def test_7_a_doublet_has_up_to_two():
    assert ways("6:7 11:8 | 16:1 24:14", (5, 5), "hit_big") == 2


def test_7_several_men_on_one_field_are_one_way():
    assert ways("10:15 | 16:1 24:14", (6, 5), "hit_big") == 1


# --- 8 ----------------------------------------------------------------------------------------------------------------


def test_8_a_full_jan_is_kept_once():
    """Three spare men outside could all move; keeping scores 4, or 6 on a doublet."""
    position = "1:3 7:2 8:2 9:2 10:2 11:2 12:2 | 13:2 24:13"
    assert score(position, (3, 2)) == (4, 0, {"conserve_big": 1})
    assert score(position, (2, 2)) == (6, 0, {"conserve_big": 1})


def test_8_an_empty_field_is_filled_in_one_way():
    position = "1:1 5:2 7:2 8:2 9:2 10:2 11:4 | 24:15"
    assert score(position, (1, 1)) == (6, 0, {"fill_big": 1})


def test_8_so_are_two_half_fields():
    assert jans("5:3 6:2 7:2 8:2 9:1 10:1 11:2 12:2 | 13:2 24:13", (4, 5)) == {"fill_big": 1}


def test_8_a_half_field_is_filled_in_up_to_three_ways():
    """Field 11 lacks a man: by the 4 from 7 (a third man), by the 5 from 6, by the 9 from 2."""
    assert score("2:1 6:1 7:3 8:2 9:2 10:2 11:1 12:2 1:* | 13:2 24:13", (4, 5)) == (12, 0, {"fill_big": 3})


def test_8_and_by_a_doublet_in_up_to_two():
    assert score("3:1 7:3 8:2 9:2 10:2 11:1 12:2 1:2 | 13:2 24:13", (4, 4)) == (12, 0, {"fill_big": 2})


def test_8_only_spare_men_count():
    """The two men that make field 7 do not fill field 11."""
    assert jans("1:4 7:2 8:2 9:2 10:2 11:1 12:2 | 23:2 24:13", (4, 1)) == {}


def test_8_three_missing_men_are_too_many():
    assert jans("1:6 7:2 8:2 9:2 10:1 12:2 | 13:2 24:13", (6, 5)) == {}


def test_8_the_small_jan_is_filled_like_the_others():
    assert jans("1:4 2:2 3:2 4:2 5:2 6:1 8:2 | 24:15", (5, 2)) == {"fill_small": 1}


def test_8_the_return_jan_too():
    assert jans("16:1 19:2 20:2 21:2 22:2 23:1 24:2 17:3 | 1:15", (6, 1)) == {"fill_return": 2}


def test_8_the_corner_pair_cannot_fill_the_return_jan():
    position = "12:2 19:2 20:2 21:1 22:2 23:3 24:3 | 1:2 2:2 3:2 4:2"
    assert jans(position, (5, 4)) == {}


def test_8_a_third_man_of_the_corner_can():
    assert jans("12:3 19:2 20:2 21:1 22:2 23:2 24:3 | 1:2 2:2 3:2 4:2", (5, 4)) == {"fill_return": 1}


def test_8_impotence_keeps_the_jan_and_pays_the_opponent():
    """6-6 with the sixes blocked: 6 for keeping, 2 and 2 to the opponent."""
    position = "7:2 8:2 9:2 10:2 11:2 12:5 | 13:7 14:2 15:2 16:2 17:1 18:1"
    points, other, events = score(position, (6, 6))
    assert events["conserve_big"] == 1
    assert events["helpless"] == 2
    assert other - sum_of_false(events) == 4
    assert points >= 6


def sum_of_false(events):
    return 6 * events.get("false_small", 0) + 4 * events.get("false_big", 0)


def test_8_a_jan_filled_with_one_number_scores_though_the_other_cannot_be_played():
    position = "7:3 8:2 9:1 10:3 11:4 12:2 | 13:2 24:13"
    assert score(position, (6, 2)) == (4, 2, {"fill_big": 1, "helpless": 1})


def test_8_nothing_is_full_at_the_start():
    assert all(jans(TALONS, (a, b)) == {} for a in range(1, 7) for b in range(1, 7))


def test_8_ways_are_counted_by_man_and_number_even_if_they_end_alike():
    """Open point: 19-22 by the 3 leaves the 4 to 15-19, which ends like 15-22 by one man."""
    assert ways("15:1 19:3 20:2 21:3 22:1 23:2 24:3 | 5:9", (4, 3), "fill_return") == 2
