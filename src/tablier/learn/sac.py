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

from tablier._core import BatchEnv, Game
from tablier.learn.checkpoint import Checkpoint
from tablier.learn.choice import sample
from tablier.learn.config import setting
from tablier.learn.dqn import q_values
from tablier.learn.files import Tensors
from tablier.learn.games import Games, GamesConfig, unit_of
from tablier.learn.inference import frozen
from tablier.learn.learner import PLAYS, Learner, follow
from tablier.learn.nets import Net, make_net
from tablier.learn.replay import Replay
from tablier.learn.targets import log_shares
from tablier.learn.transitions import Steps, Transitions, gather


@dataclass(frozen=True)
class SACConfig(GamesConfig):
    """Settings of SAC."""

    batch: int = setting(1024, "positions of one update", low=1, high=2**20)
    moves: int = setting(8, "decisions of every game in a step", low=1, high=10**5)
    replay: int = setting(200_000, "decisions kept", low=1, high=10**8)
    reuse: float = setting(2.0, "how often a decision is used on average", low=0.01, high=1000)
    temperature: float = setting(0.01, "weight of the entropy at the first step, in units", low=1e-6, high=10)
    entropy: float = setting(0.3, "the entropy sought, as a share of the most that is possible", high=1)
    keep: float = setting(0.99, "slow copies keep so much of themselves at each update", high=1)
    norm: float = setting(1.0, "longest gradient", low=1e-6, high=1e6)


PRESETS: dict[str, dict[str, object]] = {
    "quick": {"minutes": 5.0, "steps": 10**6, "eval_every": 200, "eval_games": 20, "opponent": "random"},
    "default": {"minutes": 30.0, "steps": 10**6, "eval_every": 1000, "opponent": "random", "lr_half_life": 2000},
    "strong": {"minutes": 480.0, "steps": 10**7, "width": 256, "replay": 2_000_000, "lr_half_life": 20000},
}


class SAC(Learner):
    """The learner; see `tablier.learn.learner.Learner`."""

    player = "policy:net={}"

    def __init__(self, game: Game, config: SACConfig, folder: Path | None = None) -> None:
        self._unit = unit_of(game, config)
        actor, first, second, slow_first, slow_second = (
            make_net(game, config, policy=True, scale=self._unit, number=i) for i in (0, 1, 2, 1, 2)
        )
        self._actor, self._critics, self._slow = actor, (first, second), (slow_first, slow_second)
        nets = {PLAYS: actor, "first": first, "second": second, "slow_first": slow_first, "slow_second": slow_second}
        super().__init__(game, config, nets, [actor, first, second])
        self._config = config
        self._temperature = config.temperature
        self._games = Games(game, config)
        self._env: BatchEnv = self._games.env
        self._replay = Replay(Transitions, game, config.replay, folder / "replay" if folder else None)

    def step(self, number: int) -> dict[str, float]:
        """Plays, remembers, learns."""
        config, draw = self._config, self._begin(number)
        ask = frozen(self._actor, self.game)

        def choose() -> NDArray[np.int64]:
            logits, _ = ask(self._games.features)
            assert logits is not None
            return sample(logits, self._games.legal, draw)[0]

        fresh = gather(self._games, number, config.moves, choose)
        self._replay.add(number, fresh)
        self._replay.forget(number - 2 * config.checkpoint_every)
        self.counters["games"] += int((fresh.turns == 0).sum())
        self.counters["positions"] += len(fresh)
        self.counters["evaluations"] += len(fresh)
        notes = []
        for _ in range(math.ceil(len(fresh) * config.reuse / config.batch)):
            steps = self._replay.rows.show(self.game, self._replay.draw(config.batch, draw))
            critic, (actor, value, undecided) = self.critic_loss(steps), self.actor_losses(steps)
            self._update(critic + actor + value, config.norm)
            for slow, new in zip(self._slow, self._critics, strict=True):
                follow(slow, new, config.keep)
            self._temperature *= math.exp(config.lr_at(number) * (config.entropy - undecided))
            notes.append((critic.item(), actor.item(), undecided))
        critic_loss, actor_loss, share = (float(one) for one in np.mean(notes, axis=0))
        return {"loss": critic_loss, "actor_loss": actor_loss, "entropy": share, "temperature": self._temperature}

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
        super().restore(checkpoint)
        self._temperature = float(checkpoint.training["temperature"][0])
        self._replay.resume(checkpoint.step)
