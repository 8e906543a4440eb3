"""Draws states as SVG, for `State.svg` and notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablier.games import Home, home_of, home_type
from tablier.messages import MessageError

if TYPE_CHECKING:
    from tablier._core import Game, State


def svg(state: State, **settings: Any) -> str:
    """Draws a state as an SVG document.

    Args:
        state: the state to draw.
        **settings: settings of the game's drawing. All games accept `lang`, the language of the text.

    Raises:
        MessageError (a ValueError): the game has no drawing.
    """
    game = state.get_game()
    picture = home_of(game).svg(state, **settings)
    if picture is None:
        raise MessageError.of("picture.none", game=game.name)
    return picture


def notebook(state: State) -> str | None:
    """Returns the SVG a notebook displays, or None to make it print the state as text."""
    return home_of(state.get_game()).svg(state)


def has_picture(game: Game) -> bool:
    """Returns whether states of this game can be drawn as SVG."""
    return home_type(game.name).svg is not Home.svg
