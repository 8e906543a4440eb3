"""DQN: learn what every action is worth from a replay of one's own games.

A step is `moves` decisions of every game, the best by the network or (ever more seldom) any, and updates on samples of
the replay. An action is taught what it brought and the value of the decision after it: chosen by the network, judged by
a slow copy of it (double Q-learning), and negated where the adversary takes it. The network's value is that of the best
action, its logits say how much worse the others are (`q_values`); both together are a policy-value network like any.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from tablier._core import Game
from tablier.learn.data.batched_games import unit_of
from tablier.learn.data.sampling import greedy
from tablier.learn.data.transitions import Steps
from tablier.learn.learner import PLAYS, follow
from tablier.learn.networks.nets import Net, make_net
from tablier.learn.offpolicy import OffPolicy, OffPolicyConfig
from tablier.learn.runs.config import setting


@dataclass(frozen=True)
class DQNConfig(OffPolicyConfig):
    """Settings of DQN."""

    explore: float = setting(1.0, "share of actions taken at random, at the first step", high=1)
    explore_least: float = setting(0.05, "share of actions taken at random in the end", high=1)
    explore_half_life: int = setting(100, "steps in which the share halves", low=1)


class DQN(OffPolicy):
    """The learner; see `tablier.learn.learner.Learner`."""

    def __init__(self, game: Game, config: DQNConfig, folder: Path | None = None) -> None:
        self._unit = unit_of(game, config)
        self._net, self._slow = (make_net(game, config, policy=True, scale=self._unit) for _ in range(2))
        super().__init__(game, config, {PLAYS: self._net, "slow": self._slow}, [self._net], folder)
        self._config = config
        self._explore = config.explore

    def step(self, number: int) -> dict[str, float]:
        """Plays, remembers, learns."""
        config, draw = self._config, self._begin(number)
        self._explore = max(config.explore_least, config.explore * 0.5 ** (number / config.explore_half_life))
        losses = []
        for steps in self._samples(number, draw):
            loss = self.loss(steps)
            self._update(loss, config.norm)
            follow(self._slow, self._net, config.keep)
            losses.append(loss.item())
        return {"loss": float(np.mean(losses)), "explore": self._explore}

    def _choose(self, logits: NDArray[np.float32], draw: np.random.Generator) -> NDArray[np.int64]:
        return greedy(logits, self._games.legal, self._explore, draw)

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


def q_values(net: Net, features: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """What every action is worth, in units: the best has the position's value; -inf for those that are not legal."""
    logits, value = net(features)
    entries = logits.masked_fill(~legal, -torch.inf)
    result: torch.Tensor = value / net.scale + entries - entries.max(dim=1, keepdim=True).values
    return result
