"""The conformance kit passes every registered game and catches games that are broken on purpose."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from doc_examples import code_blocks
from liars_dice import LiarsDice
from race import Race
from two_dice import MergedDice, TwoDice

import tablier
from tablier import _core, testing
from tablier.testing import ConformanceError, check_game, playthrough, signature

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
NATIVE = _core.native_games()


@pytest.mark.parametrize("name", NATIVE)
def test_a_registered_game_keeps_the_contract(name):
    game = tablier.load_game(name)
    long = game.random_playouts(20).lengths.mean() > 500  # the kit examines every node, so a long game is enough
    check_game(game, games=1 if long else 8)


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


@pytest.mark.parametrize("definition", [TwoDice, MergedDice])
def test_a_game_with_merged_throws_keeps_the_contract(definition, register):
    check_game(register(definition))


@pytest.mark.parametrize(("name", "rest"), [("TwoDiceRace", TwoDice), ("HiddenDice", LiarsDice)])
def test_the_documented_optional_functions_keep_the_contract(name, rest, register):
    documented = {"tablier": tablier}
    for block in code_blocks("adding-a-game.md", "py"):
        exec(block, documented)
    check_game(register(type(name, (documented[name], rest), {})))


class Toll(Race):
    """Pays for each field passed: rewards come before the end, and positions have mirror images."""

    terminal_rewards = False
    zero_sum = False
    min_utility, max_utility = 0, 12

    def returns(self, state):
        return [12 - state[0], 12 - state[1]]

    def mirror(self, state):
        return (state[1], state[0], 1 - state[2], state[3])


def test_a_game_that_pays_on_the_way_keeps_the_contract(register):
    game = register(Toll)
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
    """Draws its own dice inside apply, so a copy of a batch no longer agrees with the original."""

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


class DoubletsWeighTwo(MergedDice):
    """The weights sum to 36 but are assigned to the wrong throws: a doublet counts twice, another throw too little."""

    def chance_classes(self, state):
        classes = dict(super().chance_classes(state))
        classes[0], classes[6] = classes[6], classes[0]
        return list(classes.items())


class ClassesWithoutCanonical(MergedDice):
    def canonical(self, state):
        return state


class OtherOutcomeStands(MergedDice):
    """Classes put the lower die first, canonical states the higher."""

    def chance_classes(self, state):
        return [(6 * low + high, 1 if high == low else 2) for high in range(6) for low in range(high + 1)]


class CanonicalForgetsADie(TwoDice):
    """Merges 5 and 2 with 5 and 1, although they allow different moves."""

    def canonical(self, state):
        return (*state[:4], min(state[4], 1))


class CanonicalPassesTheTurn(TwoDice):
    def canonical(self, state):
        return (*state[:2], 0, *state[3:])


class CanonicalOnTheMove(TwoDice):
    """Swaps the dice, and swaps them back when applied again."""

    def canonical(self, state):
        return (*state[:3], state[4], state[3])


class CanonicalWins(TwoDice):
    def canonical(self, state):
        return (0, *state[1:]) if self.current_player(state) == tablier.TERMINAL else state


class LopsidedEstimate(TwoDice):
    def estimate(self, state):
        return [0.5, 0.25]


class EndlessEstimate(TwoDice):
    def estimate(self, state):
        return [float("inf"), float("-inf")]


class EstimateForOne(TwoDice):
    def estimate(self, state):
        return [0.5]


class TextWithoutTheTurn(Race):
    def to_string(self, state):
        return f"to go {state[0]} {state[1]}, die {state[3] or '-'}"


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        (Unsorted, "ascending order"),
        (RewardsTooEarly, "before the end"),
        (NotZeroSum, "do not sum to 0"),
        (OneNameForTwoActions, "the same text"),
        (FeaturesOutOfThisWorld, "not finite"),
        (Dumb, "help"),
        (DiceOfItsOwn, "batch|mirror|copy"),
        (WrongSize, "must return an array of shape"),
        (WrongWords, "tuple of 4 integers"),
        (DoubletsWeighTwo, r"chance_classes\(\) must give it weight"),
        (ClassesWithoutCanonical, r"chance_classes\(\) must give it weight"),
        (OtherOutcomeStands, r"canonical\(\) changes the state"),
        (CanonicalForgetsADie, "actions that lead to different positions"),
        (CanonicalPassesTheTurn, "a different player to move"),
        (CanonicalOnTheMove, "a different canonical state"),
        (CanonicalWins, "different returns"),
        (LopsidedEstimate, "does not sum to 0 in a zero-sum game"),
        (EndlessEstimate, r"estimate\(\) must return finite numbers"),
        (EstimateForOne, r"estimate\(\) must return one number for each player"),
        (TextWithoutTheTurn, "a different state has the same text"),
    ],
)
def test_the_kit_catches(broken, complaint, register):
    with pytest.raises((ConformanceError, TypeError), match=complaint):
        check_game(register(broken))


def test_the_kit_catches_a_game_without_end(register, monkeypatch):
    monkeypatch.setattr(testing, "random_nodes", partial(testing.random_nodes, max_steps=500))
    with pytest.raises(ConformanceError, match="not over after 500 actions"):
        check_game(register(NoEnd))
