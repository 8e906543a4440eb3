"""Games from the keywords of a constructor, with the errors Python programmers expect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablier._core import Game
from tablier.registry import load_game


def load_with_keywords(game: str | Game, options: Mapping[str, Any], caller: str) -> Game:
    """Loads a game under the rule options that were passed to `caller` as keywords.

    A keyword that is not an option of the game raises TypeError, like an unknown keyword of any function: TorchRL's
    `GymEnv` tries `frameskip` and drops it on that error. A wrong value raises ValueError.
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
