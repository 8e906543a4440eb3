"""Tree search with chance nodes for any registered game: one position (`Search`) or many games at once (`SelfPlay`).

docs/search.md explains the tree and its chance nodes.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError
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
"""The settings of `SearchConfig` with their defaults, ranges and descriptions, declared in core/search/settings.h."""
EXPECTIMAX_SETTINGS: Mapping[str, Setting] = {setting.name: setting for setting in _search.expectimax_settings()}
"""The settings of `ExpectimaxConfig`, declared in the same file."""


def range_of(setting: Setting) -> tuple[float, float]:
    """Returns the smallest and the largest accepted value of a numeric setting; raises TypeError for others.

    Examples:
        >>> range_of(SETTINGS["dirichlet_eps"])
        (0.0, 1.0)
    """
    if setting.least is None or setting.most is None:
        raise TypeError(f"{setting.name} is not a number")
    return setting.least, setting.most


def _default(name: str, settings: Mapping[str, Setting] = SETTINGS) -> Any:
    return settings[name].default


def _told(settings: Mapping[str, Setting]) -> Callable[[type[Config]], type[Config]]:
    """Returns a decorator that appends the descriptions of the settings to a class docstring."""

    def tell(config: type[Config]) -> type[Config]:
        lines = (f"{one.name} (default {one.default}): {one.doc}" for one in settings.values())
        config.__doc__ = f"{config.__doc__}\n\n" + "\n".join(lines)
        return config

    return tell


@_told(SETTINGS)
@dataclass(frozen=True)
class SearchConfig:
    """The settings of a tree search. The defaults are for playing; `self_play()` returns those for learning."""

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
    prior: str = _default("prior")
    prior_scale: float = _default("prior_scale")
    sweep: bool = _default("sweep")
    memory_mb: int = _default("memory_mb")

    def __post_init__(self) -> None:
        check_settings(self, SETTINGS)

    def self_play(self, game: Game) -> SearchConfig:
        """Returns a copy with exploration for self-play.

        Root noise has dirichlet_alpha = 10 / (mean number of legal actions) and dirichlet_eps = 0.25. The temperature
        is 1 and falls to 0 over `temperature_moves` decisions. Gumbel noise is on.
        """
        alpha = 10 / mean_legal_actions(game)
        return replace(self, dirichlet_alpha=alpha, dirichlet_eps=0.25, temperature=1.0, gumbel_noise=True)


@_told(EXPECTIMAX_SETTINGS)
@dataclass(frozen=True)
class ExpectimaxConfig:
    """The settings of an expectimax search: its depth in decisions and how it prunes actions."""

    plies: int = _default("plies", EXPECTIMAX_SETTINGS)
    keep: int = _default("keep", EXPECTIMAX_SETTINGS)
    margin: float = _default("margin", EXPECTIMAX_SETTINGS)
    objective: str = _default("objective", EXPECTIMAX_SETTINGS)

    def __post_init__(self) -> None:
        check_settings(self, EXPECTIMAX_SETTINGS)


def check_settings(config: object, settings: Mapping[str, Setting]) -> None:
    """Validates the settings of a config; integers given for float settings become floats.

    Args:
        config: a config object with one attribute per setting.
        settings: the declared settings by name.

    Raises:
        TypeError: a setting has the wrong type.
        ValueError: a setting is out of range or not one of the choices.
    """
    for name, setting in settings.items():
        value = getattr(config, name)
        kind: type[Any] = type(setting.default)
        if kind is float and type(value) is int:
            object.__setattr__(config, name, value := float(value))
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise TypeError(f"{name} must be of type {kind.__name__}, not {value!r}")
        if setting.choices and value not in setting.choices:
            raise ValueError(f"{name} must be one of {', '.join(setting.choices)}, not {value!r}")
        if setting.least is not None:
            low, high = range_of(setting)
            if not low <= value <= high:
                raise ValueError(f"{name} must be from {low:g} to {high:g}, not {value:g}")


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
    """Returns the mean number of legal actions per decision, estimated from random play."""
    return _mean_legal(game.name, tuple(sorted(game.options().items())))


@dataclass(frozen=True)
class Result:
    """The result of a search."""

    best: int
    """The action to play."""
    value: tuple[float, ...]
    """Expected future return of each player, by seat."""
    candidates: tuple[Candidate, ...]
    """The legal actions with their evaluations, in ascending order of action number."""
    simulations: int
    """Number of simulations in this search."""
    reused: int
    """Visits reused from an earlier search. The candidates' visits sum to `reused + simulations`."""
    nodes: int
    """Number of nodes in the tree."""
    bytes: int
    """Size of the tree in bytes."""
    solved: bool
    """Whether the value is exact."""
    full: bool
    """Whether the search stopped because the tree reached its memory limit."""

    __repr__ = short_repr


def _result(found: RootView, player: int, objective: str) -> Result:
    """Converts a result of the C++ search, with values from the point of view of the player to move."""
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


def _with_evaluator(config: SearchConfig, evaluator: Evaluator) -> SearchConfig:
    """Returns the config with the settings that name the evaluator."""
    if isinstance(evaluator, NativeEvaluator):
        return replace(config, evaluator=evaluator.evaluator, rollouts=evaluator.rollouts)
    return replace(config, evaluator="caller", rollouts=1)


def _pool(game: Game, config: SearchConfig, n: int, seed: int, threads: int, evaluator: Evaluator) -> _search.Pool:
    """Creates n searches, with the network of a native evaluator."""
    if isinstance(evaluator, NativeEvaluator):
        return _search.Pool(game, config, n, seed, threads, evaluator.network, evaluator.link)
    return _search.Pool(game, config, n, seed, threads)


class Search:
    """Searches positions of one game and reuses the tree from one position to the next.

    Args:
        game: the game to search.
        evaluator: evaluates the leaves. A `NativeEvaluator` runs without calls into Python.
        config: the settings. Its fields `evaluator` and `rollouts` are overridden to match `evaluator`.
        seed: seed of the search's random number generator.
        reuse: whether to keep the part of the tree that is still valid for the next position.

    Examples:
        >>> import tablier
        >>> from tablier.evaluators import RolloutEvaluator
        >>> game = tablier.load_game("tic_tac_toe")
        >>> search = Search(game, RolloutEvaluator(game), SearchConfig(n_simulations=500))
        >>> state = game.new_initial_state()
        >>> for action in (0, 3, 1, 4):
        ...     state.apply_action(action)
        >>> search.run(state).best  # wins immediately
        2
    """

    def __init__(
        self, game: Game, evaluator: Evaluator, config: SearchConfig | None = None, seed: int = 0, reuse: bool = True
    ) -> None:
        config = config or SearchConfig()
        self._config = _with_evaluator(config, evaluator)
        self._game = game
        self._evaluator = evaluator
        self._seed = seed
        self._reuse = reuse
        self._native = isinstance(evaluator, NativeEvaluator)
        self._pool = _pool(game, self._config, 1, seed, 1, evaluator)
        self._leaves = Leaves.empty(game, 1)

    def run(self, state: State, seconds: float | None = None) -> Result:
        """Searches a position until the simulations are done or the time is up.

        With a time limit, the search also stops as soon as the position is solved.

        Args:
            state: the position, at a decision or a chance node.
            seconds: time limit, or None for no limit.

        Raises:
            ValueError: the game is over, or `seconds` is not positive and finite.
        """
        if state.is_terminal():
            raise ValueError("the game is over: there is nothing to search")
        if seconds is not None and not (0 < seconds < math.inf):
            raise ValueError(f"seconds must be positive and finite, not {seconds!r}")
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
        """Returns the first `limit` nodes of the tree as dicts, parents first, for inspection and tests."""
        names = ("parent", "action", "player", "visits", "prior", "value", "solved")
        return [dict(zip(names, row, strict=True)) for row in self._pool.tree(0, limit)]


@dataclass(frozen=True)
class PlayedGame:
    """A self-play game, or part of one. Row t of the arrays belongs to decision t."""

    number: int
    """The number of the game, which together with the seed determines its dice."""
    cut: bool
    """Whether the game was stopped before its end."""
    states: NDArray[np.uint64]
    """[t, words]: the state at each decision."""
    players: NDArray[np.int32]
    """[t]: the player to move."""
    actions: NDArray[np.int32]
    """[t]: the action played."""
    values: NDArray[np.float32]
    """[t, players]: future return expected by the search; NaN if there was only one legal action."""
    collected: NDArray[np.float32]
    """[t, players]: return collected before the decision."""
    offsets: NDArray[np.int32]
    """[t + 1]: row t of the policy is the slice offsets[t]:offsets[t + 1] of `policy_actions` and `policy`."""
    policy_actions: NDArray[np.int32]
    """The actions of all policies, concatenated."""
    policy: NDArray[np.float32]
    """The probabilities of these actions."""
    returns: list[float] = field(default_factory=list)
    """Return of each player, by seat."""

    __repr__ = short_repr


class SelfPlay:
    """Plays many games against itself at once and evaluates their leaves in batches.

    Game k depends only on the seed and k, not on the number of threads, `games_at_once` or the batch size.

    Args:
        game: the game to play.
        evaluator: evaluates the leaves. A `NativeEvaluator` runs without calls into Python.
        config: the settings, usually from `SearchConfig.self_play`. Its fields `evaluator` and `rollouts` are
            overridden to match `evaluator`, and `memory_mb` is lowered to what the simulations need.
        games_at_once: number of games in progress.
        batch: maximum number of leaves per evaluation; None means `games_at_once`.
        seed: seed of all games.
        threads: number of search threads.
        stop: called between evaluations; once it returns True, `play` and `play_on` raise CancelledError.

    Raises:
        ValueError: `config.chance` is "open_loop".
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
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self._stop = stop
        room = max(1, config.n_simulations * 8192 >> 20)
        config = _with_evaluator(replace(config, memory_mb=min(config.memory_mb, room)), evaluator)
        if config.chance == "open_loop":
            raise ValueError('self-play does not support chance="open_loop": use Search, or another value of chance')
        self._evaluator = evaluator
        self._native = isinstance(evaluator, NativeEvaluator)
        self._pool = _pool(game, config, games_at_once, seed, threads, evaluator)
        self._leaves = Leaves.empty(game, batch or games_at_once)
        self._wanted = self._leaves.arrays(getattr(evaluator, "looks_at", NAMES))

    def play(self, count: int, first: int = 0, max_moves: int = 0) -> Iterator[PlayedGame]:
        """Plays games `first` .. `first + count - 1` and yields each one when it ends.

        Args:
            count: number of games.
            first: number of the first game.
            max_moves: number of decisions after which a game is stopped; 0 for no limit.
        """
        self._pool.play_games(first, count, max_moves)
        yield from self._finish()

    def play_on(
        self, states: NDArray[np.uint64], ages: NDArray[np.int64], first: int, moves: int
    ) -> Iterator[PlayedGame]:
        """Continues every game by `moves` decisions and yields what was played. New games replace those that end.

        Args:
            states: [games, words], the current states; updated in place.
            ages: [games], the number of decisions made in each game so far; updated in place.
            first: game i uses the dice of game number `first + i`.
            moves: number of decisions to play per row of `states`, including those of new games.

        Yields:
            Parts of games. A part that does not reach the end of its game has `cut` set.
        """
        self._pool.play_on(states, ages, first, moves)
        yield from self._finish()
        self._pool.where(states, ages)

    def _finish(self) -> Iterator[PlayedGame]:
        while self._pool.busy:
            if self._stop():
                raise CancelledError
            if self._native:
                self._pool.run(0.2)
            else:
                n = self._pool.collect(**self._wanted)
                if n:
                    leaves = self._leaves.first(n, self._pool.decisions)
                    self._pool.resume(*checked(self._evaluator, leaves))
            for played in self._pool.take_finished():
                yield PlayedGame(**played)
