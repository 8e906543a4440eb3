"""Networks asked while they learn. onnxruntime answers 1.3 to 2.1 times as fast as torch (docs/learning.md)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from tablier._core import Game
from tablier.evaluators.network import Answer
from tablier.learn.nets import Net, to_onnx


def frozen(net: Net, game: Game, int8: bool = False) -> Callable[[NDArray[np.float32]], Answer]:
    """The network as it is now: a function of features [n, width] to (logits or None, values [n, 1])."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    model = to_onnx(net, game)
    session = onnxruntime.InferenceSession(_quantized(model) if int8 else model, options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]

    def ask(features: NDArray[np.float32]) -> Answer:
        answer = dict(zip(names, session.run(names, {"features": features}), strict=True))
        return answer.get("logits"), answer["value"]

    return ask


def _quantized(model: bytes) -> bytes:
    """The same network with weights of 8 bits."""
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "int8.onnx"
        quantize_dynamic(onnx.load_model_from_string(model), path, weight_type=QuantType.QInt8)
        return path.read_bytes()
