"""The rules of backgammon, one behaviour a test. Points are in the mover's numbering."""

import pytest
from positions import men_of, setup, texts

import tablier

PASS = 1351


@pytest.fixture
def game():
    return tablier.load_game("backgammon")


def throw(one, two):
    return 6 * (one - 1) + two - 1


@pytest.mark.parametrize(("dice", "starts"), [((5, 2), 0), ((2, 5), 1), ((1, 6), 1)])
def test_the_higher_die_starts_and_plays_both(game, dice, starts):
    state = game.new_initial_state().child(throw(*dice))
    assert state.current_player() == starts
    assert sorted(state.observation(0)[28:30]) == sorted(dice)


def test_equal_dice_are_thrown_again(game):
    state = game.new_initial_state()
    assert state.child(throw(4, 4)) == state


@pytest.mark.parametrize(
    ("start", "men"),
    [
        ("standard", {24: 2, 13: 5, 8: 3, 6: 5}),
        ("nackgammon", {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}),
        ("hyper", {24: 1, 23: 1, 22: 1}),
        ("long", {24: 15}),
    ],
)
def test_the_men_start_where_the_option_says(start, men):
    state = tablier.load_game("backgammon", start=start).new_initial_state()
    for side in men_of(state):
        assert {place: count for place, count in enumerate(side) if count} == men


def test_a_point_with_two_opposing_men_is_closed(game):
    state = setup(game, "24:1", "4:2 13:13", dice=(3, 5))  # their 4 point is the mover's 21
    assert texts(state) == {"24/19/16"}


def test_a_single_man_is_hit(game):
    state = setup(game, "10:1", "21:1 13:2", dice=(6, 4))  # their 21 point is the mover's 4
    assert texts(state) == {"10/4*/off", "10/6/off"}
    for action in state.legal_actions():
        hits = "*" in state.action_to_string(action)
        assert men_of(state.child(action))[1][25] == hits


def test_men_on_the_bar_enter_first(game):
    state = setup(game, "bar:1 6:3", "5:2 13:2", dice=(6, 5))  # 25 - 5 = 20 is closed by their 5 point
    assert texts(state) == {"bar/19/14", "bar/19 6/1"}
    state = setup(game, "bar:2 6:3", "5:2 13:2", dice=(6, 5))
    assert texts(state) == {"bar/19"}


def test_a_player_who_cannot_enter_passes(game):
    state = setup(game, "bar:1 6:3", "5:2 6:2 13:2", dice=(6, 5))
    assert state.legal_actions() == [PASS]
    assert state.child(PASS).is_chance_node()
    assert texts(state) == {"pass"}


def test_both_numbers_are_played_if_possible(game):
    # The points 1, 7 and 9 are closed. After 20/14 there would be no 5.
    state = setup(game, "20:1 12:1", "24:2 18:2 16:2", dice=(6, 5))
    assert texts(state) == {"12/6 20/15"}


def test_the_higher_number_is_played_if_only_one_can_be(game):
    # From 20, a 2 and a 3 are open, but 15 (both) is closed.
    state = setup(game, "20:1", "10:2 24:2", dice=(2, 3))
    assert texts(state) == {"20/17"}


def test_men_are_borne_off_only_when_all_are_home(game):
    state = setup(game, "7:1 3:2", "7:2", dice=(3, 4))
    assert texts(state) == {"7/3/off"}


def test_a_high_number_bears_off_from_the_highest_point(game):
    state = setup(game, "4:1 2:2", "7:2", dice=(6, 5))
    assert texts(state) == {"4/off 2/off"}


def test_a_high_number_does_not_bear_off_past_a_man_further_back(game):
    state = setup(game, "6:2 2:2", "7:2", dice=(5, 4))
    assert texts(state) == {"6/1 6/2"}


def test_a_doublet_is_two_turns_of_two_moves(game):
    state = setup(game, "13:4", "24:2", dice=(2, 2))
    assert "13/11 13/11" in texts(state)
    half = state.child(state.legal_actions()[0])
    assert half.current_player() == 0
    assert half.observation(0)[30] == 3
    assert half.child(half.legal_actions()[0]).is_chance_node()


def test_the_second_half_of_a_doublet_may_be_a_pass(game):
    state = setup(game, "13:2", "16:2 24:2", dice=(2, 2))  # 9 is closed
    (first,) = state.legal_actions()
    assert state.action_to_string(first) == "13/11 13/11"
    assert state.child(first).legal_actions() == [PASS]


def test_a_doublet_with_one_move_is_one_turn(game):
    state = setup(game, "13:1", "16:2 24:2", dice=(2, 2))
    (only,) = state.legal_actions()
    assert state.action_to_string(only) == "13/11"
    assert state.child(only).is_chance_node()


def test_orders_and_ways_with_the_same_result_are_one_action(game):
    state = setup(game, "24:1 20:1", "24:2", dice=(3, 1))
    assert texts(state) == {"24/21/20", "24/21 20/19", "20/17 24/23", "20/17/16"}
    refused = 0
    for action in range(game.num_distinct_actions()):
        child = state.clone()
        try:
            child.apply_action(action)
        except ValueError:
            refused += 1
        else:
            assert men_of(child) in {men_of(state.child(listed)) for listed in state.legal_actions()}
    assert game.num_distinct_actions() - refused == 8  # each play can be spelled in both orders


def test_a_man_hit_on_the_way_makes_two_actions_of_one_run(game):
    state = setup(game, "24:1", "4:1 24:2", dice=(4, 3))  # a single man on the mover's 21
    assert texts(state) == {"24/20/17", "24/21*/17"}


@pytest.mark.parametrize(("player", "first", "second"), [(0, 24 - 13, 24 - 8), (1, 12, 7)])
def test_actions_are_numbered_as_in_open_spiel(game, player, first, second):
    state = setup(game, "13:2 8:2", "24:2", dice=(6, 3), player=player)
    high_first, low_first = first + 26 * second, second + 26 * first + 676  # 13 plays the 6, 8 plays the 3
    assert high_first in state.legal_actions()
    assert state.action_to_string(high_first) == "13/7 8/5"
    assert state.child(low_first) == state.child(high_first)


@pytest.mark.parametrize(
    ("loser", "full", "gammons"),
    [("6:14", 1, 1), ("6:15", 2, 2), ("19:1 6:14", 3, 2), ("bar:1 6:14", 3, 2), ("18:1 6:14", 2, 2)],
)
def test_gammons_and_backgammons_count_as_the_option_says(loser, full, gammons):
    for scoring, points in (("full", full), ("gammons", gammons), ("win_loss", 1)):
        game = tablier.load_game("backgammon", scoring=scoring)
        for player, sign in ((0, 1), (1, -1)):
            state = setup(game, "1:1", loser, dice=(2, 1), player=player)
            (last,) = state.legal_actions()
            assert state.child(last).returns() == [sign * points, -sign * points]


def test_an_illegal_action_changes_nothing(game):
    state = game.new_initial_state().child(throw(3, 1))
    before = state.clone()
    with pytest.raises(ValueError, match="1351"):
        state.apply_action(PASS)
    assert state == before
