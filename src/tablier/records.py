"""Writes and reads game records. Records from outside are never trusted: `load` replays and checks every action.

A game can define a notation (`Home.write_record`). Such a record starts with the line [Game "NAME"] or, as JSON, has
the keys "format" and "game". All other games use a small JSON object, {"game": ..., "options": {...}, "actions":
[...]}, with the options that differ from their defaults and all actions from the initial state, chance outcomes
included. An optional "header" names the players, the seed and so on. A game can also have formats of other programs
(`Home.foreign_formats`). `load` reads all of these.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tablier._core import Game
from tablier.games import home_of, home_type, home_types
from tablier.messages import Message, MessageError, reason_of
from tablier.record_format import checked_header, parsed_json, readable
from tablier.registry import load_game

__all__ = ["dump", "dump_for", "formats", "load", "load_header", "seat_keys"]

MAX_CHARACTERS, MAX_ACTIONS = 1_000_000, 100_000
MAX_NOTATION = 4 * MAX_CHARACTERS
"""Maximum length of a record in a game's notation, which as JSON is about three times as long as the text."""
KEYS = ("game", "options", "actions")
_FIRST_LINE = re.compile(r'\[Game "([^"]{0,100})"\]')


def dump(
    game: Game,
    actions: Iterable[int],
    header: Mapping[str, str] | None = None,
    *,
    as_json: bool = False,
    form: str | None = None,
) -> str:
    """Writes the record of a game, in the game's notation if it has one, otherwise as JSON.

    Args:
        game: the game that was played.
        actions: all actions from the initial state, chance outcomes included.
        header: information about the game, such as the players (`seat_keys`), a date or a seed.
        as_json: write JSON even if the game has a text notation.
        form: a format of other programs (`formats`), such as `sgf`.

    Raises:
        MessageError (a ValueError): an action is illegal, the header is invalid or the record is too long.

    Examples:
        >>> import tablier
        >>> record = dump(tablier.load_game("pig", win_score=20), [0, 4, 1])
        >>> json.loads(record)["options"]
        {'win_score': 20}
    """
    played = list(actions)
    if form is not None:
        if form not in formats(game):
            known = ", ".join(formats(game)) or Message("record.no_formats")
            raise MessageError.of("record.form", form=f"{form!r:.20}", game=game.name, known=known)
        return home_of(game).write_foreign(form, played, header or {})
    if (text := home_of(game).write_record(played, header or {}, as_json)) is not None:
        return text
    defaults = load_game(game.name).options()
    changed = {name: value for name, value in game.options().items() if value != defaults[name]}
    told = {"header": checked_header(header)} if header else {}
    text = json.dumps({"game": game.name, "options": changed, **told, "actions": _legal(game, played)}) + "\n"
    return readable(text, MAX_CHARACTERS)


def formats(game: Game) -> tuple[str, ...]:
    """Returns the formats of other programs in which records of a game can be written, by the suffix of their files."""
    return tuple(home_of(game).foreign_formats)


def dump_for(path: Path, game: Game, actions: Iterable[int], header: Mapping[str, str] | None = None) -> str:
    """Writes the record of a game in the format that the suffix of a file name asks for; otherwise as `dump`.

    `.json` is JSON, and each of the game's `formats` has its own suffix.
    """
    suffix = path.suffix.lower().removeprefix(".")
    form = suffix if suffix in formats(game) else None
    return dump(game, actions, header, as_json=suffix == "json", form=form)


def load(text: str | bytes) -> tuple[Game, tuple[int, ...]]:
    """Reads a record of any kind and replays it.

    Args:
        text: the record, as str or as UTF-8 bytes.

    Returns:
        The game with its options, and all actions, chance outcomes included.

    Raises:
        ValueError: the record is malformed, or an action is illegal.

    Examples:
        >>> game, actions = load('{"game": "pig", "options": {}, "actions": [0, 4, 1]}')
        >>> game, actions
        (tablier.load_game('pig', win_score=100), (0, 4, 1))
    """
    game, actions, _ = load_header(text)
    return game, actions


def load_header(text: str | bytes) -> tuple[Game, tuple[int, ...], dict[str, str]]:
    """Reads a record like `load` and also returns its header: the players (`seat_keys`), a date, a seed and so on.

    Args:
        text: the record, as str or as UTF-8 bytes.

    Returns:
        The game, all actions, and the header.

    Raises:
        ValueError: the record is malformed, or an action is illegal.
    """
    record = readable(text, MAX_NOTATION)
    for home in home_types():
        if home.recognises(record) and (found := home.read_record(record)):
            return found
    if not record.lstrip().startswith("{"):
        return _in_notation(_named_game(record), record)
    data = parsed_json(record)
    if "format" in data:
        return _in_notation(data.get("game"), record)
    readable(record, MAX_CHARACTERS)
    header = checked_header(data.pop("header", {}))
    return *_plain(data), header


def seat_keys(game: Game) -> tuple[str, ...]:
    """Returns the header keys that name the players, by seat.

    Examples:
        >>> from tablier.registry import DEFAULT_GAME
        >>> seat_keys(load_game(DEFAULT_GAME))
        ('White', 'Black')
    """
    return home_of(game).seat_keys()


def _named_game(record: str) -> str:
    """Reads the name of the game from the first line of a text record."""
    lines = ((number, line) for number, line in enumerate(record.split("\n"), 1) if line.strip())
    number, line = next(lines, (0, ""))
    if not number:
        raise MessageError.of("record.empty")
    if found := _FIRST_LINE.fullmatch(line.strip()):
        return found.group(1)
    raise MessageError.of("record.begins", number=number, text=repr(line if len(line) <= 160 else f"{line[:157]}..."))


def _in_notation(name: Any, record: str) -> tuple[Game, tuple[int, ...], dict[str, str]]:
    """Reads a record in the notation of a game."""
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
    """Replays the actions and returns them as integers; raises MessageError at the first illegal one."""
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
