"""A checkpoint: a folder step-N with the weights, what training needs to go on, and a list of both with their sums.

The folder is written beside its place and renamed, so that one which exists is whole; the sums tell if the disk spoiled
it later. Weights are kept of many checkpoints, the rest of the last two.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablier.learn.runs.files import (
    DamagedError,
    RunError,
    Tensors,
    read,
    read_json,
    sync,
    tensor_bytes,
    tensors_of,
    told,
)

FORMAT = 1
KEPT = 40
"""Checkpoints whose weights are kept, about evenly over the run."""


@dataclass(frozen=True)
class Checkpoint:
    """What is saved at the end of a step."""

    step: int
    made_for: dict[str, Any]
    """Algorithm, game and sizes; another run's checkpoint is refused by it."""
    weights: Tensors
    training: Tensors
    """Optimizer, averages, games in progress."""
    counters: dict[str, float]
    pending: list[dict[str, Any]]
    """Metrics since the checkpoint before."""


def folder_of(run: Path, step: int) -> Path:
    """Where a step's checkpoint is."""
    return run / "checkpoints" / f"step-{step:08d}"


def steps_of(run: Path) -> list[int]:
    """Steps of which there are checkpoints, ascending."""
    names = (path.name for path in (run / "checkpoints").glob("step-*"))
    return sorted(int(name[5:]) for name in names if name[5:].isdecimal())


def save(run: Path, checkpoint: Checkpoint) -> None:
    """Writes a checkpoint, all of it or nothing."""
    place = folder_of(run, checkpoint.step)
    beside = place.with_name(f".{place.name}.tmp")
    parts = {
        "weights.safetensors": tensor_bytes(checkpoint.weights),
        "training.safetensors": tensor_bytes(checkpoint.training),
    }
    state = {
        "format": FORMAT,
        "made_for": checkpoint.made_for,
        "step": checkpoint.step,
        "counters": checkpoint.counters,
        "pending": checkpoint.pending,
        "sums": {name: hashlib.sha256(data).hexdigest() for name, data in parts.items()},
    }
    parts["state.json"] = json.dumps(state, indent=1).encode()
    try:
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(parents=True)
        for name, data in parts.items():
            with (beside / name).open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        sync(beside)
        if place.exists():
            _remove(place)
        beside.rename(place)
        sync(place.parent)
    except OSError as error:
        shutil.rmtree(beside, ignore_errors=True)
        raise told(error, place) from None


def is_row(row: Any) -> bool:
    """Whether this is a line of metrics: a step, the seconds until then, and numbers."""
    return (
        isinstance(row, dict)
        and type(row.get("step")) is int
        and _is_number(row.get("seconds"))
        and all(value is None or _is_number(value) for value in row.values())
    )


def _is_number(value: Any) -> bool:
    return (type(value) is int and abs(value) < 2**63) or (type(value) is float and math.isfinite(value))


def load(run: Path, step: int, made_for: dict[str, Any], training: bool = True) -> Checkpoint:
    """Reads a checkpoint; raises DamagedError if it is spoiled, RunError if it was made for something else."""
    place = folder_of(run, step)
    state = read_json(place / "state.json")
    missing = {"format", "made_for", "step", "counters", "pending", "sums"} - set(state)
    if missing:
        raise DamagedError(f"{place}/state.json is damaged: it lacks {min(missing)}")
    if state["format"] != FORMAT:
        raise RunError(f"{place} has format {state['format']!r}; this version reads {FORMAT}")
    found, sums, counters, pending = (state[name] for name in ("made_for", "sums", "counters", "pending"))
    if not (isinstance(found, dict) and isinstance(sums, dict)):
        raise DamagedError(f"{place}/state.json is damaged: it does not say what it was made for")
    for key, expected in made_for.items():
        if found.get(key) != expected:
            raise RunError(f"{place} was made for {key} {found.get(key)!r}; this needs {expected!r}")
    if state["step"] != step:
        raise RunError(f"{place} is not what its name says: it was made at step {state['step']!r}")
    if not isinstance(counters, dict) or not all(map(_is_number, [counters.get("seconds"), *counters.values()])):
        raise DamagedError(f"{place}/state.json is damaged: counters are not numbers")
    if not isinstance(pending, list) or not all(is_row(row) and row["step"] <= step for row in pending):
        raise DamagedError(f"{place}/state.json is damaged: what is pending are not metrics")
    parts = {}
    for name in ("weights.safetensors", *(["training.safetensors"] if training else [])):
        data = read(place / name)
        if hashlib.sha256(data).hexdigest() != sums.get(name):
            raise DamagedError(f"{place / name} is damaged: it is not what was written")
        parts[name] = tensors_of(data, place / name)
    return Checkpoint(
        step, found, parts["weights.safetensors"], parts.get("training.safetensors", {}), counters, pending
    )


def set_aside(run: Path, step: int) -> Path:
    """Gives a damaged checkpoint another name, under which nothing looks for it."""
    place = folder_of(run, step)
    names = (place.with_name(f"{place.name}.damaged{number or ''}") for number in range(1000))
    return place.rename(next(name for name in names if not name.exists()))


def thin_out(run: Path, every: int) -> None:
    """Forgets what training needs of all but the last two checkpoints, and every second one when there are many."""
    steps = steps_of(run)
    stride = every
    while len([step for step in steps if step % stride == 0]) > KEPT:
        stride *= 2
    for step in steps[:-2]:
        if step % stride:
            _remove(folder_of(run, step))
        else:
            (folder_of(run, step) / "training.safetensors").unlink(missing_ok=True)


def _remove(place: Path) -> None:
    """Takes a checkpoint away, all of it at once: a process that is killed meanwhile leaves a hidden folder."""
    hidden = place.with_name(f".{place.name}.gone.tmp")
    shutil.rmtree(hidden, ignore_errors=True)
    place.rename(hidden)
    shutil.rmtree(hidden, ignore_errors=True)
