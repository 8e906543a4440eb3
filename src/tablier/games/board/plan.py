"""The plan of the board: where its parts are, in units that a picture scales."""

from __future__ import annotations

from dataclasses import dataclass

PITCH, RIM = 58, 46
HEIGHT, BOX_TOP, BOX_BOTTOM = 608, 28, 580  # the box is between two strips of captions
TOP, BOTTOM = BOX_TOP + RIM, BOX_BOTTOM - RIM
MIDDLE = (TOP + BOTTOM) / 2
BOX_LEFT = 20
LEFT = BOX_LEFT + RIM
BAR_LEFT = LEFT + 6 * PITCH
FLECHE, MAN = 194, 24  # the length of a flèche, the radius of a man
DICE_X = BAR_LEFT - 2.5 * PITCH

FLECHE_COLOURS = ("#cbb389", "#7c3c2b")  # even fields pale maple, odd fields oxblood, so that facing flèches differ
PIPS = ("", "4", "08", "048", "0268", "02468", "023568")  # cells of a 3 x 3 grid, row by row


@dataclass(frozen=True)
class Plan:
    """The plan of a board whose bar is `bar` units wide."""

    bar: int = 32

    @property
    def right(self) -> int:
        """The inner edge of the right rim."""
        return LEFT + 12 * PITCH + self.bar

    @property
    def box_right(self) -> int:
        """The right edge of the box."""
        return self.right + RIM

    @property
    def width(self) -> int:
        """The width of the picture."""
        return self.box_right + BOX_LEFT

    @property
    def bar_x(self) -> float:
        """The middle of the bar."""
        return BAR_LEFT + self.bar / 2

    def x(self, field: float) -> float:
        """Returns the x coordinate of a field's centre."""
        column = field - 1 if field <= 12 else 24 - field
        return self.right - PITCH * (column + 0.5) - (self.bar if column >= 6 else 0)


def slot(below: bool, place: int, count: int) -> float:
    """Returns the y coordinate of the man in `place` (0 at the rim) of a stack of `count`; high stacks overlap."""
    step = min(2 * MAN, (FLECHE - 2 - 2 * MAN) / max(1, count - 1))
    depth = MAN + 1 + step * place
    return BOTTOM - depth if below else TOP + depth


def bar_slot(below: bool, place: int) -> float:
    """Returns the y coordinate of a man on the bar: `place` 0 is nearest to the middle."""
    depth = MAN + 34 + min(place, 5) * 29
    return MIDDLE + depth if below else MIDDLE - depth
