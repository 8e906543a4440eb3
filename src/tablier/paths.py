"""Paths that users name, and their home folder."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from tablier.messages import MessageError


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


def home_folder(otherwise: str) -> Path:
    """Returns the user's home folder.

    Args:
        otherwise: key of the message that says what to set if there is none, as in a container.

    Raises:
        MessageError: there is none.
    """
    try:
        return Path.home()
    except RuntimeError:
        raise MessageError.of(otherwise) from None
