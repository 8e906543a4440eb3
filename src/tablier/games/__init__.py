"""What people see, read and type about a game: one home per game, behind one protocol (`tablier.games.home`).

>>> import tablier
>>> from tablier.games import home_of
>>> from tablier.messages import render
>>> render(home_of(tablier.load_game("pig")).title, "fr")
'Cochon'
"""

from __future__ import annotations

from importlib import import_module

from tablier._core import Game
from tablier.games.home import Facts, Home, Segment
from tablier.messages import add_folder

__all__ = ["Facts", "Home", "Segment", "home_of", "home_type", "home_types", "register_home"]

HOMES = {
    "pig": "tablier.games.pig",
    "tic_tac_toe": "tablier.games.tic_tac_toe",
    "trictrac": "tablier.games.trictrac.home",
    "trictrac_a_ecrire": "tablier.games.trictrac.home",
}
"""One line per game: the module whose `HOME` is its home."""

_homes: dict[str, type[Home]] = {}


def register_home(name: str, home: type[Home]) -> type[Home]:
    """Gives a game its home, as games from outside the tree do; the latest counts."""
    if not (isinstance(home, type) and issubclass(home, Home)):
        raise TypeError(f"a home is a subclass of tablier.games.Home, not {home!r}")
    if home.folder is not None and (home.folder / "messages").is_dir():
        add_folder(home.folder / "messages")
    _homes[name] = home
    return home


def home_type(name: str) -> type[Home]:
    """The home of a game's name; `Home` itself for a game that has none."""
    if name not in _homes and name in HOMES:
        register_home(name, import_module(HOMES[name]).HOME)
    return _homes.get(name, Home)


def home_types() -> list[type[Home]]:
    """All homes there are, each once."""
    return list(dict.fromkeys(home_type(name) for name in [*HOMES, *_homes]))


def home_of(game: Game) -> Home:
    """A game's home."""
    return home_type(game.name)(game)
