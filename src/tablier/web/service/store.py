"""Stores games in an SQLite file. Once `commit` returns, the data survives a kill or a power failure.

A table is a row. Its actions are rows that are added and never changed; once nobody plays there any more, they are
packed into one (`packing`). A single thread writes, and concurrent requests share a commit, because each commit costs a
sync to disk (a few milliseconds). With WAL and synchronous=FULL, readers do not wait for the writer, and a commit is on
disk when it returns.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import queue
import sqlite3
import threading
import time
import zlib
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import astuple
from pathlib import Path
from typing import Any

from tablier.messages import Message, portable
from tablier.web.service import database
from tablier.web.service.database import StoreError
from tablier.web.service.gestures import Gesture
from tablier.web.service.rows import (
    Damaged,
    Row,
    is_time,
    read_gestures,
    read_review,
    read_seats,
    read_story,
    read_table,
)

__all__ = ["Row", "Statement", "Store", "StoreError"]

MOST_TOGETHER = 500
"""Maximum number of requests per commit."""
MOST_ROWS = 500
"""Maximum number of actions per statement."""
ACTION_BYTES = 50
"""The size of an unpacked action on disk."""
TABLE_BYTES, PART_BYTES = 200, 60
"""What a row of `tables` and of other tables takes on disk beside its texts and blobs."""
SIZES = {
    "tables": f"{TABLE_BYTES} + length(options) + length(seats) + length(tokens) + length(seed)",
    "actions": str(ACTION_BYTES),
    "packed": f"{PART_BYTES} + length(actions)",
    "notes": f"{PART_BYTES} + length(text)",
    "gestures": f"{PART_BYTES} + length(value)",
    "reviews": f"{PART_BYTES} + length(result)",
    "libraries": str(TABLE_BYTES),
    "shelved": f"{PART_BYTES} + length(facts)",
}
"""The size of a row of each table."""
OWNERS = {"tables": "tables", "libraries": "libraries", "shelved": "shelved JOIN libraries ON id = library"}
"""Where to find who stored a row; by default in the row of its table."""
CHANCE = -1
"""The player of a chance outcome."""

Statement = tuple[str, Sequence[Any]]


class Store:
    """The database. Call `commit` only from the event loop, other methods from any thread."""

    def __init__(self, path: str | Path, most: int | None = None) -> None:
        """Opens a database file, or creates it.

        Args:
            path: the file.
            most: the largest size of the file in bytes; None for no limit.

        Raises:
            StoreError: the file is damaged, in use, not a database of this server, or cannot be written.
        """
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            database.recognise(self.path)
            self._lock = database.Lock(self.path)
        except (sqlite3.Error, OSError) as error:
            raise StoreError.of("store.unusable", path=str(path), problem=str(error)) from None
        try:
            self._db, self._reader = database.open_to_write(self.path), database.open_to_write(self.path)
            database.update(self._db)
            (self._page,) = self._db.execute("PRAGMA page_size").fetchone()
            if most is not None:
                self._db.execute(f"PRAGMA max_page_count = {most // self._page}")
            (self._salt,) = self._db.execute("SELECT value FROM facts WHERE name = 'salt'").fetchone()
        except (sqlite3.Error, OSError) as error:
            self._lock.close()
            raise StoreError.of("store.unusable", path=str(path), problem=str(error)) from None
        self._reading, self._surveying, self._closed = threading.Lock(), threading.Lock(), False
        self._waiting: queue.SimpleQueue[tuple[list[Statement], Future[None]] | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="store", daemon=True)
        self._writer.start()

    def close(self) -> None:
        """Finishes pending writes and surveys, and closes the file."""
        with self._surveying:
            self._closed = True
        self._waiting.put(None)
        self._writer.join()
        self._db.close()
        with self._reading:  # a thread may still be reading
            self._reader.close()
        self._lock.close()

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
        if not self._lock.holds():
            return sqlite3.OperationalError(f"{self.path} was moved, replaced or deleted")
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

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Executes a query and returns its rows."""
        with self._reading:
            return self._reader.execute(sql, values).fetchall()

    def keyed(self, kind: str, text: str) -> str:
        """Hashes the address or the network of a client with a secret of the file, so that the file does not reveal it.

        The first character is that of the kind.
        """
        return kind[0] + hashlib.sha256(f"{self._salt} {kind} {text}".encode("utf-8", "replace")).hexdigest()[:16]

    def table(self, tid: str) -> Row | None:
        """Returns the table with this id, or None; raises Damaged if its row cannot be read."""
        return read_table(self.read, tid)

    def story(self, tid: str) -> tuple[list[int], list[tuple[int, dict[str, str]]]]:
        """Returns the actions of a table in order, and its notes as (version, text by language).

        Raises:
            Damaged: an action is missing, or something cannot be read.
        """
        return read_story(self.read, tid)

    def gestures(self, tid: str) -> list[Gesture]:
        """Returns the gestures of a table in order; raises Damaged if they cannot be read."""
        return read_gestures(self.read, tid)

    def times(self, tid: str) -> list[float]:
        """Returns when each action of a table was played (Unix time); raises Damaged if a time cannot be read."""
        times = [at for (at,) in self.read("SELECT at FROM actions WHERE tid = ? ORDER BY n", (tid,))]
        if not all(map(is_time, times)):
            raise Damaged("its actions: a time is not a number")
        return times

    def review(self, tid: str, n: int) -> dict[str, Any] | None:
        """Returns the review of a table's first n actions, or None; also if it is damaged, as it can be made again."""
        try:
            rows = self.read("SELECT result FROM reviews WHERE tid = ? AND n = ?", (tid, n))
            return read_review(rows[0][0]) if rows else None
        except (sqlite3.Error, ValueError, TypeError, RecursionError, zlib.error):
            return None

    def unfinished_since(self, begun: float, address: str = "", network: str = "") -> tuple[int, int, int]:
        """Returns the number of unfinished tables created since then (Unix time): of all, a network and an address."""
        sql = "SELECT count(*), total(network = ?), total(address = ?) FROM tables WHERE ended IS NULL AND created > ?"
        every, of_network, of_address = self.read(sql, (network, address, begun))[0]
        return int(every), int(of_network), int(of_address)

    def waiting(self, begun: float, limit: int) -> list[str]:
        """Returns unfinished tables created since then that have a computer player, newest first."""
        sql = "SELECT id, seats FROM tables WHERE ended IS NULL AND created > ? ORDER BY created DESC"
        rows = ((tid, read_seats(seats)) for tid, seats in self.read(sql, (begun,)))
        return [tid for tid, seats in rows if seats - {"human"}][:limit]

    def count(self) -> int:
        """Returns the number of tables."""
        return int(self.read("SELECT count(*) FROM tables")[0][0])

    def size(self) -> int:
        """Returns the bytes in use in the file, without those that are free to be used again."""
        pages, free = (self.read(f"PRAGMA {name}")[0][0] for name in ("page_count", "freelist_count"))
        return int(pages - free) * int(self._page)

    def usage(self) -> Counter[str]:
        """Returns the bytes that each address and each network has stored, by their keyed hashes."""
        used: Counter[str] = Counter()
        for part, size in SIZES.items():
            joined = OWNERS.get(part, f"{part} JOIN tables ON id = tid")
            sql = f"SELECT address, network, sum({size}) FROM {joined} GROUP BY 1, 2"
            for address, network, total in self._survey(sql):
                used[address] += total
                used[network] += total
        return used

    def idle(self, before: float, limit: int, network: str | None = None) -> list[str]:
        """Returns tables where nothing has happened since then (Unix time), longest idle first.

        Args:
            before: the time.
            limit: how many at most.
            network: the keyed hash of a network, for only the tables that it has stored, or None.
        """
        last = "coalesce(ended, (SELECT at FROM actions WHERE tid = id ORDER BY n DESC LIMIT 1), touched, created)"
        sql = f"SELECT id FROM tables WHERE created < ?1 AND {last} < ?1 AND (?2 IS NULL OR network = ?2)"
        return [tid for (tid,) in self._survey(f"{sql} ORDER BY {last} LIMIT ?3", (before, network, limit))]

    def unpacked(self, before: float, limit: int) -> list[str]:
        """Returns tables with unpacked actions where nothing has happened since then."""
        sql = "SELECT tid FROM actions GROUP BY tid HAVING max(at) < ? LIMIT ?"
        return [tid for (tid,) in self._survey(sql, (before, limit))]

    def _survey(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Reads many rows on a connection of its own, so that requests need not wait."""
        with self._surveying:
            if self._closed:
                raise sqlite3.ProgrammingError("the store is closed")
            with closing(database.open_to_write(self.path)) as db:
                return db.execute(sql, values).fetchall()


def table_bytes(row: Row) -> int:
    """Returns the size of a table's row on disk, as in SIZES."""
    return TABLE_BYTES + len(row.seed) + sum(map(len, _texts(row)))


def _texts(row: Row) -> list[str]:
    return [json.dumps(value) for value in (row.options, row.seats, row.tokens)]


def add_table(row: Row) -> Statement:
    """Returns the statement that adds a table."""
    kept = _texts(row)
    values = (row.id, row.game, *kept, row.tutor, row.seed, row.created, row.address, row.network)
    names = "id, game, options, seats, tokens, tutor, seed, created, address, network"
    return f"INSERT INTO tables ({names}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values


def add_actions(tid: str, first: int, actions: list[tuple[int, int]]) -> list[Statement]:
    """Returns the statements that add (action, player) from number `first` on. They fail if a number exists already."""
    now = time.time()
    rows = [(tid, n, action, who, now) for n, (action, who) in enumerate(actions, first)]
    parts = (rows[at : at + MOST_ROWS] for at in range(0, len(rows), MOST_ROWS))
    return [
        (f"INSERT INTO actions VALUES {', '.join(['(?, ?, ?, ?, ?)'] * len(part))}", sum(part, ())) for part in parts
    ]


def pack_actions(tid: str, packed: bytes, n: int) -> list[Statement]:
    """Returns the statements that replace the first n actions of a table by packed ones; later ones stay as they
    are."""
    last = "coalesce((SELECT at FROM actions WHERE tid = id ORDER BY n DESC LIMIT 1), touched)"
    return [
        (f"UPDATE tables SET touched = {last} WHERE id = ?", (tid,)),
        ("INSERT OR REPLACE INTO packed VALUES (?, ?)", (tid, packed)),
        ("DELETE FROM actions WHERE tid = ? AND n < ?", (tid, n)),
    ]


def add_note(tid: str, n: int, text: Message) -> Statement:
    """Returns the statement that adds a note, as a message that can be shown in any language."""
    return "INSERT INTO notes VALUES (?, ?, ?)", (tid, n, json.dumps(portable(text)))


def add_gesture(tid: str, n: int, made: Gesture) -> Statement:
    """Returns the statement that adds gesture number n of a table. It fails if the number exists already."""
    return "INSERT INTO gestures VALUES (?, ?, ?, ?, ?, ?, ?)", (tid, n, *astuple(made))


def drop_review(tid: str) -> Statement:
    """Returns the statement that removes the review of a table whose moves were taken back."""
    return "DELETE FROM reviews WHERE tid = ?", (tid,)


def end_table(tid: str) -> Statement:
    """Returns the statement that marks a table as finished."""
    return "UPDATE tables SET ended = ? WHERE id = ?", (time.time(), tid)


def keep_review(tid: str, n: int, result: dict[str, Any]) -> Statement:
    """Returns the statement that saves a review."""
    return "INSERT OR REPLACE INTO reviews VALUES (?, ?, ?)", (tid, n, zlib.compress(json.dumps(result).encode(), 9))


def remove_table(tid: str) -> list[Statement]:
    """Returns the statements that delete a table and everything that belongs to it."""
    parts = ("actions", "packed", "notes", "gestures", "reviews")
    return [
        *((f"DELETE FROM {part} WHERE tid = ?", (tid,)) for part in parts),
        ("DELETE FROM tables WHERE id = ?", (tid,)),
    ]
