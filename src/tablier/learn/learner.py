"""What all algorithms are made of: networks by name, one optimizer, and their way into a checkpoint and out of it."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import torch

from tablier._core import BatchEnv, Game
from tablier.learn.networks.nets import Net, optimizer_tensors, put_optimizer, put_weights, to_onnx, weights_of
from tablier.learn.runs.checkpoint import Checkpoint
from tablier.learn.runs.config import Config
from tablier.learn.runs.files import RunError, Tensors

PLAYS = "plays"
"""The name of the network that plays; the others only help to learn."""


class Learner(ABC):
    """An algorithm in the middle of its work. A step depends on what `restore` brings back and on its number alone."""

    player = ""
    """How its network plays, `{}` standing for the file."""

    def __init__(self, game: Game, config: Config, nets: dict[str, Net], learns: list[Net]) -> None:
        torch.set_num_threads(1)
        self.game, self._seed = game, config.seed
        self.counters: dict[str, float] = {"games": 0.0, "positions": 0.0, "evaluations": 0.0}
        """What is counted over the whole run."""
        self._nets = nets
        self._weights = [weight for net in learns for weight in net.parameters()]
        self._lr_at = config.lr_at
        self._optimizer = torch.optim.AdamW(self._weights, config.lr, weight_decay=config.weight_decay, fused=True)
        self._env: BatchEnv | None = None
        """Games in progress, if steps leave any."""

    def close(self) -> None:  # noqa: B027  # most have nothing to end
        """Ends what still runs; no step follows."""

    @abstractmethod
    def step(self, number: int) -> dict[str, float]:
        """One step; returns its metrics."""

    def _begin(self, number: int) -> np.random.Generator:
        """Sets the learning rate of a step and returns its random generator."""
        for group in self._optimizer.param_groups:
            group["lr"] = self._lr_at(number)
        return np.random.default_rng([self._seed, number])

    def _update(self, loss: torch.Tensor, clip: float = 0.0) -> None:
        """One step down the gradient of a loss, its length at most `clip`."""
        if not torch.isfinite(loss):
            raise FloatingPointError("the loss is no number")
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        if clip:
            torch.nn.utils.clip_grad_norm_(self._weights, clip)
        self._optimizer.step()

    def weights(self) -> Tensors:
        """The network that plays."""
        return weights_of(self._nets[PLAYS])

    def training(self) -> Tensors:
        """All else that the next step depends on: other networks, the optimizer, games in progress."""
        others = {
            f"{name}.{key}": array
            for name, net in self._nets.items()
            if name != PLAYS
            for key, array in weights_of(net).items()
        }
        games = {} if self._env is None else {"games": np.frombuffer(self._env.save(), np.uint8)}
        return {**others, **optimizer_tensors(self._optimizer), **games}

    def put(self, weights: Tensors) -> None:
        """Makes this the network that plays."""
        put_weights(self._nets[PLAYS], weights)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Goes back to a checkpoint."""
        self.put(checkpoint.weights)
        saved = checkpoint.training
        for name, net in self._nets.items():
            if name != PLAYS:
                mine = {key.removeprefix(f"{name}."): saved[key] for key in saved if key.startswith(f"{name}.")}
                put_weights(net, mine)
        put_optimizer(self._optimizer, saved)
        if self._env is None:
            return
        try:
            self._env.restore(saved["games"].tobytes())
        except (KeyError, ValueError):
            raise RunError(f"the checkpoint of step {checkpoint.step} does not hold the games of this run") from None

    def network(self) -> bytes:
        """The network that plays, as ONNX."""
        return to_onnx(self._nets[PLAYS], self.game)


def follow(mean: Net, new: Net, keep: float) -> None:
    """Moves a network's weights toward another's: so much of them is kept."""
    with torch.no_grad():
        for slow, fast in zip(mean.parameters(), new.parameters(), strict=True):
            slow.lerp_(fast, 1 - keep)
