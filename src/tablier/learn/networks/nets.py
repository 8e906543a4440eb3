"""Policy-value networks in PyTorch and their export to ONNX.

Both architectures map features to (logits or None, value). The value is `scale` * tanh: the expected return from this
position on, for the player who sees the features. The opponent's value is its negative. Callers mask illegal logits.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from tablier._core import Game
from tablier.evaluators.network import describe
from tablier.learn.networks.core_net import CoreNet, misfit
from tablier.learn.runs.config import Config
from tablier.learn.runs.files import RunError, Tensors

OPSET = 17


class Block(nn.Module):
    """A residual block: ReLU(x + norm(linear(ReLU(norm(linear(x))))))."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.first_norm = nn.Linear(width, width), nn.LayerNorm(width)
        self.second, self.second_norm = nn.Linear(width, width), nn.LayerNorm(width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Applies the block to a tensor [n, width]."""
        y = torch.relu(self.first_norm(self.first(x)))
        return torch.relu(x + self.second_norm(self.second(y)))


class Net(nn.Module):
    """A policy-value network, or a value network if `actions` is 0.

    Args:
        features: number of input features.
        actions: number of logits; 0 for no policy head.
        kind: `mlp` or `resnet`.
        width: units per hidden layer.
        blocks: hidden layers (mlp) or residual blocks (resnet), after the input layer.
        scale: the largest value.
    """

    def __init__(
        self, features: int, actions: int, kind: str = "resnet", width: int = 128, blocks: int = 2, scale: float = 1.0
    ) -> None:
        super().__init__()
        self.scale = scale
        self.entry = nn.Linear(features, width)
        hidden = Block if kind == "resnet" else lambda width: nn.Linear(width, width)
        self.hidden = nn.ModuleList(hidden(width) for _ in range(blocks))
        self.value = nn.Linear(width, 1)
        self.policy = nn.Linear(width, actions) if actions else None
        nn.init.zeros_(self.value.weight)

    def forward(self, features: torch.Tensor) -> tuple[torch.Tensor | None, torch.Tensor]:
        """Maps features [n, width] to (logits [n, actions] or None, values [n, 1])."""
        x = torch.relu(self.entry(features))
        for layer in self.hidden:
            x = layer(x) if isinstance(layer, Block) else torch.relu(layer(x))
        value = torch.tanh(self.value(x))
        return None if self.policy is None else self.policy(x), value if self.scale == 1 else self.scale * value


AnyNet: TypeAlias = Net | CoreNet
"""A network that maps features to (logits or None, values)."""


def make_net(game: Game, config: Config, policy: bool, scale: float = 1.0, number: int = 0) -> AnyNet:
    """Creates the network described by a config.

    Args:
        game: determines the numbers of features and actions.
        config: architecture and seed. The architecture `auto` is `core` where the core can compute it, otherwise `mlp`.
        policy: whether to add a policy head.
        scale: the largest value.
        number: gives several networks of one run different initial weights.

    Raises:
        RunError: the architecture is `core`, but the core cannot compute the network.
    """
    torch.manual_seed(config.seed + (number << 54))
    actions = game.num_distinct_actions() if policy else 0
    features = int(np.prod(game.features_shape()))
    if config.net == "core" or (config.net == "auto" and not misfit(game, config)):
        if why := misfit(game, config):
            raise RunError(why)
        return CoreNet(features, actions, config.width, (config.hidden,) * config.blocks, scale)
    kind = "mlp" if config.net == "auto" else config.net
    return Net(features, actions, kind, config.width, config.blocks, scale)


def weights_of(module: nn.Module) -> Tensors:
    """Returns copies of the weights by name."""
    return {name: tensor.detach().numpy().copy() for name, tensor in module.state_dict().items()}


def put_weights(module: nn.Module, weights: Tensors) -> None:
    """Loads weights into a network; raises RunError if names, shapes or dtypes differ or a value is not finite."""
    expected = {name: tuple(tensor.shape) for name, tensor in module.state_dict().items()}
    found = {name: tuple(array.shape) for name, array in weights.items()}
    if found != expected:
        wrong = sorted(set(found.items()) ^ set(expected.items()))[0][0]
        raise RunError(f"the weights do not fit this network: {wrong} is {found.get(wrong)}, not {expected.get(wrong)}")
    for name, array in weights.items():
        if array.dtype != np.float32 or not np.isfinite(array).all():
            raise RunError(f"the weights do not fit this network: {name} is not finite float32")
    module.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in weights.items()})


def optimizer_tensors(optimizer: torch.optim.Optimizer) -> Tensors:
    """Returns the state of the optimizer, for a checkpoint."""
    return {
        f"optimizer.{i}.{name}": value.numpy().copy()
        for i, rows in optimizer.state_dict()["state"].items()
        for name, value in rows.items()
    }


def put_optimizer(optimizer: torch.optim.Optimizer, tensors: Tensors) -> None:
    """Restores the state from `optimizer_tensors`; raises RunError if it does not fit."""
    weights = [weight for group in optimizer.param_groups for weight in group["params"]]
    saved = {key: array for key, array in tensors.items() if key.startswith("optimizer.")}
    state: dict[int, dict[str, Any]] = {}
    for number, weight in enumerate(weights):
        shape = tuple(weight.shape)
        mine = {name: saved.pop(f"optimizer.{number}.{name}", None) for name in ("step", "exp_avg", "exp_avg_sq")}
        if all(array is None for array in mine.values()):  # this weight was never updated
            continue
        for name, array in mine.items():
            if name == "step" and array is not None and array.shape == (1,):  # saved scalars become 1-D
                array = array[0]
            if not _remembered(array, () if name == "step" else shape, -np.inf if name == "exp_avg" else 0):
                raise RunError(
                    f"the checkpoint does not contain this run's optimizer: {name} of weight {number} is invalid"
                )
            state.setdefault(number, {})[name] = torch.from_numpy(np.array(array))
    if saved:
        raise RunError(f"the checkpoint does not contain this run's optimizer: unknown entry {min(saved)}")
    optimizer.load_state_dict({**optimizer.state_dict(), "state": state})


def _remembered(array: Any, shape: tuple[int, ...], low: float) -> bool:
    if array is None or array.dtype != np.float32 or array.shape != shape:
        return False
    return bool((np.isfinite(array) & (array >= low)).all())


def to_onnx(net: AnyNet, game: Game, policy: bool = True) -> bytes:
    """Exports a network to ONNX, with the game and its options in the metadata.

    Args:
        net: the network.
        game: the game it was trained for.
        policy: whether to export the policy head, if there is one.

    Returns:
        The bytes of the file. Input `features` [n, width]; outputs `value` [n, 1] and, with a policy, `logits`.
    """
    graph = _Graph(net)
    first = last = graph.activate(graph.linear("features", "entry"))
    for i, layer in enumerate(net.hidden):
        if isinstance(layer, Block):
            y = graph.activate(graph.norm(graph.linear(last, f"hidden.{i}.first"), f"hidden.{i}.first_norm"))
            y = graph.norm(graph.linear(y, f"hidden.{i}.second"), f"hidden.{i}.second_norm")
            last = graph.activate(graph.add("Add", [last, y]))
        else:
            last = graph.activate(graph.linear(last, f"hidden.{i}"))
    value = graph.linear(last, "value")
    if isinstance(net, Net):
        value = graph.add("Tanh", [value])
    graph.add("Mul", [value, graph.constant("scale", np.float32(net.scale))], output="value")
    outputs = [helper.make_tensor_value_info("value", TensorProto.FLOAT, ["n", 1])]
    if policy and net.policy is not None:
        graph.linear(last if isinstance(net, Net) else first, "policy", output="logits")
        outputs.append(helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", net.policy.out_features]))
    inputs = [helper.make_tensor_value_info("features", TensorProto.FLOAT, ["n", net.entry.in_features])]
    body = helper.make_graph(graph.nodes, "tablier", inputs, outputs, graph.constants)
    model = helper.make_model(body, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    helper.set_model_props(model, describe(game))
    onnx.checker.check_model(model)
    data: bytes = model.SerializeToString()
    return data


class _Graph:
    """Builds an ONNX graph; every method returns the name of its output."""

    def __init__(self, net: AnyNet) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self._weights = weights_of(net)
        self._bounds = None if isinstance(net, Net) else [self.constant(str(n), np.float32(n)) for n in (0, 1)]

    def constant(self, name: str, value: Any) -> str:
        self.constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def add(self, kind: str, inputs: list[str], output: str = "", **settings: Any) -> str:
        output = output or f"{kind}.{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], **settings))
        return output

    def activate(self, x: str) -> str:
        return self.add("Clip", [x, *self._bounds]) if self._bounds else self.add("Relu", [x])

    def linear(self, x: str, layer: str, output: str = "") -> str:
        weight = self.constant(f"{layer}.weight", np.ascontiguousarray(self._weights[f"{layer}.weight"].T))
        return self.add("Gemm", [x, weight, self.constant(f"{layer}.bias", self._weights[f"{layer}.bias"])], output)

    def norm(self, x: str, layer: str) -> str:
        names = [self.constant(f"{layer}.{part}", self._weights[f"{layer}.{part}"]) for part in ("weight", "bias")]
        return self.add("LayerNormalization", [x, *names], axis=-1, epsilon=1e-5)
