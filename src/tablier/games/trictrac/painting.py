"""Draws a Trictrac board as a bitmap, with the layout of `drawing` and simpler colouring."""

from __future__ import annotations

from PIL import Image, ImageDraw, ImageFont

from tablier import _core
from tablier._core import State
from tablier.games.trictrac import drawing as plan
from tablier.games.trictrac.captions import Standing
from tablier.games.trictrac.sides import side_name
from tablier.messages import Message, render

SHARPNESS = 2  # supersampling factor, for smooth edges
WALNUT, DARK_WALNUT, FELT, CAPTION, PAPER = "#74472a", "#4d2d19", "#325041", "#5d4326", "#f6f0e1"
MEN = (("#f3e8cd", "#8d7447", "#cdb88a"), ("#2f2824", "#0f0c0a", "#6a5b50"))  # face, edge, ring
BRASS = ("#d9ab4b", "#5c3f12", "#8a5f1d")
STACKED = 5  # men in one layer of a stack

Colours = tuple[str, str, str]


def paint(state: State, lang: str = "en") -> Image.Image:
    """Draws the board, the dice, the score and who is to play."""
    parts = _core.trictrac.parts(state)
    brush = _Brush()
    brush.table()
    men = (MEN[1], MEN[0]) if parts.swapped else MEN
    for field, count in enumerate(parts.board, start=1):
        brush.stack(field, abs(count), men[count < 0])
    standing = Standing(parts.points, parts.holes, parts.points_run, None if state.is_terminal() else parts.player)
    for who in (0, 1):
        brush.score(who, parts.holes[who], parts.points[who], parts.points_run[who], men[who])
        caption = Message("trictrac.picture.caption", who=side_name(who), score=standing.text(who))
        brush.caption(who, render(caption, lang), men[who])
    if parts.dice[0]:
        brush.dice(parts.dice, parts.player)
    return brush.image.resize((plan.WIDTH, plan.HEIGHT), Image.Resampling.LANCZOS)


def _x(field: float) -> float:
    """Returns the x coordinate of a field's centre."""
    column = field - 1 if field <= 12 else 24 - field
    return plan.RIGHT - plan.PITCH * (column + 0.5) - (plan.BAR if column >= 6 else 0)


class _Brush:
    """Draws in the units of `drawing` on a supersampled canvas."""

    def __init__(self) -> None:
        self.image = Image.new("RGB", (plan.WIDTH * SHARPNESS, plan.HEIGHT * SHARPNESS), PAPER)
        self._pen = ImageDraw.Draw(self.image)

    def table(self) -> None:
        """Draws the box, its two tables, the flèches with their numbers, and the peg holes."""
        self._box(plan.BOX_LEFT, plan.BOX_TOP, plan.BOX_RIGHT, plan.BOX_BOTTOM, WALNUT, DARK_WALNUT, 8)
        for left, right in ((plan.LEFT, plan.BAR_LEFT), (plan.BAR_LEFT + plan.BAR, plan.RIGHT)):
            self._box(left, plan.TOP, right, plan.BOTTOM, FELT, DARK_WALNUT, 0)
        half = plan.PITCH / 2 - 2
        for field in range(1, 25):
            x, below = _x(field), field <= 12
            edge = plan.BOTTOM if below else plan.TOP
            tip = edge - plan.FLECHE if below else edge + plan.FLECHE
            corners = [(x - half, edge), (x, tip), (x + half, edge)]
            self._pen.polygon([self._at(*corner) for corner in corners], plan.FLECHE_COLOURS[field % 2])
            self._text(x, edge + 12 if below else edge - 12, str(field), 14, "#e3c79a", "mm")
        for y in (plan.BOX_BOTTOM - 13, plan.BOX_TOP + 13):
            for number in range(1, 13):
                self._disc(_x(number), y, 3.6, ("#1c0f07", "#a8794a", "#1c0f07"))

    def stack(self, field: int, count: int, colours: Colours) -> None:
        """Draws the men of a field; a stack of more than one layer shows its count."""
        edge, towards = (plan.BOTTOM, -1) if field <= 12 else (plan.TOP, 1)
        x = _x(field)
        for man in range(count):
            layer, place = divmod(man, STACKED)
            y = edge + towards * (plan.MAN + 1 + place * 2 * (plan.MAN - 3) + layer * 8)
            self._disc(x, y, plan.MAN, colours)
            if man == count - 1 and count > STACKED:
                self._text(x, y, str(count), 20, "#b3262c" if colours == MEN[0] else "#f3d9a0", "mm")

    def score(self, who: int, holes: int, points: int, bredouille: bool, colours: Colours) -> None:
        """Draws the peg in its hole and the tokens that mark points (rules.md, 10)."""
        marks = (_x(1) + 13, _x(2), _x(4.5), _x(6) - 10, _x(7) + 10, _x(12))  # for 0, 2, 4, 6, 8 and 10 points
        x, y = marks[min(5, points // 2)], plan.MIDDLE + (18, -18)[who]
        self._disc(x, y, 12, BRASS)
        if bredouille and points:
            self._disc(x + (9 if points <= 6 else -9), y, 12, BRASS)
        if holes:
            rail = (plan.BOX_BOTTOM - 13, plan.BOX_TOP + 13)[who]
            self._disc(_x(min(holes, 12)), rail, 10, BRASS)
            self._disc(_x(min(holes, 12)), rail, 7, colours)

    def caption(self, who: int, words: str, colours: Colours) -> None:
        """Writes a player's name and score outside their edge of the box."""
        y = (plan.BOX_BOTTOM + 14, plan.BOX_TOP - 14)[who]
        self._disc(plan.BOX_LEFT + 10, y, 7, colours)
        self._text(plan.BOX_LEFT + 26, y, words, 17, CAPTION, "lm")

    def dice(self, dice: tuple[int, int], player: int) -> None:
        """Draws the dice on the side of the player who threw them."""
        for number, die in enumerate(dice):
            x, y, half = plan.DICE_X + (-25, 25)[number], plan.MIDDLE + (18, -18)[player], 17
            self._box(x - half, y - half, x + half, y + half, "#fffaf0", "#8d7447", 6)
            for pip in map(int, plan.PIPS[die]):
                self._disc(x + (pip % 3 - 1) * 10, y + (pip // 3 - 1) * 10, 2.6, ("#3b1d08",) * 3)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return x * SHARPNESS, y * SHARPNESS

    def _box(self, x: float, y: float, right: float, bottom: float, fill: str, edge: str, round_by: int) -> None:
        corners = (*self._at(x, y), *self._at(right, bottom))
        self._pen.rounded_rectangle(corners, round_by * SHARPNESS, fill, edge, 2 * SHARPNESS)

    def _disc(self, x: float, y: float, radius: float, colours: Colours) -> None:
        face, edge, ring = colours
        self._pen.circle(self._at(x, y), radius * SHARPNESS, face, edge, SHARPNESS)
        if radius > 5:
            self._pen.circle(self._at(x, y), radius * 0.7 * SHARPNESS, None, ring, SHARPNESS)

    def _text(self, x: float, y: float, words: str, size: int, colour: str, anchor: str) -> None:
        font = ImageFont.load_default(size * SHARPNESS)
        self._pen.text(self._at(x, y), words, colour, font, anchor=anchor)
