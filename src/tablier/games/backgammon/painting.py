"""Draws a backgammon board as a bitmap. Needs Pillow."""

from __future__ import annotations

from PIL import Image

from tablier._core import State
from tablier._core.backgammon import parts
from tablier.games.backgammon.drawing import DICE_X, PLAN, captions
from tablier.games.board.bitmap import MEN, Brush


def paint(state: State, lang: str = "en") -> Image.Image:
    """Draws the board, the dice, the pips and who is to play."""
    now = parts(state)
    brush = Brush(PLAN)
    brush.table()
    for point, count in enumerate(now.board, start=1):
        brush.stack(point, abs(count), MEN[count < 0])
    words, _ = captions(state, now, lang)
    for side in (0, 1):
        brush.on_bar(side, now.bar[side], MEN[side])
        brush.caption(side, words[side], MEN[side])
    if any(now.dice):
        brush.dice(now.dice, now.player, DICE_X[now.player])
    return brush.picture()
