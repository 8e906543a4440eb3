"""The Gumbel root: how often each action is visited, and the policy that follows (Danihelka et al., 2022)."""

import math

import numpy as np
import pytest
from small_games import Table, load

import tablier
from tablier.evaluators import HeuristicEvaluator
from tablier.search import Search, SearchConfig


class Bandit(Table):
    """One decision among 20 actions; action a pays a / 20 and ends the game."""

    name = "bandit"
    title = "Bandit"
    num_actions = 20
    nodes = {0: (0, {a: a + 1 for a in range(20)}, [0, 0])} | {
        a + 1: (0, {0: 21 + a}, [0, 0])
        for a in range(20)  # a second step, so that one visit does not solve the action
    }
    nodes |= {21 + a: (tablier.TERMINAL, {}, [a / 20, -a / 20]) for a in range(20)}


class Known:
    """An evaluator with the exact values and given priors."""

    def __init__(self, logits):
        self.logits = np.array(logits, np.float32)

    def evaluate(self, leaves):
        number = leaves.states[:, 0].astype(int)
        value = np.where(number == 0, 0.5, (number - 1) / 20).astype(np.float32)
        return np.tile(self.logits, (len(leaves), 1)), np.stack([value, -value], axis=1)


def run(logits, **settings):
    game = load(Bandit)
    search = Search(game, Known(logits), SearchConfig(root="gumbel", **settings), seed=5)
    return search.run(game.new_initial_state())


def test_sixteen_considered_actions_share_32_simulations_by_halves():
    """A round would be 32 / 4 = 8 simulations, but each action gets at least one visit: 16, then 8, then 4 twice."""
    found = run(np.zeros(20), n_simulations=32, considered=16)
    assert sorted((one.visits for one in found.candidates), reverse=True) == [4] * 4 + [2] * 4 + [1] * 8 + [0] * 4
    assert found.simulations == 32


def test_two_actions_share_all_simulations_equally():
    found = run(np.zeros(20), n_simulations=40, considered=2)
    assert sorted(one.visits for one in found.candidates)[-2:] == [20, 20]


@pytest.mark.parametrize("considered", [1, 3, 16])
def test_no_more_actions_are_visited_than_considered(considered):
    found = run(np.zeros(20), n_simulations=64, considered=considered)
    assert sum(one.visits > 0 for one in found.candidates) == considered


def test_those_with_the_highest_priors_are_considered():
    logits = np.zeros(20)
    logits[[3, 7, 11]] = 5, 4, 3
    found = run(logits, n_simulations=12, considered=3)
    assert [one.action for one in found.candidates if one.visits] == [3, 7, 11]


def test_noise_makes_others_considered():
    logits = np.linspace(1, 0, 20)
    quiet = run(logits, n_simulations=8, considered=4)
    noisy = run(logits, n_simulations=8, considered=4, gumbel_noise=True)
    visited = [[one.action for one in found.candidates if one.visits] for found in (quiet, noisy)]
    assert visited[0] == [0, 1, 2, 3]
    assert visited[1] != visited[0]
    assert len(visited[1]) == 4


@pytest.mark.parametrize("simulations", [1, 5, 32, 200])
def test_the_policy_sums_to_one(simulations):
    found = run(np.linspace(-1, 1, 20), n_simulations=simulations)
    assert sum(one.policy for one in found.candidates) == pytest.approx(1)
    assert min(one.policy for one in found.candidates) >= 0


def test_the_improved_policy_by_hand():
    """Actions 17, 18 and 19 are visited once each and are worth 0.85, 0.9 and 0.95; the root's estimate is 0.5.

    Rescaled to the range of values seen in the tree (0.85 .. 0.95) they are 0, 1/2 and 1, and the root's value is
    clipped to 0. All other actions get the mean of the root's value (weight 1) and the prior-weighted mean of the
    visited actions (weight 3): (0 + 3 * mean) / 4. Values are multiplied by c_visit + 1 visit.
    """
    logits = np.zeros(20)
    logits[17:] = 1, 2, 3
    found = run(logits, n_simulations=3, considered=3, c_visit=4.0, c_scale=0.5)
    assert [one.visits for one in found.candidates[17:]] == [1, 1, 1]
    scaled = np.array([0, 0.5, 1])
    prior = np.exp(logits)
    mean = (0 + 3 * (prior[17:] @ scaled) / prior[17:].sum()) / 4
    completed = np.full(20, mean)
    completed[17:] = scaled
    expected = np.exp(logits + (4 + 1) * 0.5 * completed)
    expected /= expected.sum()
    assert [one.policy for one in found.candidates] == pytest.approx(expected.tolist(), abs=1e-4)


@pytest.mark.parametrize("seed", range(10))
def test_the_policy_is_an_improvement_where_values_are_exact(seed):
    logits = np.random.default_rng(seed).normal(0, 2, 20)
    found = run(logits, n_simulations=20, considered=20)
    values = np.arange(20) / 20
    prior = np.array([one.prior for one in found.candidates])
    policy = np.array([one.policy for one in found.candidates])
    assert prior == pytest.approx(np.exp(logits) / np.exp(logits).sum(), abs=1e-5)
    assert policy @ values >= prior @ values


def test_the_best_of_the_considered_is_played():
    assert run(np.zeros(20), n_simulations=100, considered=20).best == 19


def test_the_reused_visits_are_no_part_of_the_schedule():
    game = tablier.load_game("trictrac")
    state = game.new_initial_state().child(13)
    search = Search(game, HeuristicEvaluator(game), SearchConfig(root="gumbel", n_simulations=32))
    search.run(state)
    again = search.run(state)
    assert again.reused == 32
    assert again.simulations == 32
    assert math.isclose(sum(one.policy for one in again.candidates), 1)
