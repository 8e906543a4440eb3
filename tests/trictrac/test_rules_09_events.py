"""Rules.md, 9.1 to 9.10: what a throw scores. `score` gives (to the mover, to the opponent, {event: ways})."""

import pytest
from drawn import BLACK, TALONS, jans, parts, play, score, set_up, throw, ways

import tablier

# --- 9.1 hits ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "die", "event", "simple", "doublet"),
    [
        ("1:13 10:2 | 16:1 24:14", 6, "hit_big", 2, 4),
        ("9:13 14:2 | 20:1 1:14", 6, "hit_small", 4, 6),
        ("2:15 | 8:1 13:14", 6, "hit_big", 2, 4),
        ("1:15 | 5:1 13:14", 4, "hit_small", 4, 6),
    ],
)
def test_9_1_the_value_depends_on_the_table_of_the_man_that_is_hit(position, die, event, simple, doublet):
    assert score(position, (die, 1))[0] == simple
    assert score(position, (die, die))[0] == doublet
    assert ways(position, (die, 1), event) == ways(position, (die, die), event) == 1


def test_9_1_nothing_moves_and_a_man_may_serve_several_hits():
    """The man on 10 hits 16 by the 6, 15 by the 5 and 21 by the sum, resting on the single men."""
    assert jans("1:14 10:1 | 15:1 16:1 21:1 24:12", (6, 5)) == {"hit_big": 2, "hit_small": 1}


def test_9_1_two_men_are_not_hit():
    assert jans("1:14 10:1 | 16:2 24:13", (6, 5)) == {}


def test_9_1_the_corner_pair_hits_too():
    assert ways("1:13 12:2 | 18:1 24:14", (6, 5), "hit_big") == 1


def test_9_1_the_sum_rests_on_an_empty_corner():
    """From 8 by 5-4 to 17 over 13 or 12, both empty."""
    assert ways("1:14 8:1 | 17:1 24:14", (5, 4), "hit_big") == 1


def test_9_1_one_open_rest_is_enough():
    assert ways("1:14 8:1 | 13:2 17:1 24:12", (5, 4), "hit_big") == 1


def test_9_1_forbidden_fields_are_open_if_empty():
    assert ways("1:14 10:1 | 21:1 24:14", (6, 5), "hit_small") == 1


def test_9_1_men_on_the_movers_side_are_hit_alike():
    assert ways("1:2 18:13 | 4:1 16:2 13:2", (3, 2), "hit_small") == 1


# --- 9.2 false hits ---------------------------------------------------------------------------------------------------


def test_9_2_a_sum_without_an_open_rest_hits_falsely_for_the_opponent():
    position = "1:14 10:1 | 15:2 16:2 21:1 24:10"
    assert score(position, (6, 5)) == (0, 4, {"false_small": 1})


def test_9_2_false_hits_have_the_values_of_true_ones():
    assert score("1:14 9:1 | 13:2 17:1 24:12", (4, 4)) == (0, 4, {"false_big": 1})
    assert score("1:14 9:1 | 14:2 15:2 20:1 24:10", (6, 5)) == (0, 4, {"false_small": 1})


def test_9_2_direct_numbers_are_never_false():
    assert jans("1:14 10:1 | 14:2 15:2 16:1 24:10", (6, 5)) == {"hit_big": 1}


def test_9_2_a_man_hit_truly_is_not_hit_falsely():
    """Hit by the 5 from 16, the mover's own field, which is therefore an open rest for the sum."""
    events = jans("10:1 16:1 1:13 | 15:2 21:1 24:2 3:10", (6, 5))
    assert events["hit_small"] == 2
    assert "false_small" not in events


# --- 9.3 the corner ---------------------------------------------------------------------------------------------------


def test_9_3_two_men_reach_the_empty_opposing_corner():
    position = "1:11 8:1 9:1 12:2 | 23:2 24:13"
    assert score(position, (5, 4)) == (4, 0, {"corner": 1})


def test_9_3_6_on_a_doublet_which_needs_two_men():
    assert score("1:11 9:2 12:2 | 23:2 24:13", (4, 4)) == (6, 0, {"corner": 1})
    assert jans("1:12 9:1 12:2 | 23:2 24:13", (4, 4)) == {}


def test_9_3_the_men_that_hold_the_corner_do_not_count():
    assert jans("1:12 8:1 12:2 | 23:2 24:13", (5, 1)) == {}
    assert jans("1:11 8:1 12:3 | 24:15", (5, 1)) == {"corner": 1}


def test_9_3_not_without_the_own_corner():
    assert jans("1:13 8:1 9:1 | 24:15", (5, 4)) == {}


def test_9_3_not_while_the_opponent_holds_his():
    assert jans("1:11 8:1 9:1 12:2 | 13:2 24:13", (5, 4)) == {}


def test_9_3_never_by_the_sum():
    assert jans("1:12 4:1 12:2 | 23:2 24:13", (5, 4)) == {}


# --- 9.4 six tables ---------------------------------------------------------------------------------------------------

FOUR_DOWN = "1:11 2:1 4:1 5:1 7:1 | 22:2 24:13"


def test_9_4_six_tables_at_the_third_throw():
    assert score(FOUR_DOWN, (2, 5), throw=3) == (4, 0, {"six_tables": 1})


@pytest.mark.parametrize("index", [1, 2, 4])
def test_9_4_at_no_other_throw(index):
    assert jans(FOUR_DOWN, (2, 5), throw=index) == {}


def test_9_4_only_with_the_two_empty_fields():
    assert jans(FOUR_DOWN, (2, 4), throw=3) == {}
    assert jans("1:11 2:2 4:1 5:1 | 24:15", (2, 5), throw=3) == {}


def test_9_4_there_is_no_duty_to_play_it():
    state = throw(set_up(FOUR_DOWN, throws=(2, 2)), 2, 5)
    assert parts(state).points == (4, 0)
    assert len(state.legal_actions()) > 1


def test_9_4_throws_are_counted_anew_in_each_setting():
    state = throw(set_up(FOUR_DOWN, throws=(3, 3)), 2, 5)
    assert parts(state).points == (0, 0)


# --- 9.5 two tables ---------------------------------------------------------------------------------------------------


def test_9_5_two_tables():
    position = "1:13 7:1 8:1 | 24:15"
    assert score(position, (5, 5)) == (6, 0, {"two_tables": 1})
    assert score("1:13 7:1 9:1 | 24:15", (5, 4)) == (4, 0, {"two_tables": 1})


def test_9_5_from_one_field():
    assert jans("1:13 10:2 | 24:15", (3, 2)) == {"two_tables": 1}


def test_9_5_one_man_does_not_serve_for_both():
    assert jans("1:13 5:1 10:1 | 24:15", (3, 2)) == {}


def test_9_5_contre_jan_if_the_opponent_holds_his_corner():
    assert score("1:13 7:1 9:1 | 13:2 24:13", (5, 4)) == (0, 4, {"contre_two_tables": 1})
    assert score("1:13 7:1 8:1 | 13:2 24:13", (5, 5)) == (0, 6, {"contre_two_tables": 1})


def test_9_5_not_with_three_men_down():
    assert jans("1:12 3:1 7:1 9:1 | 24:15", (5, 4)) == {}


# --- 9.6 mezeas -------------------------------------------------------------------------------------------------------


def test_9_6_mezeas():
    position = "1:13 12:2 | 23:2 24:13"
    assert score(position, (3, 1)) == (4, 0, {"mezeas": 1})
    assert score(position, (1, 1)) == (6, 0, {"mezeas": 1})
    assert jans(position, (3, 2)) == {}


def test_9_6_contre_jan_if_the_opponent_holds_his_corner():
    position = "1:13 12:2 | 13:2 24:13"
    assert score(position, (3, 1)) == (0, 4, {"contre_mezeas": 1})
    assert score(position, (1, 1)) == (0, 6, {"contre_mezeas": 1})


def test_9_6_next_throw_only_still_scores_on_the_next_throw():
    state = set_up("1:13 10:2 | 23:2 24:13", throws=(2, 2), mezeas_next_throw_only=True)
    play(throw(state, 2, 2), (10, 12), (10, 12))
    play(throw(state, 6, 4))
    throw(state, 3, 1)
    assert parts(state).points == (4, 0)


# --- 9.7 and 9.8 are in the files of sections 7 and 6 -----------------------------------------------------------------

# --- 9.9 unplayed numbers ---------------------------------------------------------------------------------------------


def test_9_9_two_points_for_each_unplayed_number():
    assert score("11:13 12:2 | 13:2 14:2 16:2 17:2 24:7", (6, 1)) == (0, 2, {"helpless": 1})
    blocked = "12:15 | 13:3 14:2 15:2 16:2 17:2 18:2 24:2"
    assert score(blocked, (6, 5)) == (0, 4, {"helpless": 2})


def test_9_9_a_doublet_changes_nothing():
    blocked = "12:15 | 13:3 14:2 15:2 16:2 17:2 18:2 24:2"
    assert score(blocked, (6, 6)) == (0, 4, {"helpless": 2})


# --- 9.10 optional events ---------------------------------------------------------------------------------------------

PILE = "12:15 | 13:3 14:2 15:2 16:2 17:2 18:2 24:2"
NEARLY = "7:1 12:14 | 13:3 14:2 15:2 16:2 17:2 18:2 24:2"


def test_9_10_the_pile_is_off_by_default():
    assert "pile_de_misere" not in jans(PILE, (6, 5))


def test_9_10_making_the_pile():
    assert ways(NEARLY, (5, 6), "pile_de_misere", pile_de_misere=True) == 1
    assert score(NEARLY, (5, 6), pile_de_misere=True)[0] == 4


def test_9_10_keeping_it_when_it_cannot_be_broken():
    assert score(PILE, (6, 6), pile_de_misere=True) == (6, 4, {"helpless": 2, "pile_de_misere": 1})


def test_9_10_not_if_a_man_could_pass():
    position = "7:1 12:14 | 13:3 14:2 15:2 16:2 17:2 20:4"
    assert "pile_de_misere" not in jans(position, (5, 6), pile_de_misere=True)


def test_9_10_jan_de_rencontre():
    state = play(throw(set_up_new(jan_de_rencontre=True), 6, 5))
    throw(state, 5, 6)
    assert parts(state).points == (0, 4)


def test_9_10_6_for_a_doublet():
    state = play(throw(set_up_new(jan_de_rencontre=True), 3, 3))
    assert parts(throw(state, 3, 3)).points == (0, 6)


def test_9_10_only_on_the_second_players_first_throw():
    state = play(throw(set_up_new(jan_de_rencontre=True), 6, 5))
    play(throw(state, 4, 3))
    play(throw(state, 2, 1))
    assert parts(state).player == BLACK
    throw(state, 2, 1)
    assert parts(state).points == (0, 0)


def set_up_new(**options):
    return tablier.load_game("trictrac", first_throw="white", **options).new_initial_state()


def test_9_10_margot_la_fendue():
    position = "1:14 11:1 | 16:1 18:1 24:13"
    assert "margot" not in jans(position, (4, 2))
    assert ways(position, (4, 2), "margot", margot_la_fendue=True) == 1
    assert score(position, (3, 3), margot_la_fendue=True) == (0, 4, {"margot": 1})


def test_9_none_of_it_at_the_start():
    assert jans(TALONS, (6, 5)) == {}
