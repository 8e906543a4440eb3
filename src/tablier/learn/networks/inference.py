"""Networks asked while they learn, by onnxruntime: in float32 the fastest of those measured (docs/learning.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from tablier._core import Game
from tablier.evaluators.network import Answer
from tablier.learn.networks.nets import Net, to_onnx

Ask = Callable[..., Answer]


def frozen(net: Net, game: Game) -> Ask:
    """The network as it is now: a function of features [n, width] to (logits or None, values [n, 1]).

    Told how many of the first rows need a policy, it gives logits of those alone: the policy's head is two fifths of
    the work, and from most positions that a search looks at it never goes on.
    """
    whole = _session(to_onnx(net, game))
    value = _session(to_onnx(net, game, policy=False)) if net.policy is not None else whole

    actions = net.policy.out_features if net.policy is not None else 0

    def ask(features: NDArray[np.float32], decisions: int | None = None) -> Answer:
        n = len(features)
        k = n if decisions is None or net.policy is None else decisions
        if k == n:
            answer = whole(features)
            return answer.get("logits"), answer["value"]
        rest = value(features[k:])["value"]
        if k == 0:
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
