"""Replay buffer: the most recent rows in memory, sampled without replacement, and shards on disk for resuming.

The kind of row depends on the algorithm (`positions.py`, `transitions.py`). Positions are stored as state words, and
features are computed when a row is sampled. Each step writes one shard, which never changes and is deleted once no
checkpoint needs it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from tablier._core import Game
from tablier._core import search as _search
from tablier.learn.runs.files import (
    DamagedError,
    LostError,
    lost,
    read,
    remove_leftovers,
    summed_bytes,
    summed_tensors_of,
    write,
)


@dataclass(frozen=True)
class Rows(ABC):
    """Rows of training data, stored as one array per column."""

    @classmethod
    @abstractmethod
    def empty(cls, game: Game) -> Self:
        """Returns an empty set of rows, with the dtypes and shapes of this game."""

    @abstractmethod
    def fault(self, game: Game) -> str:
        """Describes what is wrong with rows from a file, apart from dtypes and shapes; empty if nothing is wrong."""

    def __len__(self) -> int:
        return len(getattr(self, fields(self)[0].name))

    @classmethod
    def joined(cls, parts: Iterable[Self]) -> Self:
        """Concatenates parts, in order."""
        parts = list(parts)
        return cls(*(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(cls)))

    def last(self, n: int) -> Self:
        """Returns the last n rows."""
        cut = max(0, len(self) - n)
        return type(self)(*(getattr(self, one.name)[cut:] for one in fields(self)))


def wrong_states(game: Game, states: NDArray[np.uint64]) -> str:
    """Describes the first invalid state; empty if all are valid."""
    row = _search.first_invalid(game, np.ascontiguousarray(states))
    return "" if row < 0 else f"row {row} is not a state of {game.name}"


def legal_mask(game: Game, states: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Returns the mask of legal actions [n, actions] of states [n, words]; all False at chance nodes and at the end."""
    legal = np.zeros((len(states), game.num_distinct_actions()), np.bool_)
    _search.show(game, np.ascontiguousarray(states), np.zeros(len(states), np.int32), legal_mask=legal)
    return legal


R = TypeVar("R", bound=Rows)


class Replay(Generic[R]):
    """A buffer of the last `capacity` rows, with shards on disk if it has a folder.

    Args:
        kind: the class of the rows.
        game: the game they belong to.
        capacity: number of rows to keep in memory.
        folder: where to write the shards; None keeps everything in memory.
    """

    def __init__(self, kind: type[R], game: Game, capacity: int, folder: Path | None = None) -> None:
        self._game, self._capacity, self._folder = game, capacity, folder
        self.rows = kind.empty(game)
        self._sizes: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, step: int, fresh: R) -> None:
        """Adds the rows of a step and evicts the oldest."""
        model = self.rows.empty(self._game)
        kinds = {one.name: (getattr(fresh, one.name).dtype, getattr(model, one.name).dtype) for one in fields(model)}
        assert all(given == wanted for given, wanted in kinds.values()), f"shards could not be read back: {kinds}"
        if self._folder:
            write(self._shard(step), summed_bytes({one.name: getattr(fresh, one.name) for one in fields(fresh)}))
        self._take(step, fresh)

    def _take(self, step: int, fresh: R) -> None:
        self._sizes[step] = len(fresh)
        self.rows = self.rows.joined([self.rows, fresh]).last(self._capacity)

    @property
    def newest(self) -> int:
        """Number of rows that the last step added."""
        return self._sizes[max(self._sizes)] if self._sizes else 0

    def draw(self, n: int, draw: np.random.Generator) -> NDArray[np.int64]:
        """Samples the indices of n different rows, or of all rows if there are fewer."""
        return draw.choice(len(self), min(n, len(self)), replace=False)

    def resume(self, step: int) -> None:
        """Restores the buffer to its state at a checkpoint, and deletes later shards.

        Shards that were given up (`tablier.learn.runs.files.give_up`) count as read, without rows.

        Raises:
            LostError: shards are missing or damaged. Everything is unchanged.
        """
        if not self._folder:
            return
        remove_leftovers(self._folder)
        found, broken = self._needed(step)
        if broken:
            more = f", and {len(broken) - 1} more shards cannot be read" if len(broken) > 1 else ""
            raise LostError(f"{next(iter(broken.values()))}{more}", [self._shard(number) for number in broken])
        self.rows, self._sizes = self.rows.empty(self._game), {}
        for number, rows in reversed(found):
            self._take(number, rows)
        for number in (number for number in self._steps() if number > step):  # only after everything was read
            self._shard(number).unlink()

    def _needed(self, step: int) -> tuple[list[tuple[int, R]], dict[int, DamagedError]]:
        """Reads the shards that fill the buffer, newest first, and returns why others of them cannot be read."""
        found: list[tuple[int, R]] = []
        broken: dict[int, DamagedError] = {}
        known, given_up = set(self._steps()), self._given_up()
        oldest = min(known | given_up, default=step + 1)
        for number in range(step, 0, -1):
            if sum(len(rows) for _, rows in found) >= self._capacity:
                break
            if number in given_up:
                continue
            if number < oldest and (broken or given_up):  # deleted when the lost rows still filled the buffer
                break
            try:
                found.append((number, self._read(number)))
            except DamagedError as error:
                broken[number] = error
        return found, broken

    def forget(self, step: int) -> None:
        """Deletes the shards that are not needed to resume from this step or a later one."""
        if not self._folder:
            return
        seen = 0
        for number in sorted({*self._steps(), *self._given_up()}, reverse=True):
            if seen >= self._capacity:
                self._shard(number).unlink(missing_ok=True)
                lost(self._shard(number)).unlink(missing_ok=True)
            elif number <= step:
                seen += self._sizes.get(number, 0)

    def _steps(self) -> list[int]:
        names = (path.stem for path in self._folder.glob("step-*.safetensors")) if self._folder else ()
        return sorted(int(name[5:]) for name in names if name[5:].isdecimal())

    def _given_up(self) -> set[int]:
        names = (path.name for path in self._folder.glob("step-*.safetensors.damaged")) if self._folder else ()
        return {int(name[5:13]) for name in names if name[5:13].isdecimal()}

    def _shard(self, step: int) -> Path:
        assert self._folder
        return self._folder / f"step-{step:08d}.safetensors"

    def _read(self, step: int) -> R:
        path = self._shard(step)
        tensors = summed_tensors_of(read(path), path)
        model = self.rows.empty(self._game)
        for one in fields(model):
            found, expected = tensors.get(one.name), getattr(model, one.name)
            if found is None or found.dtype != expected.dtype or found.shape[1:] != expected.shape[1:]:
                raise DamagedError(f"{path} is damaged or of another game: {one.name} has the wrong dtype or shape")
        rows = type(model)(**{one.name: tensors[one.name] for one in fields(model)})
        if fault := rows.fault(self._game):
            raise DamagedError(f"{path} is damaged: {fault}")
        return rows
