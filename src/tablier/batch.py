"""Arrays for `BatchEnv`."""

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
    """One array for each thing that `BatchEnv.step` can write: `env.step(actions, **vars(arrays))`."""

    features: NDArray[np.float32]
    """[n, *features_shape], seen by the player to move."""
    legal_mask: NDArray[np.bool_]
    """[n, num_distinct_actions]."""
    current_player: NDArray[np.int32]
    """[n], the player to move."""
    rewards: NDArray[np.float32]
    """[n, players], collected by the last step, dice included."""
    done: NDArray[np.bool_]
    """[n], whether the last step ended the game; the slot then holds a new game."""

    __repr__ = short_repr


def arrays(env: BatchEnv) -> Arrays:
    """New arrays for an environment, filled with its present decisions."""
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
