import pytest
from race import Race

import tablier


@pytest.fixture(autouse=True)
def _plain_surroundings(monkeypatch):
    """Commands speak English, whatever the locale of the machine, and lines are as long as they like."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.delenv("COLUMNS", raising=False)


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
