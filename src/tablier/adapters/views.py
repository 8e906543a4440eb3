"""The two views a player has of a game, as arrays with a shape, a type and bounds.

`features` are floats for a network, `observation` is small integers; docs/contract.md, section 5, describes Trictrac's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablier._core import Game, State
from tablier.games import home_of

VIEWS = ("features", "observation")


@dataclass(frozen=True)
class View:
    """One view of a game: its name, and the shape, type and bounds of the arrays it gives."""

    name: str
    low: NDArray[Any]
    high: NDArray[Any]

    @classmethod
    def of(cls, game: Game, name: str) -> View:
        """The view `name` of a game; raises ValueError unless it is one of `VIEWS`.

        A game's home tells the bounds (`Home.bounds`). Without them a feature can be any float, and an observation
        anything its integer type holds.
        """
        if name not in VIEWS:
            raise ValueError(f"observation must be one of {', '.join(VIEWS)}, not {name!r}")
        dtype = np.dtype(np.float32 if name == "features" else game.observation_dtype())
        shape = game.features_shape() if name == "features" else game.observation_shape()
        bounds: Any = home_of(game).bounds(name)
        if bounds is None:
            bounds = (-np.inf, np.inf) if name == "features" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        low, high = (np.broadcast_to(np.asarray(bound, dtype), shape) for bound in bounds)
        return cls(name, low, high)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the arrays."""
        return self.low.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of their entries."""
        return self.low.dtype

    def read(self, state: State, player: int | None) -> NDArray[Any]:
        """What `player` (None: the player to move) sees of a state, in a new array."""
        seen: NDArray[Any] = getattr(state, self.name)(player)
        return seen
