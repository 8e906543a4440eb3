"""What core networks read of a game: codes, and how the features depend on them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablier._core import BatchEnv, Game, nets
from tablier.learn.runs.files import RunError
from tablier.registry import load_game, registered_loader

Floats = NDArray[np.float64]
Block = tuple[NDArray[np.int64], NDArray[np.float32]]
"""The features that a code determines, [count], and what each value of the code adds to them, [size, count]."""
LEVELS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20, 24, 30, 60, 100, 120, 255)
"""Numbers of steps that a feature from 0 to 1 can be rounded to."""
SAMPLED = 4096
"""Positions from random play that determine the number of steps of each feature."""


@dataclass(frozen=True)
class Inputs:
    """The codes of a game, and the features as sums over codes. Arrays list the blocks one after another."""

    sizes: list[int]
    """Number of values of each code."""
    blocks: list[Block]
    """A block for each code."""
    base: Floats
    """The features of codes 0."""

    @cached_property
    def counts(self) -> NDArray[np.int32]:
        """Number of features in each block."""
        return np.array([len(features) for features, _ in self.blocks], np.int32)

    @cached_property
    def features(self) -> NDArray[np.int32]:
        """The features of the blocks."""
        return np.concatenate([features for features, _ in self.blocks]).astype(np.int32)

    @cached_property
    def largest(self) -> Floats:
        """The largest absolute value of each of `features`."""
        return np.concatenate([np.abs(values).max(axis=0) for _, values in self.blocks]).astype(np.float64)

    @cached_property
    def values(self) -> Floats:
        """The values of the blocks, row by row."""
        return np.concatenate([values.ravel() for _, values in self.blocks]).astype(np.float64)

    @cached_property
    def feature_of_value(self) -> NDArray[np.int64]:
        """The feature that each of `values` adds to."""
        return np.concatenate([np.tile(features, len(values)) for features, values in self.blocks])


def inputs_of(game: Game) -> Inputs:
    """Returns what core networks for a game read.

    Raises:
        RunError: the game has no codes, and its features are not fractions from 0 to 1.
    """
    return _inputs(game.name, tuple(game.options().items()), registered_loader(game.name))


@lru_cache(maxsize=16)
def _inputs(name: str, options: tuple[tuple[str, Any], ...], _: object) -> Inputs:
    game = load_game(name, **dict(options))
    sizes = nets.code_sizes(game)
    if not sizes:
        levels = _levels(game)
        if levels is None:
            raise RunError(f"the core cannot compute networks for {name}: its features are not fractions from 0 to 1")
        steps_of = [(np.arange(steps + 1)[:, None] / steps).astype(np.float32) for steps in levels]
        blocks = [(np.array([i]), values) for i, values in enumerate(steps_of)]
        return Inputs([steps + 1 for steps in levels], blocks, np.zeros(len(levels)))
    blocks = []
    for i, size in enumerate(sizes):
        codes = np.zeros((size, len(sizes)), np.uint8)
        codes[:, i] = np.arange(size)
        features = nets.decode(game, codes)
        added = features - features[0]
        changed = added.any(axis=0).nonzero()[0]
        blocks.append((changed, added[:, changed]))
    return Inputs(sizes, blocks, features[0].astype(np.float64))


def _levels(game: Game) -> list[int] | None:
    """Returns the smallest number of steps that fits each feature in random play; None if none fits."""
    env = BatchEnv(game, 64, seed=0)
    arrays, draw, seen = env.arrays(), np.random.default_rng(0), []
    for _ in range(SAMPLED // 64):
        seen.append(arrays.features.reshape(64, -1).copy())
        ranks = draw.random(arrays.legal_mask.shape, np.float32) * arrays.legal_mask
        env.step(ranks.argmax(axis=1), **vars(arrays))
    features = np.concatenate(seen)
    if features.min() < 0 or features.max() > 1:
        return None
    exact = np.array([np.abs(features * n - np.rint(features * n)).max(axis=0) < 1e-3 for n in LEVELS])
    return [LEVELS[int(column.argmax())] for column in exact.T] if exact.any(axis=0).all() else None
