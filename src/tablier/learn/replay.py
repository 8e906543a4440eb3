"""Positions to learn from: the last so many, sampled without replacement, and shards on the disk to go on from.

A position is kept as the words of its state; what a player sees of it is computed when it is sampled. A step's
positions are one shard, written once and never changed; shards that no checkpoint needs any more are removed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tablier._core import Game
from tablier._core import search as _search
from tablier.learn.files import RunError, read, remove_leftovers, tensor_bytes, tensors_of, write


@dataclass(frozen=True)
class Positions:
    """Rows of positions; row i has the policy entries offsets[i] to offsets[i + 1], none if it has a value only."""

    states: NDArray[np.uint64]
    players: NDArray[np.int32]
    """Who sees the position."""
    values: NDArray[np.float32]
    """His value target."""
    offsets: NDArray[np.int64]
    actions: NDArray[np.int32]
    shares: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.values)

    @classmethod
    def empty(cls, game: Game) -> Positions:
        """No positions."""
        states = np.zeros((0, game.state_size()), np.uint64)
        players, values = np.zeros(0, np.int32), np.zeros(0, np.float32)
        return cls(states, players, values, np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float32))

    @classmethod
    def joined(cls, parts: Iterable[Positions]) -> Positions:
        """The rows of all parts, in order."""
        parts = list(parts)
        lengths = np.concatenate([np.diff(part.offsets) for part in parts])
        rest = {
            name: np.concatenate([getattr(part, name) for part in parts])
            for name in ("states", "players", "values", "actions", "shares")
        }
        return cls(offsets=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64), **rest)

    def last(self, n: int) -> Positions:
        """The last n rows."""
        cut = max(0, len(self) - n)
        begin = self.offsets[cut]
        return Positions(
            self.states[cut:],
            self.players[cut:],
            self.values[cut:],
            self.offsets[cut:] - begin,
            self.actions[begin:],
            self.shares[begin:],
        )


@dataclass(frozen=True)
class Batch:
    """What a network is shown and taught."""

    features: NDArray[np.float32]
    legal: NDArray[np.bool_]
    policy: NDArray[np.float32]
    values: NDArray[np.float32]


class Replay:
    """The last `capacity` positions of a game; with a folder, on the disk too."""

    def __init__(self, game: Game, capacity: int, folder: Path | None = None, mirror: bool = False) -> None:
        self._game, self._capacity, self._folder = game, capacity, folder
        self._colour = game._colour_entries()[1] if mirror and game.has_mirror() else -1
        self._rows = Positions.empty(game)
        self._sizes: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, step: int, fresh: Positions) -> None:
        """Adds a step's positions and forgets the oldest."""
        if self._folder:
            write(self._shard(step), tensor_bytes({one.name: getattr(fresh, one.name) for one in fields(fresh)}))
        self._take(step, fresh)

    def _take(self, step: int, fresh: Positions) -> None:
        self._sizes[step] = len(fresh)
        self._rows = Positions.joined([self._rows, fresh]).last(self._capacity)

    def sample(self, n: int, draw: np.random.Generator) -> Batch:
        """So many different positions (all if there are fewer), as their players see them."""
        rows = draw.choice(len(self), min(n, len(self)), replace=False)
        batch = self.show(rows)
        if self._colour >= 0:
            flipped = draw.random(len(rows)) < 0.5
            seen = batch.features.reshape(len(rows), -1)
            seen[flipped, self._colour] = 1 - seen[flipped, self._colour]
        return batch

    def show(self, rows: NDArray[np.int64]) -> Batch:
        """These rows."""
        kept, n = self._rows, len(rows)
        features = np.zeros((n, *self._game.features_shape()), np.float32)
        legal = np.zeros((n, self._game.num_distinct_actions()), np.bool_)
        states, players = np.ascontiguousarray(kept.states[rows]), np.ascontiguousarray(kept.players[rows])
        _search.show(self._game, states, players, features, legal)
        policy = np.zeros(legal.shape, np.float32)
        counts = (kept.offsets[rows + 1] - kept.offsets[rows]).astype(np.int64)
        entries = np.repeat(kept.offsets[rows] - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
        entries += np.arange(counts.sum())
        policy[np.repeat(np.arange(n), counts), kept.actions[entries]] = kept.shares[entries]
        return Batch(features, legal, policy, kept.values[rows])

    def resume(self, step: int) -> None:
        """Reads the shards that a checkpoint of this step has seen; later ones are removed, they will be made again."""
        if not self._folder:
            return
        remove_leftovers(self._folder)
        needed: list[tuple[int, Positions]] = []
        for number in reversed(self._steps()):
            if number > step:
                self._shard(number).unlink()
            elif sum(len(rows) for _, rows in needed) < self._capacity:
                needed.append((number, self._read(number)))
        expected = set(range(max(1, step - len(needed) + 1), step + 1))
        if {number for number, _ in needed} != expected:
            raise RunError(f"{self._folder} lacks positions of steps before {step}")
        self._rows, self._sizes = Positions.empty(self._game), {}
        for number, rows in reversed(needed):
            self._take(number, rows)

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

    def _read(self, step: int) -> Positions:
        path = self._shard(step)
        tensors = tensors_of(read(path), path)
        model = Positions.empty(self._game)
        for one in fields(model):
            found, expected = tensors.get(one.name), getattr(model, one.name)
            if found is None or found.dtype != expected.dtype or found.shape[1:] != expected.shape[1:]:
                raise RunError(f"{path} is damaged or of another game: {one.name} is not what it should be")
        rows = Positions(**{one.name: tensors[one.name] for one in fields(model)})
        lengths = np.diff(rows.offsets)
        whole = len(rows.states) == len(rows.players) == len(rows.values) == len(lengths)
        if not whole or (lengths < 0).any() or rows.offsets[0] or rows.offsets[-1] != len(rows.actions):
            raise RunError(f"{path} is damaged: its parts do not fit together")
        actions = self._game.num_distinct_actions()
        legal = len(rows.shares) == len(rows.actions) and ((rows.actions >= 0) & (rows.actions < actions)).all()
        if not legal or not ((rows.players == 0) | (rows.players == 1)).all():
            raise RunError(f"{path} is damaged: it names actions or players that are not there")
        return rows
