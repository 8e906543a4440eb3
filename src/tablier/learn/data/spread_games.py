"""Games for TD learning that are played on the workers of a place, such as a cluster.

A worker gets the games, the number of moves and a network, and returns what was played and the games as they are then.
It keeps nothing, so the games survive any worker, and a run can continue on any number of workers or on none.
"""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from tablier._core import BatchEnv, Game
from tablier._core.nets import Network, pack, unpack
from tablier.learn.data.place import Ledger, Place, Receipt, Spread, check_tries
from tablier.learn.data.td_games import NOT_THESE_GAMES, Moves, Prepared, new_room
from tablier.learn.networks.core_net import CoreNet, to_core
from tablier.learn.networks.nets import AnyNet
from tablier.learn.runs.files import RunError, Tensors
from tablier.registry import load_game

AHEAD = 2
"""Batches in progress per worker: one that is played, one that waits or travels."""
GROUP = "group."
"""Prefix of the names of further groups of games in a checkpoint."""


@dataclass(frozen=True)
class Plan:
    """What a worker needs to know besides the games and the network."""

    game: str
    options: tuple[tuple[str, Any], ...]
    moves: int
    epsilon: float
    expected: bool
    discount: float

    @classmethod
    def of(cls, game: Game, moves: int, epsilon: float, expected: bool, discount: float = 1.0) -> Plan:
        """Creates a plan for a game."""
        return cls(game.name, tuple(sorted(game.options().items())), moves, epsilon, expected, discount)


@dataclass(frozen=True)
class Piece:
    """What a worker returns: the moves of some games."""

    arrays: dict[str, NDArray[Any]]
    """The arrays of `BatchEnv.play`, but for the features."""
    features: bytes
    """The features, packed: an eighth of the bytes."""
    saved: bytes
    """The games after these moves."""
    games: int
    """Number of games that ended."""
    evaluations: int


_kept = threading.local()
"""The games and arrays of the last call in this thread; every call overwrites them."""


def play_piece(plan: Plan, n: int, saved: bytes, network: bytes) -> Piece:
    """Plays moves in n games, on a worker."""
    if getattr(_kept, "plan", None) != (plan, n):  # new memory for every call would take longer than packing
        _kept.env = BatchEnv(load_game(plan.game, **dict(plan.options)), n)
        _kept.room = new_room(_kept.env.game, n, plan.moves, plan.expected)
        _kept.plan = (plan, n)
    env: BatchEnv = _kept.env
    room: dict[str, Any] = _kept.room
    env.restore(saved)
    evaluations = env.play(Network(network), **room, epsilon=plan.epsilon, discount=plan.discount)
    width = math.prod(env.game.features_shape())
    features = pack(room["features"].reshape(n * plan.moves, width), width)
    arrays = {name: array.copy() for name, array in room.items() if name != "features"}
    return Piece(arrays, features, env.save(), int(room["over"].sum()), evaluations)


def fault_of(piece: Any, plan: Plan, env: BatchEnv) -> str:
    """Unpacks the result of a worker and says what is wrong with it; empty if nothing is.

    Args:
        piece: the result; its arrays get the features.
        plan: what was asked for.
        env: games of the same number, which are set to those of the piece.
    """
    if not isinstance(piece, Piece):
        return f"{type(piece).__name__} instead of moves"
    try:
        width = math.prod(env.game.features_shape())
        features = unpack(piece.features, len(env) * plan.moves, width)
    except (ValueError, TypeError):
        return "its features are damaged"
    piece.arrays["features"] = features.reshape(len(env), plan.moves, *env.game.features_shape())
    for name, model in new_room(env.game, 1, 1, plan.expected).items():
        array = piece.arrays.get(name)
        moves = plan.moves + (name in ("best", "explored"))
        if array is None or array.dtype != model.dtype or array.shape != (len(env), moves, *model.shape[2:]):
            return f"{name} is missing or has the wrong type or shape"
        if array.dtype == np.float32 and not np.isfinite(array.sum()):  # a sum needs no array of its own
            return f"{name} is not finite"
    if not np.isin(piece.arrays["viewer"], (-1, 0, 1)).all():
        return "a player is out of range"
    if piece.games != piece.arrays["over"].sum():
        return f"it reports {piece.games} games, but another number ended"
    try:
        env.restore(piece.saved)
    except (ValueError, TypeError):
        return "its games are damaged"
    return ""


class Pieces:
    """Has pieces of games played on a place, checks what comes back, and counts it."""

    def __init__(self, place: Place, game: Game, plan: Plan) -> None:
        self.place, self.plan = place, plan
        self._game = game
        self._envs: dict[int, BatchEnv] = {}

    def submit(self, n: int, saved: bytes, network: bytes) -> Future[Any]:
        """Starts a piece."""
        return self.place.submit(play_piece, self.plan, n, saved, network)

    def take(self, future: Future[Any], n: int, saved: bytes, network: bytes) -> tuple[Piece, list[Receipt]]:
        """Waits for a piece. One that is unusable is lost and played again. Returns it and a receipt per result."""
        receipts = []
        while True:
            piece = future.result()
            env = self._envs.setdefault(n, BatchEnv(self._game, n))
            fault = fault_of(piece, self.plan, env)
            games = piece.games if isinstance(piece, Piece) and isinstance(piece.games, int) else 0
            receipts.append(Receipt(self.place.tally_of(future), games, lost=bool(fault)))
            if not fault:
                return piece, receipts
            check_tries(receipts, fault)
            future = self.place.reject(future, play_piece, self.plan, n, saved, network, reason=fault)


def moves_of(pieces: list[Piece]) -> Moves:
    """Joins the pieces of a step, in the order of the games."""
    if len(pieces) == 1:  # spares a copy of many megabytes
        arrays = {name: array.swapaxes(0, 1) for name, array in pieces[0].arrays.items()}
    else:
        names = pieces[0].arrays
        arrays = {name: np.concatenate([piece.arrays[name] for piece in pieces]).swapaxes(0, 1) for name in names}
    return Moves(evaluations=sum(piece.evaluations for piece in pieces), **arrays)


class SpreadBatch:
    """The games of one machine, split among the workers. What is played does not depend on their number."""

    def __init__(
        self, spread: Spread, env: BatchEnv, moves: int, epsilon: float, expected: bool, discount: float
    ) -> None:
        self.env = env
        self._pieces = Pieces(spread.place, env.game, Plan.of(env.game, moves, epsilon, expected, discount))
        self._workers = spread.place.workers

    def play(self, network: bytes) -> tuple[Moves, list[Receipt]]:
        """Plays the moves of a step; the games of `env` are then those after the moves."""
        saved, n = self.env.save(), len(self.env)
        row, parts = len(saved) // n, min(self._workers, n)
        ends = [n * part // parts for part in range(parts + 1)]
        spans = [(low, high, saved[low * row : high * row]) for low, high in itertools.pairwise(ends)]
        waiting = [self._pieces.submit(high - low, some, network) for low, high, some in spans]
        taken = [
            self._pieces.take(future, high - low, some, network)
            for future, (low, high, some) in zip(waiting, spans, strict=True)
        ]
        self.env.restore(b"".join(piece.saved for piece, _ in taken))
        return moves_of([piece for piece, _ in taken]), [one for _, receipts in taken for one in receipts]


@dataclass
class _Batch:
    """Games on their way: a group, and the weights that play it."""

    saved: bytes
    network: bytes
    version: int
    future: Future[Any]


class StreamGames(Generic[Prepared]):
    """Several groups of games, each played by whichever worker is free, with the newest weights at that time.

    A step trains on the moves of one group, and the group goes out again at once. When a batch is about to become too
    old, the learner waits for it, so staleness is bounded; when the learner is slow, batches pile up to a fixed number
    and workers wait.

    Args:
        spread: where and how to play.
        env: the first group; the others have as many games and other dice.
        moves: moves per game in each batch.
        epsilon: probability of a random move.
        expected: whether to average over all rolls.
        discount: discount per decision.
        seed: seed of the dice of further groups.
        prepare: turns moves into training data.
    """

    def __init__(
        self,
        spread: Spread,
        env: BatchEnv,
        moves: int,
        epsilon: float,
        expected: bool,
        discount: float,
        seed: int,
        prepare: Callable[[Moves], Prepared],
    ) -> None:
        self.env, self._seed, self._prepare = env, seed, prepare
        self._pieces = Pieces(spread.place, env.game, Plan.of(env.game, moves, epsilon, expected, discount))
        self.staleness = spread.staleness or AHEAD * spread.place.workers
        """The most steps between the weights that play and those that learn."""
        self._ahead = min(AHEAD * spread.place.workers, self.staleness)
        self._idle: deque[bytes] = deque([env.save()])
        self._out: list[_Batch] = []
        self._step = 0
        self._network = b""
        self._ledger = Ledger()
        self._taken: tuple[list[Receipt], int, float] = ([], 0, 0.0)
        """Of the last batch: the receipts, its staleness and the seconds that the learner waited."""

    def next(self, net: AnyNet, _: np.random.Generator) -> Prepared:
        """Returns the moves of a group, prepared, and sends the group out again with the given network."""
        assert isinstance(net, CoreNet)
        self._network = to_core(net, self.env.game)
        while len(self._out) < self._ahead:
            self._send(self._idle.popleft() if self._idle else self._new_group(len(self._out)))
        start = time.monotonic()
        oldest = min(self._out, key=lambda batch: batch.version)
        if not self._urgent():
            wait([batch.future for batch in self._out], return_when=FIRST_COMPLETED)
            oldest = next((batch for batch in self._out if batch.future.done()), oldest)
        piece, receipts = self._pieces.take(oldest.future, len(self.env), oldest.saved, oldest.network)
        self._taken = (receipts, self._step - oldest.version, time.monotonic() - start)
        self._out.remove(oldest)
        self._step += 1
        self._idle.append(piece.saved)
        self._send(self._idle.popleft())
        return self._prepare(moves_of([piece]))

    def _urgent(self) -> bool:
        """Returns whether the batches on their way would become too old if the oldest one were not taken now."""
        versions = sorted(batch.version for batch in self._out)
        return any(self._step + 1 + place - version > self.staleness for place, version in enumerate(versions))

    def _new_group(self, number: int) -> bytes:
        seed = int(np.random.SeedSequence([self._seed, number, self._step, 1]).generate_state(1, np.uint64)[0])
        return BatchEnv(self.env.game, len(self.env), seed=seed).save()

    def _send(self, saved: bytes) -> None:
        future = self._pieces.submit(len(self.env), saved, self._network)
        self._out.append(_Batch(saved, self._network, self._step, future))

    def account(self, counters: dict[str, float]) -> dict[str, float]:
        """Adds the games of the last step to the counters of the run; returns staleness and the seconds waited."""
        receipts, staleness, waited = self._taken
        self._ledger.enter(counters, receipts)
        return {"staleness": float(staleness), "waited": waited}

    def close(self) -> None:
        """Leaves the batches on their way: the resumed run plays them again."""

    def tensors(self) -> Tensors:
        """Returns the groups as they were before the moves on their way, and a network for a run on one machine."""
        groups = [*(batch.saved for batch in self._out), *self._idle]
        names = ["games", *(f"{GROUP}{number}" for number in range(1, len(groups)))]
        arrays = {name: np.frombuffer(group, np.uint8) for name, group in zip(names, groups, strict=True)}
        return {**arrays, "acting": np.frombuffer(self._network, np.uint8), "stream": np.array([self._step])}

    def put(self, saved: Tensors) -> None:
        """Restores what `tensors` returned here or on one machine; raises RunError if it does not fit."""
        names = ["games", *sorted((name for name in saved if name.startswith(GROUP)), key=lambda name: int(name[6:]))]
        try:
            groups = [saved[name].tobytes() for name in names]
            for group in reversed(groups):
                self.env.restore(group)
            Network(saved["acting"].tobytes())
        except (KeyError, ValueError):
            raise RunError(NOT_THESE_GAMES) from None
        self._step = int(saved["stream"][0]) if "stream" in saved else 0
        self._idle, self._out = deque(groups), []
