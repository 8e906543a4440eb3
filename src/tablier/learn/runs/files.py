"""Files that are whole or not there: written beside their place, synchronised, then renamed. And a lock on a folder."""

from __future__ import annotations

import errno
import fcntl
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

MOST_BYTES = 4_000_000_000
"""Larger files are not read."""
Tensors = dict[str, NDArray[Any]]


class RunError(ValueError):
    """Something is wrong with a run's folder; the message is for people."""


class DamagedError(RunError):
    """A file is not what was written, or not there: an older one may do."""


def write(path: Path, data: bytes) -> None:
    """Puts the bytes at the path: after a crash the file is the old one or the new one, never a part."""
    beside = path.with_name(f".{path.name}.tmp")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        sync(path.parent)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise told(error, path) from None


def append(path: Path, data: bytes) -> None:
    """Adds the bytes at the end of a file and waits until they are on the disk."""
    try:
        with path.open("ab") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise told(error, path) from None


def sync(folder: Path) -> None:
    """Waits until the names in a folder are on the disk."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def told(error: OSError, path: Path) -> OSError | RunError:
    """The error in words that say what to do."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return RunError(f"no space left for {path}: nothing was overwritten; free some and go on with --resume")
    return error


def read(path: Path) -> bytes:
    """The bytes of a file of reasonable size."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise RunError(f"{path} is too large")
        return path.read_bytes()
    except FileNotFoundError:
        raise DamagedError(f"{path} is not there") from None
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}") from None


def read_json(path: Path) -> dict[str, Any]:
    """An object from a JSON file."""
    try:
        found = json.loads(read(path))
    except (ValueError, RecursionError) as error:
        if isinstance(error, RunError):
            raise
        raise DamagedError(f"{path} is damaged: it is not JSON") from None
    if not isinstance(found, dict):
        raise DamagedError(f"{path} is damaged: it holds no object")
    return found


def write_json(path: Path, value: dict[str, Any]) -> None:
    """Puts an object at the path as JSON."""
    write(path, (json.dumps(value, indent=2) + "\n").encode())


def tensor_bytes(tensors: Tensors, facts: dict[str, str] | None = None) -> bytes:
    """Arrays in the safetensors format, and what else is to be known of them."""
    whole = {name: np.ascontiguousarray(array) for name, array in tensors.items()}
    data: bytes = safetensors.numpy.save(whole, facts)
    return data


def tensors_of(data: bytes, path: Path) -> Tensors:
    """The arrays that such bytes hold; `path` is for the message."""
    try:
        tensors: Tensors = safetensors.numpy.load(data)
    except (safetensors.SafetensorError, ValueError, KeyError, TypeError, OverflowError):
        raise DamagedError(f"{path} is damaged: it is not a whole safetensors file") from None
    return tensors


def summed_bytes(tensors: Tensors) -> bytes:
    """Arrays in the safetensors format with a sum of them all, for a file that no list of sums names."""
    return tensor_bytes(tensors, {"sha256": _sum(tensors)})


def summed_tensors_of(data: bytes, path: Path) -> Tensors:
    """The arrays that `summed_bytes` wrote; files of older versions have no sum."""
    tensors = tensors_of(data, path)
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    if header.get("__metadata__", {}).get("sha256", "") not in ("", _sum(tensors)):
        raise DamagedError(f"{path} is damaged: it is not what was written")
    return tensors


def _sum(tensors: Tensors) -> str:
    sum_ = hashlib.sha256()
    for name, array in sorted(tensors.items()):
        sum_.update(f"{name} {array.dtype} {array.shape} ".encode())
        sum_.update(np.ascontiguousarray(array).tobytes())
    return sum_.hexdigest()


def remove_leftovers(folder: Path) -> None:
    """Takes away what a killed process had begun to write."""
    for path in folder.glob(".*.tmp"):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def lock(folder: Path) -> IO[bytes]:
    """Holds the folder for this process until the file is closed; the system lets go when the process dies."""
    try:
        file = (folder / ".lock").open("ab")
    except OSError as error:
        raise told(error, folder) from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise RunError(f"{folder} is in use by another process; wait for it or choose another --run") from None
    return file
