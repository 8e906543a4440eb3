"""Records of any game: what was played, as text that can be read back and never has to be believed.

A game may have a notation of its own (`Home.write_record`); then the first line is [Game "NAME"], or in JSON there are
the keys "format" and "game". Every other game is written as one small JSON object, {"game": ..., "options": {...},
"actions": [...]}: the options that differ from the default, and all actions from the initial state, chance outcomes
included; "header" may tell who played, and with which seed. `load` reads all of these and plays them through.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from tablier._core import Game
from tablier.games import home_of, home_type
from tablier.messages import Message, MessageError, reason_of
from tablier.record_format import checked_header, parsed_json, readable
from tablier.registry import load_game

__all__ = ["dump", "load", "load_header", "seat_keys"]

MAX_CHARACTERS, MAX_ACTIONS = 1_000_000, 100_000
MAX_NOTATION = 4 * MAX_CHARACTERS
"""A game's own notation in JSON is about three times longer than its text."""
KEYS = ("game", "options", "actions")
_FIRST_LINE = re.compile(r'\[Game "([^"]{0,100})"\]')


def dump(game: Game, actions: Iterable[int], header: Mapping[str, str] | None = None, *, as_json: bool = False) -> str:
    """The record of a game from its initial state: in the game's own notation, if it has one, else as JSON.

    >>> import tablier
    >>> record = dump(tablier.load_game("pig", win_score=20), [0, 4, 1])
    >>> json.loads(record)["options"]
    {'win_score': 20}
    """
    played = list(actions)
    if (text := home_of(game).write_record(played, header or {}, as_json)) is not None:
        return text
    defaults = load_game(game.name).options()
    changed = {name: value for name, value in game.options().items() if value != defaults[name]}
    told = {"header": checked_header(header)} if header else {}
    text = json.dumps({"game": game.name, "options": changed, **told, "actions": _legal(game, played)}) + "\n"
    return readable(text, MAX_CHARACTERS)


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
    record = readable(text, MAX_NOTATION)
    if not record.lstrip().startswith("{"):
        return _in_notation(_named_game(record), record)
    data = parsed_json(record)
    if "format" in data:
        return _in_notation(data.get("game"), record)
    readable(record, MAX_CHARACTERS)
    header = checked_header(data.pop("header", {}))
    return *_plain(data), header


def seat_keys(game: Game) -> tuple[str, ...]:
    """The keys under which a record's header tells who sat where.

    >>> seat_keys(load_game("trictrac")), seat_keys(load_game("pig"))
    (('White', 'Black'), ('Player0', 'Player1'))
    """
    return home_of(game).seat_keys()


def _named_game(record: str) -> str:
    """The game that the first line of a text names."""
    lines = ((number, line) for number, line in enumerate(record.split("\n"), 1) if line.strip())
    number, line = next(lines, (0, ""))
    if not number:
        raise MessageError.of("record.empty")
    if found := _FIRST_LINE.fullmatch(line.strip()):
        return found.group(1)
    raise MessageError.of("record.begins", number=number, text=repr(line if len(line) <= 160 else f"{line[:157]}..."))


def _in_notation(name: Any, record: str) -> tuple[Game, tuple[int, ...], dict[str, str]]:
    """Read by the game's own home."""
    game = load_game(_game_name(name))
    found = home_type(game.name).read_record(record)
    if found is None:
        raise MessageError.of("record.no_notation", game=game.name, keys=", ".join(KEYS))
    return found


def _game_name(name: Any) -> str:
    if not isinstance(name, str):
        raise MessageError.of("record.game_name", value=f"{name!r:.40}")
    if not name.isprintable():
        raise MessageError.of("record.printable")
    return name[:100]


def _plain(data: dict[str, Any]) -> tuple[Game, tuple[int, ...]]:
    if sorted(data) != sorted(KEYS):
        raise MessageError.of("record.keys", keys=", ".join(KEYS))
    name, options, actions = (data[key] for key in KEYS)
    if not isinstance(options, dict) or not all(isinstance(value, int | str) for value in options.values()):
        raise MessageError.of("record.options")
    if not all(f"{key}{value}".isprintable() for key, value in options.items()):
        raise MessageError.of("record.printable")
    if not isinstance(actions, list):
        raise MessageError.of("record.actions_list")
    if "name" in options:
        raise MessageError.of("record.no_option", game=_game_name(name)[:60], option="name")
    try:
        game = load_game(_game_name(name), **options)
    except MessageError:
        raise
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"{error!s:.300}") from None
    return game, tuple(_legal(game, actions))


def _legal(game: Game, actions: list[Any]) -> list[int]:
    """The actions, if they are legal one after the other."""
    if len(actions) > MAX_ACTIONS:
        raise MessageError.of("record.too_many_actions", most=MAX_ACTIONS, length=len(actions))
    state = game.new_initial_state()
    for number, action in enumerate(actions):
        if isinstance(action, bool | float | str):
            reason = Message("record.action_number", value=f"{action!r:.40}")
            raise MessageError.of("record.action", number=number, reason=reason)
        try:
            state.apply_action(action)
        except (ValueError, TypeError, OverflowError) as error:
            raise MessageError.of("record.action", number=number, reason=reason_of(error)) from None
    return [int(action) for action in actions]
