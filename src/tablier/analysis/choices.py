"""Compares the two sides of a first choice, such as to hold or to leave in Trictrac, by rollouts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tablier._core import State
from tablier.analysis.rollouts import DEFAULT, make_policy, roll_out_candidates
from tablier.evaluators.rollout_table import Policy, Rollout, RolloutSettings
from tablier.games import home_of
from tablier.games.home import MOVE
from tablier.messages import MessageError
from tablier.players import Player, make_player
from tablier.short_repr import short_repr

MOVES = 3
"""Moves of each side that are rolled out: the best by the policy."""


@dataclass(frozen=True)
class Choice:
    """The best action of each side of a choice, on the same dice."""

    sides: tuple[Rollout, Rollout]
    """For Trictrac, the best move after holding, and leaving."""

    __repr__ = short_repr

    @property
    def difference(self) -> float:
        """How much better the first side is than the second; it breaks even at 0."""
        return self.sides[1].behind - self.sides[0].behind

    @property
    def error(self) -> float:
        """Standard error of the difference."""
        return max(side.behind_error for side in self.sides)


def offers_choice(state: State) -> bool:
    """Returns whether a decision begins with a choice between two sides."""
    return state.current_player() >= 0 and home_of(state.get_game()).decision_kind(state) != MOVE


def compare_sides(
    state: State,
    policy: Policy | str = "",
    settings: RolloutSettings = DEFAULT,
    progress: Callable[[int], None] = lambda _: None,
) -> Choice:
    """Rolls out both sides of a choice.

    Args:
        state: a decision that begins with a choice.
        policy: plays both sides afterwards.
        settings: how the games are played. No action is dropped.
        progress: called with the number of games played so far.

    Raises:
        MessageError (a ValueError): the decision has no such choice, or the policy cannot play the game.
    """
    if not offers_choice(state):
        raise MessageError.of("rollout.no_choice")
    game, home = state.get_game(), home_of(state.get_game())
    chosen = make_policy(game, policy) if isinstance(policy, str) else policy
    ranking = make_player(chosen.name, game)
    assert isinstance(ranking, Player)
    ranked: dict[int, list[int]] = {0: [], 1: []}
    for candidate in ranking.explain(state):
        ranked[home.branch(state, candidate.action)].append(candidate.action)
    actions = [action for side in ranked.values() for action in side[:MOVES]]
    whole = replace(settings, portion=settings.games)
    found = roll_out_candidates(state, chosen, whole, actions, progress)
    first, second = (
        next(one for one in found if one.action is not None and home.branch(state, one.action) == side)
        for side in (0, 1)
    )
    return Choice((first, second))
