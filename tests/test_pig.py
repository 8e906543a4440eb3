"""The rules of pig, one rule per test."""

import pytest
from playing import play

import tablier

ROLL, HOLD = 0, 1


def throw(face):
    return [ROLL, face - 1]


def test_sizes_are_those_of_the_contract(pig):
    assert pig.num_players() == 2
    assert pig.state_size() == 5
    assert pig.max_actions() == 6
    assert pig.num_distinct_actions() == 2
    assert pig.max_chance_outcomes() == 6
    assert pig.observation_shape() == pig.features_shape() == (3,)


def test_a_player_may_roll_or_hold(pig):
    state = pig.new_initial_state()
    assert state.current_player() == 0
    assert [state.action_to_string(a) for a in state.legal_actions()] == ["roll", "hold"]


def test_a_roll_is_one_of_six_faces_equally_likely(pig):
    state = play(pig, [ROLL])
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(i, 1 / 6) for i in range(6)]
    assert [state.action_to_string(i) for i in range(6)] == [f"die {i}" for i in range(1, 7)]


def test_faces_from_two_to_six_add_up(pig):
    state = play(pig, throw(2) + throw(6))
    assert str(state) == "scores 0 0, turn total 8, player 0 to decide"


def test_a_one_loses_the_turn_total_and_the_turn(pig):
    assert str(play(pig, throw(6) + throw(1))) == "scores 0 0, turn total 0, player 1 to decide"


def test_holding_banks_the_turn_total(pig):
    assert str(play(pig, [*throw(6), *throw(5), HOLD])) == "scores 11 0, turn total 0, player 1 to decide"


def test_points_win_only_once_they_are_banked():
    game = tablier.load_game("pig", win_score=6)
    state = play(game, throw(6))
    assert not state.is_terminal()
    state.apply_action(HOLD)
    assert state.is_terminal()
    assert state.returns() == state.rewards() == [1, -1]
    assert state.legal_actions() == []


def test_the_second_player_can_win():
    game = tablier.load_game("pig", win_score=5)
    assert play(game, [HOLD, *throw(5), HOLD]).returns() == [-1, 1]


def test_features_are_fractions_of_the_goal_seen_from_ones_own_seat(pig):
    state = play(pig, [*throw(6), *throw(4), HOLD, *throw(5)])
    assert state.observation(1).tolist() == [0, 10, 5]
    assert state.features(0).tolist() == pytest.approx([0.1, 0, 0.05])
    assert (state.features() == state.features(1)).all()


def test_points_beyond_the_goal_are_not_counted(pig):
    state = play(pig, throw(6) * 50)
    assert state.observation(0).tolist() == [0, 0, 100]
    state.apply_action(HOLD)
    assert str(state) == "scores 100 0, turn total 0, player 0 has won"


def test_bytes_saturate_in_a_very_long_race():
    state = play(tablier.load_game("pig", win_score=1000), throw(6) * 50)
    assert state.observation(0).tolist() == [0, 0, 255]
    assert state.features(0).tolist() == pytest.approx([0, 0, 0.3])
