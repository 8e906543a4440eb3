"""The folder of a run: config.json, metrics.jsonl, TensorBoard events, checkpoints, replay shards and the network.

Metrics are written with each checkpoint: first the checkpoint, which contains the rows since the last one, then the
same rows in metrics.jsonl. So rows are never removed from that file, and resuming adds any that were lost in a crash.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import numpy as np

import tablier
from tablier._core import Game
from tablier.evaluators.network import describe
from tablier.learn.learner import Learner
from tablier.learn.runs import checkpoint as checkpoints
from tablier.learn.runs.checkpoint import Checkpoint
from tablier.learn.runs.config import Config
from tablier.learn.runs.events import Events
from tablier.learn.runs.files import (
    DamagedError,
    LostError,
    RunError,
    Tensors,
    append,
    give_up,
    lock,
    read,
    read_json,
    remove_leftovers,
    write,
    write_json,
)
from tablier.run_metrics import is_number, parsed, read_rows


class Run:
    """A run whose folder is locked by this process. Use it as a context manager; `open_run` creates it.

    Attributes:
        folder: the folder of the run.
        algorithm: the name of the algorithm.
        config: the settings.
        learner: the algorithm itself.
        counters: totals over the whole run, including the `seconds` of training.
    """

    def __init__(self, folder: Path, algorithm: str, config: Config, learner: Learner) -> None:
        self.folder, self.algorithm, self.config, self.learner = folder, algorithm, config, learner
        self.made_for = identity(algorithm, learner.game)
        self.counters: dict[str, float] = {"seconds": 0.0}
        self._pending: list[dict[str, Any]] = []
        self._events: Events | None = None
        self._events_work = True
        self._late: list[dict[str, Any]] = []
        """Metrics of the checkpoint the run was resumed from, in case a crash kept them from TensorBoard."""
        self.config_is_saved = True
        """Whether config.json has these settings; it is written only when a run was resumed."""
        self._first_step = 0
        """The step that this process resumed from."""
        self._lock = lock(folder)
        self._since = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self._events:
                self._events.close()
        except OSError as error:
            if self._events_work:
                self._without_events(error)
        finally:
            self._lock.close()

    def seconds(self) -> float:
        """Returns the training time in seconds, including that of earlier processes."""
        return self.counters["seconds"] + time.monotonic() - self._since

    def over(self, step: int) -> bool:
        """Returns whether training ends after this step."""
        minutes = self.config.minutes
        return step >= self.config.steps or (minutes > 0 and self.seconds() >= 60 * minutes)

    def log(self, step: int, **values: float) -> None:
        """Adds a row of metrics, to be written with the next checkpoint."""
        row = {"step": step, "seconds": round(self.seconds(), 3)}
        self._pending.append(row | {name: _short(value) for name, value in values.items()})

    def save(self, step: int, weights: Tensors, training: Tensors, networks: dict[str, bytes] | None = None) -> None:
        """Writes a checkpoint, then the metrics since the last one and the files of the network.

        Args:
            step: the last completed step.
            weights: weights of the network that plays.
            training: everything else that resuming needs.
            networks: the network that plays, as files by name; None leaves the files as they are.
        """
        counters = {**self.counters, "seconds": self.seconds()}
        pending, self._pending = self._pending, []
        checkpoints.save(self.folder, Checkpoint(step, self.made_for, weights, training, counters, pending))
        self._acknowledge(pending)
        self.put_networks(networks or {})
        checkpoints.thin_out(self.folder, self.config.checkpoint_every)

    def add_workers(self, step: int, rows: list[dict[str, Any]]) -> None:
        """Appends what each worker has done since this process began, to workers.jsonl."""
        if rows:
            lines = [{"step": step, "since": self._first_step, **row} for row in rows]
            append(self.folder / "workers.jsonl", b"".join(map(_line, lines)))

    def put_networks(self, networks: dict[str, bytes]) -> None:
        """Writes those files that are missing or differ; a crash may have left older ones."""
        for path, network in self._outdated(networks).items():
            write(path, network)

    def _outdated(self, networks: dict[str, bytes]) -> dict[Path, bytes]:
        paths = {self.folder / name: network for name, network in networks.items()}
        return {path: network for path, network in paths.items() if not path.exists() or read(path) != network}

    def resume(
        self,
        restore: Callable[[Checkpoint], None] = lambda _: None,
        networks: Callable[[], dict[str, bytes]] = dict,
    ) -> Checkpoint | None:
        """Restores the last intact checkpoint, with the metrics, counters and network of that step.

        Changed settings are written to config.json last, so a run that cannot be resumed keeps its own.
        Damaged checkpoints are renamed and skipped. If none is intact, the newest one is used that lacks only files a
        run can do without, such as old positions. What is lost is printed on stderr.

        Args:
            restore: called with the checkpoint; may raise DamagedError to skip it.
            networks: returns the network that plays, as files by name, once the checkpoint is restored.

        Returns:
            The checkpoint, or None if the run has none yet.

        Raises:
            RunError: all checkpoints are damaged, or one belongs to another run.
        """
        remove_leftovers(self.folder / "checkpoints")
        remove_leftovers(self.folder)
        damaged: dict[int, DamagedError] = {}
        for step in reversed(checkpoints.steps_of(self.folder)):
            try:
                return self._resume_from(step, restore, networks, damaged)
            except DamagedError as error:
                damaged[step] = error
        for step, problem in damaged.items():  # newest first
            if not isinstance(problem, LostError):
                continue
            newer = {spoiled: error for spoiled, error in damaged.items() if spoiled > step}
            for path in problem.paths:
                aside = give_up(path)
                print(f"{path} is lost; {aside.name} stands in for it", file=sys.stderr)
            print(f"{problem}; resuming from step {step} without these positions", file=sys.stderr)
            return self._resume_from(step, restore, networks, newer)
        for problem in damaged.values():  # report the newest
            raise problem
        if metrics(self.folder):
            raise RunError(f"{self.folder} has metrics but no checkpoint; choose another --run")
        write(self.folder / "metrics.jsonl", b"")
        self._save_config()
        return None

    def _resume_from(
        self,
        step: int,
        restore: Callable[[Checkpoint], None],
        networks: Callable[[], dict[str, bytes]],
        damaged: dict[int, DamagedError],
    ) -> Checkpoint:
        """Restores the checkpoint of a step and renames the newer, damaged ones; raises DamagedError if it is, too."""
        found = checkpoints.load(self.folder, step, self.made_for)
        restore(found)  # its replay shards may be damaged, too
        files = self._aligned(found) | self._outdated(networks())
        for path, data in files.items():  # everything has been read
            write(path, data)
        for spoiled, problem in damaged.items():
            aside = checkpoints.set_aside(self.folder, spoiled)
            print(f"{problem}; renamed to {aside.name}, resuming from step {step}", file=sys.stderr)
        self.counters, self._late = dict(found.counters), found.pending
        self._since, self._first_step = time.monotonic(), found.step
        self._save_config()
        return found

    def _save_config(self) -> None:
        if not self.config_is_saved:
            _write_config(self)
            self.config_is_saved = True

    def _aligned(self, found: Checkpoint) -> dict[Path, bytes]:
        """Returns the files of metrics and workers up to the step of a checkpoint."""
        path = self.folder / "metrics.jsonl"
        rows, bad = read_rows(read(path)) if path.exists() else ([], [])
        if bad:
            print(f"{path}: dropped {len(bad)} damaged lines, first line {bad[0]}", file=sys.stderr)
        known = [row for row in rows if row["step"] <= found.step]
        last = known[-1]["step"] if known else 0
        known += [row for row in found.pending if row["step"] > last]
        files = {path: b"".join(_line(row) for row in known)}
        workers = self.folder / "workers.jsonl"
        if workers.exists():
            lines = [parsed(line) for line in read(workers).split(b"\n")[:-1]]
            whole = [row for row in lines if isinstance(row, dict) and is_number(row.get("step"))]
            if len(whole) < len(lines):
                print(f"{workers}: dropped {len(lines) - len(whole)} damaged lines", file=sys.stderr)
            files[workers] = b"".join(_line(row) for row in whole if row["step"] <= found.step)
        return files

    def _acknowledge(self, rows: list[dict[str, Any]]) -> None:
        append(self.folder / "metrics.jsonl", b"".join(_line(row) for row in rows))
        rows, self._late = self._late + rows, []
        if not self.config.tensorboard or not self._events_work or not rows:
            return
        try:
            if self._events is None:
                self._events = Events(self.folder / "tensorboard", rows[0]["step"])
            self._events.add(rows)
        except (OSError, ValueError) as error:
            self._without_events(error)

    def _without_events(self, error: Exception) -> None:
        """Continues without TensorBoard events after an error."""
        self._events_work = False
        print(f"TensorBoard events disabled, metrics.jsonl is complete: {error}", file=sys.stderr)


def identity(algorithm: str, game: Game) -> dict[str, Any]:
    """Returns what identifies the run of a checkpoint: the algorithm, the game, its options and the network sizes."""
    return {"algorithm": algorithm, **json.loads(describe(game)["tablier"])}


def _short(value: float) -> float | None:
    value = float(value)
    return float(f"{value:.6g}") if np.isfinite(value) else None


def _line(row: dict[str, Any]) -> bytes:
    return (json.dumps(row) + "\n").encode()


def metrics(folder: Path) -> list[dict[str, Any]]:
    """Reads the metrics of a run, without lines that are damaged or were cut off."""
    path = folder / "metrics.jsonl"
    return read_rows(read(path))[0] if path.exists() else []


def create_run(folder: Path, algorithm: str, config: Config, make: Callable[[Config], Learner]) -> Run:
    """Creates a run; see `tablier.learn.open_run`.

    Args:
        folder: a folder that does not contain a run.
        algorithm: the name of the algorithm.
        config: the settings.
        make: creates the learner. If it fails, nothing is written.
    """
    _check_path(folder)
    if (folder / "config.json").exists():
        raise RunError(f"{folder} already contains a run; add --resume to continue it, or choose another --run")
    learner = make(config)
    learner.start()
    folder.mkdir(parents=True, exist_ok=True)
    run = Run(folder, algorithm, config, learner)
    try:
        if checkpoints.steps_of(folder):
            raise RunError(f"{folder} has checkpoints but no config.json; choose another --run")
        (folder / "checkpoints").mkdir(exist_ok=True)
        (folder / "replay").mkdir(exist_ok=True)
        _write_config(run)
    except BaseException:
        run.__exit__()
        raise
    return run


def _check_path(folder: Path) -> None:
    """Checks that a path can be a folder, and that a player string can contain it."""
    if any(place.exists() and not place.is_dir() for place in (folder, *folder.parents)):
        raise RunError(f"{folder} cannot be the folder of a run: there is a file with this name")
    if "," in str(folder):
        raise RunError(f"{folder} contains a comma, which separates the settings of a player; choose another --run")


def _write_config(run: Run) -> None:
    settings = {"tablier": tablier.__version__, "algorithm": run.algorithm, **run.config.as_dict()}
    write_json(run.folder / "config.json", settings)


def read_config(folder: Path, known: dict[str, type[Config]]) -> tuple[str, Config]:
    """Reads the algorithm and the config of a run; `known` maps algorithms to their config classes."""
    if not (folder / "config.json").is_file():
        raise RunError(f"{folder} does not contain a run")
    settings = read_json(folder / "config.json")
    settings.pop("tablier", None)
    algorithm = settings.pop("algorithm", None)
    if not isinstance(algorithm, str) or algorithm not in known:
        raise RunError(f"{folder} is a run of {algorithm!r}; this version supports {', '.join(known)}")
    try:
        return algorithm, known[algorithm].of(settings)
    except RunError as error:
        raise RunError(f"{folder}/config.json: {error}") from None


def resume_run(
    folder: Path,
    algorithm: str,
    known: dict[str, type[Config]],
    changes: dict[str, Any],
    make: Callable[[Config], Learner],
) -> Run:
    """Opens a run to resume it; see `tablier.learn.open_run`.

    Args:
        folder: the folder of the run.
        algorithm: the algorithm it must have been created with.
        known: config classes by algorithm.
        changes: settings to change.
        make: creates the learner.
    """
    _check_path(folder)
    found, config = read_config(folder, known)
    if found != algorithm:
        raise RunError(f"{folder} is a run of {found}, not {algorithm}")
    config = config.resumed(changes)
    run = Run(folder, algorithm, config, make(config))
    run.config_is_saved = not changes
    return run
