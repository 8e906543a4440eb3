"""DQN: double Q-learning with a replay buffer.

Each step plays `moves` epsilon-greedy decisions per game, then trains on minibatches from the replay buffer. The target
of an action is its reward plus the discounted value of the next decision. The network chooses the next action, the
target network evaluates it (double Q-learning), and the value is negated if the opponent decides. The value head gives
the value of the best action, the logits how much worse the others are (`q_values`). So the network plays like any
policy-value network.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from tablier._core import Game
from tablier.learn.data.batched_games import unit_of
from tablier.learn.data.decisions import Acting
from tablier.learn.data.place import Spread
from tablier.learn.data.transitions import Steps
from tablier.learn.learner import PLAYS, polyak_update
from tablier.learn.networks.nets import AnyNet, make_net
from tablier.learn.offpolicy import OffPolicy, OffPolicyConfig
from tablier.learn.runs.config import setting


@dataclass(frozen=True)
class DQNConfig(OffPolicyConfig):
    """Settings of DQN, in addition to those of `OffPolicyConfig`."""

    epsilon: float = setting(1.0, "initial probability of a random action", high=1, formerly="explore")
    epsilon_min: float = setting(0.05, "final probability of a random action", high=1, formerly="explore_least")
    epsilon_half_life: int = setting(100, "steps until epsilon halves", low=1, formerly="explore_half_life")


class DQN(OffPolicy):
    """DQN; see `tablier.learn.learner.Learner` for the interface."""

    def __init__(self, game: Game, config: DQNConfig, folder: Path | None = None, spread: Spread | None = None) -> None:
        self._unit = unit_of(game, config)
        self._net, self._target = (make_net(game, config, policy=True, scale=self._unit) for _ in range(2))
        super().__init__(game, config, {PLAYS: self._net, "slow": self._target}, [self._net], folder, spread)
        self._config = config
        self._epsilon = config.epsilon

    def step(self, number: int) -> dict[str, float]:
        """Plays, stores the transitions and trains."""
        config, draw = self._config, self._begin(number)
        self._epsilon = max(config.epsilon_min, config.epsilon * 0.5 ** (number / config.epsilon_half_life))
        losses = []
        for steps in self._samples(number, draw):
            loss = self.loss(steps)
            self._update(loss, config.max_grad_norm)
            polyak_update(self._target, self._net, config.polyak)
            losses.append(loss.item())
        return {"loss": float(np.mean(losses)), "epsilon": self._epsilon, **self._games.account(self.counters)}

    def _acting(self) -> Acting:
        return Acting(epsilon=self._epsilon)

    def loss(self, steps: Steps) -> torch.Tensor:
        """Returns the Huber loss of a minibatch, in units of `unit` points."""
        q = q_values(self._net, steps.features, steps.legal).gather(1, steps.action[:, None]).squeeze(1)
        return torch.nn.functional.smooth_l1_loss(q, self.targets(steps))

    def targets(self, steps: Steps) -> torch.Tensor:
        """Returns the double Q-learning targets [n], in units of `unit` points."""
        with torch.no_grad():
            best = q_values(self._net, steps.next_features, steps.next_legal).argmax(dim=1, keepdim=True)
            follows = q_values(self._target, steps.next_features, steps.next_legal).gather(1, best).squeeze(1)
            return steps.reward / self._unit + self._config.discount * steps.turn * follows


def q_values(net: AnyNet, features: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """Returns the Q-values [n, actions], in units of the network's scale; -inf for illegal actions."""
    logits, value = net(features)
    entries = logits.masked_fill(~legal, -torch.inf)
    result: torch.Tensor = value / net.scale + entries - entries.max(dim=1, keepdim=True).values
    return result
