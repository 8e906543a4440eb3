"""Searches a decision deeper and deeper, in stages, and has an answer at any time.

Stage by stage, the best actions so far are searched again, with more plies or more replies, one action after another.
When the time is up, the actions of the last stage that were reached compete among themselves, and the others follow.
Actions that the last stage cannot tell apart can then be rolled out, which looks further ahead than a search can.
Without a time limit the result depends on nothing but the position.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tablier import _core
from tablier._core import State
from tablier.evaluators import Evaluator, ExpectimaxEvaluator, NativeEvaluator, SearchedGame
from tablier.evaluators.rollout_table import Policy, RolloutSettings, RolloutTable
from tablier.search import ExpectimaxConfig

EVERY = 1_000_000
"""More than the number of actions of any decision."""
PORTION = 8
"""Actions that are searched two plies deep at a time."""
RESERVE = 0.04
"""Share of the time limit that is kept for everything but the search."""


@dataclass(frozen=True)
class Stage:
    """How a stage searches."""

    plies: int
    """Decisions ahead."""
    keep: int
    """Number of best actions of the stage before that are searched."""
    replies: int = 1
    """Number of best replies at each later decision that are searched deeper."""


TIMED = (Stage(1, EVERY), Stage(3, 8))
"""The stages of a search with a time limit. Two plies tell less than they cost, and four no more than three."""
ROLLED = RolloutSettings(games=432, decisions=6, threads=1, portion=12, clearly=2.5)
"""The rollouts that can follow. By an independent policy they gain nothing (docs/lab-notebook.md)."""
FEWEST = 36
"""Games per action below which rollouts say less than the search."""
MOST_ROLLED = 4
"""Actions that are rolled out."""
NEAR = 2.0
"""An action is rolled out if it is behind by at most this many times the change of values from one ply to the last."""


def fixed(plies: int, keep: int) -> tuple[Stage, ...]:
    """Returns the stages of a search to a fixed depth: up to two plies for every action, more for the `keep` best."""
    return Stage(1, EVERY), *([Stage(plies, EVERY if plies == 2 else keep)] if plies > 1 else [])


@dataclass
class _Action:
    action: int
    found: dict[int, float] = field(default_factory=dict)
    """The value at each stage that searched the action."""

    @property
    def stage(self) -> int:
        return max(self.found)


class DeepeningSearch:
    """Ranks the actions of a decision.

    Args:
        evaluator: evaluates the leaves.
        searched: the game with the rewards and encoding of the evaluator.
        stages: the stages, in order. The first is one ply deep and searches every action.
        rollouts: the rollouts after the last stage; None for none. They need an evaluator that runs in C++.
        near: actions that are behind the best by more than this at the first stage are not searched again.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        searched: SearchedGame,
        stages: Sequence[Stage],
        rollouts: RolloutSettings | None = None,
        near: float = math.inf,
    ) -> None:
        self._searched, self._stages = searched, tuple(stages)
        self._searches = [self._search(evaluator, stage) for stage in stages]
        self._rollouts, self._near = rollouts, near
        self._policy = Policy("", evaluator, searched) if isinstance(evaluator, NativeEvaluator) else None

    def _search(self, evaluator: Evaluator, stage: Stage) -> ExpectimaxEvaluator:
        """Returns the search of afterstates, which are a ply ahead; the first stage searches the position itself."""
        config = ExpectimaxConfig(max(1, stage.plies - 1), stage.replies, objective=self._searched.objective)
        return ExpectimaxEvaluator(self._searched.game, evaluator, config)

    def ranking(self, state: State, seconds: float = 1e18) -> list[tuple[int, float]]:
        """Returns every legal action with its value, best first.

        The values of actions that were searched less deeply are moved: they keep their distance from the best action,
        as it was at the deepest stage that searched both, but are not above an action that was searched more deeply.

        Args:
            state: a decision of the played game.
            seconds: time limit; the first ply is always completed.
        """
        end = time.monotonic() + (1 - RESERVE) * seconds
        player = state.current_player()
        before = self._searched.of(state)
        self._searches[0].look(self._searched.row(state))
        ranked = []
        for action, value, _ in self._searches[0].ranking():
            ranked.append(_Action(action, {0: self._searched.worth(value, player)}))
        near = sum(ranked[0].found[0] - one.found[0] <= self._near for one in ranked)
        for number in range(1, len(self._stages)):
            if near == 1 or time.monotonic() > end:
                break
            wanted = ranked[: min(near, self._stages[number].keep)]
            done = self._deepen(before, player, wanted, number, end)
            if done > 1:
                ranked[:done] = sorted(ranked[:done], key=lambda one: -one.found[number])
            if done < len(wanted):
                break
        else:
            self._roll_out(state, ranked, end)
        return _comparable(ranked)

    def _roll_out(self, state: State, ranked: list[_Action], end: float) -> None:
        """Rolls out the actions that the last stage cannot tell apart, and sorts them by the result."""
        near = _near(ranked, len(self._stages) - 1)
        if self._rollouts is None or self._policy is None or len(near) < 2:
            return
        table = RolloutTable(state, self._policy, [one.action for one in near], self._rollouts)
        took, start = 0.0, time.monotonic()
        while start + took < end and table.go_on():
            took, start = time.monotonic() - start, time.monotonic()
        if table.most < FEWEST and start + took >= end:
            return
        top = near[0].found[len(self._stages) - 1]
        for place, (candidate, behind) in enumerate(table.behind()):
            near[candidate].found[len(self._stages)] = top - behind
            ranked[place] = near[candidate]

    def _deepen(self, before: State, player: int, wanted: list[_Action], number: int, end: float) -> int:
        """Searches actions at a stage; returns how many were done before the end."""
        at_once, took = PORTION if self._stages[number].plies == 2 else 1, 0.0
        for begin in range(0, len(wanted), at_once):
            start = time.monotonic()
            if start + took > end or not self._look(before, player, wanted[begin : begin + at_once], number, end):
                for one in wanted[:begin] if begin < 2 else []:  # a single value compares with nothing
                    one.found.pop(number, None)
                return begin
            took = time.monotonic() - start
        return len(wanted)

    def _look(self, before: State, player: int, actions: list[_Action], number: int, end: float) -> bool:
        """Searches the positions after some actions; returns False if there was not enough time."""
        after = [before.child(one.action) for one in actions]
        rows = np.array([_core.search.words(state) for state in after])
        search = self._searches[number]
        plies = search.look(rows, np.full(len(rows), player, np.int32), end - time.monotonic())
        if plies < self._stages[number].plies - 1 and time.monotonic() >= end:
            return False
        collected = self._searched.worth(before.returns(), player)
        for one, state, value in zip(actions, after, search.values().tolist(), strict=True):
            gained = self._searched.worth(state.returns(), player) - collected
            one.found[number] = gained + (0.0 if state.is_terminal() else self._searched.worth(value, player))
        return True


def _near(ranked: list[_Action], stage: int) -> list[_Action]:
    """Returns the actions that may be better than they look at a stage, best first."""
    searched = [one for one in ranked if stage in one.found]
    spread = float(np.std([one.found[stage] - one.found[0] for one in searched]))
    return [one for one in searched if ranked[0].found[stage] - one.found[stage] <= NEAR * spread][:MOST_ROLLED]


def _comparable(ranked: list[_Action]) -> list[tuple[int, float]]:
    best = ranked[0]
    least = top = best.found[best.stage]
    result = []
    for one in ranked:
        shared = max(set(one.found) & set(best.found))
        least = min(least, top - (best.found[shared] - one.found[shared]))
        result.append((one.action, least))
    return result
