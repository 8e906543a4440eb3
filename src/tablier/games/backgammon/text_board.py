"""Draws the board of backgammon as text for a terminal, seen from either side."""

from __future__ import annotations

from collections.abc import Collection

from tablier._core import State
from tablier._core.backgammon import parts
from tablier.games.backgammon.telling import score_text, side_name
from tablier.games.board import text
from tablier.games.home import Segment
from tablier.messages import render


def board_lines(
    state: State, viewer: int = 0, marked: Collection[int] = (), colour: bool = False, lang: str = "en"
) -> list[list[Segment]]:
    """Draws the board with the viewer's home at the lower right, and the pips, bar and men off of both players.

    Args:
        state: the state to draw.
        viewer: whose side to show: White 0, Black 1. Points have the viewer's numbers.
        marked: points whose numbers are highlighted.
        colour: whether to style the board for a terminal with colours.
        lang: the language of the texts.

    >>> import tablier
    >>> for line in board_lines(tablier.load_game("backgammon").new_initial_state())[-3:]:
    ...     print("".join(part for part, _ in line).rstrip())
         12 11 10  9  8  7     6  5  4  3  2  1
        o  Black 167 pips
        x  White 167 pips
    """
    now = parts(state)
    men = now.board if viewer == 0 else tuple(-count for count in reversed(now.board))
    lines = text.board_lines(men, viewer, marked, colour)
    names = [render(side_name(side), lang) for side in (0, 1)]
    for side in (1 - viewer, viewer):
        lines.append(text.side_line(side, viewer, names, render(score_text(now, side), lang), colour))
    return lines


def changed_points(before: State, after: State, viewer: int = 0) -> list[int]:
    """Returns the points that changed, in the viewer's numbering."""
    return text.changed_points(parts(before).board, parts(after).board, viewer)
