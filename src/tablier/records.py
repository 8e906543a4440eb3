"""Records of any game: what was played, as text that can be read back and never has to be believed.

Trictrac has records of its own that people read (`tablier.games.trictrac.record`). Every other game is written as one
small JSON object, {"game": "pig", "options": {...}, "actions": [...]}: the options that differ from the default, and
all actions from the initial state, chance outcomes included; "header" may tell who played, and with which seed. `load`
reads all of these and plays them through.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from tablier._core import Game
from tablier.games.trictrac.record import GAMES as TRICTRAC
from tablier.games.trictrac.record import MAX_JSON_CHARACTERS, Record, checked_header
from tablier.registry import load_game

__all__ = ["dump", "load", "load_header", "seat_keys"]

MAX_CHARACTERS, MAX_ACTIONS = 1_000_000, 100_000
KEYS = ("game", "options", "actions")


def dump(game: Game, actions: Iterable[int], header: Mapping[str, str] | None = None, *, as_json: bool = False) -> str:
    """The record of a game from its initial state. Only Trictrac's has a text beside the JSON.

    >>> import tablier
    >>> print(dump(tablier.load_game("pig", win_score=20), [0, 4, 1]), end="")
    {"game": "pig", "options": {"win_score": 20}, "actions": [0, 4, 1]}
    """
    if game.name in TRICTRAC:
        record = Record.from_actions(game, actions, header)
        return record.json() if as_json else record.text()
    played = _played(game, list(actions))
    defaults = load_game(game.name).options()
    changed = {name: value for name, value in game.options().items() if value != defaults[name]}
    told = {"header": checked_header(header)} if header else {}
    text = json.dumps({"game": game.name, "options": changed, **told, "actions": played}) + "\n"
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"a record has at most {MAX_CHARACTERS} characters, not {len(text)}")
    return text


def load(text: str | bytes) -> tuple[Game, tuple[int, ...]]:
    """The game and the actions of a record of any kind, played through; ValueError tells what is wrong with it.

    >>> game, actions = load('{"game": "pig", "options": {}, "actions": [0, 4, 1]}')
    >>> game, actions
    (tablier.load_game('pig', win_score=100), (0, 4, 1))
    """
    game, actions, _ = load_header(text)
    return game, actions


def load_header(text: str | bytes) -> tuple[Game, tuple[int, ...], dict[str, str]]:
    """The same, and what the record tells about itself: who sat where (`seat_keys`), a date, a seed."""
    readable = _readable(text)
    if not readable.lstrip().startswith("{"):
        return _of_trictrac(Record.parse(readable))
    if len(readable) <= MAX_CHARACTERS:
        data = _json(readable)
        if "format" not in data:
            header = checked_header(data.pop("header", {}))
            return *_plain(data), header
    return _of_trictrac(Record.from_json(readable))


def seat_keys(game: Game) -> tuple[str, ...]:
    """The keys under which a record's header tells who sat where.

    >>> seat_keys(load_game("trictrac")), seat_keys(load_game("pig"))
    (('White', 'Black'), ('Player0', 'Player1'))
    """
    players = game.num_players()
    if game.name in TRICTRAC and players == 2:
        return "White", "Black"
    return tuple(f"Player{seat}" for seat in range(players))


def _of_trictrac(record: Record) -> tuple[Game, tuple[int, ...], dict[str, str]]:
    return load_game(record.game, **record.options), record.actions, dict(record.header)


def _readable(text: str | bytes) -> str:
    if not isinstance(text, str | bytes):
        raise ValueError(f"a record is text, not {type(text).__name__}")
    if len(text) > MAX_JSON_CHARACTERS:
        raise ValueError(f"a record has at most {MAX_JSON_CHARACTERS} characters, not {len(text)}")
    try:
        return text if isinstance(text, str) else text.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"a record is text in UTF-8: {error}") from None


def _json(text: str) -> dict[str, Any]:
    def no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a key stands twice in one object")
        return dict(pairs)

    try:
        data = json.loads(text, object_pairs_hook=no_duplicates)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"this is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise ValueError("a record is an object")
    return data


def _plain(data: dict[str, Any]) -> tuple[Game, tuple[int, ...]]:
    if sorted(data) != sorted(KEYS):
        raise ValueError(f"a record has the keys {', '.join(KEYS)}")
    name, options, actions = (data[key] for key in KEYS)
    if not isinstance(name, str):
        raise ValueError(f"a game's name is a text, not {name!r:.40}")
    if not isinstance(options, dict) or not all(isinstance(value, int | str) for value in options.values()):
        raise ValueError("the options are named values: numbers, true or false, texts")
    if not all(f"{key}{value}".isprintable() for key, value in options.items()) or not name.isprintable():
        raise ValueError("names and options are printable")
    if not isinstance(actions, list):
        raise ValueError("the actions are a list")
    if "name" in options:
        raise ValueError(f"{name[:60]} has no option 'name'")
    try:
        game = load_game(name[:100], **options)
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"{error!s:.300}") from None
    return game, tuple(_played(game, actions))


def _played(game: Game, actions: list[Any]) -> list[int]:
    """The actions, if they are legal one after the other."""
    if len(actions) > MAX_ACTIONS:
        raise ValueError(f"a record has at most {MAX_ACTIONS} actions, not {len(actions)}")
    state = game.new_initial_state()
    for index, action in enumerate(actions):
        if isinstance(action, bool | float | str):
            raise ValueError(f"action {index}: an action is a number, not {action!r:.40}")
        try:
            state.apply_action(action)
        except (ValueError, TypeError, OverflowError) as error:
            raise ValueError(f"action {index}: {error!s:.300}") from None
    return [int(action) for action in actions]
