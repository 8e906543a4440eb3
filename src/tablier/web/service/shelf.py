"""The rows of libraries in the store: who has one, and what it remembers of each game.

A library remembers a game in one small row, so it keeps the result and the figures of a game whose table was deleted.
A damaged row costs that game alone.
"""

from __future__ import annotations

import json
import sqlite3
import time
import zlib
from dataclasses import dataclass
from typing import Any

from tablier.web.service.store import PART_BYTES, TABLE_BYTES, Statement, Store
from tablier.web.service.table import hashed

Facts = dict[str, Any]
MOST_FACTS = 100_000
"""The largest row, in bytes before it is packed; it bounds the memory that a damaged file can ask for."""
DAY = 86_400.0


@dataclass(frozen=True)
class Owner:
    """A library: the hash of its code, when it was opened last, and who created it, as keyed hashes."""

    id: str
    opened: float
    address: str
    network: str


class Shelf:
    """Reads the libraries of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def owner(self, code: str) -> Owner | None:
        """Returns the library with this code, or None."""
        sql = "SELECT id, opened, address, network FROM libraries WHERE id = ?"
        rows = self._store.read(sql, (hashed(code),))
        return Owner(*rows[0]) if rows else None

    def game(self, library: str, tid: str) -> Facts | None:
        """Returns what a library remembers of a table; None if nothing, or if the row is damaged."""
        rows = self._store.read("SELECT facts FROM shelved WHERE library = ? AND tid = ?", (library, tid))
        return _unpacked(rows[0][0]) if rows else None

    def games(self, library: str) -> list[tuple[str, Facts]]:
        """Returns the games of a library that can be read, as (table, facts)."""
        rows = self._store.read("SELECT tid, facts FROM shelved WHERE library = ?", (library,))
        return [(tid, facts) for tid, packed in rows if (facts := _unpacked(packed)) is not None]

    def count(self, library: str) -> int:
        """Returns the number of games in a library."""
        return int(self._store.read("SELECT count(*) FROM shelved WHERE library = ?", (library,))[0][0])

    def holders(self, tid: str) -> list[tuple[Owner, Facts]]:
        """Returns the libraries that remember a table, and what they remember."""
        sql = """SELECT id, opened, address, network, facts FROM shelved JOIN libraries ON id = library
          WHERE tid = ?"""
        found = [(Owner(*row), _unpacked(packed)) for *row, packed in self._store.read(sql, (tid,))]
        return [(owner, facts) for owner, facts in found if facts is not None]

    def forgotten(self, before: float, limit: int) -> list[str]:
        """Returns libraries that nobody has opened since then (Unix time), longest first."""
        sql = "SELECT id FROM libraries WHERE opened < ? ORDER BY opened LIMIT ?"
        return [library for (library,) in self._store.read(sql, (before, limit))]


def _unpacked(packed: Any) -> Facts | None:
    """Returns the facts of a row; None if it is damaged."""
    try:
        stream = zlib.decompressobj()
        text = stream.decompress(packed, MOST_FACTS)
        found = json.loads(text) if stream.eof else None
    except (zlib.error, TypeError, ValueError, RecursionError, sqlite3.Error):
        return None
    return found if isinstance(found, dict) and {"game", "seats", "seat", "begun", "ended"} <= set(found) else None


def packed(facts: Facts) -> bytes:
    """Packs what is remembered of a game."""
    return zlib.compress(json.dumps(facts, separators=(",", ":")).encode(), 9)


def size_of(row: bytes) -> int:
    """Returns the size of a packed game on disk."""
    return PART_BYTES + len(row)


LIBRARY_BYTES = TABLE_BYTES
"""The size of a library's row on disk."""


def add_library(code: str, address: str, network: str) -> Statement:
    """Returns the statement that adds a library."""
    now = time.time()
    return "INSERT INTO libraries VALUES (?, ?, ?, ?, ?)", (hashed(code), now, now, address, network)


def touch(library: str) -> Statement:
    """Returns the statement that notes that a library was opened."""
    return "UPDATE libraries SET opened = ? WHERE id = ?", (time.time(), library)


def put_game(library: str, tid: str, row: bytes) -> Statement:
    """Returns the statement that adds a packed game or replaces it."""
    return "INSERT OR REPLACE INTO shelved VALUES (?, ?, ?)", (library, tid, row)


def update_game(library: str, tid: str, row: bytes) -> Statement:
    """Returns the statement that replaces a packed game, unless it has been removed."""
    return "UPDATE shelved SET facts = ? WHERE library = ? AND tid = ?", (row, library, tid)


def remove_game(library: str, tid: str) -> Statement:
    """Returns the statement that removes a game."""
    return "DELETE FROM shelved WHERE library = ? AND tid = ?", (library, tid)


def remove_library(library: str) -> list[Statement]:
    """Returns the statements that delete a library and all it remembers."""
    return [
        ("DELETE FROM shelved WHERE library = ?", (library,)),
        ("DELETE FROM libraries WHERE id = ?", (library,)),
    ]


def merge(library: str, into: str) -> list[Statement]:
    """Returns the statements that move all games of a library to another and delete it."""
    return [
        ("INSERT OR IGNORE INTO shelved SELECT ?, tid, facts FROM shelved WHERE library = ?", (into, library)),
        *remove_library(library),
    ]
