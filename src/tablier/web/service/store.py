"""Stores games in an SQLite file. Once `commit` returns, the data survives a kill or a power failure.

A table is a row, and its actions are rows that are added and never changed. A single thread writes, and concurrent
requests share a commit, because each commit costs a sync to disk (a few milliseconds). With WAL and synchronous=FULL,
readers do not wait for the writer, and a commit is on disk when it returns.
"""

from __future__ import annotations

import asyncio
import json
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablier.messages import Message, MessageError, everywhere, portable

FORMAT = 2
"""The version of the schema. Version 1 stored notes and reviews as text instead of messages."""
MOST_TOGETHER = 500
"""Maximum number of requests per commit."""
MOST_ROWS = 500
"""Maximum number of actions per statement."""
SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (
  id TEXT PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL, seats TEXT NOT NULL, tokens TEXT NOT NULL,
  tutor INTEGER NOT NULL, seed TEXT NOT NULL, created REAL NOT NULL, ended REAL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS actions (
  tid TEXT NOT NULL REFERENCES tables (id), n INTEGER NOT NULL, action INTEGER NOT NULL, who INTEGER NOT NULL,
  at REAL NOT NULL, PRIMARY KEY (tid, n)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS notes (tid TEXT NOT NULL, n INTEGER NOT NULL, text TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS notes_of ON notes (tid);
CREATE TABLE IF NOT EXISTS reviews (tid TEXT PRIMARY KEY, n INTEGER NOT NULL, result TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS tables_open ON tables (created) WHERE ended IS NULL;
"""
CHANCE = -1
"""The player of a chance outcome."""

Statement = tuple[str, Sequence[Any]]


class StoreError(MessageError):
    """Raised when the database file cannot be used."""


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


class Store:
    """The database. Call `commit` only from the event loop, other methods from any thread."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))  # private: it contains the seeds of the dice
            self._db = self._open()
            self._db.executescript(SCHEMA)
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if version > FORMAT:
                raise StoreError.of("store.version", path=str(path), version=version)
            self._db.execute(f"PRAGMA user_version = {FORMAT}")
        except (sqlite3.Error, OSError) as error:
            raise StoreError.of("store.unusable", path=str(path), problem=str(error)) from None
        self._reader = self._open()
        self._reading = threading.Lock()
        self._waiting: queue.SimpleQueue[tuple[list[Statement], Future[None]] | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="store", daemon=True)
        self._writer.start()

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=10)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        return db

    def close(self) -> None:
        """Finishes pending writes and closes the file."""
        self._waiting.put(None)
        self._writer.join()
        self._db.close()
        self._reader.close()

    async def commit(self, *statements: Statement) -> None:
        """Executes statements in one transaction; returns when it is on disk, or raises and changes nothing."""
        done: Future[None] = Future()
        self._waiting.put((list(statements), done))
        await asyncio.wrap_future(done)

    def _write(self) -> None:
        while (first := self._waiting.get()) is not None:
            batch = [first]
            while len(batch) < MOST_TOGETHER and not self._waiting.empty():
                one = self._waiting.get()
                if one is None:
                    self._waiting.put(None)
                    break
                batch.append(one)
            self._write_together(batch)

    def _write_together(self, batch: list[tuple[list[Statement], Future[None]]]) -> None:
        """Commits a batch together; if that fails, commits each request separately, so that only the bad one fails."""
        problem = self._transaction([statement for statements, _ in batch for statement in statements])
        for statements, done in batch:
            own = self._transaction(statements) if problem and len(batch) > 1 else problem
            if not done.set_running_or_notify_cancel():
                continue
            if own:
                done.set_exception(own)
            else:
                done.set_result(None)

    def _transaction(self, statements: list[Statement]) -> sqlite3.Error | None:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for sql, values in statements:
                self._db.execute(sql, values)
            self._db.execute("COMMIT")
        except sqlite3.Error as error:  # such as a full disk
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            return error
        return None

    def _read(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._reading:
            return self._reader.execute(sql, values).fetchall()

    def table(self, tid: str) -> Row | None:
        """Returns the table with this id, or None."""
        names = "id, game, options, seats, tokens, tutor, seed, created"
        rows = self._read(f"SELECT {names} FROM tables WHERE id = ?", (tid,))
        if not rows:
            return None
        one, game, options, seats, tokens, tutor, seed, created = rows[0]
        return Row(one, game, json.loads(options), json.loads(seats), json.loads(tokens), bool(tutor), seed, created)

    def story(self, tid: str) -> tuple[list[int], list[tuple[int, dict[str, str]]]]:
        """Returns the actions of a table in order, and its notes as (version, text by language)."""
        actions = self._read("SELECT action FROM actions WHERE tid = ? ORDER BY n", (tid,))
        notes = self._read("SELECT n, text FROM notes WHERE tid = ? ORDER BY rowid", (tid,))
        return [action for (action,) in actions], [(n, _in_words(json.loads(text))) for n, text in notes]

    def review(self, tid: str, n: int) -> dict[str, Any] | None:
        """Returns the review of a table's first n actions, or None."""
        rows = self._read("SELECT result FROM reviews WHERE tid = ? AND n = ?", (tid, n))
        return json.loads(rows[0][0]) if rows else None

    def unfinished_since(self, begun: float) -> int:
        """Returns the number of unfinished tables created since then (Unix time)."""
        return int(self._read("SELECT count(*) FROM tables WHERE ended IS NULL AND created > ?", (begun,))[0][0])

    def waiting(self, begun: float, limit: int) -> list[str]:
        """Returns unfinished tables created since then that have a computer player, newest first."""
        sql = "SELECT id, seats FROM tables WHERE ended IS NULL AND created > ? ORDER BY created DESC"
        rows = ((tid, set(json.loads(seats))) for tid, seats in self._read(sql, (begun,)))
        return [tid for tid, seats in rows if seats - {"human"}][:limit]

    def count(self) -> int:
        """Returns the number of tables."""
        return int(self._read("SELECT count(*) FROM tables")[0][0])


def _in_words(note: dict[str, Any]) -> dict[str, str]:
    """Translates a note into every language. Notes of version 1 are already translated."""
    return everywhere(Message(note["code"], **note["params"])) if "code" in note else note


def add_table(row: Row) -> Statement:
    """Returns the statement that adds a table."""
    kept = [json.dumps(value) for value in (row.options, row.seats, row.tokens)]
    values = (row.id, row.game, *kept, row.tutor, row.seed, row.created, None)
    return "INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values


def add_actions(tid: str, first: int, actions: list[tuple[int, int]]) -> list[Statement]:
    """Returns the statements that add (action, player) from number `first` on. They fail if a number exists already."""
    now = time.time()
    rows = [(tid, n, action, who, now) for n, (action, who) in enumerate(actions, first)]
    parts = (rows[at : at + MOST_ROWS] for at in range(0, len(rows), MOST_ROWS))
    return [
        (f"INSERT INTO actions VALUES {', '.join(['(?, ?, ?, ?, ?)'] * len(part))}", sum(part, ())) for part in parts
    ]


def add_note(tid: str, n: int, text: Message) -> Statement:
    """Returns the statement that adds a note, as a message that can be shown in any language."""
    return "INSERT INTO notes VALUES (?, ?, ?)", (tid, n, json.dumps(portable(text)))


def end_table(tid: str) -> Statement:
    """Returns the statement that marks a table as finished."""
    return "UPDATE tables SET ended = ? WHERE id = ?", (time.time(), tid)


def keep_review(tid: str, n: int, result: dict[str, Any]) -> Statement:
    """Returns the statement that saves a review."""
    return "INSERT OR REPLACE INTO reviews VALUES (?, ?, ?)", (tid, n, json.dumps(result))
