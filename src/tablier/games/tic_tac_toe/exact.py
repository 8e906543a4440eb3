"""Exact play in tic-tac-toe: minimax over all positions, remembered."""

from __future__ import annotations

from functools import cache

from tablier._core import State


def values(state: State) -> dict[int, float]:
    """Returns the result for the player to move after each legal action, if both then play perfectly."""
    sign = 1 - 2 * state.current_player()
    return {action: sign * _result(state.child(action)) for action in state.legal_actions()}


@cache
def _result(state: State) -> float:
    """Returns what seat 0 gets if both play perfectly."""
    if state.is_terminal():
        return float(state.returns()[0])
    best = max(values(state).values())
    return best * (1 - 2 * state.current_player())
