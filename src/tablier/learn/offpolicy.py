"""Parts shared by DQN and SAC: games on a `BatchEnv`, a replay buffer of transitions, and minibatches from it."""

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
from tablier.learn.networks.nets import AnyNet
from tablier.learn.runs.checkpoint import Checkpoint
from tablier.learn.runs.config import setting


@dataclass(frozen=True)
class OffPolicyConfig(GamesConfig):
    """Settings shared by DQN and SAC."""

    batch: int = setting(1024, "minibatch size in decisions", low=1, high=2**20)
    moves: int = setting(8, "decisions per game in each step", low=1, high=10**5)
    replay: int = setting(200_000, "capacity of the replay buffer in decisions", low=1, high=10**8)
    samples_per_insert: float = setting(
        4.0, "times each decision is sampled on average", low=0.01, high=1000, formerly="reuse"
    )
    polyak: float = setting(
        0.99, "fraction of the target network kept at each update (1 - tau)", high=1, formerly="keep"
    )
    max_grad_norm: float = setting(1.0, "gradients are clipped to this norm", low=1e-6, high=1e6, formerly="norm")


PRESETS: dict[str, dict[str, object]] = {
    "quick": {"minutes": 5.0, "steps": 10**6, "eval_every": 200, "eval_games": 20, "opponent": "random"},
    "default": {"minutes": 30.0, "steps": 10**6, "eval_every": 1000, "opponent": "random", "lr_half_life": 2000},
    "strong": {"minutes": 480.0, "steps": 10**7, "width": 256, "replay": 2_000_000, "lr_half_life": 20000},
}


class OffPolicy(Learner):
    """A `Learner` with a replay buffer. Subclasses choose actions and define the loss."""

    player = "policy:net={}"

    def __init__(
        self, game: Game, config: OffPolicyConfig, nets: dict[str, AnyNet], learns: list[AnyNet], folder: Path | None
    ) -> None:
        super().__init__(game, config, nets, learns)
        self._settings = config
        self._games = Games(game, config)
        self._env: BatchEnv = self._games.env
        self._replay = Replay(Transitions, game, config.replay, folder / "replay" if folder else None)

    @abstractmethod
    def _choose(self, logits: NDArray[np.float32], draw: np.random.Generator) -> NDArray[np.int64]:
        """Chooses an action for each game from the logits [n, actions] of the network that plays."""

    def _samples(self, number: int, draw: np.random.Generator) -> Iterator[Steps]:
        """Plays the decisions of a step, then yields minibatches from the replay buffer."""
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
        for _ in range(math.ceil(len(fresh) * config.samples_per_insert / config.batch)):
            yield self._replay.rows.show(self.game, self._replay.draw(config.batch, draw))

    def restore(self, checkpoint: Checkpoint) -> None:
        """Restores a checkpoint and reloads the replay buffer."""
        super().restore(checkpoint)
        self._replay.resume(checkpoint.step)
