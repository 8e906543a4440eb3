"""Tree search through the dice, for any registered game: one position (`Search`) or many games at once (`SelfPlay`).

The tree, and how it goes through chance nodes, is explained in docs/search.md.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tablier._core import BatchEnv, Game, State
from tablier._core import search as _search
from tablier._core.search import RootView, Setting
from tablier.candidate import Candidate
from tablier.evaluators import Evaluator, Leaves, NativeEvaluator, checked
from tablier.evaluators.protocol import NAMES
from tablier.evaluators.searched_game import worth
from tablier.short_repr import short_repr

Config = TypeVar("Config")
SETTINGS: Mapping[str, Setting] = {setting.name: setting for setting in _search.search_settings()}
"""The settings of `SearchConfig`, declared in core/search/settings.h: defaults, ranges, meanings."""
EXPECTIMAX_SETTINGS: Mapping[str, Setting] = {setting.name: setting for setting in _search.expectimax_settings()}
"""Those of `ExpectimaxConfig`."""


def range_of(setting: Setting) -> tuple[float, float]:
    """The least and the most that a number among the settings may be.

    >>> range_of(SETTINGS["dirichlet_eps"])
    (0.0, 1.0)
    """
    if setting.least is None or setting.most is None:
        raise TypeError(f"{setting.name} is not a number")
    return setting.least, setting.most


def _default(name: str, settings: Mapping[str, Setting] = SETTINGS) -> Any:
    return settings[name].default


def _told(settings: Mapping[str, Setting]) -> Callable[[type[Config]], type[Config]]:
    """A decorator that adds the meanings of the settings to the docstring."""

    def tell(config: type[Config]) -> type[Config]:
        lines = (f"{one.name} (default {one.default}): {one.doc}" for one in settings.values())
        config.__doc__ = f"{config.__doc__}\n\n" + "\n".join(lines)
        return config

    return tell


@_told(SETTINGS)
@dataclass(frozen=True)
class SearchConfig:
    """What a search is asked to do. The defaults are for playing; `self_play()` gives those for learning."""

    n_simulations: int = _default("n_simulations")
    c_puct: float = _default("c_puct")
    dirichlet_alpha: float = _default("dirichlet_alpha")
    dirichlet_eps: float = _default("dirichlet_eps")
    temperature: float = _default("temperature")
    temperature_moves: int = _default("temperature_moves")
    root: str = _default("root")
    considered: int = _default("considered")
    c_visit: float = _default("c_visit")
    c_scale: float = _default("c_scale")
    gumbel_noise: bool = _default("gumbel_noise")
    chance: str = _default("chance")
    objective: str = _default("objective")
    evaluator: str = _default("evaluator")
    rollouts: int = _default("rollouts")
    prior_scale: float = _default("prior_scale")
    sweep: bool = _default("sweep")
    memory_mb: int = _default("memory_mb")

    def __post_init__(self) -> None:
        check_settings(self, SETTINGS)

    def self_play(self, game: Game) -> SearchConfig:
        """The same with the noise and the temperature of self-play: 10 / mean legal actions, 0.25, 1 falling to 0."""
        alpha = 10 / mean_legal_actions(game)
        return replace(self, dirichlet_alpha=alpha, dirichlet_eps=0.25, temperature=1.0, gumbel_noise=True)


@_told(EXPECTIMAX_SETTINGS)
@dataclass(frozen=True)
class ExpectimaxConfig:
    """A full-width search: how many decisions deep, and which actions it follows."""

    plies: int = _default("plies", EXPECTIMAX_SETTINGS)
    keep: int = _default("keep", EXPECTIMAX_SETTINGS)
    margin: float = _default("margin", EXPECTIMAX_SETTINGS)
    objective: str = _default("objective", EXPECTIMAX_SETTINGS)

    def __post_init__(self) -> None:
        check_settings(self, EXPECTIMAX_SETTINGS)


def check_settings(config: object, settings: Mapping[str, Setting]) -> None:
    """Raises for a setting of the wrong type or out of its range, and says what is accepted."""
    for name, setting in settings.items():
        value = getattr(config, name)
        kind: type[Any] = type(setting.default)
        if kind is float and type(value) is int:
            object.__setattr__(config, name, value := float(value))
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise TypeError(f"{name} is a {kind.__name__}, not {value!r}")
        if setting.choices and value not in setting.choices:
            raise ValueError(f"{value!r} is no {name}; there are {', '.join(setting.choices)}")
        if setting.least is not None:
            low, high = range_of(setting)
            if not low <= value <= high:
                raise ValueError(f"{name} is from {low:g} to {high:g}, not {value:g}")


@lru_cache(maxsize=64)
def _mean_legal(name: str, options: tuple[tuple[str, Any], ...]) -> float:
    from tablier.registry import load_game

    env = BatchEnv(load_game(name, **dict(options)), 64, seed=0)
    arrays = env.arrays()
    draw = np.random.default_rng(0)
    seen = []
    for _ in range(128):
        seen.append(arrays.legal_mask.sum(axis=1).mean())
        ranks = draw.random(arrays.legal_mask.shape, np.float32) * arrays.legal_mask
        env.step(ranks.argmax(axis=1), **vars(arrays))
    return float(np.mean(seen))


def mean_legal_actions(game: Game) -> float:
    """Legal actions per decision in random play."""
    return _mean_legal(game.name, tuple(sorted(game.options().items())))


@dataclass(frozen=True)
class Result:
    """What a search found, its candidates in the order of actions."""

    best: int
    """The action to play."""
    value: tuple[float, ...]
    """Returns still to come for every player."""
    candidates: tuple[Candidate, ...]
    simulations: int
    reused: int
    """Visits that an earlier search had made in this part of the tree: the visits sum to this and `simulations`."""
    nodes: int
    bytes: int
    solved: bool
    """Whether the value is exact."""
    full: bool
    """Whether the search ended because the tree reached its bound."""

    __repr__ = short_repr


def _result(found: RootView, player: int, objective: str) -> Result:
    """The result as C++ tells it, for the player to move."""
    return Result(
        best=found.best,
        value=found.value,
        candidates=tuple(
            Candidate(
                one.action,
                "",
                worth(one.returns, player, objective),
                one.visits,
                one.prior,
                policy=one.policy,
                returns=one.returns,
                solved=one.solved,
            )
            for one in found.candidates
        ),
        simulations=found.simulations,
        reused=found.reused,
        nodes=found.nodes,
        bytes=found.bytes,
        solved=found.solved,
        full=found.full,
    )


class Search:
    """Searches one position after another of one game, and keeps what it knows between them.

    >>> import tablier
    >>> from tablier.evaluators import RolloutEvaluator
    >>> game = tablier.load_game("tic_tac_toe")
    >>> search = Search(game, RolloutEvaluator(game), SearchConfig(n_simulations=500))
    >>> state = game.new_initial_state()
    >>> for action in (0, 3, 1, 4):
    ...     state.apply_action(action)
    >>> search.run(state).best  # wins at once
    2
    """

    def __init__(
        self, game: Game, evaluator: Evaluator, config: SearchConfig | None = None, seed: int = 0, reuse: bool = True
    ) -> None:
        config = config or SearchConfig()
        native = evaluator if isinstance(evaluator, NativeEvaluator) else None
        self._config = replace(
            config, evaluator=native.evaluator if native else "caller", rollouts=native.rollouts if native else 1
        )
        self._game = game
        self._evaluator = evaluator
        self._seed = seed
        self._reuse = reuse
        self._native = native is not None
        self._pool = _search.Pool(game, self._config, 1, seed)
        self._leaves = Leaves.empty(game, 1)

    def run(self, state: State, seconds: float | None = None) -> Result:
        """Searches until the simulations are made or the time is over; with a time limit also until all is solved."""
        if state.is_terminal():
            raise ValueError("the game is over: there is nothing to search")
        if seconds is not None and not (0 < seconds < math.inf):
            raise ValueError(f"a search takes more than 0 seconds, not {seconds!r}")
        player, objective = state.current_player(), self._config.objective
        if self._config.chance == "open_loop":
            found = _search.open_loop(self._game, self._config, state, self._seed, seconds or 1e18)
            return _result(found, player, objective)
        self._pool.set_root(0, state, self._reuse)
        if self._native:
            if not self._pool.run(1e18 if seconds is None else seconds):
                self._pool.stop()
        else:
            self._ask(seconds)
        return _result(self._pool.look(0, self._config.temperature), player, objective)

    def _ask(self, seconds: float | None) -> None:
        end = math.inf if seconds is None else time.monotonic() + seconds
        leaves = self._leaves
        while self._pool.busy:
            n = self._pool.collect(**leaves.arrays())
            if n:
                self._pool.resume(*checked(self._evaluator, leaves.first(n)))
            if time.monotonic() > end or (seconds is not None and self._pool.solved):
                self._pool.stop()

    def tree(self, limit: int = 1000) -> list[dict[str, Any]]:
        """The tree's first nodes, parents first, for people and tests."""
        names = ("parent", "action", "player", "visits", "prior", "value", "solved")
        return [dict(zip(names, row, strict=True)) for row in self._pool.tree(0, limit)]


@dataclass(frozen=True)
class PlayedGame:
    """A game of self-play; row t of the arrays is its decision t."""

    number: int
    cut: bool
    """Whether it was ended by `max_moves`."""
    states: NDArray[np.uint64]
    players: NDArray[np.int32]
    actions: NDArray[np.int32]
    values: NDArray[np.float32]
    """[t, players], what the search expected to come; NaN where there was one action only."""
    collected: NDArray[np.float32]
    """[t, players], returns up to the decision."""
    offsets: NDArray[np.int32]
    """The policy of row t is entries offsets[t] to offsets[t + 1] of `policy_actions` and `policy`."""
    policy_actions: NDArray[np.int32]
    policy: NDArray[np.float32]
    returns: list[float] = field(default_factory=list)

    __repr__ = short_repr


class SelfPlay:
    """Hundreds of games that play themselves, their leaves evaluated together.

    Game k depends on the seed and on k alone: not on the threads, the number of games at once or the size of batches.
    """

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        config: SearchConfig,
        *,
        games_at_once: int = 256,
        batch: int | None = None,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        native = evaluator if isinstance(evaluator, NativeEvaluator) else None
        room = max(1, config.n_simulations * 8192 >> 20)
        config = replace(config, memory_mb=min(config.memory_mb, room))
        config = replace(
            config, evaluator=native.evaluator if native else "caller", rollouts=native.rollouts if native else 1
        )
        if config.chance == "open_loop":
            raise ValueError("open-loop search plays no games: it exists for comparison, with Search")
        self._evaluator = evaluator
        self._native = native is not None
        self._pool = _search.Pool(game, config, games_at_once, seed, threads)
        self._leaves = Leaves.empty(game, batch or games_at_once)
        self._wanted = self._leaves.arrays(getattr(evaluator, "looks_at", NAMES))

    def play(self, count: int, first: int = 0, max_moves: int = 0) -> Iterator[PlayedGame]:
        """Plays games `first` .. `first + count - 1` and yields each as it ends."""
        self._pool.play_games(first, count, max_moves)
        yield from self._finish()

    def play_on(
        self, states: NDArray[np.uint64], ages: NDArray[np.int64], first: int, moves: int
    ) -> Iterator[PlayedGame]:
        """Every game goes on from its state by so many decisions, new games following those that end; yields stretches.

        `ages` counts the decisions taken in each game. Both arrays then hold where the games are. Game i has the dice
        of number `first` + i. A stretch that does not reach the end of its game is `cut`.
        """
        self._pool.play_on(states, ages, first, moves)
        yield from self._finish()
        self._pool.where(states, ages)

    def _finish(self) -> Iterator[PlayedGame]:
        while self._pool.busy:
            if self._native:
                self._pool.run(0.2)
            else:
                n = self._pool.collect(**self._wanted)
                if n:
                    leaves = self._leaves.first(n, self._pool.decisions)
                    self._pool.resume(*checked(self._evaluator, leaves))
            for played in self._pool.take_finished():
                yield PlayedGame(**played)
