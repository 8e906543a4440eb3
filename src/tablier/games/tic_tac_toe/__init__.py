"""The home of tic-tac-toe: its picture and its texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tablier._core import State
from tablier.games.champion import Champion
from tablier.games.home import Bound, Home
from tablier.games.tic_tac_toe import exact
from tablier.games.tic_tac_toe.picture import draw, squares
from tablier.messages import Message, Text, listed, render


class TicTacToeHome(Home):
    """Draws tic-tac-toe and names squares by row and column."""

    folder = Path(__file__).parent
    key = "tic_tac_toe"

    def action(self, state: State, action: int) -> Text:
        """Returns the name of the square."""
        return _place("tic_tac_toe.square", action)

    def describe(self, state: State) -> Text:
        """Lists the squares of the crosses and the noughts."""
        crosses, noughts = (_places(found) for found in squares(state))
        return Message("tic_tac_toe.position", crosses=crosses, noughts=noughts)

    def svg(self, state: State, lang: str = "en", **settings: Any) -> str:
        """Draws the board; free squares can be clicked."""
        return draw(state, render(self.describe(state), lang), **settings)

    def bounds(self, view: str) -> tuple[Bound, Bound]:
        """Returns 0 and 1: every entry is a flag."""
        return 0, 1

    def champion(self) -> Champion:
        """Returns the exact values of all positions."""
        return Champion(exact.values)


def _place(key: str, square: int) -> Message:
    return Message(key, row=square // 3 + 1, column=square % 3 + 1)


def _places(found: set[int]) -> Text:
    if not found:
        return Message("tic_tac_toe.none")
    return listed(*(_place("tic_tac_toe.place", square) for square in sorted(found)))


HOME = TicTacToeHome
