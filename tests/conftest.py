import pytest
from race import Race

import tablier


@pytest.fixture(scope="session")
def race():
    if "race" not in tablier.registered_games():
        tablier.register(Race)
    return tablier.load_game("race")


@pytest.fixture
def pig():
    return tablier.load_game("pig")


@pytest.fixture
def tic_tac_toe():
    return tablier.load_game("tic_tac_toe")


def play(game, actions):
    """The state after these actions."""
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state
