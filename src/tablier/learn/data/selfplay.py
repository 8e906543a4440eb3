"""Games that AlphaZero plays against itself, in groups.

Each group has a pool and a runtime of its own, and everything heavy in it runs without Python's lock: on several
threads the tree work of one group overlaps with the inference of another, and with the updates of the network. There
are two groups, or as many as threads. A game depends on its number and on what the network says, and that does not
depend on what else is in a batch: so what is played is the same however games are grouped.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from tablier._core import Game
from tablier._core import search as _search
from tablier.evaluators import NetworkEvaluator
from tablier.evaluators.network import Answer
from tablier.learn.data.replay import wrong_states
from tablier.learn.networks.inference import Ask
from tablier.learn.runs.files import RunError, Tensors
from tablier.search import PlayedGame, SearchConfig, SelfPlay

GROUPS = 2
"""At least; more threads have more."""


class Group:
    """Games side by side that go on from step to step."""

    def __init__(self, game: Game, games: int, stop: threading.Event) -> None:
        self._game, self._stop = game, stop
        self.states = np.tile(_search.words(game.new_initial_state()), (games, 1))
        self.ages = np.zeros(games, np.int64)
        """Decisions taken in each game."""

    def play(
        self, ask: Ask, config: SearchConfig, seed: int, first: int, stretch: int, max_moves: int
    ) -> tuple[list[PlayedGame], int]:
        """Every game takes `stretch` more decisions or, if that is 0, is played from its beginning to its end.

        Returns what was played, by number, and how many positions the network was asked about.
        """
        asked = 0

        def counted(features: NDArray[np.float32], decisions: int) -> Answer:
            nonlocal asked
            if self._stop.is_set():
                raise CancelledError
            asked += len(features)
            return ask(features, decisions)

        evaluator = NetworkEvaluator(self._game, counted)
        pool = SelfPlay(self._game, evaluator, config, games_at_once=len(self.ages), seed=seed)
        if stretch:
            played = list(pool.play_on(self.states, self.ages, first, stretch))
        else:
            played = list(pool.play(len(self.ages), first, max_moves))
        return sorted(played, key=lambda one: one.number), asked


class Groups:
    """All games of a run."""

    def __init__(self, game: Game, games: int, seed: int, threads: int) -> None:
        groups = max(GROUPS, threads)
        sizes = [games // groups + (i < games % groups) for i in range(groups)]
        self._stop = threading.Event()
        self._groups = [Group(game, size, self._stop) for size in sizes if size]
        self._game, self._games, self._seed = game, games, seed
        self._threads = ThreadPoolExecutor(threads, "self-play")

    def play(
        self, make: Callable[[], Ask], config: SearchConfig, step: int, stretch: int = 0, max_moves: int = 0
    ) -> Callable[[], tuple[list[PlayedGame], int]]:
        """Begins to play a step's games, each group with a network of its own that `make` makes.

        Returns a function that waits for them, and gives what was played, by number, and how many positions the
        network was asked about.
        """
        first = (step - 1) * self._games
        waiting = []
        for group in self._groups:
            waiting.append(self._threads.submit(group.play, make(), config, self._seed, first, stretch, max_moves))
            first += len(group.ages)

        def gather() -> tuple[list[PlayedGame], int]:
            parts = [one.result() for one in waiting]
            return [game for played, _ in parts for game in played], sum(asked for _, asked in parts)

        return gather

    def close(self) -> None:
        """Ends what is played, within one question to the network; nothing can be played any more."""
        self._stop.set()
        self._threads.shutdown(cancel_futures=True)

    def tensors(self) -> Tensors:
        """Where the games are."""
        return {
            "states": np.concatenate([group.states for group in self._groups]),
            "ages": np.concatenate([group.ages for group in self._groups]),
        }

    def put(self, tensors: Tensors) -> None:
        """Puts back what `tensors` gave."""
        mine = self.tensors()
        for name, array in mine.items():
            found = tensors.get(name)
            if found is None or found.shape != array.shape or found.dtype != array.dtype:
                raise RunError("the checkpoint does not hold the games of this run")
        if (tensors["ages"] < 0).any() or wrong_states(self._game, tensors["states"]):
            raise RunError("the checkpoint holds games that cannot be")
        first = 0
        for group in self._groups:
            rows = slice(first, first + len(group.ages))
            group.states[:], group.ages[:] = tensors["states"][rows], tensors["ages"][rows]
            first = rows.stop
