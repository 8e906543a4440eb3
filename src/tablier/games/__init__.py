"""Presentation of games: pictures, texts, typed moves and record formats, one home per game (`tablier.games.home`).

>>> import tablier
>>> from tablier.games import home_of
>>> from tablier.messages import render
>>> render(home_of(tablier.load_game("pig")).title, "fr")
'Cochon'
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from tablier._core import Game
from tablier.games.home import Facts, Home, Segment
from tablier.messages import add_folder
from tablier.registry import registered_games, registered_home

__all__ = ["Facts", "Home", "Segment", "home_of", "home_type", "home_types"]

HOMES = {
    "backgammon": "tablier.games.backgammon.home",
    "pig": "tablier.games.pig",
    "tic_tac_toe": "tablier.games.tic_tac_toe",
    "trictrac": "tablier.games.trictrac.home",
    "trictrac_a_ecrire": "tablier.games.trictrac.home",
}
"""Built-in games and the modules whose `HOME` is their home. Other games bring theirs when they are registered."""

for _messages in sorted(Path(__file__).parent.glob("*/messages")):  # load the texts before any home is used
    add_folder(_messages)


def home_type(name: str) -> type[Home]:
    """Returns the home class of the game called `name`, or `Home` for a game without one.

    Raises:
        TypeError: the game was registered with a home that is not a subclass of `Home`.
    """
    home: Any = import_module(HOMES[name]).HOME if name in HOMES else registered_home(name)
    return Home if home is None else _furnished(home)


def home_of(game: Game) -> Home:
    """Returns the home of a loaded game, for that game's options."""
    return home_type(game.name)(game)


def home_types() -> list[type[Home]]:
    """Returns the home classes of all registered games, without duplicates."""
    return list(dict.fromkeys(home_type(name) for name in registered_games()))


@cache
def _furnished(home: type[Any]) -> type[Home]:
    """Validates a home class and adds its texts to the message catalogue."""
    if not (isinstance(home, type) and issubclass(home, Home)):
        raise TypeError(f"a home must be a subclass of tablier.games.Home, not {home!r}")
    if home.folder is not None and (home.folder / "messages").is_dir():
        add_folder(home.folder / "messages")
    return home
