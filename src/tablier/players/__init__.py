"""Players choose actions. Throughout Tablier, a string describes a player: `make_player("random", game)`.

A player string is a name, optionally followed by a colon and settings as key=value, separated by commas: "greedy",
"mcts:sims=500,seed=7". Each kind of player has its own file; `PLAYERS` lists them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeVar, overload

from tablier._core import Game
from tablier.candidate import Candidate
from tablier.games import home_of
from tablier.players import settings, strings
from tablier.players.champion import NAME as CHAMPION
from tablier.players.champion import ChampionPlayer
from tablier.players.gnubg import NAME as GNUBG
from tablier.players.gnubg import GnubgPlayer
from tablier.players.human import HumanPlayer
from tablier.players.level import LevelPlayer
from tablier.players.lookahead import ExpectimaxPlayer, GreedyPlayer, HeuristicPlayer, quick_player
from tablier.players.policy import PolicyPlayer
from tablier.players.protocol import Chooser, Player
from tablier.players.random import RandomPlayer
from tablier.players.settings import Setting
from tablier.players.tree import GumbelPlayer, MctsPlayer

__all__ = [
    "OUTSIDE",
    "PLAYERS",
    "Candidate",
    "Chooser",
    "Opinion",
    "Player",
    "Setting",
    "default_opponent",
    "make_player",
    "settings_of",
]

Opinion = Candidate
"""The former name of `Candidate`."""
Given = TypeVar("Given", bound=Chooser)

PLAYERS: dict[str, Callable[..., Player]] = {
    CHAMPION: ChampionPlayer,
    "expectimax": ExpectimaxPlayer,
    GNUBG: GnubgPlayer,
    "greedy": GreedyPlayer,
    "gumbel": GumbelPlayer,
    "heuristic": HeuristicPlayer,
    "human": HumanPlayer,
    "level": LevelPlayer,
    "mcts": MctsPlayer,
    "policy": PolicyPlayer,
    "random": RandomPlayer,
}
"""Player classes by name. Each takes a game, and its settings as keywords."""
WITHOUT_CHAMPION = "gumbel:sims=400"
"""The default opponent in a game without a champion."""
OUTSIDE = (GNUBG,)
"""Players that are other programs. A web server does not start them."""
AS_THEY_ARE = ("human", "random")
"""Players that make every decision themselves, even one with a single correct answer."""


@cache
def settings_of(name: str) -> Mapping[str, Setting]:
    """Returns the settings of a kind of player, by name.

    Examples:
        >>> settings_of("random")["seed"].default
        0
    """
    return settings.settings_of(PLAYERS[name])


def default_opponent(game: Game) -> str:
    """Returns the player string of the default opponent: the champion, if the game has one.

    Examples:
        >>> import tablier
        >>> default_opponent(tablier.load_game("pig"))
        'champion'
    """
    return CHAMPION if home_of(game).champion() else WITHOUT_CHAMPION


@overload
def make_player(description: str, game: Game, seed: int = 0) -> Player: ...


@overload
def make_player(description: Given, game: Game, seed: int = 0) -> Given: ...


def make_player(description: str | Given, game: Game, seed: int = 0) -> Player | Given:
    """Creates the player described by a string; an object with a method `choose(state)` is returned unchanged.

    Some decisions have one correct answer, such as which points to mark in Trictrac with the option `schools`. All
    players except `random` and `human` always give that answer.

    Args:
        description: a player string such as "mcts:sims=500", or a player.
        game: the game to play.
        seed: seed for players that draw random numbers, unless the string sets one.

    Raises:
        MessageError (a ValueError): the string is not a valid player for this game.
        TypeError: `description` is neither a string nor an object with a method `choose(state)`.

    Examples:
        >>> import tablier
        >>> game = tablier.load_game("pig")
        >>> make_player("random:seed=3", game).choose(game.new_initial_state()) in (0, 1)
        True
    """
    if not isinstance(description, str):
        if not isinstance(description, Chooser):
            kind = type(description).__name__
            raise TypeError(f"a player must be a string or an object with a method choose(state), not {kind}")
        return description
    name, given = strings.parse(description, {name: settings_of(name) for name in PLAYERS})
    if "seed" in settings_of(name):
        given.setdefault("seed", seed)

    def make(played: Game) -> Player:
        return PLAYERS[name](played, **given)

    return make(game) if name in AS_THEY_ARE else home_of(game).player(make, quick_player)
