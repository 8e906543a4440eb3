"""TD(lambda) on afterstates, the positions after a move and before the dice: the method of TD-Gammon.

Many games run in parallel. In each, the network evaluates the afterstate of every legal move, and the best is played
(or, with probability epsilon, a random one). The target of an afterstate is its lambda-return: the rewards that follow,
with the network's own estimates as bootstrap. Each step plays `moves` moves per game and trains on them. A random move
cuts the lambda-return of the moves before it (lambda is 0 there), since it says nothing about them.

With `replay`, a step trains on positions drawn from a buffer of the latest ones instead. That pays off if targets are
expensive and accurate (`exact`).

A core network plays the moves of the next step while it trains on those of this one, so games are played with weights
that are one step old.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from tablier._core import BatchEnv, Game
from tablier.learn.data.place import Spread
from tablier.learn.data.replay import Replay
from tablier.learn.data.targets import DISCOUNT_HELP, default_discount, exact_returns, lambda_returns, value_scale
from tablier.learn.data.td_games import Moves
from tablier.learn.data.td_sources import Source, new_source
from tablier.learn.data.valued import Valued
from tablier.learn.learner import PLAYS, Learner, polyak_update
from tablier.learn.networks.core_net import CoreNet
from tablier.learn.networks.growth import grow, read_start, read_teacher
from tablier.learn.networks.nets import make_net
from tablier.learn.networks.revival import revive
from tablier.learn.runs.checkpoint import Checkpoint
from tablier.learn.runs.config import Config, make_game, setting
from tablier.learn.runs.files import RunError, Tensors

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class TDConfig(Config):
    """Settings of TD(lambda), in addition to those of `Config`."""

    net: str = setting(
        "auto",
        "network architecture; auto: core, computed in C++, if it can be, otherwise mlp",
        choices=("auto", "core", "mlp", "resnet"),
    )
    encoding: str = setting("expert", "input features of the network, for games with several encodings")
    blocks: int = setting(1, "hidden layers (core, mlp) or residual blocks (resnet)", low=0, high=64)
    hidden: int = setting(32, "net=core: units of the layers after the first", low=1, high=256)
    start: str = setting(
        "", "run folder or weights file to start from; a larger network grows from a smaller one", is_path=True
    )
    teacher: str = setting(
        "", "net=core: core network file that plays, and whose values are the bootstrap", is_path=True
    )
    target: str = setting(
        "margin",
        "value target: the win, or half the margin of points still to come; auto: the win, if the game can pay for it",
        choices=("auto", "win", "margin"),
    )
    exact: bool = setting(False, "net=core: bootstrap from the average over all rolls, about twenty times the work")
    discount: float = setting(0.0, DISCOUNT_HELP, high=1)
    td_lambda: float = setting(0.8, "lambda of the returns; 0: one-step TD, 1: Monte Carlo", high=1, formerly="trace")
    ema_decay: float = setting(
        0.98,
        "the network that plays is a moving average with this decay per step; 0: the newest",
        high=1,
        formerly="average",
    )
    epsilon: float = setting(0.0, "probability of a random move; games with dice need none", high=1, formerly="explore")
    batch: int = setting(256, "minibatch size in positions", low=1, high=2**20)
    games: int = setting(256, "parallel games", low=1, high=10**6)
    moves: int = setting(32, "moves per game in each step", low=1, high=10**5)
    epochs: int = setting(1, "passes over the positions of a step, or draws per position with replay", low=1, high=100)
    replay: int = setting(0, "net=core: capacity of a replay buffer in positions; 0: none", high=10**8)
    learning_starts: int = setting(0, "positions that the replay buffer must hold before learning starts", high=10**8)
    revive: int = setting(0, "net=core: steps after which dead units get new weights; 0: never", high=10**9)


LAMBDA = {"td_lambda": 0.2}
"""It won more games than 0.8 (docs/learning.md)."""
PRESETS: dict[str, dict[str, object]] = {
    "quick": {"minutes": 4.0, "steps": 10**6, "eval_every": 500, "eval_games": 20, "lr_half_life": 800, **LAMBDA},
    "default": {"minutes": 30.0, "steps": 10**6, "eval_every": 2000, "lr_half_life": 8000, **LAMBDA},
    "strong": {"minutes": 480.0, "steps": 10**7, "width": 256, "eval_every": 10000, "lr_half_life": 60000, **LAMBDA},
}


def game_of(config: TDConfig) -> Game:
    """Loads the game with the rewards and features used in training."""
    return make_game(config, config.target)


@dataclass(frozen=True)
class Examples:
    """The training data of a step."""

    features: Floats
    """[n, features]: afterstates, those of the same move of all games next to each other."""
    codes: NDArray[np.uint8] | None
    """[n, inputs]: the afterstates as core networks read them, for the replay buffer."""
    targets: Floats
    """[n]: their lambda-returns."""
    games: int
    """Number of games that ended."""
    evaluations: int
    """Number of positions that the network evaluated."""


class TD(Learner):
    """TD(lambda); see `tablier.learn.learner.Learner` for the interface."""

    player = "expectimax:plies=1,net={}"

    def __init__(self, game: Game, config: TDConfig, folder: Path | None = None, spread: Spread | None = None) -> None:
        self._discount = config.discount or default_discount(game)
        self._scale = value_scale(game, config.target, self._discount)
        self._net, self._mean = (make_net(game, config, policy=False, scale=self._scale) for _ in range(2))
        super().__init__(game, config, {PLAYS: self._mean, "newest": self._net}, [self._net])
        self._config = config
        env = BatchEnv(game, config.games, seed=config.seed, threads=config.threads)
        settings = (config.moves, config.epsilon, config.exact, self._discount, config.seed)
        teacher = read_teacher(config.teacher, game)
        self._games: Source[Examples] = new_source(
            self._net, env, *settings, self._prepared, spread, teacher, codes=config.replay > 0
        )
        if config.replay and not isinstance(self._net, CoreNet):
            raise RunError("only a core network can have a replay buffer; use --net core or --replay 0")
        self._replay = Replay(Valued, game, config.replay, folder / "replay" if folder else None)
        self._count_spread_games(spread)

    def start(self) -> None:
        """Loads the weights of the run named by `start`, if any."""
        if self._config.start:
            weights = read_start(Path(self._config.start))
            grow(self._net, weights)
            grow(self._mean, weights)

    def step(self, number: int) -> dict[str, float]:
        """Plays `moves` moves per game and trains on them."""
        draw = self._begin(number)
        examples = self._play(draw)
        if self._config.replay:
            inputs = examples.features if examples.codes is None else examples.codes
            self._replay.add(number, Valued(inputs, examples.targets))
            self._replay.forget(number - 2 * self._config.checkpoint_every)
        told = {"spread": float(examples.targets.std()) / self._scale}
        if len(self._replay) >= min(self._config.learning_starts, self._config.replay):
            told |= self._improve(number, examples, draw)
        return told | self._games.account(self.counters)

    def _improve(self, number: int, examples: Examples, draw: np.random.Generator) -> dict[str, float]:
        told = {"loss": self._learn(self._passes(examples, draw))}
        if isinstance(self._net, CoreNet):
            self._net.clip_weights()
            if self._config.revive and number % self._config.revive == 0:
                told["revived"] = self._revive(examples, draw)
        # Averaging removes the noise of single updates. Early on, the average spans only the last few steps.
        decay = min(self._config.ema_decay, number / (number + 20)) if self._config.ema_decay else 0
        polyak_update(self._mean, self._net, decay)
        return told

    def _play(self, draw: np.random.Generator) -> Examples:
        played = self._games.next(self._net, draw)
        examples = self._prepared(played) if isinstance(played, Moves) else played
        self.counters["games"] += examples.games
        self.counters["positions"] += len(examples.targets)
        self.counters["evaluations"] += examples.evaluations
        return examples

    def _prepared(self, played: Moves) -> Examples:
        """Computes the targets of the moves of a step."""
        alive = played.viewer >= 0
        targets = np.where(played.viewer, -1, 1).astype(np.float32)[alive] * self._targets(played)[alive]
        features = played.features[alive].reshape(len(targets), math.prod(played.features.shape[2:]))
        codes = None if played.codes is None else played.codes[alive]
        return Examples(features, codes, targets, int(played.over.sum()), played.evaluations)

    def _targets(self, played: Moves) -> Floats:
        lam = (self._config.td_lambda * ~played.explored[1:]).astype(np.float32)
        later = played.best[1:], lam, played.over, self._discount
        if played.expected is not None:
            return exact_returns(played.before, played.expected, *later)
        return lambda_returns(played.before, played.after, *later)

    def _passes(self, examples: Examples, draw: np.random.Generator) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        """Yields inputs and labels, as many as the step has positions, once per epoch."""
        inputs, labels = torch.from_numpy(examples.features), torch.from_numpy(examples.targets)
        for epoch in range(self._config.epochs):
            if self._config.replay:
                yield self._replay.rows.show(self.game, self._replay.draw(len(labels), draw))
            elif epoch == 0:  # neighbours are moves of different games, so the first epoch needs no shuffling
                yield inputs, labels
            else:
                order = torch.from_numpy(draw.permutation(len(labels)))
                inputs, labels = inputs[order], labels[order]
                yield inputs, labels

    def _learn(self, passes: Iterator[tuple[torch.Tensor, torch.Tensor]]) -> float:
        losses = []
        for inputs, labels in passes:
            for some, wanted in zip(inputs.split(self._config.batch), labels.split(self._config.batch), strict=True):
                loss = (((self._net(some)[1].squeeze(1) - wanted) / self._scale) ** 2).mean()
                self._update(loss)
                losses.append(loss.detach())
        return float(torch.stack(losses).mean())

    def _revive(self, examples: Examples, draw: np.random.Generator) -> int:
        nets = [net for net in (self._net, self._mean) if isinstance(net, CoreNet)]
        return revive(nets, self._optimizer, torch.from_numpy(examples.features), draw)

    def close(self) -> None:
        """Waits for games in progress."""
        self._games.close()

    def training(self) -> Tensors:
        """Returns everything else the next step depends on, including the games in progress."""
        return {**super().training(), **self._games.tensors()}

    def restore(self, checkpoint: Checkpoint) -> None:
        """Restores a checkpoint, the games in progress and the replay buffer."""
        super().restore(checkpoint)
        if self._config.replay:
            self._replay.resume(checkpoint.step)
        self._games.put(checkpoint.training)
