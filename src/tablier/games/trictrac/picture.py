"""The picture of a state: what `state.svg()` and notebooks show."""

from __future__ import annotations

from typing import Any

from tablier import _core
from tablier._core import State
from tablier.games.trictrac.drawing import draw


def draw_state(state: State, **kwargs: Any) -> str:
    """A state of Trictrac as SVG; keyword arguments (width, highlight, arrows, title, ...) go to `drawing.draw`.

    The pavillon stands with the second scorer as long as his run of holes lasts (docs/rules.md, 12).
    """
    parts = _core.trictrac.parts(state)
    second = [p for p in (0, 1) if parts.holes_run[p] and not parts.first_hole[p]]
    shown: dict[str, Any] = {
        name: getattr(parts, name) for name in ("dice", "points", "holes", "points_run", "swapped")
    }
    shown |= {"pavillon": second[0] if second else None, "player": None if state.is_terminal() else parts.player}
    return draw(parts.board, **{**shown, **kwargs})
