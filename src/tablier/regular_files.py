"""Reads files that users name: regular files of limited size, because a pipe can block and a device may never end."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

from tablier.messages import MessageError


def open_regular(path: str | Path, most: int) -> BinaryIO:
    """Opens a regular file of at most `most` bytes to read it.

    Raises:
        MessageError (a ValueError): it is a pipe, a device or a larger file.
        OSError: it cannot be opened.
    """
    file = open(path, "rb", opener=_open)  # noqa: SIM115  (Path.open has no opener; the caller closes it)
    status = os.fstat(file.fileno())
    if stat.S_ISREG(status.st_mode) and status.st_size <= most:
        return file
    file.close()
    if stat.S_ISREG(status.st_mode):
        raise MessageError.of("file.too_large", file=str(path), most=most)
    raise MessageError.of("file.not_regular", file=str(path))


def read_regular(path: str | Path, most: int) -> bytes:
    """Reads a regular file of at most `most` bytes; raises as `open_regular` does."""
    with open_regular(path, most) as file:
        return file.read(most)


def _open(path: str, flags: int) -> int:
    """Opens a file without waiting, as opening a pipe would until somebody writes to it. Windows has no such pipes."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
