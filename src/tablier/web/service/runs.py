"""Training runs in the server's folder: their metrics for the page, and their networks as opponents.

Clients name a run; the name is looked up among the existing ones and never becomes part of a path. Only regular files
of limited size are read, because a pipe or a huge file would block the queue that all runs share.
"""

from __future__ import annotations

import json
import math
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from tablier.evaluators.network import network_file
from tablier.messages import MessageError
from tablier.regular_files import open_regular, read_regular
from tablier.run_metrics import read_rows

MOST_RUNS, MOST_POINTS = 500, 500
MOST_CONFIG, MOST_BYTES, MOST_NETWORK = 1_000_000, 64_000_000, 200_000_000
"""Maximum sizes of a run's config.json, metrics.jsonl and network, in bytes. Larger files count as missing or empty."""
MOST_LINE = 100_000
"""Maximum length of a line of metrics, in bytes: parsing a line keeps all other threads waiting."""
MOST_NAMES = 20_000
"""Characters in the names of a run's metrics that are kept in memory; with more, its metrics are read every time."""
EDGE = 4_096
"""Bytes at the beginning and at the end of what was read of a file that show whether it is still the same."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


@dataclass(frozen=True)
class _Summary:
    """The metrics of a run, as far as its file consists of whole lines."""

    file: tuple[int, int] = (0, 0)
    """The file's device and number there."""
    size: int = 0
    changed: int = 0
    """When the file was last changed, in nanoseconds."""
    read: int = 0
    """Bytes up to the end of the last whole line."""
    edges: bytes = b""
    names: frozenset[str] = frozenset()
    step: int = 0
    seconds: float = 0


class Runs:
    """The runs in a folder, which need not exist."""

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)
        self._summaries: dict[str, _Summary] = {}

    def _folders(self) -> dict[str, Path]:
        try:
            found = sorted(path for path in self._folder.iterdir() if _size(path / "config.json") is not None)
        except OSError:
            return {}
        return {path.name: path for path in found[:MOST_RUNS] if NAME.fullmatch(path.name)}

    def _config(self, folder: Path) -> dict[str, Any]:
        try:
            config = json.loads(_content(folder / "config.json", MOST_CONFIG))
        except (ValueError, RecursionError):
            return {}
        return config if isinstance(config, dict) else {}

    def listed(self) -> tuple[list[dict[str, Any]], int]:
        """Lists the runs; of metrics that were read before, only new lines are read.

        Returns:
            The runs with the names of their metrics, and how many bytes of metrics were read.
        """
        result, summaries, read = [], {}, 0
        for name, folder in self._folders().items():
            config = self._config(folder)
            found, more = _summary(folder / "metrics.jsonl", self._summaries.get(name, _Summary()))
            read += more
            if sum(map(len, found.names)) <= MOST_NAMES:
                summaries[name] = found
            result.append(
                {
                    "name": name,
                    "algorithm": _text(config.get("algorithm", "")),
                    "game": _text(config.get("game", "")),
                    "steps": found.step,
                    "minutes": round(found.seconds / 60, 2),
                    "metrics": sorted(found.names - {"step", "seconds"}),
                }
            )
        self._summaries = summaries  # in one step: two threads that list runs only do the same work twice
        return result, read

    def metrics(self, name: str, names: list[str]) -> dict[str, list[float | None]] | None:
        """Returns columns of a run's metrics, downsampled for plotting; None if there is no such run."""
        folder = self._folders().get(name)
        if folder is None:
            return None
        data = _content(folder / "metrics.jsonl", MOST_BYTES)
        rows = [row for row in _rows(data) if any(row.get(one) is not None for one in names)]
        stride = max(1, math.ceil(len(rows) / MOST_POINTS))
        rows = [row for n, row in enumerate(rows, 1) if n % stride == 0 or n == len(rows)][-MOST_POINTS:]
        columns: dict[str, list[float | None]] = {one: [row.get(one) for row in rows] for one in names}
        return columns | {"steps": [row["step"] for row in rows]}

    def size(self, name: str) -> int:
        """Returns how many bytes of metrics `metrics` reads."""
        folder = self._folders().get(name)
        size = None if folder is None else _size(folder / "metrics.jsonl")
        return size if size is not None and size <= MOST_BYTES else 0

    def networks(self, game: str) -> list[tuple[str, str]]:
        """Returns (name, algorithm) of the runs that have a network for the game."""
        found = []
        for name, folder in self._folders().items():
            config = self._config(folder)
            if config.get("game") == game and _network(folder) is not None:
                found.append((name, _text(config.get("algorithm", ""))))
        return found

    def network(self, name: str) -> Path:
        """Returns the path of a run's network; raises MessageError if there is none."""
        folder = self._folders().get(name)
        path = None if folder is None else _network(folder)
        if path is None:
            raise MessageError.of("network.unknown", name=name[:64])
        return path


def _rows(data: bytes) -> Iterator[dict[str, Any]]:
    """Yields the rows of metrics; damaged lines are skipped, because a plot can do without them."""
    for line in BytesIO(data):
        if len(line) <= MOST_LINE:
            yield from read_rows(line)[0]


def _summary(path: Path, known: _Summary) -> tuple[_Summary, int]:
    """Reads what was added to a metrics file, or all of it if it is another file or was changed otherwise.

    Returns:
        The new summary, and how many bytes were read.
    """
    try:
        with open_regular(path, MOST_BYTES) as file:
            status = os.fstat(file.fileno())
            size = status.st_size
            now = ((status.st_dev, status.st_ino), size, status.st_mtime_ns)
            if not _is_continued(file, known, *now):
                known = _Summary()
            file.seek(known.read)
            data = file.read(size - known.read)
            end = known.read + data.rfind(b"\n") + 1
            edges = _edges(file, end)
    except (OSError, MessageError):
        return _Summary(), 0
    names, step, seconds = set(known.names), known.step, known.seconds
    for row in _rows(data):
        names.update(name for name, value in row.items() if value is not None)
        step, seconds = row["step"], row["seconds"]
    return _Summary(*now, end, edges, frozenset(names), step, seconds), len(data)


def _is_continued(file: BinaryIO, known: _Summary, number: tuple[int, int], size: int, changed: int) -> bool:
    """Returns whether a file is the one that is known, with nothing changed but lines added at its end."""
    has_grown = size > known.size or (size == known.size and changed == known.changed)
    return number == known.file and has_grown and _edges(file, known.read) == known.edges


def _edges(file: BinaryIO, end: int) -> bytes:
    """Returns the first and the last bytes of what was read of a file."""
    file.seek(0)
    first = file.read(min(end, EDGE))
    file.seek(max(0, end - EDGE))
    return first + file.read(min(end, EDGE))


def _network(folder: Path) -> Path | None:
    """Returns the path of the network in a run's folder; None if there is none, or only one that is too large."""
    try:
        path = network_file(folder)
    except OSError:
        return None
    size = _size(path)
    return path if size is not None and size <= MOST_NETWORK else None


def _size(path: Path) -> int | None:
    """Returns the size of a regular file, or None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def _content(path: Path, most: int) -> bytes:
    """Reads a regular file; returns nothing if it is larger than `most` bytes, something else, or cannot be read."""
    try:
        return read_regular(path, most)
    except (OSError, MessageError):
        return b""


def _text(value: object) -> str:
    """Returns text that can be sent as UTF-8, unlike some that JSON can contain."""
    return str(value).encode(errors="replace").decode()
