"""Runs OpenSpiel's algorithms on Tablier's own games and states, without registering anything.

    python examples/open_spiel_algorithms.py

Tablier's states have the same method names as OpenSpiel's, so its Python algorithms accept them. Needs the extra
`openspiel`.
"""

import random

import numpy as np
from open_spiel.python.algorithms import mcts, minimax

import tablier


def expectiminimax_on_pig() -> None:
    """Finds the best action in a very short race, searching to a fixed depth."""
    state = tablier.load_game("pig", win_score=6).new_initial_state()
    value, action = minimax.expectiminimax(state, 5, lambda _: 0.0, 0)
    print(f"pig to 6: {state.action_to_string(action)} is best, worth {value:.3f} so far")


def expectiminimax_on_trictrac() -> None:
    """Looks one throw ahead: the lead after the opponent's best reply."""
    game = tablier.load_game("trictrac", first_throw="white")
    state = game.new_initial_state().child(8)  # 2-3

    def lead(position: tablier.State) -> float:
        mine, theirs = position.returns()
        return mine - theirs

    value, action = minimax.expectiminimax(state, 2, lead, 0)
    print(f"trictrac, first throw 2-3: {state.action_to_string(action)}, expected lead {value:.2f}")


def mcts_on_trictrac() -> None:
    """Plays a short game against a random player."""
    game = tablier.load_game("trictrac", utility="win", holes_to_win=2)  # this search supports only a final reward
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 50, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state, dice = game.new_initial_state(), random.Random(1)
    while not state.is_terminal():
        search = state.current_player() == 0
        state.apply_action(bot.step(state) if search else dice.choice(state.legal_actions()))
    print(state)


if __name__ == "__main__":
    expectiminimax_on_pig()
    expectiminimax_on_trictrac()
    mcts_on_trictrac()
