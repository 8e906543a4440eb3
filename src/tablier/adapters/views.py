"""The two encodings of what a player sees, as arrays with a shape, a dtype and bounds.

`features` are floats for networks, `observation` is small integers. docs/contract.md, section 5, describes them for
Trictrac.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablier._core import Game, State
from tablier.games import home_of

VIEWS = ("features", "observation")
"""The names of the views."""


@dataclass(frozen=True)
class View:
    """One view of a game: its name, and the shape, dtype and bounds of its arrays."""

    name: str
    """One of `VIEWS`."""
    low: NDArray[Any]
    """Lower bounds, in the shape and dtype of the view."""
    high: NDArray[Any]
    """Upper bounds, in the shape and dtype of the view."""

    @classmethod
    def of(cls, game: Game, name: str) -> View:
        """Returns a view of a game.

        The bounds come from the game's home (`Home.bounds`). Without them, features are unbounded and observations are
        bounded by their integer dtype.

        Args:
            game: the game.
            name: one of `VIEWS`.

        Raises:
            ValueError: there is no such view.
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
        """Shape of the arrays."""
        return self.low.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """Dtype of the arrays."""
        return self.low.dtype

    def read(self, state: State, player: int | None) -> NDArray[Any]:
        """Returns what `player` (None means the player to move) sees of a state, in a new array."""
        seen: NDArray[Any] = getattr(state, self.name)(player)
        return seen
