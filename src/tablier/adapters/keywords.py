"""Loads games from constructor keywords and raises the errors Python programmers expect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablier._core import Game
from tablier.registry import load_game


def load_with_keywords(game: str | Game, options: Mapping[str, Any], caller: str) -> Game:
    """Loads a game with the rule options that were passed to `caller` as keywords.

    Args:
        game: a name, or a `Game`, whose options the keywords override.
        options: the keywords.
        caller: the name of the caller, for error messages.

    Raises:
        TypeError: a keyword is not an option of the game. TorchRL's `GymEnv` relies on this: it tries `frameskip` and
            drops it on that error.
        ValueError: there is no such game, or a value is not accepted.
    """
    name, base = (game.name, game.options()) if isinstance(game, Game) else (game, {})
    if isinstance(game, Game) and not options:
        return game
    try:
        return load_game(name, **{**base, **options})
    except ValueError as error:
        accepted = base or load_game(name).options()
        for keyword in options:
            if keyword not in accepted:
                raise TypeError(f"{caller}() got an unexpected keyword argument {keyword!r}: {error}") from None
        raise
