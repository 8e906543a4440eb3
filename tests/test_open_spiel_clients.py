"""OpenSpiel's algorithms run unchanged on Tablier's games and states."""

import sys

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts, value_iteration

import tablier


def test_the_enums_are_pyspiels(pig, tic_tac_toe):
    kind = pig.get_type()
    assert kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    assert pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC == kind.chance_mode
    assert tic_tac_toe.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert kind.utility == pyspiel.GameType.Utility.ZERO_SUM
    assert kind.reward_model == pyspiel.GameType.RewardModel.TERMINAL
    assert kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION


def play_against_random(game, simulations, games, seat):
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, simulations, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    total = 0.0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.current_player() == seat:
                state.apply_action(bot.step(state))
            else:
                state.apply_action(rng.choice(state.legal_actions()))
        total += state.returns()[seat]
    return total / games


@pytest.mark.parametrize("seat", [0, 1])
def test_mcts_masters_tic_tac_toe(tic_tac_toe, seat):
    assert play_against_random(tic_tac_toe, simulations=100, games=10, seat=seat) >= 0.7


def test_mcts_plays_pig():
    assert play_against_random(tablier.load_game("pig", win_score=20), simulations=30, games=10, seat=1) > 0


@pytest.fixture
def deep_recursion():
    """OpenSpiel visits the states of a game recursively, one level per state."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(limit)


@pytest.mark.usefixtures("deep_recursion")
def test_value_iteration_solves_a_short_race_of_pig():
    """Compares the value of a race to 8 with an exact solution found by iterating the game's equations."""
    goal = 8
    game = tablier.load_game("pig", win_score=goal)
    values = value_iteration.value_iteration(game, depth_limit=-1, threshold=1e-9, cyclic_game=True)
    wins = win_probabilities(goal)
    root = values[str(game.new_initial_state())]
    assert root == pytest.approx(2 * wins[0, 0, 0] - 1, abs=1e-6)
    for text, value in values.items():
        words = text.replace(",", "").split()
        mine, other, total, player = int(words[1]), int(words[2]), int(words[5]), int(words[7])
        if not text.endswith("to decide"):
            continue
        chance = wins[mine, other, total] if player == 0 else 1 - wins[other, mine, total]
        assert value == pytest.approx(2 * chance - 1, abs=1e-6), text


def win_probabilities(goal):
    """Returns the mover's winning probability by (own score, other's score, turn total) under optimal play."""
    wins = np.full((goal, goal, goal + 1), 0.5)
    while True:
        before = wins.copy()
        for mine in range(goal):
            for other in range(goal):
                missing = goal - mine
                for total in range(missing):
                    roll = (1 - wins[other, mine, 0]) / 6
                    roll += sum(wins[mine, other, min(total + face, missing)] for face in range(2, 7)) / 6
                    wins[mine, other, total] = max(roll, 1 - wins[other, mine + total, 0])
                wins[mine, other, missing] = 1
        if np.abs(wins - before).max() < 1e-12:
            return wins
