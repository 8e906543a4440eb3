"""Draws the board as text for a terminal, seen from either side.

A line is a list of (text, style) segments with styles of the `rich` package. Without colours, men are x and o.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tablier.games.home import Segment

HEIGHT = 5

_WOOD, _CLOTH = "on #5b3a1e", "on #8f7b52"
_FIELDS = ("on #7d9a6c", "on #b98d55")
_MEN = ("bold #fffaf0", "bold #140d08")


def glyphs(colour: bool) -> tuple[str, str]:
    """Returns the characters for men of White and Black."""
    return ("●", "●") if colour else ("x", "o")


def board_lines(men: Sequence[int], viewer: int, marked: Collection[int], colour: bool) -> list[list[Segment]]:
    """Draws the board with the viewer's field 1 at the lower right.

    Args:
        men: 24 signed counts in the viewer's numbering; the viewer's men are positive.
        viewer: whose side is shown: White 0, Black 1.
        marked: fields whose numbers are highlighted.
        colour: whether to style the board for a terminal with colours.
    """
    upper, lower = list(range(13, 25)), list(range(12, 0, -1))
    lines = [_numbers(upper, marked), _edge(colour)]
    for row in range(HEIGHT):
        lines.append(_row(upper, row, men, viewer, colour))
    lines.append(_middle(colour))
    for row in reversed(range(HEIGHT)):
        lines.append(_row(lower, row, men, viewer, colour))
    return [*lines, _edge(colour), _numbers(lower, marked)]


def side_line(side: int, viewer: int, names: Sequence[str], score: str, colour: bool) -> list[Segment]:
    """Draws a side's man, its name and its score."""
    name = names[side].ljust(max(map(len, names)) + 1)
    man = (f" {glyphs(colour)[side]} ", f"{_MEN[side]} {_FIELDS[0]}" if colour else "")
    return [("   ", ""), man, (f" {name}", "bold" if side == viewer else ""), (score, "")]


def _numbers(fields: list[int], marked: Collection[int]) -> list[Segment]:
    line = [("    ", "")]
    for field in fields:
        line.append((f"{field:>3}", "bold yellow" if field in marked else "dim"))
        if field in (18, 7):
            line.append(("   ", ""))
    return line


def _edge(colour: bool) -> list[Segment]:
    if colour:
        return [("   ", ""), (" " * 42, _WOOD)]
    return [("   ", ""), ("+" + "-" * 19 + "++" + "-" * 19 + "+", "")]


def _middle(colour: bool) -> list[Segment]:
    if not colour:
        return [("   ", ""), ("|" + " " * 19 + "||" + " " * 19 + "|", "")]
    wood, cloth = ("  ", _WOOD), (" " * 18, _CLOTH)
    return [("   ", ""), wood, cloth, wood, cloth, wood]


def _row(fields: list[int], row: int, men: Sequence[int], viewer: int, colour: bool) -> list[Segment]:
    """Draws a row of the upper or lower half of the board; row 0 is at the rim."""
    side = ("  ", _WOOD) if colour else ("|", "")
    bar = ("  ", _WOOD) if colour else (" ||", "")
    line: list[Segment] = [("   ", ""), side]
    for place, field in enumerate(fields):
        if place == 6:
            line.append(bar)
        count = men[field - 1]
        owner = viewer if count > 0 else 1 - viewer
        style = f"{_MEN[owner]} {_FIELDS[field % 2]}" if colour else ""
        line.append((_cell(abs(count), row, glyphs(colour)[owner], colour), style))
    line.append(side if colour else (" |", ""))
    return line


def _cell(count: int, row: int, glyph: str, colour: bool) -> str:
    if count > HEIGHT and row == HEIGHT - 1:
        return f"{count:>2} " if colour else f"{count:>3}"
    text = glyph if row < count else "." if row == 0 and not colour else " "
    return f" {text} " if colour else f"  {text}"


def changed_points(was: Sequence[int], now: Sequence[int], viewer: int) -> list[int]:
    """Returns the points whose men differ between two boards, in the viewer's numbering."""
    return [25 - point if viewer else point for point in range(1, 25) if was[point - 1] != now[point - 1]]
