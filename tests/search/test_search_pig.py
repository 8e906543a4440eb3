"""Search in pig against the exact solution (examples/pig_exact.py)."""

import importlib.util
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from small_games import Match, load

import tablier
from tablier.evaluators import UniformEvaluator
from tablier.search import Search, SearchConfig

ROLL, HOLD = 0, 1


@cache
def pig_exact():
    spec = importlib.util.spec_from_file_location("pig_exact", Path(__file__).parents[2] / "examples/pig_exact.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def solve(goal):
    return pig_exact().solve(goal)


class Exact:
    """Returns exact values from the words of a state: scores, turn total, 2 * player + rolling."""

    def __init__(self, goal):
        self.goal = goal

    def value(self, words):
        score, turn, phase = words[:2], words[2], words[3]
        player, rolls = phase >> 1, phase & 1
        mine, other = score[player], score[1 - player]
        win = solve(self.goal)
        chance = pig_exact().actions(win, mine, other, turn)[ROLL] if rolls else win[mine, other, turn]
        worth = 2 * chance - 1
        return (worth, -worth) if player == 0 else (-worth, worth)

    def evaluate(self, leaves):
        return None, np.array([self.value(words) for words in leaves.states.tolist()], np.float32).reshape(-1, 2)


def decisions(game):
    """Returns every reachable decision."""
    seen, todo = {}, [game.new_initial_state()]
    while todo:
        state = todo.pop()
        if state.is_terminal() or str(state) in seen:
            continue
        seen[str(state)] = state
        todo += [state.child(action) for action in state.legal_actions()]
    return [state for state in seen.values() if not state.is_chance_node()]


def test_the_first_player_wins_as_often_as_published():
    """53.06% (T. Neller, C. Presser, 2004)."""
    assert f"{solve(100)[0, 0, 0]:.4f}" == "0.5306"


def test_the_solution_is_a_fixed_point():
    """One step of lookahead changes no value, up or down."""
    win = solve(20)
    for mine in range(20):
        for other in range(20):
            for turn in range(20 - mine):
                assert max(pig_exact().actions(win, mine, other, turn)) == pytest.approx(win[mine, other, turn])


def test_a_search_that_knows_the_values_plays_perfectly_everywhere():
    """Checks every position of a race to 20 where the two actions differ in value."""
    game = tablier.load_game("pig", win_score=20)
    search = Search(game, Exact(20), SearchConfig(n_simulations=2), reuse=False)
    wrong, asked = [], 0
    for state in decisions(game):
        mine, other, turn = state.observation().tolist()
        roll, hold = pig_exact().actions(solve(20), mine, other, turn)
        if abs(roll - hold) > 1e-6:
            asked += 1
            if search.run(state).best != (ROLL if roll > hold else HOLD):
                wrong.append((str(state), roll, hold))
    assert asked > 3000
    assert wrong == []


def error(chance, simulations):
    """Returns the error of the value found for a race to 10 with an uninformed evaluator."""
    game = tablier.load_game("pig", win_score=10)
    config = SearchConfig(n_simulations=simulations, chance=chance)
    found = Search(game, UniformEvaluator(game), config, seed=2).run(game.new_initial_state())
    return abs(found.value[0] - (2 * solve(10)[0, 0, 0] - 1))


@pytest.mark.parametrize("chance", ["quota", "sampled"])
def test_a_search_that_knows_nothing_converges_to_the_exact_value(chance):
    errors = [error(chance, simulations) for simulations in (1000, 10_000, 100_000, 1_000_000)]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.01


def test_open_loop_does_not():
    """Whether to hold depends on what was rolled."""
    assert error("open_loop", 300_000) > 0.1


@pytest.mark.parametrize("chance", ["quota", "sampled"])
def test_explicit_dice_find_the_reply_to_every_roll(chance):
    game = load(Match)
    config = SearchConfig(n_simulations=5000, chance=chance)
    found = Search(game, UniformEvaluator(game), config).run(game.new_initial_state())
    assert found.best == 0
    assert found.value == (1, -1)


def test_one_plan_for_all_rolls_stays_wrong():
    """Open-loop search values the coin toss at 0, since its plan cannot depend on the outcome, and takes the 0.2."""
    game = load(Match)
    for simulations in (1000, 100_000):
        config = SearchConfig(n_simulations=simulations, chance="open_loop")
        found = Search(game, UniformEvaluator(game), config).run(game.new_initial_state())
        assert found.best == 1
        assert found.value[0] == pytest.approx(0.2, abs=0.05)
        assert found.candidates[0].returns[0] == pytest.approx(0, abs=0.3)
