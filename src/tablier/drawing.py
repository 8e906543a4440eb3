"""Pictures of states: which game draws itself, and how. Used by `State.svg` and by notebooks."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tablier._core import State

DRAWERS = {
    "pig": "tablier.games.pig.picture",
    "tic_tac_toe": "tablier.games.tic_tac_toe.picture",
    "trictrac": "tablier.games.trictrac.picture",
    "trictrac_a_ecrire": "tablier.games.trictrac.picture",
}
"""Modules with a function `draw_state(state, **kwargs) -> str`, by the game's name."""


def svg(state: State, **kwargs: Any) -> str:
    """The state as an SVG picture. Raises ValueError for a game that has none."""
    name = state.get_game().name
    if name not in DRAWERS:
        raise ValueError(f"{name} has no picture; print(state) shows it as text. Drawn: {', '.join(sorted(DRAWERS))}")
    picture: str = importlib.import_module(DRAWERS[name]).draw_state(state, **kwargs)
    return picture


def notebook(state: State) -> str | None:
    """What a notebook shows: the picture, or nothing, and then the notebook prints the text."""
    return svg(state) if state.get_game().name in DRAWERS else None
