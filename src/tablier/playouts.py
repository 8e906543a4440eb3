"""Whole games by random actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from tablier.short_repr import short_repr

if TYPE_CHECKING:
    from tablier._core import Game


@dataclass(frozen=True)
class Playouts:
    """What `Game.random_playouts` returns."""

    returns: NDArray[np.float64]
    """[n, players]: what each player collected in each game."""
    lengths: NDArray[np.uint32]
    """[n]: decisions and rolls of each game."""
    decisions: int
    """Actions of players in all games."""
    rolls: int
    """Chance outcomes in all games."""
    unfinished: int
    """Games that were cut at `max_steps`."""

    __repr__ = short_repr

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.lengths)

    @property
    def mean_returns(self) -> NDArray[np.float64]:
        """The average over the games, one number for each player."""
        mean: NDArray[np.float64] = self.returns.mean(axis=0)
        return mean


def random_playouts(
    game: Game,
    n: SupportsIndex,
    seed: SupportsIndex = 0,
    threads: SupportsIndex = 1,
    max_steps: SupportsIndex = 1_000_000,
) -> Playouts:
    """Plays n games by uniformly random actions and dice.

    Game i depends on (seed, i) alone: the result is the same for every number of threads, and the first games of a
    longer run are those of a shorter one. A game that is not over after `max_steps` actions is cut.
    """
    return Playouts(**game._random_playouts(n, seed, threads, max_steps))
