"""Writes files that a crash or a full disk leaves either as they were or complete."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Replaces a file atomically and waits until it is on disk.

    Raises:
        OSError: it cannot be written, and is as it was.
    """
    beside = path.with_name(f".{path.name}.tmp")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        sync(path.parent)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def sync(folder: Path) -> None:
    """Waits until the entries of a folder are on disk. Windows writes them by itself and cannot open a folder."""
    if sys.platform == "win32":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
