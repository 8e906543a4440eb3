"""Whole turns of backgammon. A doublet is two actions of one turn; exact tables and other programs see whole turns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tablier import _core
from tablier._core import State, backgammon

Words = NDArray[np.uint64]
"""[n, words]: states as the core stores them."""
PHASES = ("opening", "throw", "move", "second half", "over")


def words_of(states: Sequence[State]) -> Words:
    """Returns states as an array."""
    return np.array([_core.search.words(state) for state in states], np.uint64).reshape(len(states), -1)


def dice_of(words: Words) -> NDArray[np.uint8]:
    """Returns the dice of states, [n, 2]; zeros before a throw."""
    return np.ascontiguousarray(words.view(np.uint8).reshape(len(words), -1)[:, 32:34])


def is_second_half(words: Words) -> NDArray[np.bool_]:
    """Returns which states are in the second half of a doublet."""
    phases: NDArray[np.uint8] = words.view(np.uint8).reshape(len(words), -1)[:, 35]
    second: NDArray[np.bool_] = phases == PHASES.index("second half")
    return second


def best_by_action(state: State, after: Words, worth: NDArray[np.float64]) -> dict[int, float]:
    """Returns what the best turn is worth that starts with each legal action.

    Args:
        state: a decision.
        after: the states after all its turns (`_core.backgammon.turns`).
        worth: what each of them is worth to the player who moves, [n].
    """
    known = {row.tobytes(): value for row, value in zip(after, worth.tolist(), strict=True)}
    legal = state.legal_actions()
    reached = words_of([state.child(action) for action in legal])
    first, _, ends = backgammon.turns(state.get_game(), reached)  # none after an action that ends the turn
    best = {}
    for i, action in enumerate(legal):
        rows = ends[first[i] : first[i + 1]] if first[i + 1] > first[i] else reached[i : i + 1]
        best[action] = max(known[row.tobytes()] for row in rows)
    return best
