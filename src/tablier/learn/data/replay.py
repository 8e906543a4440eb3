"""What is learned from again: the last so many rows, sampled without replacement, and shards on the disk to go on from.

Each algorithm decides what a row holds (`positions.py`, `transitions.py`). A position is kept as the words of its
state; what a player sees of it is computed when it is sampled. A step's rows are one shard, written once
and never changed; shards that no checkpoint needs any more are removed.
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
from tablier.learn.runs.files import DamagedError, read, remove_leftovers, summed_bytes, summed_tensors_of, write


@dataclass(frozen=True)
class Rows(ABC):
    """Arrays of the same length, one row of each belonging together."""

    @classmethod
    @abstractmethod
    def empty(cls, game: Game) -> Self:
        """No rows; the arrays have the types and shapes that rows of this game have."""

    @abstractmethod
    def fault(self, game: Game) -> str:
        """What is wrong with rows that were read from a file; their types and shapes are right."""

    def __len__(self) -> int:
        return len(getattr(self, fields(self)[0].name))

    @classmethod
    def joined(cls, parts: Iterable[Self]) -> Self:
        """The rows of all parts, in order."""
        parts = list(parts)
        return cls(*(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(cls)))

    def last(self, n: int) -> Self:
        """The last n rows."""
        cut = max(0, len(self) - n)
        return type(self)(*(getattr(self, one.name)[cut:] for one in fields(self)))


def wrong_states(game: Game, states: NDArray[np.uint64]) -> str:
    """What is wrong with states that were read from a file: the engine itself trusts what it is given."""
    row = _search.first_invalid(game, np.ascontiguousarray(states))
    return "" if row < 0 else f"row {row} is no state of {game.name}"


def legal_mask(game: Game, states: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """What may be done in each state; nothing where nobody is to decide."""
    legal = np.zeros((len(states), game.num_distinct_actions()), np.bool_)
    _search.show(game, np.ascontiguousarray(states), np.zeros(len(states), np.int32), legal_mask=legal)
    return legal


R = TypeVar("R", bound=Rows)


class Replay(Generic[R]):
    """The last `capacity` rows of a kind; with a folder, on the disk too."""

    def __init__(self, kind: type[R], game: Game, capacity: int, folder: Path | None = None) -> None:
        self._game, self._capacity, self._folder = game, capacity, folder
        self.rows = kind.empty(game)
        self._sizes: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, step: int, fresh: R) -> None:
        """Adds a step's rows and forgets the oldest."""
        if self._folder:
            write(self._shard(step), summed_bytes({one.name: getattr(fresh, one.name) for one in fields(fresh)}))
        self._take(step, fresh)

    def _take(self, step: int, fresh: R) -> None:
        self._sizes[step] = len(fresh)
        self.rows = self.rows.joined([self.rows, fresh]).last(self._capacity)

    @property
    def newest(self) -> int:
        """How many rows the last step had."""
        return self._sizes[max(self._sizes)] if self._sizes else 0

    def draw(self, n: int, draw: np.random.Generator) -> NDArray[np.int64]:
        """The numbers of so many different rows, all if there are fewer."""
        return draw.choice(len(self), min(n, len(self)), replace=False)

    def resume(self, step: int) -> None:
        """Reads the shards that a checkpoint of this step has seen; later ones are removed, they will be made again."""
        if not self._folder:
            return
        remove_leftovers(self._folder)
        needed: list[tuple[int, R]] = []
        later = [number for number in self._steps() if number > step]
        for number in reversed(self._steps()):
            if number <= step and sum(len(rows) for _, rows in needed) < self._capacity:
                needed.append((number, self._read(number)))
        expected = set(range(max(1, step - len(needed) + 1), step + 1))
        if {number for number, _ in needed} != expected:
            raise DamagedError(f"{self._folder} lacks positions of steps before {step}")
        self.rows, self._sizes = self.rows.empty(self._game), {}
        for number, rows in reversed(needed):
            self._take(number, rows)
        for number in later:  # only now that all is read
            self._shard(number).unlink()

    def forget(self, step: int) -> None:
        """Removes shards that not even a run resumed after this step would need."""
        if not self._folder:
            return
        seen = 0
        for number in reversed(self._steps()):
            if seen >= self._capacity:
                self._shard(number).unlink()
            elif number <= step:
                seen += self._sizes.get(number, 0)

    def _steps(self) -> list[int]:
        names = (path.stem for path in self._folder.glob("step-*.safetensors")) if self._folder else ()
        return sorted(int(name[5:]) for name in names if name[5:].isdecimal())

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
                raise DamagedError(f"{path} is damaged or of another game: {one.name} is not what it should be")
        rows = type(model)(**{one.name: tensors[one.name] for one in fields(model)})
        if fault := rows.fault(self._game):
            raise DamagedError(f"{path} is damaged: {fault}")
        return rows
