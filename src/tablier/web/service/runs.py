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
from io import BytesIO
from pathlib import Path
from typing import Any

from tablier.evaluators.network import network_file
from tablier.messages import MessageError
from tablier.run_metrics import read_rows

MOST_RUNS, MOST_POINTS = 500, 500
MOST_CONFIG, MOST_BYTES, MOST_NETWORK = 1_000_000, 64_000_000, 200_000_000
"""Maximum sizes of a run's config.json, metrics.jsonl and network, in bytes. Larger files count as missing or empty."""
MOST_LINE = 100_000
"""Maximum length of a line of metrics, in bytes: parsing a line keeps all other threads waiting."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


class Runs:
    """The runs in a folder, which need not exist."""

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)

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

    def listed(self) -> list[dict[str, Any]]:
        """Returns the runs with the names of their metrics."""
        result = []
        for name, folder in self._folders().items():
            config, rows = self._config(folder), self._rows(folder)
            names = {key for row in rows for key, value in row.items() if value is not None}
            last = rows[-1] if rows else {"step": 0, "seconds": 0}
            result.append(
                {
                    "name": name,
                    "algorithm": _text(config.get("algorithm", "")),
                    "game": _text(config.get("game", "")),
                    "steps": last["step"],
                    "minutes": round(last["seconds"] / 60, 2),
                    "metrics": sorted(names - {"step", "seconds"}),
                }
            )
        return result

    def metrics(self, name: str, names: list[str]) -> dict[str, list[float | None]] | None:
        """Returns columns of a run's metrics, downsampled for plotting; None if there is no such run."""
        folder = self._folders().get(name)
        if folder is None:
            return None
        rows = [row for row in self._rows(folder) if any(row.get(one) is not None for one in names)]
        stride = max(1, math.ceil(len(rows) / MOST_POINTS))
        rows = [row for n, row in enumerate(rows, 1) if n % stride == 0 or n == len(rows)][-MOST_POINTS:]
        columns: dict[str, list[float | None]] = {one: [row.get(one) for row in rows] for one in names}
        return columns | {"steps": [row["step"] for row in rows]}

    def size(self, name: str | None = None) -> int:
        """Returns the bytes of metrics of a run, or of all runs."""
        folders = self._folders()
        found = folders.values() if name is None else [folders[name]] if name in folders else []
        return sum(min(_size(folder / "metrics.jsonl") or 0, MOST_BYTES) for folder in found)

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

    def _rows(self, folder: Path) -> list[dict[str, Any]]:
        """Reads metrics.jsonl; damaged lines are skipped, because a plot can do without them."""
        lines = BytesIO(_content(folder / "metrics.jsonl", MOST_BYTES))
        return [row for line in lines if len(line) <= MOST_LINE for row in read_rows(line)[0]]


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
        return _regular_size(path.stat())
    except OSError:
        return None


def _regular_size(status: os.stat_result) -> int | None:
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def _content(path: Path, most: int) -> bytes:
    """Reads a regular file; returns nothing if it is larger than `most` bytes, something else, or cannot be read."""
    try:
        with open(path, "rb", opener=_open) as file:
            size = _regular_size(os.fstat(file.fileno()))
            return file.read(size) if size is not None and size <= most else b""
    except OSError:
        return b""


def _open(path: str, flags: int) -> int:
    """Opens a file without waiting, as opening a pipe would until somebody writes to it. Windows has no such pipes."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _text(value: object) -> str:
    """Returns text that can be sent as UTF-8, unlike some that JSON can contain."""
    return str(value).encode(errors="replace").decode()
