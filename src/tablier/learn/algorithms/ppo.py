"""PPO: proximal policy optimization with action masks.

Each step plays `moves` decisions per game with the current policy, then trains on them for several epochs. Advantages
are generalized advantage estimates (GAE). Values are from the point of view of the player who decides, so in self-play
the value of the next decision is negated if the opponent makes it. Illegal actions have probability 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from tablier._core import BatchEnv, Game
from tablier.learn.data.batched_games import Games, GamesConfig, unit_of
from tablier.learn.data.sampling import sample
from tablier.learn.data.targets import lambda_returns, log_shares
from tablier.learn.learner import PLAYS, Learner
from tablier.learn.networks.inference import frozen
from tablier.learn.networks.nets import make_net
from tablier.learn.runs.config import setting


@dataclass(frozen=True)
class PPOConfig(GamesConfig):
    """Settings of PPO, in addition to those of `GamesConfig`."""

    batch: int = setting(1024, "minibatch size in decisions", low=1, high=2**20)
    gae_lambda: float = setting(0.9, "lambda of the advantage estimates", high=1, formerly="trace")
    epochs: int = setting(3, "passes over the decisions of a step", low=1, high=100)
    clip: float = setting(0.2, "clip range of the probability ratio", low=1e-6, high=10)
    entropy_weight: float = setting(0.01, "weight of the entropy bonus", high=10, formerly="entropy")
    value_weight: float = setting(1.0, "weight of the value loss relative to the policy loss", high=1e3)
    max_grad_norm: float = setting(0.5, "gradients are clipped to this norm", low=1e-6, high=1e6, formerly="norm")


PRESETS: dict[str, dict[str, object]] = {
    "quick": {"minutes": 5.0, "steps": 10**6, "eval_every": 100, "eval_games": 20, "opponent": "random"},
    "default": {"minutes": 30.0, "steps": 10**6, "eval_every": 500, "opponent": "random", "lr_half_life": 1000},
    "strong": {"minutes": 480.0, "steps": 10**7, "width": 256, "games": 1024, "lr_half_life": 10000},
}


@dataclass(frozen=True)
class Experience:
    """A batch of decisions; the first axis of every tensor is the decision."""

    features: torch.Tensor
    legal: torch.Tensor
    action: torch.Tensor
    log_share: torch.Tensor
    """Log-probability of the action when it was taken."""
    advantage: torch.Tensor
    returns: torch.Tensor
    """Lambda-returns, in units of `unit` points."""

    def __getitem__(self, rows: torch.Tensor) -> Experience:
        return Experience(*(array[rows] for array in vars(self).values()))


class PPO(Learner):
    """PPO; see `tablier.learn.learner.Learner` for the interface."""

    player = "policy:net={}"

    def __init__(self, game: Game, config: PPOConfig, folder: Path | None = None) -> None:
        self._unit = unit_of(game, config)
        self._net = make_net(game, config, policy=True, scale=self._unit)
        super().__init__(game, config, {PLAYS: self._net}, [self._net])
        self._config = config
        self._games = Games(game, config)
        self._env: BatchEnv = self._games.env

    def step(self, number: int) -> dict[str, float]:
        """Plays one rollout per game and trains on it."""
        draw = self._begin(number)
        seen = self._play(number, draw)
        self.counters["positions"] += len(seen.action)
        return self._learn(seen, draw)

    def _play(self, number: int, draw: np.random.Generator) -> Experience:
        moves, n, games = self._config.moves, self._config.games, self._games
        games.begin(number)
        ask = frozen(self._net, self.game)
        features = np.zeros((moves, n, self._net.entry.in_features), np.float32)
        legal = np.zeros((moves, n, self.game.num_distinct_actions()), np.bool_)
        action, turn = np.zeros((moves, n), np.int64), np.zeros((moves, n), np.int8)
        log_share, reward = np.zeros((2, moves, n), np.float32)
        value, eyes = np.zeros((2, moves + 1, n), np.float32)
        for t in range(moves + 1):
            logits, answer = ask(games.features)
            assert logits is not None
            value[t], eyes[t] = answer[:, 0], 1 - 2 * games.mover
            if t == moves:
                break
            features[t], legal[t] = games.features, games.legal
            action[t], log_share[t] = sample(logits, games.legal, draw)
            outcome = games.step(action[t])
            reward[t], turn[t] = outcome.reward, outcome.turn
        self.counters["games"] += int((turn == 0).sum())
        self.counters["evaluations"] += (moves + 1) * n
        seen = value * eyes  # from player 0's point of view, as `lambda_returns` expects
        lam = np.full((moves, n), self._config.gae_lambda, np.float32)
        returns = lambda_returns(
            np.zeros_like(reward), reward * eyes[:-1], seen[1:], lam, turn == 0, self._config.discount
        )
        advantage = (returns - seen[:-1]) * eyes[:-1]
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        rows = (features, legal, action, log_share, advantage, returns * eyes[:-1] / self._unit)
        return Experience(*(torch.from_numpy(array.reshape(moves * n, *array.shape[2:])) for array in rows))

    def _learn(self, seen: Experience, draw: np.random.Generator) -> dict[str, float]:
        notes = []
        for _ in range(self._config.epochs):
            order = torch.from_numpy(draw.permutation(len(seen.action)))
            for begin in range(0, len(order), self._config.batch):
                policy, value, entropy = self.losses(seen[order[begin : begin + self._config.batch]])
                total = policy + self._config.value_weight * value - self._config.entropy_weight * entropy
                self._update(total, self._config.max_grad_norm)
                notes.append((policy.item(), value.item(), entropy.item()))
        policy_loss, value_loss, entropy_mean = (float(one) for one in np.mean(notes, axis=0))
        return {"policy_loss": policy_loss, "value_loss": value_loss, "loss": value_loss, "entropy": entropy_mean}

    def losses(self, seen: Experience) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Returns the clipped policy loss, the value loss (in units of `unit` points) and the mean policy entropy."""
        logits, value = self._net(seen.features)
        shares = log_shares(logits, seen.legal)
        taken = shares.gather(1, seen.action[:, None]).squeeze(1)
        ratio = torch.exp(taken - seen.log_share)
        clipped = ratio.clamp(1 - self._config.clip, 1 + self._config.clip)
        policy = -torch.minimum(ratio * seen.advantage, clipped * seen.advantage).mean()
        entropy = -(shares.exp() * shares.masked_fill(~seen.legal, 0.0)).sum(dim=1).mean()
        return policy, ((value.squeeze(1) / self._unit - seen.returns) ** 2).mean(), entropy
