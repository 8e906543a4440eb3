"""States from position ids and from positions set up by hand, for the games that have them."""

from __future__ import annotations

from collections.abc import Callable

from tablier._core import Game, State
from tablier.games.board.impossible import reason_told
from tablier.messages import MessageError


def state_of_id(make: Callable[[Game], State], game: Game, home: str) -> State:
    """Returns the state that `make` creates for a game.

    Args:
        make: creates the state of a position.
        game: the game.
        home: the key of the game's home; its message `<home>.id.impossible` refuses a position that no game can reach.

    Raises:
        MessageError: no game can reach the position.
    """
    try:
        return make(game)
    except MessageError:
        raise
    except ValueError as error:
        raise MessageError.of(f"{home}.id.impossible", reason=reason_told(error, home)) from None
