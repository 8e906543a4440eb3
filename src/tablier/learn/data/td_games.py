"""Games for TD learning: a network plays both sides and chooses the move with the best afterstate.

`CoreGames` plays in C++, on all threads, while the learner trains. `SessionGames` runs a network in onnxruntime for
every move; it is for architectures that the core cannot compute.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from tablier._core import BatchEnv, Game
from tablier._core.nets import Network, code_sizes
from tablier.learn.data.place import Ledger, Receipt
from tablier.learn.data.sampling import best_of
from tablier.learn.data.saved_games import NOT_THESE_GAMES, SavedGames
from tablier.learn.data.spread_games import Arrays
from tablier.learn.data.targets import half_margin
from tablier.learn.networks.core_net import CoreNet, to_core
from tablier.learn.networks.inference import Ask, frozen
from tablier.learn.networks.nets import AnyNet
from tablier.learn.runs.files import RunError, Tensors

Floats = NDArray[np.float32]
Prepared = TypeVar("Prepared")


@dataclass(frozen=True)
class Moves:
    """The moves played in a step. The first axis of every array is the move, the second the game.

    Rewards and values are half the margin of player 0.
    """

    features: Floats
    """[moves, games, *features_shape]: features of the afterstate of each move, as `viewer` sees it."""
    viewer: NDArray[np.int32]
    """[moves, games]: the player whose view it is; -1 if the game is over."""
    before: Floats
    """[moves, games]: the reward of the move."""
    after: Floats
    """[moves, games]: the reward of the dice that follow."""
    over: NDArray[np.bool_]
    """[moves, games]: whether the game ended."""
    best: Floats
    """[moves + 1, games]: the value of the best move at each decision."""
    explored: NDArray[np.bool_]
    """[moves + 1, games]: whether a random move was played."""
    evaluations: int
    """Number of positions that the network evaluated."""
    expected: Floats | None = None
    """[moves, games]: the value of the afterstate averaged over all rolls; None unless it was requested."""
    codes: NDArray[np.uint8] | None = None
    """[moves, games, inputs]: the afterstate as core networks read it; None unless it was requested."""


def moves_of(arrays: Arrays, evaluations: int) -> Moves:
    """Returns the moves in the arrays of `BatchEnv.play`, whose first axis is the game, without copying them."""
    return Moves(evaluations=evaluations, **{name: array.swapaxes(0, 1) for name, array in arrays.items()})


class Batch(Protocol):
    """Games side by side that a core network plays, here or elsewhere."""

    env: BatchEnv
    """The games."""

    def play(self, network: bytes, /) -> tuple[Moves, list[Receipt]]:
        """Plays the moves of a step. Returns them and, if they were played elsewhere, receipts of the results."""


class LocalBatch:
    """Games that are played in this process.

    Args:
        env: the games.
        moves: moves per game in each step.
        epsilon: probability of a random move.
        expected: whether to average over all rolls, for exact targets.
        discount: discount per decision, for exact targets.
        codes: whether to return codes, if the game has them.
    """

    def __init__(
        self, env: BatchEnv, moves: int, epsilon: float, expected: bool, discount: float = 1.0, codes: bool = False
    ) -> None:
        self.env, self._epsilon, self._discount = env, epsilon, discount
        self._room = new_room(env.game, len(env), moves, expected, codes)

    def play(self, network: bytes) -> tuple[Moves, list[Receipt]]:
        """Plays the moves of a step. The next call overwrites the arrays."""
        room: dict[str, Any] = self._room
        evaluations = self.env.play(Network(network), **room, epsilon=self._epsilon, discount=self._discount)
        return moves_of(self._room, evaluations), []


class CoreGames(Generic[Prepared]):
    """Games played by a core network, one step ahead of the learner.

    While the learner trains on the moves of one step, the moves of the next step are played and prepared. So they are
    played with weights that are one step old. Moves in progress are not saved: a resumed run plays them again, with the
    same network.

    Args:
        batch: the games, and who plays them.
        prepare: turns the moves of a step into training data, in the thread that plays. It must copy what it keeps.
        teacher: a network file that plays instead of the learner's network; empty for none.
    """

    def __init__(self, batch: Batch, prepare: Callable[[Moves], Prepared], teacher: bytes = b"") -> None:
        self.env, self._batch, self._prepare, self._teacher = batch.env, batch, prepare, teacher
        self._thread = ThreadPoolExecutor(1, "self-play")
        self._waited = 0.0
        self._ledger = Ledger()
        self._receipts: list[Receipt] = []
        self._games = self.env.save()
        """The games as they were when the moves in progress started."""
        self._acting: Future[bytes] | None = None
        """The network that plays them."""
        self._waiting: Future[tuple[Prepared, list[Receipt]]] | None = None

    def next(self, net: AnyNet, _: np.random.Generator) -> Prepared:
        """Waits for the moves in progress and returns them, prepared; starts the next ones with the given network."""
        assert isinstance(net, CoreNet)
        acting = self._teacher or copy.deepcopy(net)
        if self._waiting is None:
            self._start(acting)
        assert self._waiting is not None
        start = time.monotonic()
        prepared, self._receipts = self._waiting.result()
        self._waited = time.monotonic() - start
        self._start(acting)
        return prepared

    def _start(self, net: CoreNet | bytes) -> None:
        self._games = self.env.save()
        self._acting = self._thread.submit(lambda: net if isinstance(net, bytes) else to_core(net, self.env.game))
        self._waiting = self._thread.submit(self._play, self._acting)

    def _play(self, acting: Future[bytes]) -> tuple[Prepared, list[Receipt]]:
        moves, receipts = self._batch.play(acting.result())
        return self._prepare(moves), receipts

    def account(self, counters: dict[str, float]) -> dict[str, float]:
        """Adds the games of workers elsewhere to the counters of the run; returns metrics about them."""
        if not self._receipts:
            return {}
        self._ledger.enter(counters, self._receipts)
        return {"staleness": 1.0, "waited": self._waited}

    def close(self) -> None:
        """Waits for the moves in progress."""
        self._thread.shutdown()

    def tensors(self) -> Tensors:
        """Returns what a resumed run needs to play the moves in progress again."""
        acting = self._acting.result() if self._acting else b""
        return {"games": np.frombuffer(self._games, np.uint8), "acting": np.frombuffer(acting, np.uint8)}

    def put(self, saved: Tensors) -> None:
        """Restores what `tensors` returned; raises RunError if it does not fit."""
        try:
            self.env.restore(saved["games"].tobytes())
            Network(saved["acting"].tobytes())
        except (KeyError, ValueError):
            raise RunError(NOT_THESE_GAMES) from None
        self._start(saved["acting"].tobytes())


def new_room(game: Game, n: int, moves: int, expected: bool = False, codes: bool = False) -> dict[str, NDArray[Any]]:
    """Returns arrays for `BatchEnv.play`, with room for n games and `moves` moves in each."""
    room: dict[str, NDArray[Any]] = {
        "features": np.zeros((n, moves, *game.features_shape()), np.float32),
        "viewer": np.zeros((n, moves), np.int32),
        "over": np.zeros((n, moves), np.bool_),
        "best": np.zeros((n, moves + 1), np.float32),
        "explored": np.zeros((n, moves + 1), np.bool_),
    }
    for name in ("before", "after", *(["expected"] if expected else [])):
        room[name] = np.zeros((n, moves), np.float32)
    if codes and (sizes := code_sizes(game)):
        room["codes"] = np.zeros((n, moves, len(sizes)), np.uint8)
    return room


class SessionGames(SavedGames):
    """Games played move by move by a network in onnxruntime.

    Args:
        env: the games.
        moves: moves per game in each step.
        epsilon: probability of a random move.
    """

    def __init__(self, env: BatchEnv, moves: int, epsilon: float) -> None:
        super().__init__(env)
        self._moves, self._epsilon = moves, epsilon
        self._mover = np.zeros(len(env), np.int32)
        self._room = _Afterstates(env.game, len(env))
        self._evaluations = 0

    def next(self, net: AnyNet, draw: np.random.Generator) -> Moves:
        """Plays the moves of a step.

        Args:
            net: the network.
            draw: random generator for random moves.
        """
        ask = frozen(net, self.env.game)
        self._evaluations = 0
        moves, games = self._moves, len(self.env)
        self.env.observe(current_player=self._mover)
        before, after = np.zeros((2, moves, games), np.float32)
        best = np.zeros((moves + 1, games), np.float32)
        explored = np.zeros((moves + 1, games), np.bool_)
        over = np.zeros((moves, games), np.bool_)
        viewer = np.zeros((moves, games), np.int32)
        features = np.zeros((moves, games, *self.env.game.features_shape()), np.float32)
        rewards = np.zeros((games, 2), np.float32)
        for t in range(moves):
            rows, best[t], explored[t] = self._choose(ask, draw)
            room = self._room
            before[t] = half_margin(room.rewards[rows])
            viewer[t] = room.player[rows]
            features[t] = room.features[rows]
            self.env.step(room.actions[rows], rewards=rewards, done=over[t], current_player=self._mover)
            after[t] = half_margin(rewards) - before[t]
        _, best[moves], explored[moves] = self._choose(ask, draw)
        return Moves(features, viewer, before, after, over, best, explored, self._evaluations)

    def account(self, _: dict[str, float]) -> dict[str, float]:
        """Returns no metrics: no worker elsewhere plays."""
        return {}

    def _choose(self, ask: Ask, draw: np.random.Generator) -> tuple[NDArray[np.int64], Floats, NDArray[np.bool_]]:
        """Returns, for each game, the row of the move, the best value for player 0, and whether the move is random."""
        room, games = self._room, len(self.env)
        n = room.fill(self.env)
        starts = room.offsets[:-1]
        counts = np.diff(room.offsets)
        values = ask(room.features[:n].reshape(n, -1))[1].ravel()
        self._evaluations += n
        player = room.player[:n]
        seen = np.where(player < 0, 0, values * (1 - 2 * player)) + half_margin(room.rewards[:n])
        sign = 1 - 2 * self._mover
        worth = seen * np.repeat(sign, counts)
        rows, highest = best_of(worth, starts)
        explored = np.zeros(games, np.bool_)
        if self._epsilon:
            explored = draw.random(games) < self._epsilon
            rows = np.where(explored, starts + draw.integers(counts), rows)
        return rows, (highest * sign).astype(np.float32), explored


class _Afterstates:
    """Buffers for `BatchEnv.afterstates` that grow as needed."""

    def __init__(self, game: Game, games: int) -> None:
        self._game = game
        self.offsets = np.zeros(games + 1, np.int64)
        self._make(games * 8)

    def _make(self, rows: int) -> None:
        self.actions, self.player = np.zeros((2, rows), np.int32)
        self.features = np.zeros((rows, *self._game.features_shape()), np.float32)
        self.rewards = np.zeros((rows, 2), np.float32)

    def fill(self, env: BatchEnv) -> int:
        while True:
            n = env.afterstates(**{name: value for name, value in vars(self).items() if name[0] != "_"})
            if n <= len(self.actions):
                return n
            self._make(n + n // 4)
