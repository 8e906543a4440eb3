"""Crash-safe files: written under a temporary name, synced to disk, then renamed. Also tensors and the folder lock."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import IO, Any

import numpy as np
import safetensors
import safetensors.numpy
from numpy.typing import NDArray

from tablier import locks
from tablier.messages import MessageError
from tablier.regular_files import read_regular
from tablier.whole_files import write_whole

MOST_BYTES = 4_000_000_000
"""Largest file that is read."""
Tensors = dict[str, NDArray[Any]]


class RunError(ValueError):
    """Raised when a run cannot be created, opened or continued. The message gives the reason."""


class DamagedError(RunError):
    """Raised when a file is damaged or missing. An older checkpoint may still work."""


class LostError(DamagedError):
    """Raised when files are damaged or missing that a run can do without, such as old positions.

    Attributes:
        paths: the files.
    """

    def __init__(self, message: str, paths: list[Path]) -> None:
        super().__init__(message)
        self.paths = paths


def give_up(path: Path) -> Path:
    """Renames a damaged file so that it is ignored, or marks a missing one as lost; returns the new path."""
    aside = lost(path)
    if path.exists():
        path.replace(aside)
    else:
        aside.touch()
    return aside


def lost(path: Path) -> Path:
    """Returns the path that stands for a file that was given up."""
    return path.with_name(f"{path.name}.damaged")


def write(path: Path, data: bytes) -> None:
    """Replaces a file atomically: after a crash, it is either the old file or the new one."""
    try:
        write_whole(path, data)
    except OSError as error:
        raise explained(error, path) from None


def append(path: Path, data: bytes) -> None:
    """Appends bytes to a file and waits until they are on disk."""
    try:
        with path.open("ab") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise explained(error, path) from None


def explained(error: OSError, path: Path) -> OSError | RunError:
    """Returns a RunError with instructions if the disk is full, otherwise the error itself."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return RunError(
            f"no space left for {path}; nothing was overwritten: free some space and continue with --resume"
        )
    return error


def read(path: Path) -> bytes:
    """Reads a regular file; raises DamagedError if it does not exist, RunError if it cannot be read or is too large."""
    try:
        return read_regular(path, MOST_BYTES)
    except FileNotFoundError:
        raise DamagedError(f"{path} does not exist") from None
    except MessageError as error:
        raise RunError(str(error)) from None
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}") from None


def read_json(path: Path) -> dict[str, Any]:
    """Reads a JSON object from a file; raises DamagedError if it is not one."""
    try:
        found = json.loads(read(path))
    except (ValueError, RecursionError) as error:
        if isinstance(error, RunError):
            raise
        raise DamagedError(f"{path} is damaged: it is not JSON") from None
    if not isinstance(found, dict):
        raise DamagedError(f"{path} is damaged: it is not a JSON object")
    return found


def write_json(path: Path, value: dict[str, Any]) -> None:
    """Writes an object to a JSON file, atomically."""
    write(path, (json.dumps(value, indent=2) + "\n").encode())


def tensor_bytes(tensors: Tensors, facts: dict[str, str] | None = None) -> bytes:
    """Serialises arrays in the safetensors format, with optional metadata."""
    whole = {name: np.ascontiguousarray(array) for name, array in tensors.items()}
    data: bytes = safetensors.numpy.save(whole, facts)
    return data


def tensors_of(data: bytes, path: Path) -> Tensors:
    """Parses safetensors bytes; `path` is used only in the error message."""
    try:
        tensors: Tensors = safetensors.numpy.load(data)
    except (safetensors.SafetensorError, ValueError, KeyError, TypeError, OverflowError):
        raise DamagedError(f"{path} is damaged: it is not a valid safetensors file") from None
    return tensors


def summed_bytes(tensors: Tensors) -> bytes:
    """Serialises arrays in the safetensors format, with their checksum in the metadata."""
    return tensor_bytes(tensors, {"sha256": _sum(tensors)})


def summed_tensors_of(data: bytes, path: Path) -> Tensors:
    """Parses what `summed_bytes` wrote and verifies the checksum; files of older versions have none."""
    tensors = tensors_of(data, path)
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    if header.get("__metadata__", {}).get("sha256", "") not in ("", _sum(tensors)):
        raise DamagedError(f"{path} is damaged: its checksum is wrong")
    return tensors


def _sum(tensors: Tensors) -> str:
    sum_ = hashlib.sha256()
    for name, array in sorted(tensors.items()):
        sum_.update(f"{name} {array.dtype} {array.shape} ".encode())
        sum_.update(np.ascontiguousarray(array).tobytes())
    return sum_.hexdigest()


def remove_leftovers(folder: Path) -> None:
    """Deletes the temporary files and folders of a killed process."""
    for path in folder.glob(".*.tmp"):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def lock(folder: Path) -> IO[bytes]:
    """Locks a folder for this process until the returned file is closed or the process ends.

    Raises:
        RunError: another process holds the lock.
    """
    try:
        file = (folder / ".lock").open("ab")
    except OSError as error:
        raise explained(error, folder) from None
    try:
        locks.acquire(file.fileno())
    except OSError:
        file.close()
        raise RunError(f"{folder} is in use by another process; wait for it or choose another --run") from None
    return file
