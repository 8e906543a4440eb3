"""Neural network evaluators: ONNX files for playing, torch modules for training.

The input of a network is the features that one player sees. Its output is a value and, optionally, logits of the
actions. The value is either one number, that player's expected return from this position on (the opponents share its
negative), or one number per player, starting with that player and continuing in seat order.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tablier._core import Game, State
from tablier._core import search as _search
from tablier.evaluators.protocol import Evaluation, Evaluator, Leaves
from tablier.evaluators.searched_game import SearchedGame
from tablier.games import home_of
from tablier.messages import MessageError
from tablier.regular_files import read_regular

if TYPE_CHECKING:
    import torch

Answer = tuple[NDArray[np.float32] | None, NDArray[np.float32]]
MOST_BYTES = 2_000_000_000
ONNX_FILE = "best.onnx"
"""The network in the folder of a run, in ONNX."""
CORE_FILE = "best.safetensors"
"""The same network as a core network, if its architecture allows it."""


def read_network(path: Path, name: str) -> bytes:
    """Reads a network file, which messages call `name`.

    Raises:
        MessageError: there is no such file, it is not a regular file of limited size, or it cannot be read.
    """
    try:
        if not path.exists() or path.is_dir():
            raise MessageError.of("network.missing", network=name)
        return read_regular(path, MOST_BYTES)
    except OSError as error:
        raise MessageError.of("network.unreadable", network=name, reason=str(error.strerror).lower()) from None


def network_file(folder: Path) -> Path:
    """Returns the file of a run's network that players use; it need not exist."""
    return folder / (CORE_FILE if (folder / CORE_FILE).is_file() else ONNX_FILE)


class NetworkEvaluator:
    """Evaluates leaves with a network and converts its values from the player's point of view to values by seat.

    Args:
        game: the game to evaluate.
        network: a function of features [n, features] and the number of leading rows that need a policy. It returns
            logits (None, [n, actions], or only the rows that need a policy) and values [n, 1] or [n, players].
    """

    looks_at = ("features", "player")
    """The arrays of `Leaves` that the network needs."""

    def __init__(self, game: Game, network: Callable[[NDArray[np.float32], int], Answer]) -> None:
        self._network = network
        self._players = game.num_players()

    def evaluate(self, leaves: Leaves) -> Evaluation:
        """Returns the logits and the values of the leaves. Raises MessageError if the values have the wrong width."""
        n = len(leaves)
        decisions = n if leaves.decisions is None else leaves.decisions
        logits, seen = self._network(leaves.features.reshape(n, -1), decisions)
        return logits, self._by_seat(seen.reshape(n, -1), leaves.player)

    def _by_seat(self, seen: NDArray[np.float32], player: NDArray[np.int32]) -> NDArray[np.float32]:
        """Reorders values by seat; each input row starts with the player whose features the network saw."""
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
    """Evaluates leaves with a torch module, without gradients.

    Args:
        game: the game to evaluate.
        module: maps features [n, features] to (logits or None, values).
    """

    def __init__(self, game: Game, module: torch.nn.Module) -> None:
        import torch

        def network(features: NDArray[np.float32], _: int) -> Answer:
            with torch.inference_mode():
                logits, values = module(torch.from_numpy(features))
            return (None if logits is None else logits.numpy()), values.numpy()

        super().__init__(game, network)


class OnnxEvaluator(NetworkEvaluator):
    """Evaluates leaves with an ONNX network in onnxruntime.

    The network has an input `features`, an output `value` and optionally an output `logits`. Its metadata (see
    `describe`) identifies the game and encoding it was trained for.

    Args:
        game: the game to play.
        path: the ONNX file.
        threads: number of onnxruntime threads.

    Attributes:
        searched: the game with the rewards and encoding that the network was trained for.

    Raises:
        MessageError (a ValueError): the file is missing, too large or not a Tablier network, the network is for another
            game or encoding, or onnxruntime is not installed.
    """

    def __init__(self, game: Game, path: str | Path, threads: int = 1) -> None:
        session, made_for = _open(Path(path), threads)
        options, offered = made_for["options"], home_of(game).interface
        try:
            self.searched = SearchedGame(game, **{key: value for key, value in options.items() if key in offered})
        except TypeError:  # a value of an option has the wrong type
            raise MessageError.of("network.not_one", network=str(path)) from None
        check_made_for(str(path), made_for, self.searched.game)
        outputs = [output.name for output in session.get_outputs()]

        def network(features: NDArray[np.float32], _: int) -> Answer:
            answer = dict(zip(outputs, session.run(outputs, {"features": features}), strict=True))
            return answer.get("logits"), answer["value"]

        super().__init__(self.searched.game, network)
        expects_margins(self, self.searched)


def expects_margins(evaluator: Evaluator, searched: SearchedGame) -> None:
    """Lets a game turn the values of a network into win chances, if they are margins of points.

    Args:
        evaluator: the network.
        searched: the game that it evaluates.
    """

    def margins(states: Sequence[State]) -> NDArray[np.float64]:
        rows, players = np.array([_search.words(state) for state in states]), np.zeros(len(states), np.int32)
        values = evaluator.evaluate(Leaves.of(searched.game, rows, players))[1].astype(np.float64)
        return np.asarray(values[:, 0] - values[:, 1])

    if searched.objective == "margin" and searched.game.num_players() == 2:
        searched.margins = margins


def describe(game: Game) -> dict[str, str]:
    """Returns the ONNX metadata of a network trained on this game: name, reward and encoding options, and sizes."""
    options = {key: value for key, value in game.options().items() if key in home_of(game).interface}
    sizes = {"features": int(np.prod(game.features_shape())), "actions": game.num_distinct_actions()}
    return {"tablier": json.dumps({"game": game.name, "options": options, **sizes})}


def _open(path: Path, threads: int) -> tuple[Any, dict[str, Any]]:
    content = read_network(path, str(path))
    try:
        import onnxruntime
    except ImportError:
        raise MessageError.of("network.no_runtime") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        made_for = json.loads(session.get_modelmeta().custom_metadata_map["tablier"])
        if not isinstance(made_for["options"], dict):
            raise TypeError
    except Exception:  # a malformed or hostile file can make onnxruntime raise anything
        raise MessageError.of("network.not_one", network=str(path)) from None
    inputs, outputs = ([one.name for one in some] for some in (session.get_inputs(), session.get_outputs()))
    if inputs != ["features"] or not {"value"} <= set(outputs) <= {"value", "logits"}:
        told = {"inputs": f"{', '.join(inputs):.200}", "outputs": f"{', '.join(outputs):.200}"}
        raise MessageError.of("network.shape", network=str(path), **told)
    return session, made_for


def check_made_for(name: str, made_for: dict[str, Any], game: Game) -> None:
    """Raises MessageError unless the description of a network fits the game.

    Args:
        name: what to call the network in the error.
        made_for: the description in the file (see `describe`).
        game: the game that is searched.
    """
    expected = json.loads(describe(game)["tablier"])
    for key in ("game", "features", "actions"):
        if made_for.get(key) != expected[key]:
            told = {"what": key, "found": f"{made_for.get(key)!r:.60}", "wanted": repr(expected[key])}
            raise MessageError.of("network.other_game", network=name, **told)
