"""Pictures of states. Used by `State.svg` and by notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablier.games import Home, home_of, home_type
from tablier.messages import MessageError

if TYPE_CHECKING:
    from tablier._core import Game, State


def svg(state: State, **settings: Any) -> str:
    """The state as an SVG picture. Raises ValueError for a game that has none."""
    game = state.get_game()
    picture = home_of(game).svg(state, **settings)
    if picture is None:
        raise MessageError.of("picture.none", game=game.name)
    return picture


def notebook(state: State) -> str | None:
    """What a notebook shows: the picture, or nothing, and then the notebook prints the text."""
    return home_of(state.get_game()).svg(state)


def has_picture(game: Game) -> bool:
    """Whether states of this game can be drawn."""
    return home_type(game.name).svg is not Home.svg
