"""Search against a game solved by hand: general-sum, early points, dice, two decisions in a row."""

import numpy as np
import pytest
from small_games import Bargain, load

from tablier.evaluators import (
    CachedEvaluator,
    ExpectimaxEvaluator,
    PointsEvaluator,
    RolloutEvaluator,
    SearchedGame,
    UniformEvaluator,
)
from tablier.search import ExpectimaxConfig, Search, SearchConfig

EXACT = {"own": (1, (7, 5)), "margin": (0, (3.5, 1.75))}
BRANCHES = {"own": [(4, 6), (7, 5)], "margin": [(3.5, 1.75), (1, 4)]}


class Nothing:
    """UniformEvaluator, written in Python."""

    def evaluate(self, leaves):
        return None, np.zeros((len(leaves), 2), np.float32)


@pytest.fixture(scope="module")
def game():
    return load(Bargain)


EVALUATORS = {
    "uniform": UniformEvaluator,
    "rollout": RolloutEvaluator,
    "points": PointsEvaluator,
    "python": lambda game: Nothing(),
    "cached": lambda game: CachedEvaluator(RolloutEvaluator(game)),
}


@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize("root", ["puct", "gumbel"])
@pytest.mark.parametrize("chance", ["quota", "sampled"])
@pytest.mark.parametrize("objective", EXACT)
def test_the_search_finds_the_action_and_its_worth(game, objective, chance, root, evaluator):
    """The best action's value is exact. The root's value is a mean over visits until everything is solved."""
    config = SearchConfig(n_simulations=1000, objective=objective, chance=chance, root=root, considered=2)
    found = Search(game, EVALUATORS[evaluator](game), config).run(game.new_initial_state())
    action, value = EXACT[objective]
    assert found.best == action
    assert found.candidates[action].returns == pytest.approx(value, abs=0.05 if chance == "quota" else 0.5)
    for one in found.candidates:
        if one.solved:
            assert one.returns == BRANCHES[objective][one.action]
    if found.solved:
        assert found.value == value


@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize("chance", ["quota", "sampled"])
@pytest.mark.parametrize("objective", EXACT)
def test_a_curious_search_solves_all_of_it(game, objective, chance, evaluator):
    """Everything gets searched when exploration outweighs values."""
    config = SearchConfig(n_simulations=5000, objective=objective, chance=chance, c_puct=1000.0, prior_scale=0.0)
    found = Search(game, EVALUATORS[evaluator](game), config).run(game.new_initial_state())
    action, value = EXACT[objective]
    assert found.solved
    assert found.best == action
    assert found.value == value
    assert [one.returns for one in found.candidates] == BRANCHES[objective]
    assert all(one.solved for one in found.candidates)


@pytest.mark.parametrize("evaluator", ["uniform", "rollout", "points"])
@pytest.mark.parametrize("objective", EXACT)
def test_all_rolls_at_once_make_no_difference_to_what_is_exact(game, objective, evaluator):
    config = SearchConfig(n_simulations=5000, objective=objective, c_puct=1000.0, prior_scale=0.0, sweep=True)
    found = Search(game, EVALUATORS[evaluator](game), config).run(game.new_initial_state())
    assert found.solved
    assert (found.best, found.value) == EXACT[objective]
    assert sum(one.visits for one in found.candidates) == found.simulations


@pytest.mark.parametrize("objective", EXACT)
def test_values_are_of_what_is_still_to_come(game, objective):
    """Once collected, the first point no longer counts."""
    state = game.new_initial_state().child(0)
    found = Search(game, UniformEvaluator(game), SearchConfig(n_simulations=200, objective=objective)).run(state)
    paid = BRANCHES[objective][0]
    assert found.value == (paid[0] - 1, paid[1])


@pytest.mark.parametrize("objective", EXACT)
def test_full_width_search_solves_it_in_three_plies(game, objective):
    search = ExpectimaxEvaluator(game, UniformEvaluator(game), ExpectimaxConfig(plies=3, objective=objective))
    search.look(SearchedGame(game).row(game.new_initial_state()))
    action, value = EXACT[objective]
    ranking = search.ranking()
    assert (ranking[0][0], tuple(ranking[0][1])) == (action, value)
    assert {a: tuple(v) for a, v, _ in ranking} == dict(enumerate(BRANCHES[objective]))


def test_the_dice_alone_are_worth_their_mean(game):
    """Position 3: ((8 + 0 + 2 + 0) / 4, (0 + 4 + 3 + 0) / 4)."""
    dice = game.new_initial_state().child(0).child(0)
    assert dice.is_chance_node()
    found = Search(game, UniformEvaluator(game), SearchConfig(n_simulations=100)).run(dice)
    assert found.solved
    assert found.value == (2.5, 1.75)


def test_points_are_what_the_next_throw_brings(game):
    """Of position 3, before the die is thrown: (8 + 0 + 0 + 0) / 4 and (0 + 4 + 0 + 0) / 4."""
    dice = game.new_initial_state().child(0).child(0)
    assert dice.is_chance_node()
    after = ExpectimaxEvaluator(game, PointsEvaluator(game), ExpectimaxConfig(plies=1))
    after.look(SearchedGame(game).row(game.new_initial_state().child(0)))
    assert {action: tuple(value) for action, value, _ in after.ranking()}[0] == (2, 1)
