"""Parts shared by DQN and SAC: games, a replay buffer of transitions, and minibatches from it."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tablier._core import Game
from tablier.learn.data.batched_games import GamesConfig
from tablier.learn.data.decisions import Acting, new_games
from tablier.learn.data.place import Spread
from tablier.learn.data.replay import Replay
from tablier.learn.data.transitions import Steps, Transitions, transitions_of
from tablier.learn.learner import PLAYS, Learner
from tablier.learn.networks.nets import AnyNet, to_onnx
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
        self,
        game: Game,
        config: OffPolicyConfig,
        nets: dict[str, AnyNet],
        learns: list[AnyNet],
        folder: Path | None,
        spread: Spread | None,
    ) -> None:
        super().__init__(game, config, nets, learns)
        self._settings = config
        self._source = self._games = new_games(game, config, spread)
        self._count_spread_games(spread)
        self._replay = Replay(Transitions, game, config.replay, folder / "replay" if folder else None)

    @abstractmethod
    def _acting(self) -> Acting:
        """Returns how the network that plays chooses actions in this step."""

    def _samples(self, number: int, draw: np.random.Generator) -> Iterator[Steps]:
        """Plays the decisions of a step, then yields minibatches from the replay buffer."""
        config = self._settings
        played = self._games.next(to_onnx(self._nets[PLAYS], self.game), number, self._acting())
        fresh = transitions_of(played)
        self._replay.add(number, fresh)
        self._replay.forget(number - 2 * config.checkpoint_every)
        self.counters["games"] += played.games
        self.counters["positions"] += len(fresh)
        self.counters["evaluations"] += played.evaluations
        for _ in range(math.ceil(len(fresh) * config.samples_per_insert / config.batch)):
            yield self._replay.rows.show(self.game, self._replay.draw(config.batch, draw))

    def restore(self, checkpoint: Checkpoint) -> None:
        """Restores a checkpoint and reloads the replay buffer."""
        super().restore(checkpoint)
        self._replay.resume(checkpoint.step)
