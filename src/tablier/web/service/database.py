"""Opens the server's SQLite file: recognises it before anything is written, locks it and updates its schema.

A file of another program, of a later version or with damaged pages is refused and stays as it is. The lock is a second
file, `<name>.lock`, on which the running server holds an SQLite lock: the operating system releases it when the process
ends, however it ends.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from tablier import locks
from tablier.messages import MessageError
from tablier.paths import resolved

APPLICATION = 0x54424C57
"""`PRAGMA application_id` of the file: "TBLW". Files before format 3 have 0."""
FORMAT = 4
"""The version of the schema. Version 1 stored notes and reviews as text instead of messages; version 2 knew neither
packed games, nor gestures, nor who stored a table; version 3 had no libraries."""
TABLES = {
    "tables": "id, game, options, seats, tokens, tutor, seed, created, ended",
    "actions": "tid, n, action, who, at",
    "notes": "tid, n, text",
    "reviews": "tid, n, result",
}
"""The columns that every version has."""
SCHEMA = (
    """CREATE TABLE IF NOT EXISTS tables (
      id TEXT PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL, seats TEXT NOT NULL, tokens TEXT NOT NULL,
      tutor INTEGER NOT NULL, seed TEXT NOT NULL, created REAL NOT NULL, ended REAL
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS actions (
      tid TEXT NOT NULL REFERENCES tables (id), n INTEGER NOT NULL, action INTEGER NOT NULL, who INTEGER NOT NULL,
      at REAL NOT NULL, PRIMARY KEY (tid, n)
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS packed (
      tid TEXT PRIMARY KEY REFERENCES tables (id), actions BLOB NOT NULL
    ) WITHOUT ROWID""",
    "CREATE TABLE IF NOT EXISTS notes (tid TEXT NOT NULL, n INTEGER NOT NULL, text TEXT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS notes_of ON notes (tid)",
    """CREATE TABLE IF NOT EXISTS gestures (
      tid TEXT NOT NULL REFERENCES tables (id), n INTEGER NOT NULL, kind TEXT NOT NULL, seat INTEGER NOT NULL,
      value TEXT NOT NULL, written INTEGER NOT NULL, at REAL NOT NULL, PRIMARY KEY (tid, n)
    ) WITHOUT ROWID""",
    "CREATE TABLE IF NOT EXISTS reviews (tid TEXT PRIMARY KEY, n INTEGER NOT NULL, result TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE IF NOT EXISTS libraries (
      id TEXT PRIMARY KEY, created REAL NOT NULL, opened REAL NOT NULL, address TEXT NOT NULL, network TEXT NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS shelved (
      library TEXT NOT NULL REFERENCES libraries (id), tid TEXT NOT NULL, facts BLOB NOT NULL,
      PRIMARY KEY (library, tid)
    ) WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS shelved_of ON shelved (tid)",
    "CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)
ADDED = {
    "address": "TEXT NOT NULL DEFAULT ''",
    "network": "TEXT NOT NULL DEFAULT ''",
    "touched": "REAL",
}
"""Columns of `tables` since version 3: who stored it, as keyed hashes, and when the last packed action was played."""
INDEXES = (
    "DROP INDEX IF EXISTS tables_open",
    "CREATE INDEX IF NOT EXISTS tables_begun ON tables (created, network, address) WHERE ended IS NULL",
)


class StoreError(MessageError):
    """Raised when the database file cannot be used."""


def recognise(path: Path) -> None:
    """Checks that a file is a sound database of this server, or new; writes nothing.

    Raises:
        StoreError: it belongs to another program or a later version, is damaged, has a second name, or cannot be read.
    """
    if not path.exists() or (path.stat().st_size == 0 and not _has_log(path)):
        return
    if path.stat().st_nlink > 1:
        raise StoreError.of("store.linked", path=str(path))
    db = None
    try:
        db = open_to_read(path)
        check_owner(db, path)
        problem = damage(db)
    except sqlite3.Error as error:
        raise StoreError.of("store.unusable", path=str(path), problem=str(error)) from None
    finally:
        if db:
            db.close()
    if problem:
        raise StoreError.of("store.damaged", path=str(path), problem=problem)


def open_to_read(path: Path) -> sqlite3.Connection:
    """Opens a file so that nothing can be written; without a write-ahead log, not even a lock is taken."""
    mode = "mode=ro" if _has_log(path) else "immutable=1"
    return _connected(f"{resolved(path).as_uri()}?{mode}")


def _connected(uri: str) -> sqlite3.Connection:
    db = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=10)
    db.text_factory = lambda text: text.decode("utf-8", "replace")  # a damaged text must not hide the other rows
    return db


def _has_log(path: Path) -> bool:
    path = resolved(path)
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def check_owner(db: sqlite3.Connection, path: Path) -> int:
    """Returns the version of a database of this server; 0 if it is empty.

    Raises:
        StoreError: it belongs to another program or to a later version.
        sqlite3.Error: it is no database.
    """
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    names = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if application not in (0, APPLICATION) or (names and not _is_ours(db, names)):
        raise StoreError.of("store.foreign", path=str(path))
    if version > FORMAT:
        raise StoreError.of("store.version", path=str(path), version=version)
    return int(version)


def _is_ours(db: sqlite3.Connection, names: set[str]) -> bool:
    """Returns whether the tables of every version are there, with their columns."""
    return set(TABLES) <= names and all(
        set(columns.split(", ")) <= _columns(db, name) for name, columns in TABLES.items()
    )


def _columns(db: sqlite3.Connection, table: str) -> set[str]:
    return {row[1] for row in db.execute(f"PRAGMA table_info({table})")}


def damage(db: sqlite3.Connection) -> str:
    """Returns what SQLite's check of all pages finds, or which columns are missing; empty if the file is sound."""
    try:
        found = [text for (text,) in db.execute("PRAGMA quick_check(5)")]
        (version,) = db.execute("PRAGMA user_version").fetchone()
    except sqlite3.DatabaseError as error:
        return str(error)
    if found != ["ok"]:
        return "; ".join(" ".join(text.split()) for text in found)
    return _missing_columns(db) if version == FORMAT else ""


def _missing_columns(db: sqlite3.Connection) -> str:
    """Names what a database of this version lacks: the pages are sound, but their schema may have been changed."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as model:
        update(model)
        names = [name for (name,) in model.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        lacks = {name: sorted(_columns(model, name) - _columns(db, name)) for name in names}
    return "; ".join(f"{name} has no column {', '.join(columns)}" for name, columns in lacks.items() if columns)


class Lock:
    """Keeps a database, which it creates if necessary, to this process until `close`.

    Two locks, because each can be evaded: the file `.lock` beside it may be deleted, and the database itself may be
    replaced. Close it after all connections: a process that closes any descriptor of a file loses SQLite's locks on it.

    Raises:
        StoreError: another server uses the file.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._beside = sqlite3.connect(
                f"{resolved(path)}.lock", timeout=0, isolation_level=None, check_same_thread=False
            )
            self._beside.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            if "locked" in str(error):
                raise StoreError.of("store.in_use", path=str(path)) from None
            raise StoreError.of("store.unusable", path=f"{path}.lock", problem=str(error)) from None
        self._path = path
        try:
            create(path)
            self._file = os.open(path, os.O_RDWR)
        except OSError:
            self._beside.close()
            raise
        try:
            locks.acquire(self._file)
        except OSError:
            self.close()
            raise StoreError.of("store.in_use", path=str(path)) from None

    def holds(self) -> bool:
        """Returns whether the locked file is still the one at its path: nothing else would be read after a restart."""
        try:
            return os.path.samestat(self._path.stat(), os.fstat(self._file))
        except OSError:
            return False

    def close(self) -> None:
        """Lets other processes use the database."""
        os.close(self._file)
        self._beside.close()


def create(path: Path) -> None:
    """Creates a database file, unless it exists, that only its owner can read: it contains the seeds of the dice."""
    with suppress(FileExistsError):  # then it is not even opened: see `Lock`
        os.close(os.open(resolved(path), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def open_to_write(path: Path) -> sqlite3.Connection:
    """Opens a database that exists and whose owner is known."""
    db = _connected(f"{resolved(path).as_uri()}?mode=rw")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA foreign_keys = ON")
    return db


def update(db: sqlite3.Connection) -> None:
    """Creates the schema, or updates that of an earlier version, in one transaction."""
    db.execute("BEGIN IMMEDIATE")
    for statement in SCHEMA:
        db.execute(statement)
    known = _columns(db, "tables")
    for name, kind in ADDED.items():
        if name not in known:
            db.execute(f"ALTER TABLE tables ADD COLUMN {name} {kind}")
    for statement in INDEXES:
        db.execute(statement)
    db.execute("INSERT OR IGNORE INTO facts VALUES ('salt', ?)", (secrets.token_hex(16),))
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    db.execute(f"PRAGMA user_version = {FORMAT}")
    db.execute("COMMIT")
