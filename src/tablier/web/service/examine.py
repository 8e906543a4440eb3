"""Examines, repairs and exports a server's database: what `tablier doctor --database` does.

Where pages of the file are damaged, ids are searched for in ever smaller ranges, so that only the tables on those pages
are lost. `soundness` checks each table.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tablier import records
from tablier.paths import resolved
from tablier.web.service import database
from tablier.web.service.codes import spelled
from tablier.web.service.database import StoreError
from tablier.web.service.packing import pack
from tablier.web.service.rows import Damaged, read_story
from tablier.web.service.soundness import (
    Times,
    checked,
    columns_of,
    game_of,
    last_action,
    reader,
    rows_of,
    rules_of,
    sound_part,
)

LETTERS = "".join(sorted("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"))
"""The characters of a table's id, in the order of SQLite."""
LENGTH = 8
"""How many characters of an id count when ids are searched for around damaged pages."""
LOGS = ("-wal", "-shm")
"""What the names of the files that SQLite writes beside a database end in."""
LONGEST = 100
"""Characters in the name of an exported file, without its end."""
HALVINGS = 10
"""How often a range that seems to have damaged pages only is divided."""


@dataclass
class Report:
    """What was found in a database."""

    version: int
    size: int
    """Bytes of the file."""
    pages: str
    """What SQLite says about damaged pages; empty if there are none."""
    sound: list[str] = field(default_factory=list)
    """The ids of sound tables."""
    damaged: dict[str, str] = field(default_factory=dict)
    """Damaged tables, and what is wrong with each."""
    times: dict[str, Times] = field(default_factory=dict)
    """Sound tables of which `ended` or `touched` is wrong, and the values that `repair` writes instead."""

    @property
    def ok(self) -> bool:
        """Whether nothing is damaged."""
        return not (self.pages or self.damaged or self.times)


def examine(path: Path) -> Report:
    """Reads a whole database without changing it, and replays every game.

    Raises:
        StoreError: it is not a database of this server.
    """
    with closing(_opened(path)) as db:
        report = Report(database.check_owner(db, path), path.stat().st_size, database.damage(db))
        for tid in _ids(db):
            try:
                _, times = checked(db, tid)
                report.sound.append(tid)
                if times:
                    report.times[tid] = times
            except Damaged as error:
                report.damaged[tid] = str(error)
    return report


def repair(path: Path) -> tuple[Report, Path]:
    """Replaces a database by a new one that has its sound tables, packed and with the right times.

    Returns:
        What was found, and the path of the copy of the old file.

    Raises:
        StoreError: it is not a database of this server, or a server uses it.
    """
    _opened(path).close()
    path = resolved(path)  # its log is beside the file, not beside a link to it
    with closing(database.Lock(path)):
        report = examine(path)
        new = path.with_name(f"{path.name}.repaired")
        for end in ("", *LOGS):  # of a repair that was interrupted
            _beside(new, end).unlink(missing_ok=True)
        try:
            _copy_all(path, new, report)
        except sqlite3.Error as error:  # such as a full disk
            raise StoreError.of("store.unusable", path=str(new), problem=str(error)) from None
        kept = _beside(path, f".{time.strftime('%Y%m%d-%H%M%S')}")
        for end in ("", *LOGS):
            if _beside(path, end).exists():
                shutil.copy2(_beside(path, end), _beside(kept, end))
        for end in LOGS:  # they belong to the old file
            _beside(path, end).unlink(missing_ok=True)
        new.replace(path)
    return report, kept


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def _copy_all(path: Path, new: Path, report: Report) -> None:
    """Copies the sound tables into a new file; those that cannot be copied are damaged after all."""
    database.create(new)
    with closing(_opened(path)) as old, closing(database.open_to_write(new)) as db:
        database.update(db)
        db.execute("BEGIN IMMEDIATE")
        for row in rows_of(old, "SELECT name, value FROM facts"):
            db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", row)
        for tid in report.sound[:]:
            db.execute("SAVEPOINT one")
            try:
                _copy(old, db, tid, report.times.get(tid, {}))
            except (sqlite3.IntegrityError, OverflowError, TypeError) as error:
                db.execute("ROLLBACK TO one")
                report.sound.remove(tid)
                report.damaged[tid] = f"its row: {error}"
            db.execute("RELEASE one")
        _copy_libraries(old, db)
        db.execute("COMMIT")
        db.execute("PRAGMA journal_mode = DELETE")  # one file, complete, which can be renamed


def _copy_libraries(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    """Copies the libraries that can be reached from either end, up to a damaged page, and their games."""
    for part, key in (("libraries", "id"), ("shelved", "library")):
        for order in ("ASC", "DESC"):
            with suppress(sqlite3.DatabaseError):  # a file before version 4 has none
                for row in old.execute(f"SELECT * FROM {part} ORDER BY {key} {order}"):
                    with suppress(sqlite3.IntegrityError):  # a game of a library that is lost
                        new.execute(f"INSERT OR IGNORE INTO {part} VALUES ({', '.join('?' * len(row))})", row)


def export(path: Path, folder: Path) -> int:
    """Writes a record of every game that can be read into a folder; returns how many.

    Of a damaged game, the record has the actions before the damage, and its name ends in `-cut`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names: set[str] = set()
    with closing(_opened(path)) as db:
        database.check_owner(db, path)
        for tid in _ids(db):
            try:
                game, cut = game_of(*rules_of(db, tid)), ""
            except Damaged:
                continue
            if game is None:
                continue
            try:
                actions, _ = checked(db, tid)
            except Damaged:
                actions, cut = sound_part(db, tid, game), "-cut"
            text = records.dump(game, actions)
            end = "json" if text.startswith("{") else "txt"
            name = _file_name(game.name, tid, cut, names)
            names.add(name)
            (folder / f"{name}.{end}").write_text(text, encoding="utf-8")
    return len(names)


def _file_name(game: str, tid: str, cut: str, taken: set[str]) -> str:
    """Returns a name that can be written and is not taken, although an id from a damaged file can be anything."""
    name = re.sub(r"[^\w-]", "_", f"{game}-{tid}{cut}", flags=re.ASCII)
    if len(name) <= LONGEST and name not in taken:
        return name
    end = f"-{hashlib.sha256(tid.encode()).hexdigest()[:16]}{cut}"
    return name[: LONGEST - len(end)] + end


def _opened(path: Path) -> sqlite3.Connection:
    try:
        db = database.open_to_read(path)
        database.check_owner(db, path)
    except (sqlite3.Error, OSError) as error:
        raise StoreError.of("store.unusable", path=str(path), problem=str(error)) from None
    return db


def _ids(db: sqlite3.Connection) -> list[str]:
    """Returns the ids of all tables, or of those that can be reached, with damaged ids outside the usual range last."""
    most = len(LETTERS) ** LENGTH
    found = list(_ids_between(db, 0, most, HALVINGS))
    for sql, number in (("SELECT id FROM tables WHERE id < ?", 0), ("SELECT id FROM tables WHERE id >= ?", most)):
        found += _until_damage(db, sql, (_key(number),))[0]
    return found


def _ids_between(db: sqlite3.Connection, low: int, high: int, halvings: int) -> Iterator[str]:
    """Yields the ids in a range: from either end up to a damaged page, then the same for both halves of the rest."""
    sql = "SELECT id FROM tables WHERE id >= ? AND id < ? ORDER BY id"
    values = (_key(low), _key(high))
    first, is_whole = _until_damage(db, sql, values)
    yield from first
    if is_whole:
        return
    last, _ = _until_damage(db, f"{sql} DESC", values)
    yield from last
    low = _number(first[-1]) + 1 if first else low
    high = _number(last[-1]) if last else high
    if halvings and high - low > 1:
        middle = (low + high) // 2
        yield from _ids_between(db, low, middle, halvings - 1)
        yield from _ids_between(db, middle, high, halvings - 1)


def _until_damage(db: sqlite3.Connection, sql: str, values: tuple[str, ...]) -> tuple[list[str], bool]:
    """Returns the ids that a query finds before a damaged page, and whether it found them all."""
    found: list[str] = []
    try:
        for (tid,) in db.execute(sql, values):
            found.append(str(tid))
    except sqlite3.DatabaseError:
        return found, False
    return found, True


def _key(number: int) -> str:
    """Returns the smallest id of a part of the range of ids; numbers and ids have the same order."""
    if number >= len(LETTERS) ** LENGTH:
        return "\x7f"
    return spelled(number, LENGTH, LETTERS)


def _number(tid: str) -> int:
    """Returns the part of the range of ids that an id belongs to."""
    number = 0
    for letter in tid[:LENGTH].ljust(LENGTH, LETTERS[0]):
        number = number * len(LETTERS) + max(0, LETTERS.find(letter))
    return number


def _copy(old: sqlite3.Connection, new: sqlite3.Connection, tid: str, times: Times) -> None:
    """Copies a sound table, with its actions packed and its times corrected."""
    names = ", ".join(columns_of(old))
    (values,) = old.execute(f"SELECT {names} FROM tables WHERE id = ?", (tid,)).fetchall()
    new.execute(f"INSERT INTO tables ({names}) VALUES ({', '.join('?' * len(values))})", values)
    actions, _ = read_story(reader(old), tid)
    new.execute("INSERT INTO packed VALUES (?, ?)", (tid, pack(actions)))
    for at in last_action(old, tid):
        times = {**times, "touched": at}
    for name, value in times.items():
        new.execute(f"UPDATE tables SET {name} = ? WHERE id = ?", (value, tid))
    for part in ("notes", "gestures", "reviews"):
        for row in rows_of(old, f"SELECT * FROM {part} WHERE tid = ?", (tid,)):
            new.execute(f"INSERT INTO {part} VALUES ({', '.join('?' * len(row))})", row)
