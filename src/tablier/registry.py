"""The registry of games: loads games by name and registers new ones."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, overload

from tablier import _core
from tablier._core import Game, State
from tablier.elf import is_complete
from tablier.messages import MessageError
from tablier.paths import resolved
from tablier.python_game import PythonGame

D = TypeVar("D", bound=type[PythonGame])

DEFAULT_GAME = "trictrac"
"""The game for commands and training runs that do not name one."""

_loaders: dict[str, Callable[[dict[str, Any]], Game]] = {}
"""Games registered at run time, in Python or from a plugin."""
_python_games: set[str] = set()
"""The games in `_loaders` that are written in Python."""
_homes: dict[str, type[Any] | None] = {}
"""The homes of the games in `_loaders` (subclasses of `tablier.games.Home`, which this module must not import)."""


def registered_games() -> list[str]:
    """Returns the names that `load_game` accepts, sorted."""
    return sorted([*_core.native_games(), *_loaders])


def load_game(name: str, **options: Any) -> Game:
    """Loads a game by name.

    Args:
        name: one of `registered_games()`.
        **options: rule options of the game; those not given keep their defaults.

    Raises:
        TypeError: the name is not a string, or an option has the wrong type.
        ValueError: there is no such game or option, or the value of an option is out of range.

    Examples:
        >>> load_game("pig", win_score=50)
        tablier.load_game('pig', win_score=50)
    """
    if not isinstance(name, str):
        raise TypeError(f"a game's name must be a str, not {type(name).__name__}")
    if name in _loaders:
        return _loaders[name](options)
    if name in _core.native_games():
        return _core.load_native(name, options)
    raise MessageError.of("game.missing", name=name[:60], names=", ".join(registered_games()))


def parse_options(text: str) -> dict[str, Any]:
    """Parses rule options for `load_game` from text of the form key=value,key=value.

    Args:
        text: the options; true and false become bools, digits become integers.

    Raises:
        MessageError (a ValueError): an item is not of the form key=value, or a key occurs twice.

    Examples:
        >>> parse_options("holes_to_win=3,first_throw=white,schools=true")
        {'holes_to_win': 3, 'first_throw': 'white', 'schools': True}
    """
    words: dict[str, Any] = {"true": True, "false": False}
    result: dict[str, Any] = {}
    for item in filter(None, text.split(",")):
        key, equals, value = (part.strip() for part in item.partition("="))
        if not (key and equals):
            raise MessageError.of("option.form", text=item)
        if key in result:
            raise MessageError.of("option.twice", name=key)
        if key == "name":
            raise MessageError.of("option.name")
        result[key] = words.get(value.lower(), int(value) if re.fullmatch("-?[0-9]{1,18}", value) else value)
    return result


@overload
def register(definition: D, /, *, replace: bool = ..., home: type[Any] | None = ...) -> D: ...


@overload
def register(*, replace: bool = ..., home: type[Any] | None = ...) -> Callable[[D], D]: ...


def register(
    definition: D | None = None, /, *, replace: bool = False, home: type[Any] | None = None
) -> D | Callable[[D], D]:
    """Registers a game written in Python, so that `load_game` finds it.

    Works as a function, as a decorator `@register`, and as a decorator with arguments `@register(replace=True)`.

    Args:
        definition: the game's class.
        replace: whether a Python game of the same name may be replaced, as when a notebook cell runs again. Games that
            were loaded before keep their rules.
        home: a subclass of `tablier.games.Home` with the game's drawing, notation and messages. By default the class
            attribute `home`.

    Returns:
        The class, or a decorator if no class is given.

    Raises:
        TypeError: the class is not a `PythonGame` or lacks something that a game needs.
        ValueError: the name is malformed or taken.
    """
    if definition is None:
        return lambda decorated: _register(decorated, replace, home)
    return _register(definition, replace, home)


def _register(definition: D, replace: bool, home: type[Any] | None) -> D:
    if not (isinstance(definition, type) and issubclass(definition, PythonGame)):
        raise TypeError("register() takes a subclass of tablier.PythonGame")
    missing = [fact for fact in PythonGame.__annotations__ if not hasattr(definition, fact)]
    missing += sorted(definition.__abstractmethods__)
    if missing:
        raise TypeError(f"{definition.__name__} lacks {', '.join(missing)}")
    if not (replace and definition.name in _python_games):
        _check_name(definition.name)
    instance = definition()
    _core.load_python(instance, {}).new_initial_state().current_player()  # an invalid class fails here, not later
    _loaders[definition.name] = lambda options: _core.load_python(instance, options)
    _python_games.add(definition.name)
    _homes[definition.name] = home or definition.home
    return definition


def load_plugin(path: str | Path, *, home: type[Any] | None = None) -> str:
    """Loads a C++ game from a shared library and registers it (see docs/adding-a-game.md).

    Args:
        path: the shared library.
        home: a subclass of `tablier.games.Home` with the game's drawing, notation and messages.

    Returns:
        The name of the game.

    Raises:
        OSError: there is no such file, or it cannot be read.
        ValueError: the library is incomplete or not a valid plugin, or the name is invalid or already registered.
    """
    full = resolved(path)
    if not full.is_file():
        raise FileNotFoundError(f"plugin not found: {path}")
    if not is_complete(full):
        raise ValueError(f"the plugin cannot be opened: the file is incomplete: {path}; copy or compile it again")
    plugin = _core.open_plugin(os.fsencode(full))
    _check_name(plugin.name)
    _loaders[plugin.name] = plugin.load
    _homes[plugin.name] = home
    return plugin.name


def registered_home(name: str) -> type[Any] | None:
    """Returns the home with which a game was registered at run time, or None."""
    return _homes.get(name)


def registered_loader(name: str) -> object:
    """Returns what identifies a game registered at run time, or None. It changes if the game is registered again."""
    return _loaders.get(name)


def get_include() -> str:
    """Returns the include folder (compiler option -I) for C++ games outside this package."""
    return str(Path(_core.__file__).parent / "include")


def reload_game(name: str, options: dict[str, Any]) -> Game:
    """Unpickles a game."""
    return load_game(name, **options)


def reload_state(game: Game, data: bytes) -> State:
    """Unpickles a state."""
    return game.deserialize(data)


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,63}", name):
        raise ValueError(
            f"a game's name must start with a lower-case letter and contain only lower-case letters, digits and "
            f"underscores (at most 64 characters), not {name!r}"
        )
    if name in registered_games():
        raise ValueError(f"a game called '{name}' is already registered")
