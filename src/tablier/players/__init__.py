"""Anything that chooses an action. A player is made from one string, everywhere: `make_player("random", game)`.

The string is a name, and after a colon settings as key=value separated by commas: "greedy", "random:seed=7". One file a
kind of player; the table below is the only place that knows them all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from tablier._core import Game, State
from tablier.players.greedy import GreedyPlayer
from tablier.players.random import RandomPlayer

PLAYERS: dict[str, Callable[..., Player]] = {"greedy": GreedyPlayer, "random": RandomPlayer}
"""Names to classes; each takes a game, a seed, and its own settings by keyword."""


@runtime_checkable
class Player(Protocol):
    """Chooses for whoever is to move."""

    def choose(self, state: State) -> int:
        """One of the state's legal actions."""
        ...


def make_player(description: str | Player, game: Game, seed: int = 0) -> Player:
    """The player that a string describes; a player is returned as it is.

    >>> import tablier
    >>> game = tablier.load_game("pig")
    >>> make_player("random:seed=3", game).choose(game.new_initial_state()) in (0, 1)
    True
    """
    if isinstance(description, Player):
        return description
    if not isinstance(description, str):
        raise TypeError(f"a player is a string or has a method choose(state), not {type(description).__name__}")
    name, _, rest = description.partition(":")
    if name not in PLAYERS:
        raise ValueError(f"no player is called '{name}'; there are {', '.join(sorted(PLAYERS))}")
    settings: dict[str, int] = {"seed": seed}
    for item in filter(None, rest.split(",")):
        key, _, value = item.partition("=")
        if key != "seed":
            raise ValueError(f"the player '{name}' has no setting '{key}'; it has seed")
        if not value.isdecimal():
            raise ValueError(f"the setting '{key}' of '{name}' is a number, not {value!r}")
        settings[key] = int(value)
    return PLAYERS[name](game, **settings)
