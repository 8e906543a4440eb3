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
from numpy.typing import NDArray

from tablier._core import Game
from tablier._core import search as _search
from tablier.learn.data.batched_games import GamesConfig, unit_of
from tablier.learn.data.decisions import Acting, new_games
from tablier.learn.data.place import Spread
from tablier.learn.data.targets import lambda_returns, log_shares
from tablier.learn.learner import PLAYS, Learner
from tablier.learn.networks.nets import make_net, to_onnx
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

    def __init__(self, game: Game, config: PPOConfig, folder: Path | None = None, spread: Spread | None = None) -> None:
        self._unit = unit_of(game, config)
        self._net = make_net(game, config, policy=True, scale=self._unit)
        super().__init__(game, config, {PLAYS: self._net}, [self._net])
        self._config = config
        self._source = self._games = new_games(game, config, spread)
        self._count_spread_games(spread)

    def step(self, number: int) -> dict[str, float]:
        """Plays one rollout per game and trains on it."""
        draw = self._begin(number)
        seen = self._play(number)
        return self._learn(seen, draw) | self._games.account(self.counters)

    def _play(self, number: int) -> Experience:
        played = self._games.next(to_onnx(self._net, self.game), number, Acting(values=True))
        moves, n = played.actions.shape
        self.counters["games"] += played.games
        self.counters["positions"] += moves * n
        self.counters["evaluations"] += played.evaluations
        features, legal = self._show(played.states[:-1], played.players[:-1])
        eyes = (1 - 2 * played.players).astype(np.float32)
        seen = played.values * eyes  # from player 0's point of view, as `lambda_returns` expects
        lam = np.full((moves, n), self._config.gae_lambda, np.float32)
        returns = lambda_returns(
            np.zeros_like(lam), played.rewards * eyes[:-1], seen[1:], lam, played.turns == 0, self._config.discount
        )
        advantage = (returns - seen[:-1]) * eyes[:-1]
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        rows = (played.actions.astype(np.int64), played.log_shares, advantage, returns * eyes[:-1] / self._unit)
        return Experience(features, legal, *(torch.from_numpy(array.reshape(moves * n)) for array in rows))

    def _show(self, states: NDArray[np.uint64], players: NDArray[np.int32]) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns the features and the masks of legal actions of positions, each as its player sees it."""
        words, eyes = states.reshape(-1, states.shape[2]), players.reshape(-1)
        features = np.zeros((len(eyes), *self.game.features_shape()), np.float32)
        legal = np.zeros((len(eyes), self.game.num_distinct_actions()), np.bool_)
        _search.show(self.game, words, eyes, features, legal)
        return torch.from_numpy(features.reshape(len(eyes), -1)), torch.from_numpy(legal)

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
