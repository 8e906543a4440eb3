"""Locks on open files that end with the process, however it ends."""

from __future__ import annotations

import os
import sys

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

FAR = 2**31 - 2
"""The byte that is locked on Windows, where a locked byte cannot be read. Files of this size are not written."""


def acquire(file: int, *, wait: bool = False) -> None:
    """Locks an open file for this process until it closes the file or ends.

    Args:
        file: the file's descriptor, open for writing.
        wait: wait for a process that holds the lock.

    Raises:
        OSError: another process holds the lock.
    """
    if sys.platform == "win32":
        at = os.lseek(file, 0, os.SEEK_CUR)
        os.lseek(file, FAR, os.SEEK_SET)
        try:
            while True:
                try:
                    msvcrt.locking(file, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
                    return
                except OSError:  # LK_LOCK gives up after ten seconds
                    if not wait:
                        raise
        finally:
            os.lseek(file, at, os.SEEK_SET)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
