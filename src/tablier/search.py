"""Tree search through the dice, for any registered game: one position (`Search`) or many games at once (`SelfPlay`).

The tree, and how it goes through chance nodes, is explained in docs/search.md.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from tablier._core import BatchEnv, Game, State
from tablier._core import search as _search
from tablier.candidate import Candidate
from tablier.evaluators import Evaluator, Leaves, NativeEvaluator, checked
from tablier.evaluators.protocol import NAMES
from tablier.evaluators.searched_game import worth

MOST_SIMULATIONS = 10**9


@dataclass(frozen=True)
class SearchConfig:
    """What a search is asked to do. The defaults are for playing; `self_play()` gives those for learning."""

    n_simulations: int = 200
    """Descents per decision."""
    c_puct: float = 1.5
    """Weight of priors and of actions seldom visited against values of 0 to 1."""
    dirichlet_alpha: float = 1.0
    """Shape of the root's noise."""
    dirichlet_eps: float = 0.0
    """Share of the root's noise in the priors; 0 for none."""
    temperature: float = 0.0
    """A move is drawn by visits to the power of 1 / temperature; 0 takes the best."""
    temperature_moves: int = 30
    """In self-play the temperature falls to 0 in a straight line over the first so many decisions of a game."""
    root: str = "puct"
    """How the root shares its simulations: `puct`, or `gumbel` (sequential halving) where there are few."""
    considered: int = 16
    """Actions that a Gumbel root looks at."""
    c_visit: float = 50.0
    """Gumbel: values weigh (c_visit + most visits) * c_scale against logits."""
    c_scale: float = 1.0
    """See `c_visit`."""
    gumbel_noise: bool = False
    """Whether a Gumbel root explores."""
    chance: str = "quota"
    """How dice are gone through: `quota`; `sampled` and `open_loop` exist for comparison."""
    objective: str = "own"
    """What players seek: their `own` return, or their `margin` over the others'. Zero-sum games make no difference."""
    evaluator: str = "caller"
    """Who evaluates leaves; set by `Search` and `SelfPlay`."""
    rollouts: int = 1
    """Random games per leaf of the evaluator `rollout`."""
    prior_scale: float = 5.0
    """How sharply the heuristic's priors prefer good actions: the worst has exp(-prior_scale) of the best one's."""
    sweep: bool = False
    """Whether an evaluator in C++ looks at all rolls of a new chance node at once, in one simulation."""
    memory_mb: int = 256
    """Bound of one tree. A search that reaches it ends early and says so (`full`)."""

    def __post_init__(self) -> None:
        ranges: dict[str, tuple[float, float]] = {
            "n_simulations": (1, MOST_SIMULATIONS),
            "c_puct": (0, 1e6),
            "dirichlet_alpha": (1e-6, 1e6),
            "dirichlet_eps": (0, 1),
            "temperature": (0, 1e3),
            "temperature_moves": (1, 10**9),
            "considered": (1, 10**6),
            "c_visit": (0, 1e9),
            "c_scale": (0, 1e9),
            "rollouts": (1, 10**6),
            "prior_scale": (0, 1e3),
            "memory_mb": (1, 10**6),
        }
        check_settings(self, ranges)

    def self_play(self, game: Game) -> SearchConfig:
        """The same with the noise and the temperature of self-play: 10 / mean legal actions, 0.25, 1 falling to 0."""
        alpha = 10 / mean_legal_actions(game)
        return replace(self, dirichlet_alpha=alpha, dirichlet_eps=0.25, temperature=1.0, gumbel_noise=True)


@dataclass(frozen=True)
class ExpectimaxConfig:
    """A full-width search: how many decisions deep, and what is kept between them."""

    plies: int = 2
    keep: int = 8
    """Of each decision the best so many actions are looked at deeper,"""
    margin: float = 0.0
    """and all whose value is within this of the best."""
    objective: str = "own"
    """See `SearchConfig.objective`."""

    def __post_init__(self) -> None:
        check_settings(self, {"plies": (1, 8), "keep": (1, 10**6), "margin": (0, 1e9)})


def check_settings(config: Any, ranges: dict[str, tuple[float, float]]) -> None:
    """Raises for a setting of the wrong type or out of its range, and says what is accepted."""
    for name, kind in get_type_hints(type(config)).items():
        value = getattr(config, name)
        if kind is float and type(value) is int:
            object.__setattr__(config, name, value := float(value))
        if not isinstance(value, get_args(kind) or kind) or (kind is int and isinstance(value, bool)):
            raise TypeError(f"{name} is a {kind.__name__}, not {value!r}")
        if name in ranges:
            low, high = ranges[name]
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


def _result(found: dict[str, Any], player: int, objective: str) -> Result:
    """The result as C++ tells it, for the player to move."""
    candidates = tuple(
        Candidate(a, "", worth(v, player, objective), n, prior, policy=policy, returns=tuple(v), solved=solved)
        for a, n, prior, policy, v, solved in found["candidates"]
    )
    best = candidates[found["best"]].action if candidates else -1
    rest = {key: found[key] for key in ("simulations", "reused", "nodes", "bytes", "solved", "full")}
    return Result(best=best, value=tuple(found["value"]), candidates=candidates, **rest)


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
