"""Anything that chooses an action. A player is made from one string, everywhere: `make_player("random", game)`.

The string is a name, and after a colon settings as key=value separated by commas: "greedy", "mcts:sims=500,seed=7". One
file per kind of player; the table below is the only place that knows them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeVar, overload

from tablier._core import Game
from tablier.candidate import Candidate
from tablier.games import home_of
from tablier.players import settings, strings
from tablier.players.human import HumanPlayer
from tablier.players.lookahead import ExpectimaxPlayer, GreedyPlayer, HeuristicPlayer, quick_player
from tablier.players.policy import PolicyPlayer
from tablier.players.protocol import Chooser, Player
from tablier.players.random import RandomPlayer
from tablier.players.settings import Setting
from tablier.players.tree import GumbelPlayer, MctsPlayer

__all__ = ["PLAYERS", "Candidate", "Chooser", "Opinion", "Player", "Setting", "make_player", "settings_of"]

Opinion = Candidate
"""What a player thinks of an action, by its older name."""
Given = TypeVar("Given", bound=Chooser)

PLAYERS: dict[str, Callable[..., Player]] = {
    "expectimax": ExpectimaxPlayer,
    "greedy": GreedyPlayer,
    "gumbel": GumbelPlayer,
    "heuristic": HeuristicPlayer,
    "human": HumanPlayer,
    "mcts": MctsPlayer,
    "policy": PolicyPlayer,
    "random": RandomPlayer,
}
"""Names to classes; each takes a game, and its settings by keyword."""
AS_THEY_ARE = ("human", "random")
"""Players who do as they like, also where there is a right answer."""


@cache
def settings_of(name: str) -> Mapping[str, Setting]:
    """The settings that a player's string may have, by their names."""
    return settings.settings_of(PLAYERS[name])


@overload
def make_player(description: str, game: Game, seed: int = 0) -> Player: ...


@overload
def make_player(description: Given, game: Game, seed: int = 0) -> Given: ...


def make_player(description: str | Given, game: Game, seed: int = 0) -> Player | Given:
    """The player that a string describes. An object with a method `choose(state)` is returned as it is.

    `seed` is for players that draw random numbers, unless the string sets it. Where a decision has a right answer, as
    when points are marked in Trictrac with schools, all players but `random` and `human` give it. Raises MessageError,
    a ValueError, if the string describes no player of the game.

    >>> import tablier
    >>> game = tablier.load_game("pig")
    >>> make_player("random:seed=3", game).choose(game.new_initial_state()) in (0, 1)
    True
    """
    if not isinstance(description, str):
        if not isinstance(description, Chooser):
            raise TypeError(f"a player is a string or has a method choose(state), not {type(description).__name__}")
        return description
    name, given = strings.parse(description, {name: settings_of(name) for name in PLAYERS})
    if "seed" in settings_of(name):
        given.setdefault("seed", seed)

    def make(played: Game) -> Player:
        return PLAYERS[name](played, **given)

    return make(game) if name in AS_THEY_ARE else home_of(game).player(make, quick_player)
