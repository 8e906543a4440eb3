"""Training runs in the server's folder: their metrics for the page, and their networks as opponents.

Clients name a run; the name is looked up among the existing ones and never becomes part of a path.
"""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

from tablier.evaluators.network import network_file
from tablier.messages import MessageError
from tablier.run_metrics import read_rows

MOST_RUNS, MOST_POINTS, MOST_BYTES = 500, 500, 64_000_000
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


class Runs:
    """The runs in a folder, which need not exist."""

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)

    def _folders(self) -> dict[str, Path]:
        try:
            found = sorted(path for path in self._folder.iterdir() if (path / "config.json").is_file())
        except OSError:
            return {}
        return {path.name: path for path in found[:MOST_RUNS] if NAME.fullmatch(path.name)}

    def _config(self, folder: Path) -> dict[str, Any]:
        try:
            config = json.loads((folder / "config.json").read_text())
        except (OSError, ValueError, RecursionError):
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
        columns: dict[str, list[float | None]] = {"steps": [row["step"] for row in rows]}
        for one in names:
            columns[one] = [row.get(one) for row in rows]
        return columns

    def size(self, name: str | None = None) -> int:
        """Returns the bytes of metrics of a run, or of all runs."""
        folders = self._folders()
        found = folders.values() if name is None else [folders[name]] if name in folders else []
        return sum(_size(folder / "metrics.jsonl") for folder in found)

    def networks(self, game: str) -> list[tuple[str, str]]:
        """Returns (name, algorithm) of the runs that have a network for the game."""
        found = []
        for name, folder in self._folders().items():
            config = self._config(folder)
            if config.get("game") == game and network_file(folder).is_file():
                found.append((name, _text(config.get("algorithm", ""))))
        return found

    def network(self, name: str) -> Path:
        """Returns the path of a run's network; raises MessageError if there is none."""
        folder = self._folders().get(name)
        if folder is None or not network_file(folder).is_file():
            raise MessageError.of("network.unknown", name=name[:64])
        return network_file(folder)

    def _rows(self, folder: Path) -> list[dict[str, Any]]:
        """Reads metrics.jsonl; damaged lines are skipped, because a plot can do without them."""
        path = folder / "metrics.jsonl"
        try:
            return read_rows(path.read_bytes())[0] if path.stat().st_size <= MOST_BYTES else []
        except OSError:
            return []


def _size(path: Path) -> int:
    try:
        return min(path.stat().st_size, MOST_BYTES)
    except OSError:
        return 0


def _text(value: object) -> str:
    """Returns text that can be sent as UTF-8, unlike some that JSON can contain."""
    return str(value).encode(errors="replace").decode()
