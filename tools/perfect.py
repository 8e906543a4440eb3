"""A perfect player of tic-tac-toe: any of the moves that keep the result, each with the same probability."""

from __future__ import annotations

import random
from functools import cache

import tablier
from tablier import State

GAME = tablier.load_game("tic_tac_toe")


@cache
def result(data: bytes) -> float:
    """What player 0 gets if both play their best."""
    state = GAME.deserialize(data)
    if state.is_terminal():
        return float(state.returns()[0])
    results = [result(state.child(action).serialize()) for action in state.legal_actions()]
    return max(results) if state.current_player() == 0 else min(results)


class Perfect:
    """The player; equal seeds choose the same moves."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def choose(self, state: State) -> int:
        """One of the best moves."""
        sign = 1 - 2 * state.current_player()
        values = {action: sign * result(state.child(action).serialize()) for action in state.legal_actions()}
        best = max(values.values())
        return self._random.choice([action for action, value in values.items() if value == best])
