"""Draws the board of Trictrac as text for a terminal, seen from either side.

A line is a list of (text, style) segments with styles of the `rich` package. Without colours, men are x and o.
"""

from __future__ import annotations

from collections.abc import Collection

from tablier._core import State, trictrac
from tablier.games.board import text
from tablier.games.home import Segment
from tablier.games.trictrac.position import START
from tablier.games.trictrac.sides import score_text, side_name
from tablier.messages import render


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
    ...     print("".join(part for part, _ in line))
         13 14 15 16 17 18    19 20 21 22 23 24
       +-------------------++-------------------+
       |  .  .  .  .  .  . ||  .  .  .  .  .  o |
    """
    lines = text.board_lines(trictrac.parts(state).board_from(viewer), viewer, marked, colour)
    return lines + [_score(state, player, viewer, colour, lang) for player in (1 - viewer, viewer)]


def changed_fields(before: State, after: State, viewer: int = 0) -> list[int]:
    """Returns the fields that a move changed, in the viewer's numbering; none if the men went back to the talons."""
    was, now = trictrac.parts(before).board, trictrac.parts(after).board
    if now == START:
        return []
    return text.changed_points(was, now, viewer)


def _score(state: State, side: int, viewer: int, colour: bool, lang: str) -> list[Segment]:
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
    return text.side_line(side, viewer, names, f"{pegs} {score}", colour)
