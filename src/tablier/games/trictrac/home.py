"""Trictrac's home: what the rest of Tablier asks about it, answered by the files of this folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablier._core import State
from tablier.games.home import Home
from tablier.games.trictrac.picture import draw_state

if TYPE_CHECKING:
    from PIL.Image import Image


class TrictracHome(Home):
    """The home of the ordinary game and of the scored one (trictrac_a_ecrire)."""

    folder = Path(__file__).parent
    key = "trictrac"
    first_options = ("holes_to_win", "schools")
    interface = ("utility", "encoding")

    def svg(self, state: State, **settings: Any) -> str:
        """The table with its men, dice, jetons and fichets."""
        return draw_state(state, **settings)

    def image(self, state: State) -> Image:
        """The same in pixels."""
        from tablier.games.trictrac.painting import paint

        return paint(state)


HOME = TrictracHome
