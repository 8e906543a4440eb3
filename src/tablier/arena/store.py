"""The file of a tournament: an SQLite database with the setup, the players and every finished game.

Once `add` has returned, its games are in the file, whatever happens to the process or the machine afterwards. One
process can write at a time; others can read meanwhile.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tablier import locks
from tablier.arena.jobs import CRASHED, DIED, ENDLESS, ILLEGAL, SLOW, Entrant, GameResult, Setup
from tablier.messages import MessageError

APPLICATION = 0x54424C52
"""`PRAGMA application_id` of an arena file: "TBLR"."""
FORMAT = 1
"""`PRAGMA user_version`, the version of the schema."""
SCHEMA = """
CREATE TABLE setup (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE players (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    fingerprint TEXT NOT NULL
);
CREATE TABLE games (
    first INTEGER NOT NULL REFERENCES players,
    second INTEGER NOT NULL REFERENCES players,
    number INTEGER NOT NULL CHECK (number >= 0),
    score REAL NOT NULL CHECK (score BETWEEN 0 AND 1),
    margin REAL,
    luck REAL,
    points_luck REAL,
    first_decisions INTEGER NOT NULL,
    second_decisions INTEGER NOT NULL,
    first_seconds REAL NOT NULL,
    second_seconds REAL NOT NULL,
    failed INTEGER CHECK (failed IN (0, 1)),
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (first, second, number)
) WITHOUT ROWID;
"""
COLUMNS = (
    "number, score, margin, luck, points_luck, first_decisions, second_decisions, first_seconds, second_seconds, "
    "failed, reason, detail"
)


def _has_other(types: str, columns: str) -> str:
    """Returns the SQL condition for a value of another type, which SQLite accepts in any column."""
    return " OR ".join(f"typeof({column}) NOT IN ({types})" for column in columns.split())


UNSOUND = {
    "players": _has_other("'text'", "name fingerprint"),
    "games": " OR ".join(
        (
            _has_other("'integer'", "first second number first_decisions second_decisions"),
            _has_other("'real'", "score first_seconds second_seconds"),
            _has_other("'real', 'null'", "margin luck points_luck"),
            _has_other("'text'", "reason detail"),
            "9e999 IN (abs(margin), abs(luck), abs(points_luck), abs(first_seconds), abs(second_seconds))",
            f"reason NOT IN {('', CRASHED, ILLEGAL, SLOW, DIED, ENDLESS)}",
        )
    ),
}
"""SQL conditions of rows that no tournament writes, by table."""
SETUP_TYPES = {"game": (str,), "options": (dict,), "seed": (int,), "limit": (int, float), "judge": (str, type(None))}


@dataclass(frozen=True)
class StoredGame:
    """A game in the file."""

    first: str
    """Name of the first player."""
    second: str
    """Name of the second player."""
    result: GameResult
    """The result, from the first player's point of view."""


class ArenaFile:
    """An open tournament file. Open it with `create`, `resume` or `read`, and use it as a context manager."""

    def __init__(self, path: Path, db: sqlite3.Connection, lock: int | None) -> None:
        self.path, self._db, self._lock = path, db, lock

    # --- opening ---

    @classmethod
    def create(cls, path: str | Path, setup: Setup) -> ArenaFile:
        """Creates the file of a new tournament.

        Raises:
            MessageError (a ValueError): the file exists, or cannot be written.
        """
        place = Path(path)
        try:
            os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
        except OSError as error:
            raise _unusable(place, error.strerror or str(error)) from None
        return cls._writable(place, setup)

    @classmethod
    def resume(cls, path: str | Path, setup: Setup | None = None) -> ArenaFile:
        """Opens a file to add games. An empty file, left by a process that was killed while creating it, gets `setup`.

        Raises:
            MessageError (a ValueError): the file is not a tournament, is damaged, was written by a later version, is in
                use by another process, or differs from `setup`.
        """
        return cls._writable(Path(path), setup)

    @classmethod
    def _writable(cls, path: Path, setup: Setup | None) -> ArenaFile:
        try:
            lock = os.open(path, os.O_RDWR)  # kept open: closing any descriptor would drop SQLite's own locks
        except OSError as error:
            raise _unusable(path, error.strerror or str(error)) from None
        try:
            locks.acquire(lock)
        except OSError:
            os.close(lock)
            raise MessageError.of("arena.file.in_use", file=str(path)) from None
        file = None
        try:
            file = cls(path, _connected(path), lock)
            file._begin(setup)
        except BaseException:
            if file is not None:
                file.close()
            else:
                os.close(lock)
            raise
        return file

    @classmethod
    def read(cls, path: str | Path) -> ArenaFile:
        """Opens a file to read its results, even while its tournament is running.

        Raises:
            MessageError (a ValueError): the file is not a tournament, is damaged, or was written by a later version.
        """
        place = Path(path)
        if not place.is_file():
            raise MessageError.of("arena.file.missing", file=str(place))
        file = cls(place, _connected(place), None)
        try:
            file._check()
        except BaseException:
            file.close()
            raise
        return file

    def _begin(self, setup: Setup | None) -> None:
        """Writes the schema into an empty file; otherwise checks the file and compares its setup."""
        with _explained(self.path):
            is_empty = self.path.stat().st_size == 0
        if not is_empty:
            self._check()
            if setup is not None:
                self.compare(setup)
            return
        if setup is None:
            raise MessageError.of("arena.file.empty", file=str(self.path))
        with self._transaction():
            for statement in filter(str.strip, SCHEMA.split(";")):
                self._db.execute(statement)
            rows = [(key, json.dumps(value)) for key, value in asdict(setup).items()]
            self._db.executemany("INSERT INTO setup VALUES (?, ?)", rows)
            self._db.execute(f"PRAGMA application_id = {APPLICATION}")
            self._db.execute(f"PRAGMA user_version = {FORMAT}")

    def _check(self) -> None:
        with _explained(self.path):
            (application,) = self._db.execute("PRAGMA application_id").fetchone()
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if application != APPLICATION:
                raise MessageError.of("arena.file.other", file=str(self.path))
            if version > FORMAT:
                raise MessageError.of("arena.file.version", file=str(self.path), version=version, known=FORMAT)
            (found,) = self._db.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise self._damaged(" ".join(str(found).split()))
        with _explained(self.path):
            for table, condition in UNSOUND.items():
                if self._db.execute(f"SELECT 1 FROM {table} WHERE {condition} LIMIT 1").fetchone():
                    raise self._damaged(f"the table {table} contains an invalid value")
            if self._db.execute("PRAGMA foreign_key_check").fetchone():
                raise self._damaged("a player is missing")
        _ = self.setup

    def _damaged(self, reason: str) -> MessageError:
        return MessageError.of("arena.file.damaged", file=str(self.path), reason=reason)

    def compare(self, setup: Setup) -> None:
        """Raises MessageError if the file was written with another setup."""
        mine = asdict(self.setup)
        for key, wanted in asdict(setup).items():
            if mine[key] != wanted:
                there, here = json.dumps(mine[key]), json.dumps(wanted)
                raise MessageError.of(f"arena.file.{key}", file=str(self.path), there=there, here=here)

    # --- reading and writing ---

    @property
    def setup(self) -> Setup:
        """What all games have in common."""
        with _explained(self.path):
            rows = self._db.execute("SELECT key, value FROM setup").fetchall()
            setup = Setup(**{key: json.loads(value) for key, value in rows})
        for name, kinds in SETUP_TYPES.items():
            if type(getattr(setup, name)) not in kinds:
                raise self._damaged(f"{name} of the setup has an invalid value")
        return setup

    def players(self) -> list[Entrant]:
        """Returns the players in the order they were added. `plays` is not stored, so it is set to the name."""
        with _explained(self.path):
            rows = self._db.execute("SELECT name, fingerprint FROM players ORDER BY id").fetchall()
        return [Entrant(name, name, fingerprint) for name, fingerprint in rows]

    def enter(self, entrants: Iterable[Entrant]) -> None:
        """Adds players. A player that is already in the file must have the same network as before.

        Raises:
            MessageError (a ValueError): the network of a player has changed since its games were played.
        """
        known = {one.name: one.fingerprint for one in self.players()}
        new = []
        for one in entrants:
            if known.setdefault(one.name, one.fingerprint) != one.fingerprint:
                raise MessageError.of("arena.file.network", file=str(self.path), player=one.name)
            new.append((one.name, one.fingerprint))
        with self._transaction():
            self._db.executemany("INSERT OR IGNORE INTO players (name, fingerprint) VALUES (?, ?)", new)

    def numbers(self, first: str, second: str) -> set[int]:
        """Returns the numbers of the games between two players."""
        with _explained(self.path):
            rows = self._db.execute(f"SELECT number FROM games WHERE {_PAIR}", (first, second)).fetchall()
        return {number for (number,) in rows}

    def add(self, games: Iterable[StoredGame]) -> None:
        """Stores finished games durably. A game that is already in the file is left unchanged."""
        rows = []
        for game in games:
            one = game.result
            told = (one.number, one.score, one.margin, one.luck, one.points_luck, *one.decisions, *one.seconds)
            rows.append((game.first, game.second, *told, one.failed, one.reason, one.detail))
        who = "(SELECT id FROM players WHERE name = ?)"
        marks = ", ".join("?" for _ in COLUMNS.split(","))
        with self._transaction():
            self._db.executemany(
                f"INSERT OR IGNORE INTO games (first, second, {COLUMNS}) VALUES ({who}, {who}, {marks})", rows
            )

    def games(self, first: str | None = None, second: str | None = None) -> Iterator[StoredGame]:
        """Yields the games, ordered by players and number; with two names, only those of that pairing."""
        where, names = ("", ()) if first is None else (f"WHERE {_PAIR}", (first, second))
        sql = (
            f"SELECT a.name, b.name, {COLUMNS} FROM games JOIN players a ON a.id = first "
            f"JOIN players b ON b.id = second {where} ORDER BY first, second, number"
        )
        with _explained(self.path):
            rows = self._db.execute(sql, names).fetchall()
        for row in rows:
            yield StoredGame(row[0], row[1], _result(row[2:]))

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        with _explained(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Closes the file and releases its lock."""
        self._db.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> ArenaFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_PAIR = "first = (SELECT id FROM players WHERE name = ?) AND second = (SELECT id FROM players WHERE name = ?)"


def _connected(path: Path) -> sqlite3.Connection:
    with _explained(path):
        db = sqlite3.connect(path, isolation_level=None, timeout=30)
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        return db


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Converts SQLite errors to MessageError."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise _unusable(path, str(error)) from None
    except UnicodeEncodeError as error:  # only names can be like this: the rest is ours
        raise MessageError.of("arena.file.characters", file=str(path), player=repr(error.object)) from None
    except (sqlite3.Error, TypeError, ValueError, RecursionError) as error:
        if isinstance(error, MessageError):
            raise
        raise MessageError.of("arena.file.damaged", file=str(path), reason=str(error)) from None


def _unusable(path: Path, reason: str) -> MessageError:
    return MessageError.of("arena.file.unusable", file=str(path), reason=reason)


def _result(row: tuple[Any, ...]) -> GameResult:
    number, score, margin, luck, points, one, two, first, second, failed, reason, detail = row
    return GameResult(number, score, margin, luck, points, (one, two), (first, second), failed, reason, detail)
