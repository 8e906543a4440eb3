"""Games that are played on the workers of a place, such as a cluster.

A worker gets some games and orders (a network and how to use it), and returns what was played and the games as they are
then. It keeps nothing, so the games survive any worker, and a run can continue on any number of workers or on none.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from tablier._core import BatchEnv
from tablier.learn.data.place import Ledger, Place, Receipt, Spread, check_tries
from tablier.learn.data.saved_games import NOT_THESE_GAMES
from tablier.learn.runs.files import RunError, Tensors

Arrays = dict[str, NDArray[Any]]
Played = TypeVar("Played")
AHEAD = 2
"""Batches in progress per worker: one that is played, one that waits or travels."""
GROUP = "group."
"""Prefix of the names of further groups of games in a checkpoint."""


@dataclass(frozen=True)
class Piece:
    """What a worker returns: the moves of some games."""

    arrays: Arrays
    saved: bytes
    """The games after these moves."""
    games: int
    """Number of games that ended."""
    evaluations: int
    """Number of positions that the network evaluated."""


@dataclass(frozen=True)
class Task(Generic[Played]):
    """What workers play for an algorithm."""

    work: Callable[..., Piece]
    """Called on a worker as `work(plan, first, n, saved, *orders)` to play n games, `first` of which come before."""
    plan: Any
    """What stays the same from step to step."""
    opened: Callable[[Piece, int], Arrays]
    """Returns the arrays of a piece of n games for the learner; raises ValueError if they are unusable."""
    joined: Callable[[Arrays, int], Played]
    """Turns the arrays of all games and the number of evaluations into what the learner gets."""
    grain: int = 1
    """Games are only split at multiples of this."""


@dataclass(frozen=True)
class Taken:
    """A piece that was checked."""

    arrays: Arrays
    saved: bytes
    evaluations: int


def expect(arrays: Arrays, model: Arrays, n: int) -> None:
    """Raises ValueError unless arrays of n games have the dtypes and shapes of those of one game and are finite."""
    for name, one in model.items():
        array = arrays.get(name)
        if not isinstance(array, np.ndarray) or array.dtype != one.dtype or array.shape != (n, *one.shape[1:]):
            raise ValueError(f"{name} is missing or has the wrong type or shape")
        if array.dtype == np.float32 and not np.isfinite(array.sum()):  # a sum needs no array of its own
            raise ValueError(f"{name} is not finite")


class Pieces(Generic[Played]):
    """Has pieces of games played on a place, checks what comes back, and counts it."""

    def __init__(self, place: Place, env: BatchEnv, task: Task[Played]) -> None:
        self._place, self._game, self.task = place, env.game, task
        self._envs: dict[int, BatchEnv] = {}

    def submit(self, *request: Any) -> Future[Any]:
        """Starts a piece; the request is `first, n, saved, *orders`."""
        return self._place.submit(self.task.work, self.task.plan, *request)

    def take(self, future: Future[Any], *request: Any) -> tuple[Taken, list[Receipt]]:
        """Waits for a piece. One that is unusable is lost and played again. Returns it and a receipt per result."""
        receipts = []
        while True:
            piece = future.result()
            taken, fault = self._opened(piece, request[1])
            games = piece.games if isinstance(piece, Piece) and isinstance(piece.games, int) else 0
            receipts.append(Receipt(self._place.tally_of(future), games, lost=taken is None))
            if taken is not None:
                return taken, receipts
            check_tries(receipts, fault)
            future = self._place.reject(future, self.task.work, self.task.plan, *request, reason=fault)

    def _opened(self, piece: Any, n: int) -> tuple[Taken | None, str]:
        """Returns a piece of n games, or what is wrong with it."""
        if not isinstance(piece, Piece):
            return None, f"{type(piece).__name__} instead of moves"
        try:
            arrays = self.task.opened(piece, n)
        except ValueError as error:
            return None, str(error)
        try:
            self._envs.setdefault(n, BatchEnv(self._game, n)).restore(piece.saved)
        except (ValueError, TypeError):
            return None, "its games are damaged"
        return Taken(arrays, piece.saved, piece.evaluations), ""


class SpreadBatch(Generic[Played]):
    """The games of one machine, split among the workers. What is played does not depend on their number."""

    def __init__(self, spread: Spread, env: BatchEnv, task: Task[Played]) -> None:
        self.env = env
        self._pieces = Pieces(spread.place, env, task)
        self._workers = spread.place.workers

    def play(self, *orders: Any) -> tuple[Played, list[Receipt]]:
        """Plays the moves of a step; the games of `env` are then those after the moves."""
        saved, n, task = self.env.save(), len(self.env), self._pieces.task
        row, grains = len(saved) // n, -(-n // task.grain)
        parts = min(self._workers, grains)
        ends = [min(n, grains * part // parts * task.grain) for part in range(parts + 1)]
        requests = [(low, high - low, saved[low * row : high * row], *orders) for low, high in pairwise(ends)]
        waiting = [self._pieces.submit(*request) for request in requests]
        taken = [self._pieces.take(future, *request) for future, request in zip(waiting, requests, strict=True)]
        pieces = [piece for piece, _ in taken]
        self.env.restore(b"".join(piece.saved for piece in pieces))
        arrays = pieces[0].arrays
        if len(pieces) > 1:  # one piece is not copied: it may have many megabytes
            arrays = {name: np.concatenate([piece.arrays[name] for piece in pieces]) for name in arrays}
        played = task.joined(arrays, sum(piece.evaluations for piece in pieces))
        return played, [one for _, receipts in taken for one in receipts]


@dataclass(frozen=True)
class _Group:
    """Games that are played together."""

    number: int
    saved: bytes


@dataclass
class _Batch:
    """A group on its way, and the step whose weights play it."""

    group: _Group
    request: tuple[Any, ...]
    version: int
    future: Future[Any]


class StreamGames(Generic[Played]):
    """Several groups of games, each played by whichever worker is free, with the newest weights at that time.

    A step trains on the moves of one group, and the next step sends the group out again. When a batch is about to
    become too old, the learner waits for it, so staleness is bounded; when the learner is slow, batches pile up to a
    fixed number and workers wait.

    Args:
        spread: where and how to play.
        env: the first group; the others have as many games and other dice.
        task: what to play.
        seed: seed of the dice of further groups.
    """

    def __init__(self, spread: Spread, env: BatchEnv, task: Task[Played], seed: int) -> None:
        self.env, self._seed = env, seed
        self._pieces = Pieces(spread.place, env, task)
        self.staleness = spread.staleness or AHEAD * spread.place.workers
        """The most steps between the weights that play and those that learn."""
        self._ahead = min(AHEAD * spread.place.workers, self.staleness + 1)
        self._size = -(-len(env) // task.grain) * task.grain
        self._idle = deque([_Group(0, env.save())])
        self._out: list[_Batch] = []
        self._step = 0
        self._ledger = Ledger()
        self._taken: tuple[list[Receipt], int, float] = ([], 0, 0.0)
        """Of the last batch: the receipts, its staleness and the seconds that the learner waited."""

    def next(self, *orders: Any) -> Played:
        """Sends waiting groups out with the given orders; returns the moves of a group that is back."""
        while len(self._out) < self._ahead:
            self._send(self._idle.popleft() if self._idle else self._new_group(len(self._out)), orders)
        start = time.monotonic()
        batch = min(self._out, key=lambda one: one.version)
        if not self._urgent():
            wait([one.future for one in self._out], return_when=FIRST_COMPLETED)
            batch = next((one for one in self._out if one.future.done()), batch)
        taken, receipts = self._pieces.take(batch.future, *batch.request)
        self._taken = (receipts, self._step - batch.version, time.monotonic() - start)
        self._out.remove(batch)
        self._step += 1
        self._idle.append(_Group(batch.group.number, taken.saved))
        return self._pieces.task.joined(taken.arrays, taken.evaluations)

    def _urgent(self) -> bool:
        """Returns whether the batches on their way would become too old if the oldest one were not taken now."""
        versions = sorted(batch.version for batch in self._out)
        return any(self._step + 1 + place - version > self.staleness for place, version in enumerate(versions))

    def _new_group(self, number: int) -> _Group:
        seed = int(np.random.SeedSequence([self._seed, number, self._step, 1]).generate_state(1, np.uint64)[0])
        return _Group(number, BatchEnv(self.env.game, len(self.env), seed=seed).save())

    def _send(self, group: _Group, orders: tuple[Any, ...]) -> None:
        request = (group.number * self._size, len(self.env), group.saved, *orders)
        self._out.append(_Batch(group, request, self._step, self._pieces.submit(*request)))

    def account(self, counters: dict[str, float]) -> dict[str, float]:
        """Adds the games of the last step to the counters of the run; returns staleness and the seconds waited."""
        receipts, staleness, waited = self._taken
        self._ledger.enter(counters, receipts)
        return {"staleness": float(staleness), "waited": waited}

    def close(self) -> None:
        """Leaves the batches on their way: the resumed run plays them again."""

    def tensors(self) -> Tensors:
        """Returns the groups as they were before the moves on their way."""
        groups = [*(batch.group.saved for batch in self._out), *(group.saved for group in self._idle)]
        names = ["games", *(f"{GROUP}{number}" for number in range(1, len(groups)))]
        arrays = {name: np.frombuffer(group, np.uint8) for name, group in zip(names, groups, strict=True)}
        return {**arrays, "stream": np.array([self._step])}

    def put(self, saved: Tensors) -> None:
        """Restores what `tensors` returned here or on one machine; raises RunError if it does not fit."""
        names = ["games", *sorted((name for name in saved if name.startswith(GROUP)), key=lambda name: int(name[6:]))]
        try:
            groups = [saved[name].tobytes() for name in names]
            for group in reversed(groups):
                self.env.restore(group)
        except (KeyError, ValueError):
            raise RunError(NOT_THESE_GAMES) from None
        self._step = int(saved["stream"][0]) if "stream" in saved else 0
        self._idle, self._out = deque(_Group(number, group) for number, group in enumerate(groups)), []
