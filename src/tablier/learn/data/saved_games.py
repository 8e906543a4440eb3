"""Games that rest between steps, so that a checkpoint needs nothing but the games themselves."""

from __future__ import annotations

import numpy as np

from tablier._core import BatchEnv
from tablier.learn.runs.files import RunError, Tensors

NOT_THESE_GAMES = "the checkpoint does not contain this run's games"


class SavedGames:
    """Base class of sources of games that play only when the learner asks for moves."""

    def __init__(self, env: BatchEnv) -> None:
        self.env = env

    def close(self) -> None:
        """Does nothing, because no moves are in progress between steps."""

    def tensors(self) -> Tensors:
        """Returns the games, for a checkpoint."""
        return {"games": np.frombuffer(self.env.save(), np.uint8)}

    def put(self, saved: Tensors) -> None:
        """Restores what `tensors` returned; raises RunError if it does not fit."""
        try:
            self.env.restore(saved["games"].tobytes())
        except (KeyError, ValueError):
            raise RunError(NOT_THESE_GAMES) from None
