"""The board of Trictrac as lines of text for a terminal, seen from either side.

A line is a list of segments, (text, style); the styles are those of the package rich. Joined without them they are the
plain board, drawn with x and o.
"""

from __future__ import annotations

from collections.abc import Collection

from tablier._core import State, trictrac
from tablier.games.trictrac.position import START
from tablier.games.trictrac.schools import NAMES

Segment = tuple[str, str]
HEIGHT = 5

_WOOD, _FRAME = "on #5b3a1e", "#d9b98a on #5b3a1e"
_FIELDS = ("on #7d9a6c", "on #b98d55")
_MEN = ("bold #fffaf0", "bold #140d08")
_MARKED = "bold #ffd75f on #5b3a1e"
_WORDS = {
    "en": ("hole", "holes", "points", "bredouille", "tokens"),
    "fr": ("trou", "trous", "points", "bredouille", "jetons"),
}


def board_lines(
    state: State, viewer: int = 0, marked: Collection[int] = (), colour: bool = False, lang: str = "en"
) -> list[list[Segment]]:
    """The board with the viewer's talon at the lower right, in his field numbers, and the score of both.

    `marked` are fields (of the viewer) whose numbers are shown brighter.

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
    """The viewer's numbers of the fields that a move changed; none where the men went back to the talons."""
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
    half: list[Segment] = [("   ", _FIELDS[i % 2]) for i in range(6)]
    return [("   ", ""), ("  ", _WOOD), *_flat(half, "    "), ("  ", _WOOD)]


def _flat(half: list[Segment], bar: str) -> list[Segment]:
    """Both tables between the fields, in one tone: the cloth."""
    cloth = "on #8f7b52"
    return [(" " * 3 * len(half), cloth), (bar[:2], _WOOD), (" " * 3 * len(half), cloth)]


def _row(
    fields: list[int], row: int, men: tuple[int, ...], viewer: int, glyphs: tuple[str, str], colour: bool
) -> list[Segment]:
    """One row of a half of the board; row 0 is at the rim."""
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


def _score(state: State, player: int, viewer: int, glyphs: tuple[str, str], colour: bool, lang: str) -> list[Segment]:
    """Who, his holes as pegs, his points."""
    parts, words = trictrac.parts(state), _WORDS[lang]
    holes, points = parts.holes[player], parts.points[player]
    most = int(state.get_game().options().get("holes_to_win", 12))
    pegs = "#" * min(holes, most) + "." * max(0, most - holes) if most <= 24 else ""
    if colour:
        pegs = pegs.replace("#", "▮").replace(".", "▯")
    text = f"{pegs} {holes} {words[0] if holes == 1 else words[1]}, {points} {words[2]}"
    if points and parts.points_run[player]:
        text += f", {words[3]}"
    if parts.account:
        seated = parts.seats.index(player)
        text += f", {parts.account.tokens[seated]} {words[4]}"
    man = (f" {glyphs[player]} ", f"{_MEN[player]} {_FIELDS[0]}" if colour else "")
    return [("   ", ""), man, (f" {NAMES[lang][player]:<6}", "bold" if player == viewer else ""), (text, "")]
