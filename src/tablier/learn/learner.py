"""The base class of all algorithms: named networks, one optimizer, and saving and restoring both."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import Any, Protocol

import numpy as np
import torch

from tablier._core import Game
from tablier.evaluators.network import CORE_FILE, ONNX_FILE
from tablier.learn.data.place import Spread
from tablier.learn.networks.core_net import CoreNet, to_core
from tablier.learn.networks.nets import AnyNet, optimizer_tensors, put_optimizer, put_weights, to_onnx, weights_of
from tablier.learn.networks.quantization import error_of
from tablier.learn.runs.checkpoint import Checkpoint
from tablier.learn.runs.config import Config
from tablier.learn.runs.files import Tensors

PLAYS = "plays"
"""Name of the network that plays; all others only support training."""
SHOWN_SECONDS = 2.0
"""Seconds over which the display averages the speed of a node."""


class GameSource(Protocol):
    """Games in progress, in this process or elsewhere."""

    def close(self) -> None:
        """Stops background work."""

    def tensors(self) -> Tensors:
        """Returns the games, for a checkpoint."""

    def put(self, saved: Tensors, /) -> None:
        """Restores what `tensors` returned; raises RunError if it does not fit."""


class Learner(ABC):
    """An algorithm during training.

    A step depends only on the restored state and its number. So a resumed run gives the same results as one that was
    not interrupted.
    """

    player = ""
    """Player string for the trained network, with `{}` in place of the file."""

    def __init__(self, game: Game, config: Config, nets: dict[str, AnyNet], learns: list[AnyNet]) -> None:
        """Creates the optimizer.

        Args:
            game: the game, with the rewards and features used in training.
            config: the settings of the run.
            nets: all networks by name; the one called `PLAYS` is exported.
            learns: the networks that the optimizer updates.
        """
        torch.set_num_threads(1)
        self.game, self._seed = game, config.seed
        self.counters: dict[str, float] = {"games": 0.0, "positions": 0.0, "evaluations": 0.0}
        """Totals over the whole run."""
        self._nets = nets
        self._weights = [weight for net in learns for weight in net.parameters()]
        self._lr_at = config.lr_at
        self._optimizer = torch.optim.AdamW(self._weights, config.lr, weight_decay=config.weight_decay, fused=True)
        self._spread: Spread | None = None
        """Where games are played, if not in this process."""
        self._seen_games: tuple[dict[str, int], float] | None = None
        self._node_rates: dict[str, float] = {}
        self._source: GameSource | None = None
        """Games in progress, if they continue from step to step."""

    def start(self) -> None:  # noqa: B027  # most algorithms start from random weights
        """Prepares the first step of a new run; raises RunError if it cannot. A second call changes nothing."""

    def close(self) -> None:
        """Stops background work. No step can follow."""
        if self._source is not None:
            self._source.close()

    def _count_spread_games(self, spread: Spread | None) -> None:
        """Adds the counters of games that workers elsewhere play."""
        self._spread = spread
        if spread is not None:
            self.counters |= {"produced": 0.0, "lost": 0.0}

    def shown(self) -> dict[str, float]:
        """Returns numbers for the progress display only: games lost, and games per second of each node."""
        if self._spread is None:
            return {}
        now, games = time.monotonic(), dict[str, int]()
        for row in self._spread.place.rows():
            games[row["node"]] = games.get(row["node"], 0) + row["games"]
        before, then = self._seen_games or (games, now - 1)
        if now - then >= SHOWN_SECONDS or self._seen_games is None:
            self._seen_games = games, now
            rates = {node: (n - before.get(node, 0)) / (now - then) for node, n in games.items()}
            self._node_rates = {f"{node} games/s": rate for node, rate in rates.items() if node}
        return {"lost": self.counters["lost"], **self._node_rates}

    def worker_rows(self) -> list[dict[str, Any]]:
        """Returns what each worker elsewhere has done so far; empty if all games are played here."""
        return self._spread.place.rows() if self._spread else []

    @abstractmethod
    def step(self, number: int) -> dict[str, float]:
        """Runs one training step and returns its metrics."""

    def _begin(self, number: int) -> np.random.Generator:
        """Sets the learning rate for a step and returns the step's random generator."""
        for group in self._optimizer.param_groups:
            group["lr"] = self._lr_at(number)
        return np.random.default_rng([self._seed, number])

    def _update(self, loss: torch.Tensor, max_grad_norm: float = 0.0) -> None:
        """Takes one optimizer step; clips the gradient norm unless `max_grad_norm` is 0."""
        if not torch.isfinite(loss):
            raise FloatingPointError("the loss is not finite")
        self._optimizer.zero_grad()
        loss.backward()
        if max_grad_norm:
            torch.nn.utils.clip_grad_norm_(self._weights, max_grad_norm)
        self._optimizer.step()

    def weights(self) -> Tensors:
        """Returns the weights of the network that plays."""
        return weights_of(self._nets[PLAYS])

    def training(self) -> Tensors:
        """Returns everything else that the next step depends on: other networks, optimizer state, games in progress."""
        others = {
            f"{name}.{key}": array
            for name, net in self._nets.items()
            if name != PLAYS
            for key, array in weights_of(net).items()
        }
        games = {} if self._source is None else self._source.tensors()
        return {**others, **optimizer_tensors(self._optimizer), **games}

    def put(self, weights: Tensors) -> None:
        """Replaces the weights of the network that plays."""
        put_weights(self._nets[PLAYS], weights)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Restores the state saved in a checkpoint; raises RunError if it does not fit this run."""
        self.put(checkpoint.weights)
        saved = checkpoint.training
        for name, net in self._nets.items():
            if name != PLAYS:
                mine = {key.removeprefix(f"{name}."): saved[key] for key in saved if key.startswith(f"{name}.")}
                put_weights(net, mine)
        put_optimizer(self._optimizer, saved)
        if self._source is not None:
            self._source.put(saved)

    def networks(self) -> dict[str, bytes]:
        """Exports the network that plays, as files by name. The first file is the one that players use."""
        net = self._nets[PLAYS]
        core = {}
        if isinstance(net, CoreNet):
            core[CORE_FILE] = to_core(net, self.game, quantization=error_of(net, self.game))
        return core | {ONNX_FILE: to_onnx(net, self.game)}

    def network(self) -> bytes:
        """Exports the network that plays, in the format that players use."""
        return next(iter(self.networks().values()))


def polyak_update(target: AnyNet, source: AnyNet, polyak: float) -> None:
    """Updates a target network in place: `target = polyak * target + (1 - polyak) * source`."""
    with torch.no_grad():
        for slow, fast in zip(target.parameters(), source.parameters(), strict=True):
            slow.lerp_(fast, 1 - polyak)
