"""Paths that users name."""

from __future__ import annotations

import errno
import os
from pathlib import Path


def resolved(path: str | Path) -> Path:
    """Returns an absolute path without links, like `Path.resolve`, whose error depends on the version of Python.

    Raises:
        OSError: links lead to each other.
    """
    full = Path(os.path.realpath(path))
    try:
        full.stat()
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None
    return full
