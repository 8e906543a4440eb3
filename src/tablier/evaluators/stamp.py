"""Makes an ONNX file from another framework usable as a player's network."""

from __future__ import annotations

import os
from pathlib import Path

from tablier._core import Game
from tablier.evaluators.network import MOST_BYTES, OnnxEvaluator, describe
from tablier.evaluators.protocol import Leaves, checked
from tablier.messages import MessageError
from tablier.regular_files import read_regular


def stamp_network(path: str | Path, game: Game, output: str | Path | None = None) -> Path:
    """Writes the game that a network was trained on into its ONNX file, and checks that search can use it.

    The network needs an input `features` of shape `[n, features]` and an output `value` of shape `[n, 1]` or
    `[n, players]`; an output `logits` of shape `[n, actions]` is optional. All are float32. docs/networks.md describes
    the contract.

    Args:
        path: the ONNX file.
        game: the game with the options that the network was trained under, such as `utility`.
        output: where to write the result. By default the file itself is replaced, atomically.

    Returns:
        The path of the stamped file.

    Raises:
        ValueError: the file is not an ONNX network, or its inputs and outputs do not fit the game. Nothing is written.
        ImportError: the package `onnx` is missing (extra `train`).
    """
    import onnx

    source, target = Path(path), Path(path if output is None else output)
    data = read_regular(source, MOST_BYTES)
    try:
        model = onnx.load_model_from_string(data)
    except Exception:  # protobuf raises a type of its own
        raise MessageError.of("network.not_one", network=str(source)) from None
    onnx.helper.set_model_props(model, describe(game))
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        temporary.write_bytes(model.SerializeToString())
        network = OnnxEvaluator(game, temporary)
        try:
            checked(network, Leaves.empty(network.searched.game, 2))
        except Exception as error:  # onnxruntime raises types of its own
            raise ValueError(f"{source} does not run on {game.name}: {error}") from error
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    return target
