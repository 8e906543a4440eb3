"""Reads the rows of a table, and checks everything that is in them: a damaged row must cost its own table alone."""

from __future__ import annotations

import json
import math
import re
import sqlite3
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tablier.messages import Message, everywhere
from tablier.registry import load_game
from tablier.web.service.gestures import Gesture, is_sound
from tablier.web.service.packing import unpack
from tablier.web.service.players import RECORD

HASH = re.compile("[0-9a-f]{64}")
"""The hash of a token."""
SEED = re.compile("[0-9a-f]{64}|given [0-9]{1,16}")
"""The seed of a table's dice: a secret one, or one that its creator chose. Uploaded records have none."""

Read = Callable[..., list[tuple[Any, ...]]]
"""Executes a query with its values and returns the rows."""


class Damaged(ValueError):
    """Raised when a table cannot be read, because its rows are damaged."""


@dataclass(frozen=True)
class Row:
    """A table as it was created."""

    id: str
    game: str
    options: dict[str, Any]
    seats: list[str]
    tokens: list[str | None]
    """Hashes of the seats' tokens; None for seats that are not human."""
    tutor: bool
    seed: str
    """Determines all dice of the table; it never leaves the server."""
    created: float
    address: str = ""
    network: str = ""
    """Who stored it, as keyed hashes (`Store.keyed`)."""


def read_table(read: Read, tid: str, origin: str = "address, network") -> Row | None:
    """Reads the row of a table (`Store.table`); files before version 3 do not have the columns of `origin`."""
    names = f"id, game, options, seats, tokens, tutor, seed, created, {origin}"
    try:
        rows = read(f"SELECT {names} FROM tables WHERE id = ?", (tid,))
        if not rows:
            return None
        one, game, options, seats, tokens, tutor, *rest = rows[0]
        row = Row(one, game, from_json(options), from_json(seats), from_json(tokens), tutor == 1, *rest)
    except (sqlite3.Error, ValueError, TypeError, RecursionError) as error:
        raise Damaged(f"its row: {error}") from None
    if tutor not in (0, 1) or not _has_types(row) or len(row.seats) != len(row.tokens):
        raise Damaged("its row: a value has the wrong type")
    if not all(token is None or HASH.fullmatch(token) for token in row.tokens):
        raise Damaged("its row: a token is not a hash")
    is_record = set(row.seats) == {RECORD}
    if not (row.seed == "" if is_record else SEED.fullmatch(row.seed)):
        raise Damaged("its row: the seed of its dice is damaged")
    players = _players(row)
    if players not in (None, len(row.seats)):
        raise Damaged(f"its row: {len(row.seats)} seats in a game for {players}")
    return row


def from_json(text: str | bytes) -> Any:
    """Parses JSON from a row; raises ValueError if no answer can contain it: a NaN, or half a surrogate pair."""
    found = json.loads(text)
    json.dumps(found, ensure_ascii=False, allow_nan=False).encode()
    return found


def _has_types(row: Row) -> bool:
    texts = (row.id, row.game, row.seed, row.address, row.network)
    return (
        all(isinstance(text, str) for text in texts)
        and is_time(row.created)
        and isinstance(row.options, dict)
        and isinstance(row.seats, list)
        and all(isinstance(seat, str) for seat in row.seats)
        and isinstance(row.tokens, list)
        and all(isinstance(token, str | None) for token in row.tokens)
    )


def is_time(value: object) -> bool:
    """Returns whether a value is a time in seconds."""
    return isinstance(value, float) and math.isfinite(value)


def _players(row: Row) -> int | None:
    """Returns the number of players of a table's game; None if the game or its rules are unknown here."""
    try:
        return load_game(row.game, **row.options).num_players()
    except (ValueError, TypeError):
        return None
    except Exception as error:  # a game written in Python can raise anything
        raise Damaged(f"its rules: {error}") from None


def read_story(read: Read, tid: str) -> tuple[list[int], list[tuple[int, dict[str, str]]]]:
    """Reads the actions and notes of a table (`Store.story`)."""
    try:
        packed = read("SELECT actions FROM packed WHERE tid = ?", (tid,))
        actions = unpack(packed[0][0]) if packed else []
        sql = "SELECT n, action, at FROM actions WHERE tid = ? AND n >= ? ORDER BY n"
        for n, action, at in read(sql, (tid, len(actions))):
            if n != len(actions) or not isinstance(action, int):
                raise ValueError(f"action {len(actions)} is missing")
            if not is_time(at):
                raise ValueError(f"the time of action {n} is not a number")
            actions.append(action)
    except (sqlite3.Error, ValueError, TypeError) as error:
        raise Damaged(f"its actions: {error}") from None
    try:
        notes = read("SELECT n, text FROM notes WHERE tid = ? ORDER BY rowid", (tid,))
        if not all(isinstance(n, int) and n >= 0 for n, _ in notes):
            raise ValueError("a version is not a number")
        return actions, [(n, _in_words(from_json(text))) for n, text in notes]
    except (sqlite3.Error, ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise Damaged(f"its notes: {error}") from None


def read_gestures(read: Read, tid: str) -> list[Gesture]:
    """Reads the gestures of a table (`Store.gestures`)."""
    sql = "SELECT n, kind, seat, value, written, at FROM gestures WHERE tid = ? ORDER BY n"
    types = (int, str, int, str, int, float)
    try:
        rows = read(sql, (tid,))
        if not rows:
            return []
        seats = len(json.loads(read("SELECT seats FROM tables WHERE id = ?", (tid,))[0][0]))
    except (sqlite3.Error, ValueError, TypeError, IndexError, RecursionError) as error:
        raise Damaged(f"its gestures: {error}") from None
    if not all(isinstance(value, kind) for row in rows for value, kind in zip(row, types, strict=True)):
        raise Damaged("its gestures: a value has the wrong type")
    if [row[0] for row in rows] != list(range(len(rows))):
        raise Damaged("its gestures: one is missing")
    made = [Gesture(*row[1:]) for row in rows]
    for n, one in enumerate(made):
        if not is_sound(one, seats):
            raise Damaged(f"its gestures: number {n} ({one.kind[:20]!r}) has an impossible seat, value or time")
    return made


def read_seats(text: str) -> set[str]:
    """Returns the players of a table; none if the row is damaged."""
    try:
        return {str(seat) for seat in json.loads(text)}
    except (ValueError, TypeError, RecursionError):
        return set()


def read_review(kept: bytes | str) -> dict[str, Any]:
    """Returns a stored review. Before version 3 they were not compressed."""
    found: dict[str, Any] = from_json(zlib.decompress(kept) if isinstance(kept, bytes) else kept)
    if not isinstance(found, dict):
        raise ValueError("a review is not an object")
    return found


def _in_words(note: Any) -> dict[str, str]:
    """Translates a note into every language. Notes of version 1 are already translated."""
    if not isinstance(note, dict) or not note:
        raise ValueError("a note is not a message")
    if "code" not in note:
        if not all(isinstance(text, str) for text in note.values()):
            raise ValueError("a note is not a text")
        return note
    if not all(isinstance(value, str | int | float) for value in note["params"].values()):
        raise ValueError("a parameter is not a text or a number")
    return everywhere(Message(note["code"], **note["params"]))
