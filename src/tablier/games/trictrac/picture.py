"""Pictures and descriptions of states, for `state.svg()` and notebooks."""

from __future__ import annotations

from typing import Any

from tablier._core import State, trictrac
from tablier._core.trictrac import Parts
from tablier.games.trictrac.captions import Standing, position_text
from tablier.games.trictrac.drawing import draw
from tablier.messages import Text


def draw_state(state: State, **settings: Any) -> str:
    """Draws a state as SVG; `settings` (width, highlight, arrows, title, lang, ...) are passed to `drawing.draw`."""
    parts = trictrac.parts(state)
    shown: dict[str, Any] = {
        name: getattr(parts, name) for name in ("dice", "points", "holes", "points_run", "swapped")
    }
    shown |= {"pavillon": pavillon(parts), "player": _to_play(state, parts)}
    return draw(parts.board, **{**shown, **settings})


def describe(state: State) -> Text:
    """Describes the position in sentences."""
    parts = trictrac.parts(state)
    standing = Standing(parts.points, parts.holes, parts.points_run, _to_play(state, parts))
    return position_text(parts.board, parts.dice, standing, pavillon(parts), parts.swapped)


def pavillon(parts: Parts) -> int | None:
    """Returns who has the flag: the second player to win a hole, while their run lasts (docs/rules.md, 12)."""
    second = [side for side in (0, 1) if parts.holes_run[side] and not parts.first_hole[side]]
    return second[0] if second else None


def _to_play(state: State, parts: Parts) -> int | None:
    return None if state.is_terminal() else parts.player
