"""Core networks, which C++ computes in integer arithmetic (core/nets). Search with one never calls into Python."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from tablier._core import Game, nets
from tablier._core import search as _search
from tablier.evaluators.native import NativeEvaluator
from tablier.evaluators.network import MOST_BYTES, check_made_for, expects_margins, read_network
from tablier.evaluators.protocol import Evaluation, Leaves
from tablier.evaluators.searched_game import SearchedGame
from tablier.games import home_of
from tablier.messages import Message, MessageError
from tablier.regular_files import open_regular


def is_core_network(path: str | Path) -> bool:
    """Returns whether a file looks like a core network, judging by its first bytes."""
    try:
        with open_regular(path, MOST_BYTES) as file:
            start = file.read(9)
    except (OSError, MessageError):
        return False
    return len(start) == 9 and start[8:] == b"{" and int.from_bytes(start[:8], "little") < 2**20


class CoreEvaluator(NativeEvaluator):
    """Evaluates positions with a core network.

    Args:
        game: the game to play.
        network: the network file, or its bytes.
        threads: number of threads.
        kernels: instruction set to use, from `tablier._core.nets.kernels()`; empty for the fastest.
        by: "win" turns the values of a network that was trained on margins into win chances; empty leaves them.

    Attributes:
        network: the network as loaded by the core.
        searched: the game with the encoding that the network was trained for and the rewards that it values.

    Raises:
        MessageError (a ValueError): the file is missing, damaged or not a network, the network is for another game or
            encoding, or its values cannot be turned into win chances.
    """

    evaluator = "network"
    network: nets.Network

    def __init__(
        self, game: Game, network: str | Path | bytes, threads: int = 1, kernels: str = "", by: str = ""
    ) -> None:
        name = "network" if isinstance(network, bytes) else str(network)
        self.network = _read(network, name, kernels)
        try:
            made_for = json.loads(self.network.description)
            options = dict(made_for["options"])
        except (ValueError, KeyError, TypeError, RecursionError):
            raise MessageError.of("network.not_one", network=name) from None
        offered = home_of(game).interface
        try:
            self.searched = SearchedGame(game, **{key: value for key, value in options.items() if key in offered})
        except TypeError:  # a value of an option has the wrong type
            raise MessageError.of("network.not_one", network=name) from None
        check_made_for(name, made_for, self.searched.game)
        super().__init__(self.searched.game, threads)
        expects_margins(self, self.searched)
        if by == "win" and self.searched.win_chance(0.0) is None:
            link, paid = self.searched.link, SearchedGame(self.searched.game, utility="win")
            if link is None or paid.win_chance(0.0) is None:
                raise MessageError.of("evaluator.no_link", network=name, game=game.name)
            self.link, self.searched, self._game = link, paid, paid.game

    def evaluate(self, leaves: Leaves) -> Evaluation:
        """Returns the logits, or None without a policy head, and the values of the leaves."""
        values = _search.evaluate(self._game, self, leaves.states, 0, self._threads, leaves.player)
        if not self.network.actions:
            return None, values
        rows = slice(leaves.decisions)
        players = np.ascontiguousarray(leaves.player[rows])
        return self.network.compute(self._game, np.ascontiguousarray(leaves.states[rows]), players)[1], values


def _read(network: str | Path | bytes, name: str, kernels: str) -> nets.Network:
    if not isinstance(network, bytes):
        network = read_network(Path(network), name)
    try:
        return nets.Network(network, kernels)
    except nets.BadFile as error:
        reason = Message(f"network.reason.{str(error).partition(':')[0]}")
        raise MessageError.of("network.unusable", network=name, reason=reason) from error
