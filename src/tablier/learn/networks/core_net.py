"""Core networks: trained in PyTorch, exported as integers, computed in C++ during search and self-play.

The architecture is designed for incremental updates: a wide first layer, then small ones. Activations are clipped to
0..1, so that integers can represent them. Quantization happens at export. With 10 bits or more per number, it needs no
special training.
"""

from __future__ import annotations

import json
import zlib
from itertools import pairwise
from typing import Any

import numpy as np
import safetensors.numpy
import torch
from numpy.typing import NDArray
from torch import nn

from tablier._core import Game, nets
from tablier.evaluators.network import describe
from tablier.learn.networks.core_inputs import Block, Floats, Inputs, inputs_of
from tablier.learn.runs.config import Config
from tablier.learn.runs.files import RunError

VERSION = 2
LIMITS = {"inputs": 512, "width": 1024, "hidden": 256, "layers": 3}
MOST_NUMBERS = 1 << 25
"""Largest number of weights in the rows of the first layer, all values of all codes together."""
SHIFT = 24
"""Bits by which sums of the first layer's products are shifted: a product is accurate to 2**-9 of a unit."""
LARGEST = 4.0
"""Largest absolute value of a weight, so that sums fit into the core's integers."""
CEILING = 4096
"""The integer for an activation of 1 after the first layer."""


class CoreNet(nn.Module):
    """A network that the core can compute: value, and logits if `actions` is not 0.

    Args:
        features: number of input features.
        actions: number of logits; 0 for no policy head. The policy head reads the first layer.
        width: number of units in the first layer.
        hidden: number of units in each layer after it.
        scale: the value of an output of 1.
    """

    def __init__(
        self, features: int, actions: int, width: int = 128, hidden: tuple[int, ...] = (16,), scale: float = 1.0
    ):
        super().__init__()
        self.scale = scale
        self.entry = nn.Linear(features, width)
        sizes = [width, *hidden]
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))
        self.value = nn.Linear(sizes[-1], 1)
        self.policy = nn.Linear(width, actions) if actions else None
        nn.init.zeros_(self.value.weight)
        nn.init.zeros_(self.value.bias)

    def clip_weights(self) -> None:
        """Clips the weights to the range that the core can represent. Call it after each training step."""
        with torch.no_grad():
            for weight in self.parameters():
                weight.clamp_(-LARGEST, LARGEST)

    def forward(self, features: torch.Tensor) -> tuple[torch.Tensor | None, torch.Tensor]:
        """Maps features [n, width] to (logits [n, actions] or None, values [n, 1])."""
        first = torch.clamp(self.entry(features), 0, 1)
        x = first
        for layer in self.hidden:
            x = torch.clamp(layer(x), 0, 1)
        return None if self.policy is None else self.policy(first), self.scale * self.value(x)


def to_core(net: CoreNet, game: Game, **facts: Any) -> bytes:
    """Quantizes a network and returns it as a core network file.

    Args:
        net: the network.
        game: the game it was trained for, with the rewards and encoding used in training.
        **facts: additional entries for the description in the file, such as the quantization error.

    Returns:
        The bytes of a safetensors file, described in docs/networks.md.

    Raises:
        RunError: the core cannot compute the network (see `misfit`), or its weights are too large.
        FloatingPointError: a weight is not finite.
    """
    inputs = inputs_of(game)
    weights = {name: tensor.detach().double().numpy() for name, tensor in net.state_dict().items()}
    entry = weights["entry.weight"]
    width, hidden = len(entry), [len(weights[f"hidden.{i}.bias"]) for i in range(len(net.hidden))]
    if not all(np.isfinite(array).all() for array in weights.values()):
        raise FloatingPointError("a weight is not finite")
    tensors, ceiling = _first_layer(inputs, entry, weights["entry.bias"])
    plan = [VERSION, int(not nets.code_sizes(game)), len(inputs.sizes), width, ceiling, 1]
    plan += [0 if net.policy is None else len(weights["policy.bias"]), len(hidden)]
    below = ceiling
    for i, units in enumerate(hidden):
        unit = _quantize(tensors, f"hidden.{i}", weights, below)
        shift = max(0, (unit * below // CEILING).bit_length() - 1)
        reached = unit * below >> shift
        tensors[f"hidden.{i}.bias"] += (1 << shift) >> 1  # so that the shift rounds to the nearest number
        plan += [units, shift, reached]
        below = reached
    scales = [
        net.scale
        / (
            _quantize(
                tensors,
                "output",
                {"output.weight": weights["value.weight"], "output.bias": weights["value.bias"]},
                below,
            )
            * below
        )
    ]
    scales.append(1.0 if net.policy is None else 1 / (_quantize(tensors, "policy", weights, ceiling) * ceiling))
    plan += [entry.shape[1], SHIFT]
    tensors |= {"plan": np.array(plan, np.int32), "scales": np.array(scales, np.float64)}
    made_for = json.loads(describe(game)["tablier"])
    return _file(tensors, json.dumps({**made_for, "layers": [width, *hidden, 1], **facts}))


def _largest(fits: Any, most: int) -> int:
    while most > 1 and not fits(most):
        most //= 2
    if not fits(most):
        raise RunError("the weights of this network are too large for the core")
    return most


def _first_layer(inputs: Inputs, entry: Floats, bias: Floats) -> tuple[dict[str, NDArray[Any]], int]:
    """Returns the integers of the first layer, and the one that stands for an activation of 1.

    Each feature has its own unit, so that its weights use all 16 bits; its values are scaled to make up for it.
    """
    bias = bias + entry @ inputs.base
    largest = np.abs(entry).max(axis=0)
    units = 32767 / np.maximum(largest, 1e-6)
    reach = _reach(inputs.blocks, entry, bias)
    product = float((inputs.largest * largest[inputs.features]).max(initial=0))
    rounding = float((0.5 * inputs.largest / units[inputs.features]).sum())

    def fits(ceiling: int) -> bool:
        slack = len(inputs.sizes) + 1 + ceiling * rounding
        return reach * ceiling + slack <= 32767 and product * ceiling <= 2**20

    ceiling = _largest(fits, CEILING)
    scales = 2.0**SHIFT * ceiling / units
    tensors = {
        "sizes": np.array(inputs.sizes, np.int32),
        "counts": inputs.counts,
        "features": inputs.features,
        "values": np.rint(inputs.values * scales[inputs.feature_of_value]).astype(np.int32),
        "weights": np.rint(entry.T * units[:, None]).astype(np.int16, order="C"),
        "bias": np.rint(bias * ceiling).astype(np.int16),
    }
    return tensors, ceiling


def _reach(blocks: list[Block], entry: Floats, bias: Floats) -> float:
    """Returns the largest absolute sum in the first layer, over all combinations of codes."""
    high, low, single = bias.copy(), bias.copy(), entry.astype(np.float32)
    for features, values in blocks:
        rows = values @ single[:, features].T
        high += rows.max(axis=0)
        low += rows.min(axis=0)
    return float(max(np.abs(high).max(), np.abs(low).max()))


def _quantize(tensors: dict[str, NDArray[Any]], name: str, weights: dict[str, Any], below: int) -> int:
    """Adds the integers of a layer with inputs from 0 to `below`; returns the integer that stands for a weight of 1."""
    weight, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
    sums = (np.abs(weight).sum(axis=1) + np.abs(bias)).max()

    def fits(unit: int) -> bool:
        rounding = weight.shape[1] * below
        return bool(np.abs(weight).max() * unit <= 32767) and sums * below * unit + rounding < 2**30

    unit = _largest(fits, 1 << 14)
    tensors[f"{name}.weight"] = np.rint(weight * unit).astype(np.int16)
    tensors[f"{name}.bias"] = np.rint(bias * unit * below).astype(np.int32)
    return unit


def misfit(game: Game, config: Config) -> str:
    """Returns the reason why the core cannot compute a config's network; empty if it can."""
    sizes = {"inputs": int(np.prod(game.features_shape())), "width": config.width, "layers": config.blocks}
    sizes["inputs"] = len(nets.code_sizes(game)) or sizes["inputs"]
    for name, size in sizes.items():
        if size > LIMITS[name]:
            return f"a core network has at most {LIMITS[name]} {name}, not {size}"
    try:
        rows = sum(inputs_of(game).sizes)
    except RunError as error:
        return str(error)
    most = MOST_NUMBERS // rows
    return (
        "" if config.width <= most else f"a core network for {game.name} has at most {most} width, not {config.width}"
    )


def _file(tensors: dict[str, NDArray[Any]], description: str) -> bytes:
    """Returns a safetensors file. The header is written here, because the library orders metadata randomly."""
    data = safetensors.numpy.save(tensors)
    end = 8 + int.from_bytes(data[:8], "little")
    crc = zlib.crc32(data[end:], zlib.crc32(description.encode()))
    metadata = {"__metadata__": {"tablier": description, "crc32": f"{crc:08x}"}}
    header = json.dumps(metadata | json.loads(data[8:end]), separators=(",", ":"), ensure_ascii=False).encode()
    header += b" " * (-len(header) % 8)
    return len(header).to_bytes(8, "little") + header + data[end:]


def scales_of(file: bytes) -> Floats:
    """Returns the scales of a network file, which turn its integer outputs into the value and the logits."""
    scales: Floats = safetensors.numpy.load(file)["scales"]
    return scales


def integer_outputs(file: bytes, codes: NDArray[np.uint8]) -> torch.Tensor:
    """Computes a network file in PyTorch for codes [n, inputs], with the same integers as the core.

    Returns:
        The sums of the output layer, [n, outputs].
    """
    parts = {
        name: torch.from_numpy(array.copy()).long()
        for name, array in safetensors.numpy.load(file).items()
        if array.dtype != np.float64
    }
    plan = parts["plan"].tolist()
    width, ceiling, hidden = plan[3], plan[4], plan[7]
    sizes = parts["sizes"]
    firsts = torch.cumsum(sizes, 0) - sizes
    rows = parts["rows"].reshape(-1, width) if plan[0] == 1 else _rows_of(parts)
    x = (parts["bias"] + rows[firsts + torch.from_numpy(codes).long()].sum(dim=1)).clamp(0, ceiling)
    for i in range(hidden):
        units, shift, ceiling = plan[8 + 3 * i : 11 + 3 * i]
        x = (x @ parts[f"hidden.{i}.weight"].reshape(units, -1).T + parts[f"hidden.{i}.bias"] >> shift).clamp(
            0, ceiling
        )
    return x @ parts["output.weight"].reshape(plan[5], -1).T + parts["output.bias"]


def _rows_of(parts: dict[str, torch.Tensor]) -> torch.Tensor:
    """Returns the rows of the first layer of a file of version 2, [sum of sizes, width]."""
    plan, rows, listed, at = parts["plan"].tolist(), [], 0, 0
    weights, shift = parts["weights"].reshape(plan[-2], plan[3]), plan[-1]
    for size, count in zip(parts["sizes"].tolist(), parts["counts"].tolist(), strict=True):
        values = parts["values"][at : at + size * count].reshape(size, count)
        rows.append(values @ weights[parts["features"][listed : listed + count]] + ((1 << shift) >> 1) >> shift)
        listed, at = listed + count, at + size * count
    return torch.cat(rows)
