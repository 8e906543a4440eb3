"""The kit over every registered game, and games that are broken on purpose, which the kit must catch."""

from pathlib import Path

import numpy as np
import pytest
from race import Race

import tablier
from tablier import _core
from tablier.testing import ConformanceError, check_game, playthrough, signature

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
NATIVE = _core.native_games()


@pytest.mark.parametrize("name", NATIVE)
def test_a_registered_game_keeps_the_contract(name):
    game = tablier.load_game(name)
    nodes = game.random_playouts(20).lengths.mean()
    check_game(game, games=max(1, min(20, round(3_000 / nodes))))  # every node is examined


@pytest.mark.parametrize("name", NATIVE)
def test_a_registered_game_plays_as_it_always_did(name):
    golden = PLAYTHROUGHS / f"{name}.txt"
    assert golden.exists(), f"write it with: tablier playthrough {name} > tests/playthroughs/{name}.txt"
    assert playthrough(tablier.load_game(name)) == golden.read_text()


def test_no_playthrough_is_left_of_a_game_that_is_gone():
    assert {path.stem for path in PLAYTHROUGHS.glob("*.txt")} == set(NATIVE)


def test_the_behaviour_signature_is_the_recorded_one():
    recorded = dict(
        reversed(line.split()) for line in (Path(__file__).parent / "signature.txt").read_text().splitlines()
    )
    assert signature() == recorded


def test_a_game_in_python_keeps_the_contract(race):
    check_game(race)
    check_game(tablier.load_game("race", length=30), games=2)


class Toll(Race):
    """Each field passed pays at once: rewards come before the end, and the positions have mirror images."""

    terminal_rewards = False
    zero_sum = False
    min_utility, max_utility = 0, 12

    def returns(self, state):
        return [12 - state[0], 12 - state[1]]

    def mirror(self, state):
        return (state[1], state[0], 1 - state[2], state[3])


@pytest.mark.usefixtures("race")  # pickles are read by the name
def test_a_game_that_pays_on_the_way_keeps_the_contract():
    game = _core.load_python(Toll(), {})
    assert game.has_mirror()
    check_game(game)
    env = tablier.BatchEnv(game, 50, seed=3)
    arrays, total = env.arrays(), np.zeros(2)
    for _ in range(2):  # nobody can finish with one roll
        env.step(np.zeros(50, np.int32), **vars(arrays))
        total += arrays.rewards.sum(axis=0)
    assert not arrays.done.any()
    assert total.tolist() == np.sum([env.state(i).returns() for i in range(50)], axis=0).tolist()
    assert total.sum() > 0


class Unsorted(Race):
    def legal_actions(self, state):
        return list(super().legal_actions(state))[::-1]


class RewardsTooEarly(Race):
    def returns(self, state):
        return [0.5, -0.5] if state[0] < 12 else [0, 0]


class NotZeroSum(Race):
    def returns(self, state):
        return [1, 0] if min(state[:2]) == 0 else [0, 0]


class OneNameForTwoActions(Race):
    def action_to_string(self, state, action):
        return "something"


class NoEnd(Race):
    def apply(self, state, action):
        return (*state[:2], 1 - state[2], 0 if state[3] else 1)


class FeaturesOutOfThisWorld(Race):
    def features(self, state, player):
        return [float("nan")] * 3


class Dumb(Race):
    help = " "


class DiceOfItsOwn(Race):
    """Draws inside apply: the copy of a batch no longer agrees with the original."""

    rolls = 0

    def apply(self, state, action):
        if state[3]:
            return super().apply(state, action)
        DiceOfItsOwn.rolls += 1
        return super().apply(state, DiceOfItsOwn.rolls % 6)


class WrongSize(Race):
    def features(self, state, player):
        return [0, 0]


class WrongWords(Race):
    def apply(self, state, action):
        return state[:3]


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        (Unsorted, "ascending order"),
        (RewardsTooEarly, "before the end"),
        (NotZeroSum, "do not sum to 0"),
        (OneNameForTwoActions, "one name"),
        (NoEnd, "not over"),
        (FeaturesOutOfThisWorld, "not finite"),
        (Dumb, "help"),
        (DiceOfItsOwn, "batch|mirror|copy"),
        (WrongSize, "as many values as its shape"),
        (WrongWords, "tuple of 4 integers"),
    ],
)
@pytest.mark.usefixtures("race")  # pickles are read by the name
def test_the_kit_catches(broken, complaint):
    with pytest.raises((ConformanceError, TypeError), match=complaint):
        check_game(_core.load_python(broken(), {}))
