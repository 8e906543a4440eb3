"""Draws the board of Trictrac as text for a terminal, seen from either side.

A line is a list of (text, style) segments with styles of the `rich` package. Without colours, men are x and o.
"""

from __future__ import annotations

from collections.abc import Collection

from tablier._core import State, trictrac
from tablier.games.home import Segment
from tablier.games.trictrac.position import START
from tablier.games.trictrac.sides import score_text, side_name
from tablier.messages import render

HEIGHT = 5

_WOOD, _CLOTH = "on #5b3a1e", "on #8f7b52"
_FIELDS = ("on #7d9a6c", "on #b98d55")
_MEN = ("bold #fffaf0", "bold #140d08")


def board_lines(
    state: State, viewer: int = 0, marked: Collection[int] = (), colour: bool = False, lang: str = "en"
) -> list[list[Segment]]:
    """Draws the board with the viewer's talon at the lower right, and the score of both players.

    Args:
        state: the state to draw.
        viewer: whose side to show: White 0, Black 1. Fields have the viewer's numbers.
        marked: fields whose numbers are highlighted.
        colour: whether to style the board for a terminal with colours.
        lang: the language of the score.

    Returns:
        The lines, each a list of (text, style) segments.

    >>> import tablier
    >>> for line in board_lines(tablier.load_game("trictrac").new_initial_state())[:3]:
    ...     print("".join(text for text, _ in line))
         13 14 15 16 17 18    19 20 21 22 23 24
       +-------------------++-------------------+
       |  .  .  .  .  .  . ||  .  .  .  .  .  o |
    """
    parts = trictrac.parts(state)
    men = parts.board_from(viewer)
    glyphs = ("●", "●") if colour else ("x", "o")
    upper, lower = list(range(13, 25)), list(range(12, 0, -1))
    lines = [_numbers(upper, marked), _edge(colour)]
    for row in range(HEIGHT):
        lines.append(_row(upper, row, men, viewer, glyphs, colour))
    lines.append(_middle(colour))
    for row in reversed(range(HEIGHT)):
        lines.append(_row(lower, row, men, viewer, glyphs, colour))
    lines += [_edge(colour), _numbers(lower, marked)]
    return lines + [_score(state, player, viewer, glyphs, colour, lang) for player in (1 - viewer, viewer)]


def changed_fields(before: State, after: State, viewer: int = 0) -> list[int]:
    """Returns the fields that a move changed, in the viewer's numbering; none if the men went back to the talons."""
    was, now = trictrac.parts(before).board, trictrac.parts(after).board
    if now == START:
        return []
    return [25 - field if viewer else field for field in range(1, 25) if was[field - 1] != now[field - 1]]


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


def _row(
    fields: list[int], row: int, men: tuple[int, ...], viewer: int, glyphs: tuple[str, str], colour: bool
) -> list[Segment]:
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
        line.append((_cell(abs(count), row, glyphs[owner], colour), style))
    line.append(side if colour else (" |", ""))
    return line


def _cell(count: int, row: int, glyph: str, colour: bool) -> str:
    if count > HEIGHT and row == HEIGHT - 1:
        return f"{count:>2} " if colour else f"{count:>3}"
    text = glyph if row < count else "." if row == 0 and not colour else " "
    return f" {text} " if colour else f"  {text}"


def _score(state: State, side: int, viewer: int, glyphs: tuple[str, str], colour: bool, lang: str) -> list[Segment]:
    """Draws a side's name, its holes as pegs, and its score."""
    parts = trictrac.parts(state)
    holes, points = parts.holes[side], parts.points[side]
    most = int(state.get_game().options().get("holes_to_win", 12))
    pegs = "#" * min(holes, most) + "." * max(0, most - holes) if most <= 24 else ""
    if colour:
        pegs = pegs.replace("#", "▮").replace(".", "▯")
    tokens = parts.account.tokens[parts.seats.index(side)] if parts.account else None
    score = render(score_text(holes, points, bool(points and parts.points_run[side]), tokens=tokens), lang)
    names = [render(side_name(one), lang) for one in (0, 1)]
    name = names[side].ljust(max(map(len, names)) + 1)
    man = (f" {glyphs[side]} ", f"{_MEN[side]} {_FIELDS[0]}" if colour else "")
    return [("   ", ""), man, (f" {name}", "bold" if side == viewer else ""), (f"{pegs} {score}", "")]
