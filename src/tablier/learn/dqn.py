"""DQN: learn what every action is worth from a replay of one's own games.

A step is `moves` decisions of every game, the best by the network or (ever more seldom) any, and updates on samples of
the replay. An action is taught what it brought and the value of the decision after it: chosen by the network, judged by
a slow copy of it (double Q-learning), and negated where the adversary takes it. The network's value is that of the best
action, its logits say how much worse the others are (`q_values`); both together are a policy-value network like any.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from tablier._core import BatchEnv, Game
from tablier.learn.checkpoint import Checkpoint
from tablier.learn.choice import greedy
from tablier.learn.config import setting
from tablier.learn.games import Games, GamesConfig, unit_of
from tablier.learn.inference import frozen
from tablier.learn.learner import PLAYS, Learner, follow
from tablier.learn.nets import Net, make_net
from tablier.learn.replay import Replay
from tablier.learn.transitions import Steps, Transitions, gather


@dataclass(frozen=True)
class DQNConfig(GamesConfig):
    """Settings of DQN."""

    batch: int = setting(1024, "positions of one update", low=1, high=2**20)
    moves: int = setting(8, "decisions of every game in a step", low=1, high=10**5)
    replay: int = setting(200_000, "decisions kept", low=1, high=10**8)
    reuse: float = setting(4.0, "how often a decision is used on average", low=0.01, high=1000)
    explore: float = setting(1.0, "share of actions taken at random, at the first step", high=1)
    explore_least: float = setting(0.05, "share of actions taken at random in the end", high=1)
    explore_half_life: int = setting(100, "steps in which the share halves", low=1)
    keep: float = setting(0.99, "the slow copy keeps so much of itself at each update", high=1)
    norm: float = setting(1.0, "longest gradient", low=1e-6, high=1e6)


PRESETS: dict[str, dict[str, object]] = {
    "quick": {"minutes": 5.0, "steps": 10**6, "eval_every": 200, "eval_games": 20, "opponent": "random"},
    "default": {"minutes": 30.0, "steps": 10**6, "eval_every": 1000, "opponent": "random", "lr_half_life": 2000},
    "strong": {"minutes": 480.0, "steps": 10**7, "width": 256, "replay": 2_000_000, "lr_half_life": 20000},
}


class DQN(Learner):
    """The learner; see `tablier.learn.learner.Learner`."""

    player = "policy:net={}"

    def __init__(self, game: Game, config: DQNConfig, folder: Path | None = None) -> None:
        self._unit = unit_of(game, config)
        self._net, self._slow = (make_net(game, config, policy=True, scale=self._unit) for _ in range(2))
        super().__init__(game, config, {PLAYS: self._net, "slow": self._slow}, [self._net])
        self._config = config
        self._games = Games(game, config)
        self._env: BatchEnv = self._games.env
        self._replay = Replay(Transitions, game, config.replay, folder / "replay" if folder else None)

    def step(self, number: int) -> dict[str, float]:
        """Plays, remembers, learns."""
        config, draw = self._config, self._begin(number)
        explore = max(config.explore_least, config.explore * 0.5 ** (number / config.explore_half_life))
        ask = frozen(self._net, self.game)

        def choose() -> NDArray[np.int64]:
            logits, _ = ask(self._games.features)
            assert logits is not None
            return greedy(logits, self._games.legal, explore, draw)

        fresh = gather(self._games, number, config.moves, choose)
        self._replay.add(number, fresh)
        self._replay.forget(number - 2 * config.checkpoint_every)
        self.counters["games"] += int((fresh.turns == 0).sum())
        self.counters["positions"] += len(fresh)
        self.counters["evaluations"] += len(fresh)
        losses = []
        for _ in range(math.ceil(len(fresh) * config.reuse / config.batch)):
            steps = self._replay.rows.show(self.game, self._replay.draw(config.batch, draw))
            loss = self.loss(steps)
            self._update(loss, config.norm)
            follow(self._slow, self._net, config.keep)
            losses.append(loss.item())
        return {"loss": float(np.mean(losses)), "explore": explore}

    def loss(self, steps: Steps) -> torch.Tensor:
        """Huber's, in units."""
        q = q_values(self._net, steps.features, steps.legal).gather(1, steps.action[:, None]).squeeze(1)
        return torch.nn.functional.smooth_l1_loss(q, self.targets(steps))

    def targets(self, steps: Steps) -> torch.Tensor:
        """What the actions were worth, in units."""
        with torch.no_grad():
            best = q_values(self._net, steps.next_features, steps.next_legal).argmax(dim=1, keepdim=True)
            follows = q_values(self._slow, steps.next_features, steps.next_legal).gather(1, best).squeeze(1)
            return steps.reward / self._unit + self._config.discount * steps.turn * follows

    def restore(self, checkpoint: Checkpoint) -> None:
        """Goes back to a checkpoint."""
        super().restore(checkpoint)
        self._replay.resume(checkpoint.step)


def q_values(net: Net, features: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """What every action is worth, in units: the best has the position's value; -inf for those that are not legal."""
    logits, value = net(features)
    entries = logits.masked_fill(~legal, -torch.inf)
    result: torch.Tensor = value / net.scale + entries - entries.max(dim=1, keepdim=True).values
    return result
