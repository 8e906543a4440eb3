"""Liar's dice, where players see only their own die, and games that leak the other die, which the kit reports."""

import pytest
from liars_dice import CHALLENGE, LiarsDice
from playing import play

import tablier
from tablier import _core
from tablier.testing import ConformanceError, check_game

TWO_OF_FACE_3 = 8


@pytest.fixture
def liars_dice(register):
    return register(LiarsDice)


def test_a_game_with_hidden_dice_keeps_the_contract(liars_dice):
    check_game(liars_dice, games=20)


@pytest.mark.parametrize(
    ("dice", "returns"), [((3, 3), [1, -1]), ((3, 5), [-1, 1]), ((2, 3), [-1, 1]), ((1, 1), [-1, 1])]
)
def test_a_challenge_counts_the_dice(liars_dice, dice, returns):
    state = play(liars_dice, [dice[0] - 1, dice[1] - 1, TWO_OF_FACE_3, CHALLENGE])
    assert state.is_terminal()
    assert state.returns() == returns


def test_a_player_cannot_tell_the_dice_of_the_other(liars_dice):
    state = play(liars_dice, [2, 4])
    assert {str(other) for other in state._indistinguishable(0)} == {
        f"dice 3 {die}, bid 0, player 0, challenged 0" for die in range(1, 7)
    }
    assert state._indistinguishable(1)[0] == play(liars_dice, [0, 4])
    with pytest.raises(ValueError, match="player"):
        state._indistinguishable(2)


def test_a_game_that_hides_nothing_lists_no_states(race):
    assert race.new_initial_state()._indistinguishable(0) == []
    assert tablier.load_game("pig").new_initial_state()._indistinguishable(0) == []


class LeakyObservation(LiarsDice):
    def observation(self, state, player):
        return [state[player], state[1 - player], *state[2:]]


class LeakyFeatures(LiarsDice):
    def features(self, state, player):
        return [sum(state[:2]) / 12, *super().features(state, player)[1:]]


class LeakyActions(LiarsDice):
    """Forbids bidding the face of the other player's die, so the legal bids reveal it."""

    def legal_actions(self, state):
        legal = list(super().legal_actions(state))
        other = state[1 - state[3]]
        return [action for action in legal if action == CHALLENGE or action % 6 != other - 1] or [CHALLENGE]


@pytest.mark.parametrize(
    ("leaky", "complaint"),
    [
        (LeakyObservation, "observation shows the difference"),
        (LeakyFeatures, "features show the difference"),
        (LeakyActions, "legal actions show the difference"),
    ],
)
def test_the_kit_catches_a_leak(leaky, complaint, register):
    said = f"player [01] cannot distinguish this state from\ndice .*\nbut their {complaint}"
    with pytest.raises(ConformanceError, match=said):
        check_game(register(leaky), games=20)


class WrongStates(LiarsDice):
    def indistinguishable(self, state, player):
        return [state[:3]]


def test_a_list_of_wrong_states_is_refused():
    state = _core.load_python(WrongStates(), {}).new_initial_state()
    with pytest.raises(TypeError, match=r"indistinguishable\(\) must return a tuple of 5 integers"):
        state._indistinguishable(0)
