"""`Candidate`: an action with its evaluation, as search, players and analysis all report it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Candidate", "cost"]


@dataclass(frozen=True)
class Candidate:
    """A legal action with its evaluation. Fields that the evaluating player does not provide are None."""

    action: int
    text: str
    """The action in the game's notation; empty in search results."""
    value: float
    """Expected future return of the player to move, in the units of the game as it is searched."""
    visits: int | None = None
    """Number of simulations through this action."""
    prior: float | None = None
    """Probability under the policy before the search."""
    win_chance: float | None = None
    """Win probability, if the search maximises it."""
    points: float | None = None
    """Points gained immediately and, on average, on the next roll, minus the opponents' mean gain."""
    policy: float | None = None
    """Probability under the policy improved by the search."""
    returns: tuple[float, ...] | None = None
    """Expected future return of each player, by seat."""
    solved: bool | None = None
    """Whether the value is exact."""


def cost(candidate: Candidate, ranked: Sequence[Candidate]) -> float:
    """Returns how much worse a candidate is than the best one: in win probability if known, otherwise in value.

    An action that a tree search never visited carries the value of the position itself; it counts as no better than the
    worst visited action.

    Args:
        candidate: one of `ranked`.
        ranked: all candidates, best first.

    Examples:
        >>> best, other = Candidate(0, "roll", value=0.5), Candidate(1, "hold", value=0.25)
        >>> cost(other, [best, other])
        0.25
    """
    by_chance = ranked[0].win_chance is not None

    def worth(one: Candidate) -> float:
        return one.win_chance if by_chance and one.win_chance is not None else one.value

    value = worth(candidate)
    if candidate.visits == 0:
        value = min([value, *(worth(one) for one in ranked if one.visits)])
    return max(0.0, worth(ranked[0]) - value)
