"""The games of TD learning on workers: a core network plays them, as `LocalBatch` does in this process."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from tablier._core import BatchEnv, Game
from tablier._core.nets import Network, decode, pack, unpack
from tablier.learn.data.spread_games import Arrays, Piece, Task, expect
from tablier.learn.data.td_games import Moves, moves_of, new_room
from tablier.registry import load_game

PACKED = "packed"
"""Name of the packed features of a game without codes."""


@dataclass(frozen=True)
class Plan:
    """What a worker needs to know besides the games and the network."""

    game: str
    options: tuple[tuple[str, Any], ...]
    moves: int
    epsilon: float
    expected: bool
    discount: float


def td_task(game: Game, moves: int, epsilon: float, expected: bool, discount: float = 1.0) -> Task[Moves]:
    """Returns what workers play for TD.

    Args:
        game: the game.
        moves: moves per game in each step.
        epsilon: probability of a random move.
        expected: whether to average over all rolls, for exact targets.
        discount: discount per decision, for exact targets.
    """
    plan = Plan(game.name, tuple(sorted(game.options().items())), moves, epsilon, expected, discount)
    return Task(play_piece, plan, partial(opened, game, plan), moves_of)


_kept = threading.local()
"""The games and arrays of the last call in this thread; every call overwrites them."""


def play_piece(plan: Plan, _: int, n: int, saved: bytes, network: bytes) -> Piece:
    """Plays moves in n games, on a worker."""
    if getattr(_kept, "plan", None) != (plan, n):  # new memory for every call would take longer than packing
        _kept.env = BatchEnv(load_game(plan.game, **dict(plan.options)), n)
        _kept.room = _room(_kept.env.game, plan, n)
        _kept.plan = (plan, n)
    env: BatchEnv = _kept.env
    room: dict[str, Any] = _kept.room
    env.restore(saved)
    evaluations = env.play(Network(network), **room, epsilon=plan.epsilon, discount=plan.discount)
    arrays = {name: array.copy() for name, array in room.items() if name != "features"}
    if "features" in room:
        width = math.prod(env.game.features_shape())
        rows = room["features"].reshape(n * plan.moves, width)
        arrays[PACKED] = np.frombuffer(pack(rows, width), np.uint8)  # an array is not copied again on its way
    return Piece(arrays, env.save(), int(room["over"].sum()), evaluations)


def _room(game: Game, plan: Plan, n: int) -> Arrays:
    """Returns arrays for `BatchEnv.play` in n games: codes, if the game has them, are much smaller than features."""
    room = new_room(game, n, plan.moves, plan.expected, codes=True)
    if "codes" in room:
        del room["features"]
    return room


def opened(game: Game, plan: Plan, piece: Piece, n: int) -> Arrays:
    """Returns the arrays of `BatchEnv.play` for a piece of n games; raises ValueError if they are unusable."""
    arrays = dict(piece.arrays)
    packed = arrays.pop(PACKED, np.zeros(0, np.uint8))
    model = _room(game, plan, 1)
    model.pop("features", None)
    expect(arrays, model, n)
    try:
        if "codes" in arrays:
            rows = decode(game, arrays["codes"].reshape(n * plan.moves, -1))
        else:
            rows = unpack(packed.tobytes(), n * plan.moves, math.prod(game.features_shape()))
    except (ValueError, TypeError, AttributeError):
        raise ValueError("its features are damaged") from None
    if "codes" not in model and not np.isfinite(rows.sum()):
        raise ValueError("its features are not finite")
    arrays["features"] = rows.reshape(n, plan.moves, *game.features_shape())
    if not np.isin(arrays["viewer"], (-1, 0, 1)).all():
        raise ValueError("a player is out of range")
    if piece.games != arrays["over"].sum():
        raise ValueError(f"it reports {piece.games} games, but another number ended")
    return arrays
