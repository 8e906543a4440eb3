"""Plays actions: shared by tests, which must not import from a conftest.py, because there are two of that name."""

import random


def play(game, actions):
    """Returns the state after these actions."""
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def random_states(game, seed):
    """Returns the states of a random game before each decision."""
    draw, state, found = random.Random(seed), game.new_initial_state(), []
    while not state.is_terminal():
        if state.current_player() >= 0:
            found.append(state.clone())
        state.apply_action(draw.choice(state.legal_actions()))
    return found
