"""Draws a Trictrac board as a bitmap: the board of `tablier.games.board`, with pegs and tokens."""

from __future__ import annotations

from PIL import Image

from tablier import _core
from tablier._core import State
from tablier.games.board.bitmap import BRASS, MEN, Brush, Colours
from tablier.games.board.plan import BOX_BOTTOM, BOX_TOP, MIDDLE
from tablier.games.trictrac.captions import Standing
from tablier.games.trictrac.drawing import PLAN
from tablier.games.trictrac.sides import side_name
from tablier.messages import Message, render

RAILS = (BOX_BOTTOM - 13, BOX_TOP + 13)  # White's and Black's peg holes


def paint(state: State, lang: str = "en") -> Image.Image:
    """Draws the board, the dice, the score and who is to play."""
    parts = _core.trictrac.parts(state)
    brush = Brush(PLAN)
    brush.table()
    for rail in RAILS:
        for number in range(1, 13):
            brush.disc(PLAN.x(number), rail, 3.6, ("#1c0f07", "#a8794a", "#1c0f07"))
    men = (MEN[1], MEN[0]) if parts.swapped else MEN
    for field, count in enumerate(parts.board, start=1):
        brush.stack(field, abs(count), men[count < 0])
    standing = Standing(parts.points, parts.holes, parts.points_run, None if state.is_terminal() else parts.player)
    for who in (0, 1):
        _score(brush, who, parts.holes[who], parts.points[who], parts.points_run[who], men[who])
        caption = Message("trictrac.picture.caption", who=side_name(who), score=standing.text(who))
        brush.caption(who, render(caption, lang), men[who])
    if parts.dice[0]:
        brush.dice(parts.dice, parts.player)
    return brush.picture()


def _score(brush: Brush, who: int, holes: int, points: int, bredouille: bool, colours: Colours) -> None:
    """Draws the peg in its hole and the tokens that mark points (rules.md, 10)."""
    x = PLAN.x
    marks = (x(1) + 13, x(2), x(4.5), x(6) - 10, x(7) + 10, x(12))  # for 0, 2, 4, 6, 8 and 10 points
    at, y = marks[min(5, points // 2)], MIDDLE + (18, -18)[who]
    brush.disc(at, y, 12, BRASS)
    if bredouille and points:
        brush.disc(at + (9 if points <= 6 else -9), y, 12, BRASS)
    if holes:
        brush.disc(x(min(holes, 12)), RAILS[who], 10, BRASS)
        brush.disc(x(min(holes, 12)), RAILS[who], 7, colours)
