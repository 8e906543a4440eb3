"""Plays actions: shared by tests, which must not import from a conftest.py, because there are two of that name."""


def play(game, actions):
    """Returns the state after these actions."""
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state
