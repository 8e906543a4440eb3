"""The work that make_referee.py has done so far: one JSON object a line, so that a killed run loses at most a line."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class Refused(ValueError):
    """The work cannot be done or continued; the message says why."""


class Journal:
    """The file `<file>.part`, which is continued if it exists.

    Args:
        file: the file that the work is for.
        settings: everything that the work depends on; the first line of the journal.

    Raises:
        Refused: the journal has other settings, or is not a journal.
    """

    def __init__(self, file: str, settings: dict[str, Any]) -> None:
        self._path = Path(f"{file}.part")
        self._lines: list[dict[str, Any]] = []
        header = json.loads(json.dumps({"settings": settings}))
        whole = self._read() if self._path.exists() else 0
        if self._lines and self._lines[0] != header:
            other = (
                f"{self._path} belongs to a run with other settings or networks; repeat that run, or delete the file"
            )
            raise Refused(other)
        self._file = self._path.open("r+b" if self._path.exists() else "wb")
        self._file.truncate(whole)  # a line that was being written when the run was killed
        self._file.seek(whole)
        if not self._lines:
            self.add(header)

    def _read(self) -> int:
        """Reads the lines that are complete, and returns their size in bytes."""
        size = 0
        for line in self._path.read_bytes().splitlines(keepends=True):
            if not line.endswith(b"\n"):
                break
            try:
                entry = json.loads(line)
            except ValueError:
                entry = None
            if not isinstance(entry, dict):
                raise Refused(f"{self._path} is damaged; delete it to start again")
            self._lines.append(entry)
            size += len(line)
        return size

    def lines(self, key: str) -> Iterator[dict[str, Any]]:
        """Yields the lines that have a key, in the order in which they were written."""
        return (line for line in self._lines if key in line)

    def add(self, line: dict[str, Any]) -> None:
        """Writes a line. It survives if the program or the machine stops afterwards."""
        self._file.write(json.dumps(line).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def remove(self) -> None:
        """Removes the journal, when the work is complete."""
        self._path.unlink()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
