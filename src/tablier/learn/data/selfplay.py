"""Self-play for AlphaZero, in groups of games.

Each group has its own search pool and network, and everything expensive releases the GIL. With several threads, the
tree search of one group overlaps with the inference of another and with training. There is one group per thread, but at
least two. A game depends only on its number and on the network's outputs, and those do not depend on the rest of the
batch. So the grouping does not change what is played.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tablier._core import Game
from tablier._core import search as _search
from tablier.evaluators import CoreEvaluator, NetworkEvaluator
from tablier.evaluators.network import Answer
from tablier.learn.data.place import Ledger, Place, Receipt, Spread, check_tries
from tablier.learn.data.replay import wrong_states
from tablier.learn.networks.inference import Ask, asking
from tablier.learn.runs.files import RunError, Tensors
from tablier.registry import load_game
from tablier.search import PlayedGame, SearchConfig, SelfPlay

GROUPS = 2
"""Minimum number of groups."""


class Group:
    """Games played side by side, which continue from step to step."""

    def __init__(self, game: Game, games: int, stop: threading.Event) -> None:
        self._game, self._stop = game, stop
        self.states = np.tile(_search.words(game.new_initial_state()), (games, 1))
        self.ages = np.zeros(games, np.int64)
        """Number of decisions taken in each game."""

    def play(
        self, network: Ask | bytes, config: SearchConfig, seed: int, first: int, moves: int, max_moves: int
    ) -> tuple[list[PlayedGame], int]:
        """Plays `moves` more decisions in each game or, if `moves` is 0, whole games.

        Args:
            network: evaluates positions: a function, or a core network as the bytes of its file.
            config: settings of the search.
            seed: seed of the run.
            first: number of the first game.
            moves: decisions per game; 0 plays whole games.
            max_moves: truncates whole games after this many decisions; 0 never does.

        Returns:
            What was played, ordered by game number, and the number of positions evaluated (for a core network, the
            number of simulations).
        """
        evaluator = CoreEvaluator(self._game, network) if isinstance(network, bytes) else _Counting(self._game, network)
        pool = SelfPlay(self._game, evaluator, config, games_at_once=len(self.ages), seed=seed, stop=self._stop.is_set)
        if moves:
            played = list(pool.play_on(self.states, self.ages, first, moves))
        else:
            played = list(pool.play(len(self.ages), first, max_moves))
        if isinstance(evaluator, _Counting):
            asked = evaluator.asked
        else:
            asked = config.n_simulations * sum(int(np.isfinite(one.values[:, 0]).sum()) for one in played)
        return sorted(played, key=lambda one: one.number), asked


class _Counting(NetworkEvaluator):
    """A network evaluator that counts positions."""

    def __init__(self, game: Game, ask: Ask) -> None:
        self.asked = 0

        def counted(features: NDArray[np.float32], decisions: int) -> Answer:
            self.asked += len(features)
            return ask(features, decisions)

        super().__init__(game, counted)


class Model(Protocol):
    """A network as self-play uses it."""

    def here(self) -> Ask | bytes:
        """Returns it for a group in this process: a function, or a core network as the bytes of its file."""

    def elsewhere(self) -> tuple[bytes, ...]:
        """Returns it for a worker: the bytes of a core network's file, or ONNX models with and without a policy."""


@dataclass(frozen=True)
class GroupResult:
    """What a worker returns: the games of a group."""

    played: list[PlayedGame]
    asked: int
    """Number of positions evaluated."""
    states: NDArray[np.uint64]
    """The games in progress."""
    ages: NDArray[np.int64]


def play_group(
    name: str,
    options: dict[str, Any],
    states: NDArray[np.uint64],
    ages: NDArray[np.int64],
    config: SearchConfig,
    numbers: tuple[int, int, int, int],
    *network: bytes,
) -> GroupResult:
    """Plays a group on a worker; `numbers` are the last four arguments of `Group.play`."""
    game = load_game(name, **options)
    group = Group(game, len(ages), threading.Event())
    group.states, group.ages = states.copy(), ages.copy()
    played, asked = group.play(network[0] if len(network) == 1 else asking(*network), config, *numbers)
    return GroupResult(played, asked, group.states, group.ages)


class Groups:
    """All games of a run, played by a thread pool or on the workers of a place."""

    def __init__(self, game: Game, games: int, seed: int, threads: int, spread: Spread | None = None) -> None:
        groups = max(GROUPS, threads) if spread is None else spread.place.workers
        self._place, self._ledger = spread.place if spread else None, Ledger()
        self._receipts: list[Receipt] = []
        self._waited = 0.0
        sizes = [games // groups + (i < games % groups) for i in range(groups)]
        self._stop = threading.Event()
        self._groups = [Group(game, size, self._stop) for size in sizes if size]
        self._game, self._games, self._seed = game, games, seed
        self._threads = ThreadPoolExecutor(threads, "self-play")

    def play(
        self, model: Model, config: SearchConfig, step: int, moves: int = 0, max_moves: int = 0
    ) -> Callable[[], tuple[list[PlayedGame], int]]:
        """Starts the games of a step in the background.

        Args:
            model: the network.
            config: settings of the search.
            step: number of the step.
            moves: decisions per game; 0 plays whole games.
            max_moves: truncates whole games after this many decisions; 0 never does.

        Returns:
            A function that waits for the games and returns what was played, ordered by game number, and the number of
            positions evaluated.
        """
        first = (step - 1) * self._games
        if self._place is not None:
            return self._play_elsewhere(self._place, model, config, first, moves, max_moves)
        waiting = []
        for group in self._groups:
            waiting.append(self._threads.submit(group.play, model.here(), config, self._seed, first, moves, max_moves))
            first += len(group.ages)

        def gather() -> tuple[list[PlayedGame], int]:
            parts = [one.result() for one in waiting]
            return [game for played, _ in parts for game in played], sum(asked for _, asked in parts)

        return gather

    def _play_elsewhere(
        self, place: Place, model: Model, config: SearchConfig, first: int, moves: int, max_moves: int
    ) -> Callable[[], tuple[list[PlayedGame], int]]:
        network, waiting = model.elsewhere(), []
        for group in self._groups:
            numbers = (self._seed, first, moves, max_moves)
            arguments = (self._game.name, self._game.options(), group.states, group.ages, config, numbers, *network)
            waiting.append((group, arguments, place.submit(play_group, *arguments)))
            first += len(group.ages)

        def gather() -> tuple[list[PlayedGame], int]:
            start = time.monotonic()
            self._receipts, parts = [], []
            for group, arguments, future in waiting:
                while True:
                    found = future.result()
                    fault = self._fault(found, group)
                    games = 0 if fault else sum(not one.cut for one in found.played)
                    self._receipts.append(Receipt(place.tally_of(future), games, lost=bool(fault)))
                    if not fault:
                        break
                    check_tries(self._receipts, fault)
                    future = place.reject(future, play_group, *arguments, reason=fault)
                parts.append((group, found))
            for group, found in parts:  # only now: an interrupted step changes nothing
                group.states[:], group.ages[:] = found.states, found.ages
            self._waited = time.monotonic() - start
            return [one for _, found in parts for one in found.played], sum(found.asked for _, found in parts)

        return gather

    def _fault(self, found: Any, group: Group) -> str:
        """Says what is wrong with the result of a worker; empty if nothing is."""
        if not isinstance(found, GroupResult) or not all(isinstance(one, PlayedGame) for one in found.played):
            return f"{type(found).__name__} instead of games"
        for mine, theirs in ((group.states, found.states), (group.ages, found.ages)):
            if mine.shape != theirs.shape or mine.dtype != theirs.dtype:
                return "its games have the wrong shape"
        return wrong_states(self._game, found.states)

    def account(self, counters: dict[str, float]) -> dict[str, float]:
        """Adds the games of workers elsewhere to the counters of the run; returns metrics about them."""
        if self._place is None:
            return {}
        self._ledger.enter(counters, self._receipts)
        return {"staleness": 1.0, "waited": self._waited}

    def close(self) -> None:
        """Stops the games before their next evaluation. No step can follow."""
        self._stop.set()
        self._threads.shutdown(cancel_futures=True)

    def tensors(self) -> Tensors:
        """Returns the games in progress, for a checkpoint."""
        return {
            "states": np.concatenate([group.states for group in self._groups]),
            "ages": np.concatenate([group.ages for group in self._groups]),
        }

    def put(self, tensors: Tensors) -> None:
        """Restores what `tensors` returned; raises RunError if it does not fit."""
        mine = self.tensors()
        for name, array in mine.items():
            found = tensors.get(name)
            if found is None or found.shape != array.shape or found.dtype != array.dtype:
                raise RunError("the checkpoint does not contain this run's games")
        if (tensors["ages"] < 0).any() or wrong_states(self._game, tensors["states"]):
            raise RunError("the checkpoint contains invalid games")
        first = 0
        for group in self._groups:
            rows = slice(first, first + len(group.ages))
            group.states[:], group.ages[:] = tensors["states"][rows], tensors["ages"][rows]
            first = rows.stop
