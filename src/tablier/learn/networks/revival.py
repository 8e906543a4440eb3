"""Gives the dead units of a core network new weights.

A unit is dead if its activation is clipped to the same bound in every position: no gradient reaches its weights, so it
can never learn again. Noisy targets kill many units in a long run. A revived unit gets random weights, and the layers
that read it ignore it at first, so the values of the network stay the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import nn

from tablier.learn.networks.core_net import CoreNet


def revive(
    nets: Sequence[CoreNet], optimizer: torch.optim.Optimizer, features: torch.Tensor, draw: np.random.Generator
) -> int:
    """Revives the units that are dead in the first network, in all of the networks.

    Args:
        nets: the network that learns, then averages of it, with the same architecture.
        optimizer: what it remembers about the weights of a revived unit is reset.
        features: positions [n, features] that tell which units are dead.
        draw: random generator for the new weights.

    Returns:
        The number of units that were dead.
    """
    revived = 0
    with torch.no_grad():
        x = features
        for depth, layer in enumerate(_layers(nets[0])):
            low, high = torch.clamp(layer(x), 0, 1).aminmax(dim=0)
            dead = (high - low < 1e-6).nonzero().squeeze(1)
            if len(dead):
                fresh = _fresh(x, len(dead), draw)
                for net in nets:
                    _replace(_layers(net)[depth], dead, fresh, optimizer)
                    for reader in _readers(net, depth):
                        _ignore(reader, dead, high[dead], optimizer)
                revived += len(dead)
            x = torch.clamp(layer(x), 0, 1)
    return revived


def _layers(net: CoreNet) -> list[nn.Linear]:
    return [net.entry, *(layer for layer in net.hidden if isinstance(layer, nn.Linear))]


def _readers(net: CoreNet, depth: int) -> list[nn.Linear]:
    """Returns the layers that read the activations of a layer."""
    readers = [[*_layers(net), net.value][depth + 1]]
    return readers if depth or net.policy is None else [*readers, net.policy]


def _fresh(x: torch.Tensor, units: int, draw: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns weights [units, inputs] and biases [units] with which a unit is active in half of the positions."""
    bound = x.shape[1] ** -0.5
    weight = torch.from_numpy(draw.uniform(-bound, bound, (units, x.shape[1])).astype(np.float32))
    return weight, -(x @ weight.T).median(dim=0).values


def _replace(
    layer: nn.Linear, units: torch.Tensor, fresh: tuple[torch.Tensor, torch.Tensor], optimizer: torch.optim.Optimizer
) -> None:
    for parameter, values in zip((layer.weight, layer.bias), fresh, strict=True):
        parameter[units] = values
        for moment in _moments(optimizer, parameter):
            moment[units] = 0


def _ignore(
    reader: nn.Linear, units: torch.Tensor, activations: torch.Tensor, optimizer: torch.optim.Optimizer
) -> None:
    """Lets a layer ignore units that always had these activations."""
    reader.bias.add_(reader.weight[:, units] @ activations)
    reader.weight[:, units] = 0
    for moment in _moments(optimizer, reader.weight):
        moment[:, units] = 0


def _moments(optimizer: torch.optim.Optimizer, parameter: torch.Tensor) -> list[torch.Tensor]:
    state = optimizer.state.get(parameter, {})
    return [state[name] for name in ("exp_avg", "exp_avg_sq") if name in state]
