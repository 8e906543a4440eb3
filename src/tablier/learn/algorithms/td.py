"""TD(lambda) on afterstates, the positions after a move and before the dice: the method of TD-Gammon.

Many games run in parallel. In each, the network evaluates the afterstate of every legal move, and the best is played
(or, with probability epsilon, a random one). The target of an afterstate is its lambda-return: the rewards that follow,
with the network's own estimates as bootstrap. Each step plays `moves` moves per game and trains on them. A random move
cuts the lambda-return of the moves before it (lambda is 0 there), since it says nothing about them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from tablier._core import BatchEnv, Game
from tablier.learn.data.sampling import best_of
from tablier.learn.data.targets import half_margin, lambda_returns, value_scale
from tablier.learn.learner import PLAYS, Learner, polyak_update
from tablier.learn.networks.inference import frozen
from tablier.learn.networks.nets import make_net
from tablier.learn.runs.config import Config, make_game, setting

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class TDConfig(Config):
    """Settings of TD(lambda), in addition to those of `Config`."""

    net: str = setting("mlp", "network architecture", choices=("mlp", "resnet"))
    blocks: int = setting(1, "hidden layers (mlp) or residual blocks (resnet)", low=0, high=64)
    target: str = setting(
        "auto",
        "value target: the win, or half the margin of points; auto: the win if the game pays nothing else",
        choices=("auto", "win", "margin"),
    )
    td_lambda: float = setting(0.8, "lambda of the returns; 0: one-step TD, 1: Monte Carlo", high=1, formerly="trace")
    ema_decay: float = setting(
        0.98,
        "the network that plays is a moving average with this decay per step; 0: the newest",
        high=1,
        formerly="average",
    )
    epsilon: float = setting(0.0, "probability of a random move; games with dice need none", high=1, formerly="explore")
    games: int = setting(256, "parallel games", low=1, high=10**6)
    moves: int = setting(32, "moves per game in each step", low=1, high=10**5)
    epochs: int = setting(2, "passes over the positions of a step", low=1, high=100)


PRESETS: dict[str, dict[str, object]] = {
    "quick": {"minutes": 4.0, "steps": 10**6, "eval_every": 200, "eval_games": 20},
    "default": {"minutes": 30.0, "steps": 10**6, "eval_every": 1000, "lr_half_life": 2000},
    "strong": {"minutes": 480.0, "steps": 10**7, "net": "resnet", "blocks": 2, "lr_half_life": 20000},
}


def game_of(config: TDConfig) -> Game:
    """Loads the game with the rewards and features used in training."""
    return make_game(config, config.target)


class TD(Learner):
    """TD(lambda); see `tablier.learn.learner.Learner` for the interface."""

    player = "expectimax:plies=1,net={}"

    def __init__(self, game: Game, config: TDConfig, folder: Path | None = None) -> None:
        self._scale = value_scale(game, config.target)
        self._net, self._mean = (make_net(game, config, policy=False, scale=self._scale) for _ in range(2))
        super().__init__(game, config, {PLAYS: self._mean, "newest": self._net}, [self._net])
        self._config = config
        self._env: BatchEnv = BatchEnv(game, config.games, seed=config.seed, threads=config.threads)
        self._mover = np.zeros(config.games, np.int32)
        self._room = _Afterstates(game, config.games)
        self._ask = frozen(self._net, game)

    def step(self, number: int) -> dict[str, float]:
        """Plays `moves` moves per game and trains on them."""
        draw = self._begin(number)
        features, targets = self._play(draw)
        loss = self._learn(features, targets, draw)
        # Averaging removes the noise of single updates. Early on, the average spans only the last few steps.
        decay = min(self._config.ema_decay, number / (number + 20)) if self._config.ema_decay else 0
        polyak_update(self._mean, self._net, decay)
        self.counters["positions"] += len(targets)
        return {"loss": loss, "spread": float(targets.std()) / self._scale}

    def _play(self, draw: np.random.Generator) -> tuple[Floats, Floats]:
        moves, games = self._config.moves, self._config.games
        self._ask = frozen(self._net, self.game)
        self._env.observe(current_player=self._mover)
        before, after, lam = np.zeros((3, moves, games), np.float32)
        best = np.zeros((moves + 1, games), np.float32)
        over = np.zeros((moves, games), np.bool_)
        viewer = np.zeros((moves, games), np.int32)
        features = np.zeros((moves, games, self._net.entry.in_features), np.float32)
        rewards = np.zeros((games, 2), np.float32)
        for t in range(moves):
            rows, best[t], explored = self._choose(draw)
            room = self._room
            lam[t - 1] = self._config.td_lambda * ~explored  # t = 0 sets the last row, where lambda has no effect
            before[t] = half_margin(room.rewards[rows])
            viewer[t] = room.player[rows]
            features[t] = room.features[rows].reshape(games, -1)
            self._env.step(room.actions[rows], rewards=rewards, done=over[t], current_player=self._mover)
            after[t] = half_margin(rewards) - before[t]
        best[moves] = self._choose(draw)[1]
        returns = lambda_returns(before, after, best[1:], lam, over)
        self.counters["games"] += int(over.sum())
        alive = viewer >= 0
        return features[alive], (returns * (1 - 2 * viewer))[alive]

    def _choose(self, draw: np.random.Generator) -> tuple[NDArray[np.int64], Floats, NDArray[np.bool_]]:
        """Returns for each game the row of the chosen move, the best value for player 0, and whether it explored."""
        room, games = self._room, self._config.games
        n = room.fill(self._env)
        starts = room.offsets[:-1]
        counts = np.diff(room.offsets)
        values = self._ask(room.features[:n].reshape(n, -1))[1].ravel()
        self.counters["evaluations"] += n
        player = room.player[:n]
        seen = np.where(player < 0, 0, values * (1 - 2 * player)) + half_margin(room.rewards[:n])
        sign = 1 - 2 * self._mover
        worth = seen * np.repeat(sign, counts)
        rows, highest = best_of(worth, starts)
        explored = np.zeros(games, np.bool_)
        if self._config.epsilon:
            explored = draw.random(games) < self._config.epsilon
            rows = np.where(explored, starts + draw.integers(counts), rows)
        return rows, (highest * sign).astype(np.float32), explored

    def _learn(self, features: Floats, targets: Floats, draw: np.random.Generator) -> float:
        inputs, labels = torch.from_numpy(features), torch.from_numpy(targets)
        losses = []
        for _ in range(self._config.epochs):
            order = torch.from_numpy(draw.permutation(len(targets)))
            for begin in range(0, len(targets), self._config.batch):
                rows = order[begin : begin + self._config.batch]
                values = self._net(inputs[rows])[1].squeeze(1)
                loss = (((values - labels[rows]) / self._scale) ** 2).mean()
                self._update(loss)
                losses.append(loss.item())
        return float(np.mean(losses))


class _Afterstates:
    """Buffers for `BatchEnv.afterstates` that grow as needed."""

    def __init__(self, game: Game, games: int) -> None:
        self._game = game
        self.offsets = np.zeros(games + 1, np.int64)
        self._make(games * 8)

    def _make(self, rows: int) -> None:
        self.actions, self.player = np.zeros((2, rows), np.int32)
        self.features = np.zeros((rows, *self._game.features_shape()), np.float32)
        self.rewards = np.zeros((rows, 2), np.float32)

    def fill(self, env: BatchEnv) -> int:
        while True:
            n = env.afterstates(**{name: value for name, value in vars(self).items() if name[0] != "_"})
            if n <= len(self.actions):
                return n
            self._make(n + n // 4)
