"""Checks whether a table in the database is sound, also in old files and around damaged pages.

A table is sound if its rows can be read, its actions are legal from the first to the last, and its dice follow from its
seed. When it ended and when it was last touched can be derived from the rest, so they may be wrong in a sound table.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from typing import Any

from tablier._core import Game, State
from tablier.registry import load_game, registered_games
from tablier.web.service import audit
from tablier.web.service.gestures import Gesture, standing
from tablier.web.service.packing import unpack
from tablier.web.service.players import RECORD
from tablier.web.service.rows import Damaged, Row, from_json, is_time, read_gestures, read_story, read_table

COLUMNS = (
    "id",
    "game",
    "options",
    "seats",
    "tokens",
    "tutor",
    "seed",
    "created",
    "ended",
    "address",
    "network",
    "touched",
)
Times = dict[str, float | None]
"""Values for the columns `ended` and `touched`, or one of them."""


def rows_of(db: sqlite3.Connection, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Executes a query; returns nothing if it fails, because old files lack some tables and damaged ones some rows."""
    try:
        return db.execute(sql, values).fetchall()
    except sqlite3.Error:
        return []


def reader(db: sqlite3.Connection) -> Any:
    """Returns a function that reads rows; a table that an old file does not have is empty."""
    names = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}

    def read(sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        lacks = any(f"FROM {name} " in sql and name not in names for name in ("packed", "gestures"))
        return [] if lacks else db.execute(sql, values).fetchall()

    return read


def _row(db: sqlite3.Connection, tid: str) -> Row:
    row = read_table(reader(db), tid, "'', ''")
    if row is None:
        raise Damaged("its row cannot be found")
    return row


def rules_of(db: sqlite3.Connection, tid: str) -> tuple[str, dict[str, Any]]:
    """Returns the name of a table's game and its options, which can be sound in a damaged row."""
    for name, options in rows_of(db, "SELECT game, options FROM tables WHERE id = ?", (tid,)):
        try:
            return name, dict(from_json(options))
        except (ValueError, TypeError, RecursionError) as error:
            raise Damaged(f"its rules: {error}") from None
    raise Damaged("its row cannot be found")


def game_of(name: str, options: dict[str, Any]) -> Game | None:
    """Returns the game of a table; None if it is not installed here."""
    if name not in registered_games():
        return None
    try:
        return load_game(name, **options)
    except Exception as error:  # a game written in Python can raise anything
        raise Damaged(f"its rules: {error}") from None


def checked(db: sqlite3.Connection, tid: str) -> tuple[list[int], Times]:
    """Returns the actions of a table, and its times if they are wrong; raises Damaged if it is not sound."""
    db.execute("BEGIN")  # a server may be writing: everything must be of the same moment
    try:
        row = _row(db, tid)
        written, _ = read_story(reader(db), tid)
        made = read_gestures(reader(db), tid)
        times = _times(db, tid)
        last = max([row.created, *filter(is_time, times.values()), *last_action(db, tid), *(one.at for one in made)])
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")
    try:
        actions = [written[n] for n in standing(written, made)]
    except ValueError as error:
        raise Damaged(f"its gestures: {error}") from None
    return actions, _corrected(times, _is_over(row, actions, made), last)


def _is_over(row: Row, actions: list[int], made: list[Gesture]) -> bool | None:
    """Returns whether a game is over, None if it is not installed here; raises Damaged if it is not sound."""
    game = game_of(row.game, row.options)
    if game is None:
        return None
    state, legal = _replayed(game, actions)
    if legal < len(actions):
        raise Damaged(f"its actions: number {legal} is not legal")
    try:
        stray = audit.first_stray(row.seed, audit.rolls(game, actions)) if row.seed else None
        is_over = state.is_terminal()
    except Exception as error:  # a game written in Python can raise anything
        raise Damaged(f"its rules: {error}") from None
    if stray is not None:
        raise Damaged(f"its dice: action {stray} does not follow from its seed")
    return is_over or set(row.seats) == {RECORD} or any(one.kind in ("resign", "time") for one in made)


def _times(db: sqlite3.Connection, tid: str) -> dict[str, Any]:
    """Returns the columns `ended` and `touched` of a table, whatever is in them."""
    names = [name for name in ("ended", "touched") if name in columns_of(db)]
    for values in rows_of(db, f"SELECT {', '.join(names)} FROM tables WHERE id = ?", (tid,)):
        return dict(zip(names, values, strict=True))
    return {}


def last_action(db: sqlite3.Connection, tid: str) -> list[float]:
    """Returns when the last action of a table was played, unless its actions are packed."""
    found = rows_of(db, "SELECT at FROM actions WHERE tid = ? ORDER BY n DESC LIMIT 1", (tid,))
    return [at for (at,) in found if is_time(at)]


def _corrected(times: dict[str, Any], is_over: bool | None, last: float) -> Times:
    """Returns the times that are wrong as they should be; `last` is when something last happened at the table."""
    wrong: Times = {name: last for name, at in times.items() if at is not None and not is_time(at)}
    if is_over is not None and is_over == (times.get("ended") is None):
        wrong["ended"] = last if is_over else None
    return wrong


def _replayed(game: Game, actions: list[int]) -> tuple[State, int]:
    """Returns the state before the first illegal action, or at the end, and the number of legal actions."""
    state = game.new_initial_state()
    for n, action in enumerate(actions):
        try:
            state = state.child(action)
        except Exception:  # a game written in Python can raise anything
            return state, n
    return state, len(actions)


def sound_part(db: sqlite3.Connection, tid: str, game: Game) -> list[int]:
    """Returns the actions of a damaged table before the damage."""
    actions: list[int] = []
    for (packed,) in rows_of(db, "SELECT actions FROM packed WHERE tid = ?", (tid,)):
        with suppress(ValueError):
            actions = unpack(packed)
    while row := rows_of(db, "SELECT action FROM actions WHERE tid = ? AND n = ?", (tid, len(actions))):
        if not isinstance(row[0][0], int):
            break
        actions.append(row[0][0])
    return actions[: _replayed(game, actions)[1]]


def columns_of(db: sqlite3.Connection) -> list[str]:
    """Returns the columns of `tables`; old files do not have all of them."""
    known = {row[1] for row in db.execute("PRAGMA table_info(tables)")}
    return [name for name in COLUMNS if name in known]
