"""Chooses where the games of TD learning are played: in this process, or on the workers of a place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeAlias

import numpy as np

from tablier._core import BatchEnv
from tablier._core.nets import Network
from tablier.learn.data.place import Spread
from tablier.learn.data.saved_games import NOT_THESE_GAMES
from tablier.learn.data.spread_games import SpreadBatch, StreamGames
from tablier.learn.data.td_games import CoreGames, LocalBatch, Moves, Prepared, SessionGames
from tablier.learn.data.td_pieces import td_task
from tablier.learn.networks.core_net import CoreNet, to_core
from tablier.learn.networks.nets import AnyNet
from tablier.learn.runs.files import RunError, Tensors
from tablier.messages import MessageError


class CoreStream(Generic[Prepared]):
    """Games that a core network plays elsewhere and that arrive in any order.

    Args:
        stream: the games.
        prepare: turns moves into training data.
    """

    def __init__(self, stream: StreamGames[Moves], prepare: Callable[[Moves], Prepared]) -> None:
        self.env, self._stream, self._prepare = stream.env, stream, prepare
        self.account, self.close = stream.account, stream.close
        self._network = b""

    def next(self, net: AnyNet, _: np.random.Generator) -> Prepared:
        """Returns moves, prepared; sends games out with the given network."""
        assert isinstance(net, CoreNet)
        self._network = to_core(net, self.env.game)
        return self._prepare(self._stream.next(self._network))

    def tensors(self) -> Tensors:
        """Returns the games, and a network with which a run on one machine continues."""
        return {**self._stream.tensors(), "acting": np.frombuffer(self._network, np.uint8)}

    def put(self, saved: Tensors) -> None:
        """Restores what `tensors` returned here or on one machine; raises RunError if it does not fit."""
        try:
            Network(saved["acting"].tobytes())
        except (KeyError, ValueError):
            raise RunError(NOT_THESE_GAMES) from None
        self._stream.put(saved)


Source: TypeAlias = CoreGames[Prepared] | CoreStream[Prepared] | SessionGames
"""A source of games: `next` plays, `account` counts, `tensors` and `put` save and restore."""


def new_source(
    net: AnyNet,
    env: BatchEnv,
    moves: int,
    epsilon: float,
    expected: bool,
    discount: float,
    seed: int,
    prepare: Callable[[Moves], Prepared],
    spread: Spread | None,
    teacher: bytes = b"",
    codes: bool = False,
) -> Source[Prepared]:
    """Returns the source of games for a network.

    Args:
        net: the network that will play.
        env: the games.
        moves: moves per game in each step.
        epsilon: probability of a random move.
        expected: whether to average over all rolls.
        discount: discount per decision.
        seed: seed of the run.
        prepare: turns the moves of a step into training data.
        spread: where to play; None for this process.
        teacher: a core network file that plays instead; empty for none.
        codes: whether a core network's moves are to have codes, if the game has them.

    Raises:
        MessageError: the network cannot play elsewhere.
        RunError: only games in this process, by a core network, can have a teacher.
    """
    if teacher and (spread is not None or not isinstance(net, CoreNet)):
        raise RunError("only a core network on this machine can have a teacher; use --net core and no --cluster")
    if not isinstance(net, CoreNet):
        if spread is not None:
            raise MessageError.of("cluster.core_only")
        return SessionGames(env, moves, epsilon)
    if spread is None:
        return CoreGames(LocalBatch(env, moves, epsilon, expected, discount, codes), prepare, teacher)
    task = td_task(env.game, moves, epsilon, expected, discount)
    if spread.synchronous:
        return CoreGames(SpreadBatch(spread, env, task), prepare)
    return CoreStream(StreamGames(spread, env, task, seed), prepare)
