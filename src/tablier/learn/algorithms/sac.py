"""Discrete soft actor-critic: a policy that seeks what two critics value, and stays as undecided as it may.

A step is `moves` decisions of every game by the policy, and updates on samples of the replay. Both critics are taught
what an action brought and the soft value of the decision after it, by the lower of two slow copies, negated where the
adversary takes it. The policy's temperature adapts until its entropy is a given share of the most that the legal
actions allow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from tablier._core import Game
from tablier.learn.algorithms.dqn import q_values
from tablier.learn.data.batched_games import unit_of
from tablier.learn.data.sampling import sample
from tablier.learn.data.targets import log_shares
from tablier.learn.data.transitions import Steps
from tablier.learn.learner import PLAYS, follow
from tablier.learn.networks.nets import Net, make_net
from tablier.learn.offpolicy import OffPolicy, OffPolicyConfig
from tablier.learn.runs.checkpoint import Checkpoint
from tablier.learn.runs.config import setting
from tablier.learn.runs.files import RunError, Tensors


@dataclass(frozen=True)
class SACConfig(OffPolicyConfig):
    """Settings of SAC."""

    reuse: float = setting(2.0, "how often a decision is used on average", low=0.01, high=1000)
    temperature: float = setting(0.01, "weight of the entropy at the first step, in units", low=1e-6, high=10)
    entropy: float = setting(0.3, "the entropy sought, as a share of the most that is possible", high=1)


class SAC(OffPolicy):
    """The learner; see `tablier.learn.learner.Learner`."""

    def __init__(self, game: Game, config: SACConfig, folder: Path | None = None) -> None:
        self._unit = unit_of(game, config)
        actor, first, second, slow_first, slow_second = (
            make_net(game, config, policy=True, scale=self._unit, number=i) for i in (0, 1, 2, 1, 2)
        )
        self._actor, self._critics, self._slow = actor, (first, second), (slow_first, slow_second)
        nets = {PLAYS: actor, "first": first, "second": second, "slow_first": slow_first, "slow_second": slow_second}
        super().__init__(game, config, nets, [actor, first, second], folder)
        self._config = config
        self._temperature = config.temperature

    def step(self, number: int) -> dict[str, float]:
        """Plays, remembers, learns."""
        config, draw = self._config, self._begin(number)
        notes = []
        for steps in self._samples(number, draw):
            critic, (actor, value, undecided) = self.critic_loss(steps), self.actor_losses(steps)
            self._update(critic + actor + value, config.norm)
            for slow, new in zip(self._slow, self._critics, strict=True):
                follow(slow, new, config.keep)
            self._temperature *= math.exp(config.lr_at(number) * (config.entropy - undecided))
            notes.append((critic.item(), actor.item(), undecided))
        critic_loss, actor_loss, share = (float(one) for one in np.mean(notes, axis=0))
        return {"loss": critic_loss, "actor_loss": actor_loss, "entropy": share, "temperature": self._temperature}

    def _choose(self, logits: NDArray[np.float32], draw: np.random.Generator) -> NDArray[np.int64]:
        return sample(logits, self._games.legal, draw)[0]

    def critic_loss(self, steps: Steps) -> torch.Tensor:
        """Huber's of both critics, in units."""
        targets = self.targets(steps)
        taken = [
            q_values(net, steps.features, steps.legal).gather(1, steps.action[:, None]).squeeze(1)
            for net in self._critics
        ]
        return sum((torch.nn.functional.smooth_l1_loss(q, targets) for q in taken), start=torch.zeros(()))

    def targets(self, steps: Steps) -> torch.Tensor:
        """What the actions were worth, in units."""
        with torch.no_grad():
            shares = log_shares(self._actor(steps.next_features)[0], steps.next_legal)
            follows = self._soft_value(shares, steps.next_features, steps.next_legal, self._slow)
            return steps.reward / self._unit + self._config.discount * steps.turn * follows

    def actor_losses(self, steps: Steps) -> tuple[torch.Tensor, torch.Tensor, float]:
        """The policy's and the value's loss, and the policy's entropy as a share of the most that is possible."""
        logits, value = self._actor(steps.features)
        shares = log_shares(logits, steps.legal)
        soft = self._soft_value(shares, steps.features, steps.legal, self._critics)
        value_loss = ((value.squeeze(1) / self._unit - soft.detach()) ** 2).mean()
        with torch.no_grad():
            entropy = -(shares.exp() * shares.masked_fill(~steps.legal, 0.0)).sum(dim=1)
            choice = steps.legal.sum(dim=1) > 1
            most = torch.log(steps.legal.sum(dim=1)[choice])
            undecided = float((entropy[choice] / most).mean()) if choice.any() else self._config.entropy
        return -soft.mean(), value_loss, undecided

    def _soft_value(
        self, shares: torch.Tensor, features: torch.Tensor, legal: torch.Tensor, critics: tuple[Net, Net]
    ) -> torch.Tensor:
        """What the policy expects by the lower critic, and its entropy at the temperature."""
        with torch.no_grad():
            first, second = (q_values(net, features, legal) for net in critics)
            lower = torch.minimum(first, second).masked_fill(~legal, 0.0)
        each = lower - self._temperature * shares.masked_fill(~legal, 0.0)
        return (shares.exp() * each).sum(dim=1)

    def training(self) -> Tensors:
        """All else that the next step depends on, the temperature too."""
        return {**super().training(), "temperature": np.array([self._temperature])}

    def restore(self, checkpoint: Checkpoint) -> None:
        """Goes back to a checkpoint."""
        saved = checkpoint.training.get("temperature", np.zeros(0))
        if saved.shape != (1,) or not 0 < saved[0] < np.inf:
            raise RunError(f"the checkpoint of step {checkpoint.step} does not hold a temperature")
        super().restore(checkpoint)
        self._temperature = float(saved[0])
