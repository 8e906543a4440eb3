"""Chooses where the games of TD learning are played: in this process, or on the workers of a place."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tablier._core import BatchEnv
from tablier.learn.data.place import Spread
from tablier.learn.data.spread_games import SpreadBatch, StreamGames
from tablier.learn.data.td_games import CoreGames, LocalBatch, Moves, Prepared, SessionGames
from tablier.learn.networks.core_net import CoreNet
from tablier.learn.networks.nets import AnyNet
from tablier.messages import MessageError

Source: TypeAlias = CoreGames[Prepared] | StreamGames[Prepared] | SessionGames
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

    Raises:
        MessageError: the network cannot play elsewhere.
    """
    if not isinstance(net, CoreNet):
        if spread is not None:
            raise MessageError.of("cluster.core_only")
        return SessionGames(env, moves, epsilon)
    if spread is None:
        return CoreGames(LocalBatch(env, moves, epsilon, expected, discount), prepare)
    if spread.synchronous:
        return CoreGames(SpreadBatch(spread, env, moves, epsilon, expected, discount), prepare)
    return StreamGames(spread, env, moves, epsilon, expected, discount, seed, prepare)
