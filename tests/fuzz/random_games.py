"""Random games, from which fuzzing begins."""

import random


def states_of_play(game, count, seed=1):
    """Returns the states of a random game, the first after the first action."""
    return [state for _, state in _steps(game, count, seed)]


def random_actions(game, count, seed=1):
    """Returns the first actions of a random game."""
    return [action for action, _ in _steps(game, count, seed)]


def _steps(game, count, seed):
    state, draw = game.new_initial_state(), random.Random(seed)
    for _ in range(count):
        if state.is_terminal():
            return
        action = draw.choice(state.legal_actions())
        state = state.child(action)
        yield action, state
