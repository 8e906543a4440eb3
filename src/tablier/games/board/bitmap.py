"""Draws the board as a bitmap with Pillow, with the layout of `plan` and simpler colouring."""

from __future__ import annotations

from PIL import Image, ImageDraw, ImageFont

from tablier.games.board import plan as units
from tablier.games.board.plan import BAR_LEFT, BOTTOM, BOX_BOTTOM, BOX_LEFT, BOX_TOP, LEFT, MIDDLE, TOP, Plan, bar_slot

SHARPNESS = 2  # supersampling factor, for smooth edges
WALNUT, DARK_WALNUT, FELT, CAPTION, PAPER = "#74472a", "#4d2d19", "#325041", "#5d4326", "#f6f0e1"
Colours = tuple[str, str, str]
"""Face, edge and ring of a disc."""
MEN: tuple[Colours, Colours] = (("#f3e8cd", "#8d7447", "#cdb88a"), ("#2f2824", "#0f0c0a", "#6a5b50"))
BRASS: Colours = ("#d9ab4b", "#5c3f12", "#8a5f1d")
STACKED = 5  # men in one layer of a stack


class Brush:
    """Draws in the units of a plan on a supersampled canvas."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._image = Image.new("RGB", (plan.width * SHARPNESS, units.HEIGHT * SHARPNESS), PAPER)
        self._pen = ImageDraw.Draw(self._image)

    def picture(self) -> Image.Image:
        """Returns the picture in its final size."""
        return self._image.resize((self.plan.width, units.HEIGHT), Image.Resampling.LANCZOS)

    def table(self) -> None:
        """Draws the box, its two tables and the flèches with their numbers."""
        self.box(BOX_LEFT, BOX_TOP, self.plan.box_right, BOX_BOTTOM, WALNUT, DARK_WALNUT, 8)
        for left, right in ((LEFT, BAR_LEFT), (BAR_LEFT + self.plan.bar, self.plan.right)):
            self.box(left, TOP, right, BOTTOM, FELT, DARK_WALNUT, 0)
        half = units.PITCH / 2 - 2
        for field in range(1, 25):
            x, below = self.plan.x(field), field <= 12
            edge = BOTTOM if below else TOP
            tip = edge - units.FLECHE if below else edge + units.FLECHE
            corners = [(x - half, edge), (x, tip), (x + half, edge)]
            self._pen.polygon([self._at(*corner) for corner in corners], units.FLECHE_COLOURS[field % 2])
            self.text(x, edge + 12 if below else edge - 12, str(field), 14, "#e3c79a", "mm")

    def stack(self, field: int, count: int, colours: Colours) -> None:
        """Draws the men of a field; a stack of more than one layer shows its count."""
        edge, towards = (BOTTOM, -1) if field <= 12 else (TOP, 1)
        x = self.plan.x(field)
        for man in range(count):
            layer, place = divmod(man, STACKED)
            y = edge + towards * (units.MAN + 1 + place * 2 * (units.MAN - 3) + layer * 8)
            self.disc(x, y, units.MAN, colours)
            if man == count - 1 and count > STACKED:
                self._count(x, y, count, colours)

    def on_bar(self, who: int, count: int, colours: Colours) -> None:
        """Draws the men of a player on the bar."""
        for man in range(count):
            y = bar_slot(who == 0, man)
            self.disc(self.plan.bar_x, y, units.MAN, colours)
            if man == count - 1 and count > STACKED:
                self._count(self.plan.bar_x, y, count, colours)

    def _count(self, x: float, y: float, count: int, colours: Colours) -> None:
        self.text(x, y, str(count), 20, "#b3262c" if colours == MEN[0] else "#f3d9a0", "mm")

    def caption(self, who: int, words: str, colours: Colours) -> None:
        """Writes a player's name and score outside their edge of the box."""
        y = (BOX_BOTTOM + 14, BOX_TOP - 14)[who]
        self.disc(BOX_LEFT + 10, y, 7, colours)
        self.text(BOX_LEFT + 26, y, words, 17, CAPTION, "lm")

    def dice(self, dice: tuple[int, int], player: int, middle: float = units.DICE_X) -> None:
        """Draws the dice on the side of the player who threw them."""
        for number, die in enumerate(dice):
            x, y, half = middle + (-25, 25)[number], MIDDLE + (18, -18)[player], 17
            self.box(x - half, y - half, x + half, y + half, "#fffaf0", "#8d7447", 6)
            for pip in map(int, units.PIPS[die]):
                self.disc(x + (pip % 3 - 1) * 10, y + (pip // 3 - 1) * 10, 2.6, ("#3b1d08",) * 3)

    def box(self, x: float, y: float, right: float, bottom: float, fill: str, edge: str, round_by: int) -> None:
        """Draws a rectangle."""
        corners = (*self._at(x, y), *self._at(right, bottom))
        self._pen.rounded_rectangle(corners, round_by * SHARPNESS, fill, edge, 2 * SHARPNESS)

    def disc(self, x: float, y: float, radius: float, colours: Colours) -> None:
        """Draws a man, a token or a peg."""
        face, edge, ring = colours
        self._pen.circle(self._at(x, y), radius * SHARPNESS, face, edge, SHARPNESS)
        if radius > 5:
            self._pen.circle(self._at(x, y), radius * 0.7 * SHARPNESS, None, ring, SHARPNESS)

    def text(self, x: float, y: float, words: str, size: int, colour: str, anchor: str) -> None:
        """Writes a line of text."""
        font = ImageFont.load_default(size * SHARPNESS)
        self._pen.text(self._at(x, y), words, colour, font, anchor=anchor)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return x * SHARPNESS, y * SHARPNESS
