"""What DQN and SAC share: games on a `BatchEnv`, a replay of their decisions, and updates on samples of it."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tablier._core import BatchEnv, Game
from tablier.learn.data.batched_games import Games, GamesConfig
from tablier.learn.data.replay import Replay
from tablier.learn.data.transitions import Steps, Transitions, gather
from tablier.learn.learner import PLAYS, Learner
from tablier.learn.networks.inference import frozen
from tablier.learn.networks.nets import Net
from tablier.learn.runs.checkpoint import Checkpoint
from tablier.learn.runs.config import setting


@dataclass(frozen=True)
class OffPolicyConfig(GamesConfig):
    """Settings of both."""

    batch: int = setting(1024, "positions of one update", low=1, high=2**20)
    moves: int = setting(8, "decisions of every game in a step", low=1, high=10**5)
    replay: int = setting(200_000, "decisions kept", low=1, high=10**8)
    reuse: float = setting(4.0, "how often a decision is used on average", low=0.01, high=1000)
    keep: float = setting(0.99, "slow copies keep so much of themselves at each update", high=1)
    norm: float = setting(1.0, "longest gradient", low=1e-6, high=1e6)


PRESETS: dict[str, dict[str, object]] = {
    "quick": {"minutes": 5.0, "steps": 10**6, "eval_every": 200, "eval_games": 20, "opponent": "random"},
    "default": {"minutes": 30.0, "steps": 10**6, "eval_every": 1000, "opponent": "random", "lr_half_life": 2000},
    "strong": {"minutes": 480.0, "steps": 10**7, "width": 256, "replay": 2_000_000, "lr_half_life": 20000},
}


class OffPolicy(Learner):
    """A learner that remembers; see `tablier.learn.learner.Learner`."""

    player = "policy:net={}"

    def __init__(
        self, game: Game, config: OffPolicyConfig, nets: dict[str, Net], learns: list[Net], folder: Path | None
    ) -> None:
        super().__init__(game, config, nets, learns)
        self._settings = config
        self._games = Games(game, config)
        self._env: BatchEnv = self._games.env
        self._replay = Replay(Transitions, game, config.replay, folder / "replay" if folder else None)

    @abstractmethod
    def _choose(self, logits: NDArray[np.float32], draw: np.random.Generator) -> NDArray[np.int64]:
        """An action of every game, by what the network that plays says."""

    def _samples(self, number: int, draw: np.random.Generator) -> Iterator[Steps]:
        """Plays a step's decisions, and gives batches to learn from."""
        config, ask = self._settings, frozen(self._nets[PLAYS], self.game)

        def choose() -> NDArray[np.int64]:
            logits, _ = ask(self._games.features)
            assert logits is not None
            return self._choose(logits, draw)

        fresh = gather(self._games, number, config.moves, choose)
        self._replay.add(number, fresh)
        self._replay.forget(number - 2 * config.checkpoint_every)
        self.counters["games"] += int((fresh.turns == 0).sum())
        self.counters["positions"] += len(fresh)
        self.counters["evaluations"] += len(fresh)
        for _ in range(math.ceil(len(fresh) * config.reuse / config.batch)):
            yield self._replay.rows.show(self.game, self._replay.draw(config.batch, draw))

    def restore(self, checkpoint: Checkpoint) -> None:
        """Goes back to a checkpoint."""
        super().restore(checkpoint)
        self._replay.resume(checkpoint.step)
