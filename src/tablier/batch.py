"""NumPy arrays for `BatchEnv` to write into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tablier.short_repr import short_repr

if TYPE_CHECKING:
    from tablier._core import BatchEnv


@dataclass(frozen=True)
class Arrays:
    """All output arrays of `BatchEnv.step`, for a batch of n games: `env.step(actions, **vars(arrays))`."""

    features: NDArray[np.float32]
    """[n, *features_shape]: features from the point of view of the player to move."""
    legal_mask: NDArray[np.bool_]
    """[n, num_distinct_actions]: legal actions of the player to move."""
    current_player: NDArray[np.int32]
    """[n]: the player to move."""
    rewards: NDArray[np.float32]
    """[n, players]: rewards of the last step, including the rolls that followed it."""
    done: NDArray[np.bool_]
    """[n]: whether the last step ended the game; the slot then holds a new game."""

    __repr__ = short_repr


def arrays(env: BatchEnv) -> Arrays:
    """Allocates arrays for an environment and fills them with its current decisions.

    Examples:
        >>> import tablier
        >>> env = tablier.BatchEnv(tablier.load_game(tablier.registry.DEFAULT_GAME), 4, seed=0)
        >>> buffers = arrays(env)
        >>> buffers.legal_mask.shape
        (4, 514)
        >>> env.step(buffers.legal_mask.argmax(axis=1), **vars(buffers))
    """
    n, game = len(env), env.game
    result = Arrays(
        features=np.zeros((n, *game.features_shape()), np.float32),
        legal_mask=np.zeros((n, game.num_distinct_actions()), np.bool_),
        current_player=np.zeros(n, np.int32),
        rewards=np.zeros((n, game.num_players()), np.float32),
        done=np.zeros(n, np.bool_),
    )
    env.observe(features=result.features, legal_mask=result.legal_mask, current_player=result.current_player)
    return result
