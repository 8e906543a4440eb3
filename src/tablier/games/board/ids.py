"""States from position ids, for the games that have ids."""

from __future__ import annotations

from collections.abc import Callable

from tablier._core import Game, State
from tablier.messages import MessageError


def state_of_id(make: Callable[[Game], State], game: Game, impossible: str) -> State:
    """Returns the state that `make` creates for a game.

    Args:
        make: creates the state of a position.
        game: the game.
        impossible: the message key for a position that no game can reach; the engine's errors have none.

    Raises:
        MessageError: no game can reach the position.
    """
    try:
        return make(game)
    except MessageError:
        raise
    except ValueError as error:
        raise MessageError.of(impossible, reason=str(error)) from None
