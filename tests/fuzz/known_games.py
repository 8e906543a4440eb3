"""Games from which fuzzing begins: random ones, and records of earlier versions."""

import random
from pathlib import Path

from tablier import records

FORMATS = Path(__file__).parent.parent / "formats"
KEPT = sorted({path.read_text() for path in FORMATS.glob("v0.*/records/*")})
"""Records of earlier versions: all games, options and kinds of lines."""


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


def kept_states(count):
    """Returns the states of the kept records, the last `count` of each."""
    return [state for text in KEPT for state in _states(*records.load(text))[-count:]]


def _states(game, actions):
    states = [game.new_initial_state()]
    for action in actions:
        states.append(states[-1].child(action))
    return states
