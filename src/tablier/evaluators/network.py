"""Evaluators that are neural networks: ONNX files for playing, torch modules while training.

A network sees the features of one player and answers with logits of actions, if it has any, and a value: one number,
what that player will collect (the other collects the opposite), or one for each player, beginning with himself.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tablier._core import Game
from tablier.evaluators.protocol import Evaluation, Leaves
from tablier.evaluators.searched_game import SearchedGame
from tablier.games import home_of
from tablier.messages import MessageError

if TYPE_CHECKING:
    import torch

Answer = tuple[NDArray[np.float32] | None, NDArray[np.float32]]
MOST_BYTES = 2_000_000_000


class NetworkEvaluator:
    """Asks a function of features, and turns what it says of a player into values by seat.

    The function is also told how many of the first rows need a policy: it may answer with the logits of those alone.
    """

    looks_at = ("features", "player")

    def __init__(self, game: Game, network: Callable[[NDArray[np.float32], int], Answer]) -> None:
        self._network = network
        self._players = game.num_players()

    def evaluate(self, leaves: Leaves) -> Evaluation:
        """Logits and values of the leaves."""
        n = len(leaves)
        decisions = n if leaves.decisions is None else leaves.decisions
        logits, seen = self._network(leaves.features.reshape(n, -1), decisions)
        return logits, self._by_seat(seen.reshape(n, -1), leaves.player)

    def _by_seat(self, seen: NDArray[np.float32], player: NDArray[np.int32]) -> NDArray[np.float32]:
        """Values by seat of those that players said, each beginning with himself."""
        if self._players == 2 and seen.shape[1] == 1:
            first = seen[:, 0] * (1 - 2 * player)
            return np.stack([first, -first], axis=1).astype(np.float32, copy=False)
        if seen.shape[1] == 1 and self._players > 1:
            seen = np.concatenate([seen, np.repeat(-seen / (self._players - 1), self._players - 1, axis=1)], axis=1)
        if seen.shape[1] != self._players:
            raise MessageError.of("network.values", n=seen.shape[1], players=self._players)
        seats = (np.arange(self._players) - player[:, None]) % self._players
        return np.take_along_axis(seen, seats, axis=1)


class TorchEvaluator(NetworkEvaluator):
    """A torch module that maps features to (logits or None, values), without gradients."""

    def __init__(self, game: Game, module: torch.nn.Module) -> None:
        import torch

        def network(features: NDArray[np.float32], _: int) -> Answer:
            with torch.inference_mode():
                logits, values = module(torch.from_numpy(features))
            return (None if logits is None else logits.numpy()), values.numpy()

        super().__init__(game, network)


class OnnxEvaluator(NetworkEvaluator):
    """An ONNX file with an input `features`, an output `value` and perhaps `logits`, run by onnxruntime.

    Its metadata say what it is for (`describe`); a network for another game or encoding is refused.
    """

    def __init__(self, game: Game, path: str | Path, threads: int = 1) -> None:
        session, made_for = _open(Path(path), threads)
        options, offered = made_for["options"], home_of(game).interface
        self.searched = SearchedGame(game, **{key: value for key, value in options.items() if key in offered})
        _check(Path(path), made_for, self.searched.game)
        outputs = [output.name for output in session.get_outputs()]

        def network(features: NDArray[np.float32], _: int) -> Answer:
            answer = dict(zip(outputs, session.run(outputs, {"features": features}), strict=True))
            return answer.get("logits"), answer["value"]

        super().__init__(self.searched.game, network)


def describe(game: Game) -> dict[str, str]:
    """The metadata of a network that was trained on this game: what it sees and foretells."""
    options = {key: value for key, value in game.options().items() if key in home_of(game).interface}
    sizes = {"features": int(np.prod(game.features_shape())), "actions": game.num_distinct_actions()}
    return {"tablier": json.dumps({"game": game.name, "options": options, **sizes})}


def _open(path: Path, threads: int) -> tuple[Any, dict[str, Any]]:
    if not path.is_file():
        raise MessageError.of("network.missing", network=str(path))
    if path.stat().st_size > MOST_BYTES:
        raise MessageError.of("network.too_large", network=str(path))
    try:
        import onnxruntime
    except ImportError:
        raise MessageError.of("network.no_runtime") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
        made_for = json.loads(session.get_modelmeta().custom_metadata_map["tablier"])
        if not isinstance(made_for["options"], dict):
            raise TypeError
    except Exception:  # whatever a hostile file makes onnxruntime say
        raise MessageError.of("network.not_one", network=str(path)) from None
    inputs, outputs = ([one.name for one in some] for some in (session.get_inputs(), session.get_outputs()))
    if inputs != ["features"] or not {"value"} <= set(outputs) <= {"value", "logits"}:
        told = {"inputs": f"{', '.join(inputs):.200}", "outputs": f"{', '.join(outputs):.200}"}
        raise MessageError.of("network.shape", network=str(path), **told)
    return session, made_for


def _check(path: Path, made_for: dict[str, Any], game: Game) -> None:
    expected = json.loads(describe(game)["tablier"])
    for key in ("game", "features", "actions"):
        if made_for.get(key) != expected[key]:
            told = {"what": key, "found": f"{made_for.get(key)!r:.60}", "wanted": repr(expected[key])}
            raise MessageError.of("network.other_game", network=str(path), **told)
