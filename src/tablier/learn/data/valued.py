"""Training data of TD with a replay buffer: afterstates as core networks read them, with the values to learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray

from tablier._core import Game
from tablier._core.nets import code_sizes, decode
from tablier.learn.data.replay import Rows


@dataclass(frozen=True)
class Valued(Rows):
    """Positions with their targets."""

    inputs: NDArray[Any]
    """[n, ...]: codes (uint8), which are a tenth of the size; features (float32) in games without codes."""
    targets: NDArray[np.float32]
    """[n]: the values to learn."""

    @classmethod
    def empty(cls, game: Game) -> Self:
        """Returns an empty set of positions."""
        sizes = code_sizes(game)
        width, dtype = (len(sizes), np.uint8) if sizes else (int(np.prod(game.features_shape())), np.float32)
        return cls(np.zeros((0, width), dtype), np.zeros(0, np.float32))

    def fault(self, game: Game) -> str:
        """Describes what is wrong with rows from a file; empty if nothing is wrong."""
        if len(self.inputs) != len(self.targets):
            return "array lengths do not match"
        sizes = code_sizes(game)
        if sizes and not (self.inputs < np.array(sizes)).all():
            return "a code is out of range"
        return "" if np.isfinite(self.inputs).all() and np.isfinite(self.targets).all() else "a number is not finite"

    def show(self, game: Game, rows: NDArray[np.int64]) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns the features [n, features] and targets [n] of these rows."""
        inputs = self.inputs[rows]
        features = decode(game, inputs) if inputs.dtype == np.uint8 else inputs
        return torch.from_numpy(features.reshape(len(rows), -1)), torch.from_numpy(self.targets[rows])
