"""Rollouts of several candidates of one position: games played on by an evaluator, on the same dice, luck-adjusted.

A policy plays both sides, always the action whose afterstate its evaluator values most. The luck of each throw, by the
same evaluator, is subtracted from the results. Luck averages to zero, so this leaves the expectation as it is and
removes most of the variance.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tablier._core import State
from tablier._core import search as _search
from tablier.evaluators.native import NativeEvaluator
from tablier.evaluators.searched_game import SearchedGame
from tablier.messages import MessageError
from tablier.short_repr import short_repr


@dataclass(frozen=True)
class RolloutSettings:
    """How rollouts are played. Results depend on all settings but `threads`.

    Raises:
        MessageError (a ValueError): a setting is out of range.

    Examples:
        >>> RolloutSettings(games=0)
        Traceback (most recent call last):
        tablier.messages.message.MessageError: games must be at least 1, not 0
    """

    games: int = 1296
    """Maximum number of games per candidate. With 1296, each pair of first throws comes up once on average."""
    decisions: int = 0
    """Decisions after which a game is truncated and valued by the policy's evaluator; 0 plays it out."""
    seed: int = 0
    """Seed of the dice."""
    threads: int = 0
    """Number of threads; 0 for all cores."""
    portion: int = 144
    """Games per candidate between two looks at the results."""
    clearly: float = 3.0
    """At a look, a candidate is dropped if it is worse than the best by this many standard errors of the difference."""
    enough: float = 0.0
    """The rollout ends at a look if no candidate's difference to the best has a larger standard error than this."""

    def __post_init__(self) -> None:
        for name, least in {"games": 1, "decisions": 0, "seed": 0, "threads": 0, "portion": 1}.items():
            if (value := getattr(self, name)) < least:
                raise MessageError.of("rollout.setting", name=name, least=least, value=value)


@dataclass(frozen=True)
class Policy:
    """What plays the games of a rollout; `tablier.analysis.make_policy` creates one from a player string."""

    name: str
    """The player string."""
    evaluator: NativeEvaluator
    """Values the afterstates."""
    searched: SearchedGame
    """The game with the rewards that the evaluator values."""


@dataclass(frozen=True)
class Rollout:
    """The result of a rollout, for the player to decide or, before a throw, for seat 0.

    Values are win probabilities if `by_chance`, otherwise margins still to come.
    """

    action: int | None
    """The first action; None for the position as it is."""
    text: str
    """The action in the game's notation."""
    games: int
    """Number of games."""
    value: float
    """Mean of the luck-adjusted results."""
    error: float
    """Standard error of `value`."""
    plain: float
    """Mean of the results as they were."""
    plain_error: float
    """Standard error of `plain`."""
    by_chance: bool
    """Whether values are win probabilities."""
    ended: int
    """Games that were played to the end; the others were truncated and valued by the evaluator."""
    behind: float = 0.0
    """How much worse the action is than the best one, on the same dice."""
    behind_error: float = 0.0
    """Standard error of `behind`; 0 for the best action."""

    __repr__ = short_repr

    @property
    def reduction(self) -> float:
        """How many times lower the variance of `value` is than that of `plain`."""
        return (self.plain_error / self.error) ** 2 if self.error else math.inf


class RolloutTable:
    """The games of several candidates of one position."""

    def __init__(self, state: State, policy: Policy, actions: Sequence[int | None], settings: RolloutSettings) -> None:
        if state.is_terminal():
            raise MessageError.of("game.over")
        self._state, self.actions, self._settings = state, list(actions), settings
        self._policy = policy
        self._by_chance = self._policy.searched.win_chance(0.0) is not None
        searched = self._policy.searched
        self._player = max(0, state.current_player())
        before = searched.of(state)
        after = [before if action is None else before.child(action) for action in self.actions]
        self._rows = np.array([_search.words(one) for one in after])
        self._rewards = [self._worth(np.subtract(one.returns(), before.returns())[None])[0] for one in after]
        """What the player gains by the action itself."""
        self._adjusted: list[list[float]] = [[] for _ in after]
        self._plain: list[list[float]] = [[] for _ in after]
        self._ended = [0 for _ in after]
        self.games = 0
        """Number of games played so far."""

    def go_on(self) -> bool:
        """Plays the next portion of games of all candidates that may still be the best.

        Returns:
            Whether games are left to play: False if one candidate is clearly the best.
        """
        playing = self.contenders() if self.games else list(range(len(self.actions)))
        first = self.most
        if first >= self._settings.games or (first > 0 and len(playing) == 1):
            return False
        self.play(playing, first)
        return True

    @property
    def most(self) -> int:
        """Number of games of the candidates that may still be the best."""
        return max(map(len, self._plain))

    def play(self, candidates: Sequence[int], first: int) -> None:
        """Plays the portion of games of some candidates that begins with game number `first`."""
        games = min(self._settings.portion, self._settings.games - first)
        rewards, luck, ended = _search.rollouts(
            self._policy.searched.game,
            self._policy.evaluator,
            self._rows[list(candidates)],
            np.full(len(candidates), self._player, np.int32),
            games,
            first=first,
            decisions=self._settings.decisions,
            objective=self._policy.searched.objective,
            seed=self._settings.seed,
            threads=self._settings.threads or os.cpu_count() or 1,
        )
        for row, candidate in enumerate(candidates):
            gained = self._rewards[candidate]
            self._plain[candidate] += (gained + self._worth(rewards[row])).tolist()
            self._adjusted[candidate] += (gained + self._worth(rewards[row] - luck[row])).tolist()
            self._ended[candidate] += int(ended[row].sum())
        self.games += games * len(candidates)

    def _worth(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns what the player maximises, [n], given rewards [n, players]."""
        own: NDArray[np.float64] = values[:, self._player]
        if self._policy.searched.objective == "own" or values.shape[1] == 1:
            return own
        others: NDArray[np.float64] = (values.sum(axis=1) - own) / (values.shape[1] - 1)
        return own - others

    def contenders(self) -> list[int]:
        """Returns the candidates that may still be the best; one, if the differences are known well enough."""
        most = self.most
        playing = [i for i, results in enumerate(self._adjusted) if len(results) == most]
        values = np.array([self._adjusted[i] for i in playing])
        best = int(values.mean(axis=1).argmax())
        behind = self._unit * (values[best] - values)  # the same dice, so much of the noise is gone
        errors = behind.std(axis=1, ddof=1) / math.sqrt(most) if most > 1 else np.full(len(playing), math.inf)
        if errors.max() <= self._settings.enough:
            return [playing[best]]
        limits = self._settings.clearly * errors
        return [i for i, mean, limit in zip(playing, behind.mean(axis=1), limits, strict=True) if mean <= limit]

    @property
    def _unit(self) -> float:
        """Half, if the results from -1 to 1 stand for win probabilities."""
        return 0.5 if self._by_chance else 1.0

    def behind(self) -> list[tuple[int, float]]:
        """Returns each candidate, best first, and how much worse it is than the best, in the evaluator's unit."""
        means = [float(np.mean(own)) if len(own) == self.most else -math.inf for own in self._adjusted]
        best = int(np.argmax(means))
        leads = [np.subtract(self._adjusted[best][: len(results)], results) for results in self._adjusted]
        return sorted(enumerate(float(lead.mean()) for lead in leads), key=lambda one: (one[0] != best, one[1]))

    def results(self) -> list[Rollout]:
        """Returns the result of each candidate."""
        found = []
        for i, action in enumerate(self.actions):
            text = "" if action is None else self._state.action_to_string(action)
            value, error = _mean(self._adjusted[i])
            plain, plain_error = _mean(self._plain[i])
            one = Rollout(action, text, len(self._plain[i]), value, error, plain, plain_error, False, self._ended[i])
            found.append(_as_chance(one) if self._by_chance else one)
        return found

    def ranking(self) -> list[Rollout]:
        """Returns the results with their distance to the best, which is among those with the most games, best first."""
        found = self.results()
        most = max(one.games for one in found)
        best = max((i for i, one in enumerate(found) if one.games == most), key=lambda i: found[i].value)
        for i, one in enumerate(found):
            if i != best:
                lead = np.subtract(self._adjusted[best][: one.games], self._adjusted[i])
                behind, error = _mean((self._unit * lead).tolist())
                found[i] = replace(one, behind=behind, behind_error=error)
        return sorted(found, key=lambda one: (one.behind_error > 0, one.behind))


def _mean(results: list[float]) -> tuple[float, float]:
    values = np.array(results)
    error = float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return float(values.mean()), error


def _as_chance(one: Rollout) -> Rollout:
    """Converts values from -1 to 1 into win probabilities. Luck-adjusted ones can lie outside 0 to 1."""
    return replace(
        one,
        value=(1 + one.value) / 2,
        error=one.error / 2,
        plain=(1 + one.plain) / 2,
        plain_error=one.plain_error / 2,
        by_chance=True,
    )
