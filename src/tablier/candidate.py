"""An action of a decision and what is thought of it: the one shape in which search, players and analysis tell it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Candidate", "cost"]


@dataclass(frozen=True)
class Candidate:
    """A legal action, judged. What the judge does not know is None."""

    action: int
    text: str
    """The action in the game's notation; empty in the results of a search."""
    value: float
    """What the player to move expects to collect from here on, in the units of the game as it is searched."""
    visits: int | None = None
    """Simulations that went through the action."""
    prior: float | None = None
    """The probability that the policy gave it before the search."""
    win_chance: float | None = None
    """The probability of victory, where the game is searched for that."""
    points: float | None = None
    """Where points are won on the way: those that it brings now and by the next throw on average, over the others'."""
    policy: float | None = None
    """The probability in the policy that the search improved."""
    returns: tuple[float, ...] | None = None
    """What every player, by seat, will still collect."""
    solved: bool | None = None
    """Whether the value is exact."""


def cost(candidate: Candidate, ranked: Sequence[Candidate]) -> float:
    """What is lost against the best of the candidates, which comes first: in chance to win if known, else in value.

    A tree search gives an action that it never visited the value of the position, so that one counts as no better than
    the worst that was visited.
    """
    by_chance = ranked[0].win_chance is not None

    def worth(one: Candidate) -> float:
        return one.win_chance if by_chance and one.win_chance is not None else one.value

    value = worth(candidate)
    if candidate.visits == 0:
        value = min([value, *(worth(one) for one in ranked if one.visits)])
    return max(0.0, worth(ranked[0]) - value)
