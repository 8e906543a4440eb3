"""Starts a network from the weights of a smaller one, or lets it learn from another that is already trained."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from torch import nn

from tablier._core import Game
from tablier.evaluators.core_network import CoreEvaluator
from tablier.evaluators.network import read_network
from tablier.learn.networks.nets import put_weights, weights_of
from tablier.learn.runs.checkpoint import WEIGHTS, folder_of, steps_of
from tablier.learn.runs.files import RunError, Tensors, read, tensors_of
from tablier.messages import MessageError


def read_start(path: Path) -> Tensors:
    """Reads weights from a file, or from the last checkpoint of a run folder.

    Raises:
        RunError: there is no such file or checkpoint, or it is damaged.
    """
    if path.is_dir():
        steps = steps_of(path)
        if not steps:
            raise RunError(f"{path} has no checkpoint to start from")
        path = folder_of(path, steps[-1]) / WEIGHTS
    if not path.exists():
        raise RunError(f"{path} does not exist; start from a run folder or a file of weights")
    return tensors_of(read(path), path)


def read_teacher(path: str, game: Game) -> bytes:
    """Reads the core network file that is to play for a learner.

    Args:
        path: the file; empty for none.
        game: the game of the learner, with the rewards and encoding used in training.

    Returns:
        The bytes of the file; none if there is no teacher.

    Raises:
        RunError: the file is not a core network for this game with these rewards.
    """
    if not path:
        return b""
    try:
        evaluator = CoreEvaluator(game, path)
    except MessageError as error:
        raise RunError(str(error)) from None
    if evaluator.searched.game.options() != game.options():
        raise RunError(f"{path} was trained for other rewards or another encoding than this run")
    return read_network(Path(path), path)


def grow(net: nn.Module, smaller: Tensors) -> None:
    """Loads the weights of a smaller network of the same kind into a network.

    The units of the smaller network ignore inputs and units that it did not have, so the values stay the same. New
    units keep their random weights, which lets them learn.

    Args:
        net: the network, as it was created. Its inputs begin with those of the smaller one.
        smaller: weights by name.

    Raises:
        RunError: the weights are not those of a network that can grow into this one.
    """
    weights = weights_of(net)
    if set(weights) != set(smaller):
        odd = min(set(weights) ^ set(smaller))
        raise RunError(f"a network cannot grow from weights with other layers: {odd} exists in one of the two only")
    for name, array in smaller.items():
        grown = weights[name]
        if (
            array.dtype != np.float32
            or array.ndim != grown.ndim
            or any(old > new for old, new in zip(array.shape, grown.shape, strict=True))
        ):
            raise RunError(f"a network cannot grow from larger weights: {name} is {array.shape}, at most {grown.shape}")
        if grown.ndim == 2:
            grown[: len(array)] = 0
        grown[tuple(slice(n) for n in array.shape)] = array
    put_weights(net, weights)
