"""Anything that chooses an action. A player is made from one string, everywhere: `make_player("random", game)`.

The string is a name, and after a colon settings as key=value separated by commas: "greedy", "mcts:sims=500,seed=7". One
file a kind of player; the table below is the only place that knows them all.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

from tablier._core import Game, State
from tablier.players.honest import HonestPlayer, has_schools
from tablier.players.human import HumanPlayer
from tablier.players.lookahead import ExpectimaxPlayer, GreedyPlayer, HeuristicPlayer
from tablier.players.opinion import Opinion
from tablier.players.random import RandomPlayer
from tablier.players.tree import GumbelPlayer, MctsPlayer

__all__ = ["PLAYERS", "Opinion", "Player", "make_player"]

PLAYERS: dict[str, Callable[..., Player]] = {
    "expectimax": ExpectimaxPlayer,
    "greedy": GreedyPlayer,
    "gumbel": GumbelPlayer,
    "heuristic": HeuristicPlayer,
    "human": HumanPlayer,
    "mcts": MctsPlayer,
    "random": RandomPlayer,
}
"""Names to classes; each takes a game, and its settings by keyword: those are what the string may set."""


@runtime_checkable
class Player(Protocol):
    """Chooses for whoever is to move. Our own players also have `explain(state)`, a list of `Opinion`."""

    def choose(self, state: State) -> int:
        """One of the state's legal actions."""
        ...


def make_player(description: str | Player, game: Game, seed: int = 0) -> Player:
    """The player that a string describes; a player is returned as it is.

    Where Trictrac is played with schools all but `random` and `human` mark and claim what is right (`HonestPlayer`).

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
    known = settings_of(name)
    settings: dict[str, Any] = {"seed": seed} if "seed" in known else {}
    for item in filter(None, rest.split(",")):
        key, _, value = item.partition("=")
        if key not in known:
            raise ValueError(f"the player '{name}' has no setting '{key}'; it has {', '.join(known) or 'none'}")
        settings[key] = _parsed(name, key, value, known[key])
    if has_schools(game) and name not in ("human", "random"):
        return HonestPlayer(game, lambda played: PLAYERS[name](played, **settings))
    return PLAYERS[name](game, **settings)


def settings_of(name: str) -> dict[str, Any]:
    """The settings that a player's string may have, and their defaults."""
    parameters = inspect.signature(PLAYERS[name]).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters if parameter.name != "game"}


def _parsed(name: str, key: str, value: str, default: Any) -> Any:
    if isinstance(default, str):
        return value
    kind = type(default)
    try:
        number = kind(value)
    except ValueError:
        raise ValueError(f"the setting '{key}' of '{name}' is a number, not {value!r}") from None
    if number < 0 or number != number:
        raise ValueError(f"the setting '{key}' of '{name}' is 0 or more, not {value}")
    return number
