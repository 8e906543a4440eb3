"""Checkpoints: folders `step-N` with the weights, the training state, and a JSON file with checksums of both.

A checkpoint is written under a temporary name and then renamed, so every checkpoint is complete. The checksums detect
later damage. Weights are kept for many checkpoints, the training state only for the last two.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablier.learn.runs.files import (
    DamagedError,
    RunError,
    Tensors,
    explained,
    read,
    read_json,
    tensor_bytes,
    tensors_of,
)
from tablier.registry import load_game
from tablier.run_metrics import is_number, is_row
from tablier.whole_files import sync

WEIGHTS = "weights.safetensors"
"""Name of the file with the weights in a checkpoint."""
FORMAT = 1
KEPT = 40
"""Maximum number of checkpoints whose weights are kept, spread evenly over the run."""


@dataclass(frozen=True)
class Checkpoint:
    """The state of a run at the end of a step."""

    step: int
    made_for: dict[str, Any]
    """Algorithm, game and network sizes. A checkpoint of another run is rejected."""
    weights: Tensors
    training: Tensors
    """Optimizer state, other networks, games in progress."""
    counters: dict[str, float]
    pending: list[dict[str, Any]]
    """Metrics since the previous checkpoint."""


def folder_of(run: Path, step: int) -> Path:
    """Returns the folder of a step's checkpoint."""
    return run / "checkpoints" / f"step-{step:08d}"


def steps_of(run: Path) -> list[int]:
    """Returns the steps that have checkpoints, in ascending order."""
    names = (path.name for path in (run / "checkpoints").glob("step-*"))
    return sorted(int(name[5:]) for name in names if name[5:].isdecimal())


def save(run: Path, checkpoint: Checkpoint) -> None:
    """Writes a checkpoint atomically."""
    place = folder_of(run, checkpoint.step)
    beside = place.with_name(f".{place.name}.tmp")
    parts = {
        WEIGHTS: tensor_bytes(checkpoint.weights),
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
        raise explained(error, place) from None


def _with_newer_options(found: dict[str, Any], made_for: dict[str, Any]) -> dict[str, Any]:
    """Returns what a checkpoint was made for, with the defaults of options that its game did not have yet."""
    options = found.get("options")
    if not isinstance(options, dict) or found.get("game") != made_for.get("game") or "options" not in made_for:
        return found
    defaults = load_game(made_for["game"]).options()
    newer = {name: defaults[name] for name in made_for["options"] if name not in options}
    return {**found, "options": {**newer, **options}}


def load(run: Path, step: int, made_for: dict[str, Any], training: bool = True) -> Checkpoint:
    """Reads and verifies a checkpoint.

    Args:
        run: the folder of the run.
        step: the step of the checkpoint.
        made_for: the expected algorithm, game and sizes, from `tablier.learn.runs.run.identity`.
        training: whether to read the training state too.

    Raises:
        DamagedError: a file is missing or damaged.
        RunError: the checkpoint belongs to another run, or has another format.
    """
    place = folder_of(run, step)
    state = read_json(place / "state.json")
    missing = {"format", "made_for", "step", "counters", "pending", "sums"} - set(state)
    if missing:
        raise DamagedError(f"{place}/state.json is damaged: {min(missing)} is missing")
    if state["format"] != FORMAT:
        raise RunError(f"{place} has format {state['format']!r}; this version reads {FORMAT}")
    found, sums, counters, pending = (state[name] for name in ("made_for", "sums", "counters", "pending"))
    if not (isinstance(found, dict) and isinstance(sums, dict)):
        raise DamagedError(f"{place}/state.json is damaged: made_for or sums is not an object")
    found = _with_newer_options(found, made_for)
    for key, expected in made_for.items():
        if found.get(key) != expected:
            raise RunError(f"{place} was written for {key} {found.get(key)!r}; this run needs {expected!r}")
    if state["step"] != step:
        raise RunError(f"{place} was renamed: it was written at step {state['step']!r}")
    if not isinstance(counters, dict) or not all(map(is_number, [counters.get("seconds"), *counters.values()])):
        raise DamagedError(f"{place}/state.json is damaged: counters are not numbers")
    if not isinstance(pending, list) or not all(is_row(row) and row["step"] <= step for row in pending):
        raise DamagedError(f"{place}/state.json is damaged: pending metrics are invalid")
    parts = {}
    for name in (WEIGHTS, *(["training.safetensors"] if training else [])):
        data = read(place / name)
        if hashlib.sha256(data).hexdigest() != sums.get(name):
            raise DamagedError(f"{place / name} is damaged: its checksum is wrong")
        parts[name] = tensors_of(data, place / name)
    return Checkpoint(step, found, parts[WEIGHTS], parts.get("training.safetensors", {}), counters, pending)


def set_aside(run: Path, step: int) -> Path:
    """Renames a damaged checkpoint so that it is ignored, and returns its new path."""
    place = folder_of(run, step)
    names = (place.with_name(f"{place.name}.damaged{number or ''}") for number in range(1000))
    return place.rename(next(name for name in names if not name.exists()))


def thin_out(run: Path, every: int) -> None:
    """Deletes the training state of all but the last two checkpoints, and some checkpoints if there are too many.

    Args:
        run: the folder of the run.
        every: steps between checkpoints.
    """
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
    """Deletes a checkpoint atomically: if the process is killed, only a hidden folder remains."""
    hidden = place.with_name(f".{place.name}.gone.tmp")
    shutil.rmtree(hidden, ignore_errors=True)
    place.rename(hidden)
    shutil.rmtree(hidden, ignore_errors=True)
