"""Inference during training with onnxruntime, the fastest float32 runtime measured (docs/learning.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from tablier._core import Game
from tablier.evaluators.network import Answer
from tablier.learn.networks.nets import AnyNet, to_onnx

Ask = Callable[..., Answer]


def frozen(net: AnyNet, game: Game) -> Ask:
    """Returns an inference function for the network with its current weights.

    The function maps features [n, width] to (logits [n, actions] or None, values [n, 1]). With a second argument k, it
    computes logits for only the first k rows: the policy head is two fifths of the work, and a search never expands
    most positions.

    Args:
        net: the network; later updates do not affect the function.
        game: the game it was created for.
    """
    return asking(*models(net, game))


def models(net: AnyNet, game: Game) -> tuple[bytes, bytes]:
    """Returns the network as ONNX models, whole and without the policy head; the second is empty if it has none."""
    return to_onnx(net, game), to_onnx(net, game, policy=False) if net.policy is not None else b""


def asking(model: bytes, without_policy: bytes) -> Ask:
    """Returns the inference function of `frozen` for the two models that `models` returned."""
    whole = _session(model)
    value = _session(without_policy) if without_policy else whole
    actions = 0

    def ask(features: NDArray[np.float32], decisions: int | None = None) -> Answer:
        nonlocal actions
        n = len(features)
        k = n if decisions is None or not without_policy else decisions
        if k == n:
            answer = whole(features)
            return answer.get("logits"), answer["value"]
        rest = value(features[k:])["value"]
        if k == 0:
            actions = actions or whole(features[:1])["logits"].shape[1]
            return np.zeros((0, actions), np.float32), rest
        first = whole(features[:k])
        return first["logits"], np.concatenate([first["value"], rest])

    return ask


def _session(model: bytes) -> Callable[[NDArray[np.float32]], dict[str, Any]]:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]

    def run(features: NDArray[np.float32]) -> dict[str, Any]:
        return dict(zip(names, session.run(names, {"features": features}), strict=True))

    return run
