"""Discrete soft actor-critic (SAC): an entropy-regularised policy with two critics.

Each step plays `moves` decisions per game with the policy, then trains on minibatches from the replay buffer. The
target of both critics is the reward plus the discounted soft value of the next decision: the minimum of two target
critics, negated if the opponent decides. The temperature adapts until the policy entropy reaches a given fraction of
its maximum, the logarithm of the number of legal actions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from tablier._core import Game
from tablier.learn.algorithms.dqn import q_values
from tablier.learn.data.batched_games import unit_of
from tablier.learn.data.decisions import Acting
from tablier.learn.data.place import Spread
from tablier.learn.data.targets import log_shares
from tablier.learn.data.transitions import Steps
from tablier.learn.learner import PLAYS, polyak_update
from tablier.learn.networks.nets import AnyNet, make_net
from tablier.learn.offpolicy import OffPolicy, OffPolicyConfig
from tablier.learn.runs.checkpoint import Checkpoint
from tablier.learn.runs.config import setting
from tablier.learn.runs.files import RunError, Tensors


@dataclass(frozen=True)
class SACConfig(OffPolicyConfig):
    """Settings of SAC, in addition to those of `OffPolicyConfig`."""

    samples_per_insert: float = setting(
        2.0, "times each decision is sampled on average", low=0.01, high=1000, formerly="reuse"
    )
    temperature: float = setting(0.01, "initial weight of the entropy", low=1e-6, high=10)
    target_entropy: float = setting(0.3, "entropy to reach, as a fraction of its maximum", high=1, formerly="entropy")


class SAC(OffPolicy):
    """Discrete SAC; see `tablier.learn.learner.Learner` for the interface."""

    def __init__(self, game: Game, config: SACConfig, folder: Path | None = None, spread: Spread | None = None) -> None:
        self._unit = unit_of(game, config)
        actor, first, second, slow_first, slow_second = (
            make_net(game, config, policy=True, scale=self._unit, number=i) for i in (0, 1, 2, 1, 2)
        )
        self._actor, self._critics, self._targets = actor, (first, second), (slow_first, slow_second)
        nets = {PLAYS: actor, "first": first, "second": second, "slow_first": slow_first, "slow_second": slow_second}
        super().__init__(game, config, nets, [actor, first, second], folder, spread)
        self._config = config
        self._temperature = config.temperature

    def step(self, number: int) -> dict[str, float]:
        """Plays, stores the transitions and trains."""
        config, draw = self._config, self._begin(number)
        notes = []
        for steps in self._samples(number, draw):
            critic, (actor, value, entropy) = self.critic_loss(steps), self.actor_losses(steps)
            self._update(critic + actor + value, config.max_grad_norm)
            for target, online in zip(self._targets, self._critics, strict=True):
                polyak_update(target, online, config.polyak)
            self._temperature *= math.exp(config.lr_at(number) * (config.target_entropy - entropy))
            notes.append((critic.item(), actor.item(), entropy))
        critic_loss, actor_loss, mean_entropy = (float(one) for one in np.mean(notes, axis=0))
        metrics = {"loss": critic_loss, "actor_loss": actor_loss, "entropy": mean_entropy}
        return metrics | {"temperature": self._temperature} | self._games.account(self.counters)

    def _acting(self) -> Acting:
        return Acting()

    def critic_loss(self, steps: Steps) -> torch.Tensor:
        """Returns the Huber losses of both critics, summed, in units of `unit` points."""
        targets = self.targets(steps)
        taken = [
            q_values(net, steps.features, steps.legal).gather(1, steps.action[:, None]).squeeze(1)
            for net in self._critics
        ]
        return sum((torch.nn.functional.smooth_l1_loss(q, targets) for q in taken), start=torch.zeros(()))

    def targets(self, steps: Steps) -> torch.Tensor:
        """Returns the critics' targets [n], in units of `unit` points."""
        with torch.no_grad():
            shares = log_shares(self._actor(steps.next_features)[0], steps.next_legal)
            follows = self._soft_value(shares, steps.next_features, steps.next_legal, self._targets)
            return steps.reward / self._unit + self._config.discount * steps.turn * follows

    def actor_losses(self, steps: Steps) -> tuple[torch.Tensor, torch.Tensor, float]:
        """Returns the policy loss, the value loss and the mean policy entropy as a fraction of its maximum."""
        logits, value = self._actor(steps.features)
        shares = log_shares(logits, steps.legal)
        soft = self._soft_value(shares, steps.features, steps.legal, self._critics)
        value_loss = ((value.squeeze(1) / self._unit - soft.detach()) ** 2).mean()
        with torch.no_grad():
            entropy = -(shares.exp() * shares.masked_fill(~steps.legal, 0.0)).sum(dim=1)
            choice = steps.legal.sum(dim=1) > 1
            most = torch.log(steps.legal.sum(dim=1)[choice])
            relative = float((entropy[choice] / most).mean()) if choice.any() else self._config.target_entropy
        return -soft.mean(), value_loss, relative

    def _soft_value(
        self, shares: torch.Tensor, features: torch.Tensor, legal: torch.Tensor, critics: tuple[AnyNet, AnyNet]
    ) -> torch.Tensor:
        """Returns the expected value [n] under the policy, by the lower critic, plus the weighted entropy."""
        with torch.no_grad():
            first, second = (q_values(net, features, legal) for net in critics)
            lower = torch.minimum(first, second).masked_fill(~legal, 0.0)
        each = lower - self._temperature * shares.masked_fill(~legal, 0.0)
        return (shares.exp() * each).sum(dim=1)

    def training(self) -> Tensors:
        """Returns everything else that the next step depends on, including the temperature."""
        return {**super().training(), "temperature": np.array([self._temperature])}

    def restore(self, checkpoint: Checkpoint) -> None:
        """Restores a checkpoint, including the temperature."""
        saved = checkpoint.training.get("temperature", np.zeros(0))
        if saved.shape != (1,) or not 0 < saved[0] < np.inf:
            raise RunError(f"the checkpoint of step {checkpoint.step} contains no valid temperature")
        super().restore(checkpoint)
        self._temperature = float(saved[0])
