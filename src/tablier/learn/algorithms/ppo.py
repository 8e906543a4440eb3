"""PPO: play with the policy, then make actions likelier that did better than expected, in small steps.

A step is `moves` decisions of every game and some epochs on them. An advantage is the TD(lambda) return of a decision
less what its value was held to be (that is GAE). Values are in the eyes of who decides, so against oneself the next
decision's value counts negatively where the adversary takes it. Illegal actions have no share in the policy.
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
    """Settings of PPO."""

    batch: int = setting(1024, "positions of one update", low=1, high=2**20)
    trace: float = setting(0.9, "lambda of the advantages", high=1)
    epochs: int = setting(3, "times that each position is used", low=1, high=100)
    clip: float = setting(0.2, "how far a policy may move away in one step", low=1e-6, high=10)
    entropy: float = setting(0.01, "weight of the policy's entropy", high=10)
    value_weight: float = setting(1.0, "weight of the value's loss against the policy's", high=1e3)
    norm: float = setting(0.5, "longest gradient", low=1e-6, high=1e6)


PRESETS: dict[str, dict[str, object]] = {
    "quick": {"minutes": 5.0, "steps": 10**6, "eval_every": 100, "eval_games": 20, "opponent": "random"},
    "default": {"minutes": 30.0, "steps": 10**6, "eval_every": 500, "opponent": "random", "lr_half_life": 1000},
    "strong": {"minutes": 480.0, "steps": 10**7, "width": 256, "games": 1024, "lr_half_life": 10000},
}


@dataclass(frozen=True)
class Experience:
    """Decisions to learn from."""

    features: torch.Tensor
    legal: torch.Tensor
    action: torch.Tensor
    log_share: torch.Tensor
    """Of the action, when it was taken."""
    advantage: torch.Tensor
    returns: torch.Tensor
    """In units."""

    def __getitem__(self, rows: torch.Tensor) -> Experience:
        return Experience(*(array[rows] for array in vars(self).values()))


class PPO(Learner):
    """The learner; see `tablier.learn.learner.Learner`."""

    player = "policy:net={}"

    def __init__(self, game: Game, config: PPOConfig, folder: Path | None = None) -> None:
        self._unit = unit_of(game, config)
        self._net = make_net(game, config, policy=True, scale=self._unit)
        super().__init__(game, config, {PLAYS: self._net}, [self._net])
        self._config = config
        self._games = Games(game, config)
        self._env: BatchEnv = self._games.env

    def step(self, number: int) -> dict[str, float]:
        """Plays and learns."""
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
        seen = value * eyes  # by player 0, as is all that `lambda_returns` takes
        trace = np.full((moves, n), self._config.trace, np.float32)
        returns = lambda_returns(
            np.zeros_like(reward), reward * eyes[:-1], seen[1:], trace, turn == 0, self._config.discount
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
                total = policy + self._config.value_weight * value - self._config.entropy * entropy
                self._update(total, self._config.norm)
                notes.append((policy.item(), value.item(), entropy.item()))
        policy_loss, value_loss, entropy_mean = (float(one) for one in np.mean(notes, axis=0))
        return {"policy_loss": policy_loss, "value_loss": value_loss, "loss": value_loss, "entropy": entropy_mean}

    def losses(self, seen: Experience) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The clipped policy loss, the value's in units, and the mean entropy over legal actions."""
        logits, value = self._net(seen.features)
        shares = log_shares(logits, seen.legal)
        taken = shares.gather(1, seen.action[:, None]).squeeze(1)
        ratio = torch.exp(taken - seen.log_share)
        clipped = ratio.clamp(1 - self._config.clip, 1 + self._config.clip)
        policy = -torch.minimum(ratio * seen.advantage, clipped * seen.advantage).mean()
        entropy = -(shares.exp() * shares.masked_fill(~seen.legal, 0.0)).sum(dim=1).mean()
        return policy, ((value.squeeze(1) / self._unit - seen.returns) ** 2).mean(), entropy
