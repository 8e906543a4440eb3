"""Random playouts: whole games of uniformly random actions."""

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
    """The result of `Game.random_playouts`."""

    returns: NDArray[np.float64]
    """[n, players]: return of each player in each game."""
    lengths: NDArray[np.uint32]
    """[n]: number of decisions and rolls in each game."""
    decisions: int
    """Total number of player decisions."""
    rolls: int
    """Total number of rolls."""
    unfinished: int
    """Number of games stopped at `max_steps`."""

    __repr__ = short_repr

    @property
    def games(self) -> int:
        """Number of games played."""
        return len(self.lengths)

    @property
    def mean_returns(self) -> NDArray[np.float64]:
        """[players]: mean return of each player."""
        mean: NDArray[np.float64] = self.returns.mean(axis=0)
        return mean


def random_playouts(
    game: Game,
    n: SupportsIndex,
    seed: SupportsIndex = 0,
    threads: SupportsIndex = 1,
    max_steps: SupportsIndex = 1_000_000,
) -> Playouts:
    """Plays games with uniformly random actions and dice.

    Game i depends only on (seed, i): the result does not depend on the number of threads, and a longer run starts with
    the same games as a shorter one.

    Args:
        game: the game to play.
        n: number of games.
        seed: seed of the actions and dice.
        threads: number of threads.
        max_steps: number of decisions and rolls after which a game is stopped.

    Examples:
        >>> from tablier.registry import DEFAULT_GAME, load_game
        >>> random_playouts(load_game(DEFAULT_GAME), 100, seed=1).returns.shape
        (100, 2)
    """
    return Playouts(**game._random_playouts(n, seed, threads, max_steps))
