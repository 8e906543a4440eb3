"""What a player thinks of an action."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tablier._core import Game, State
from tablier.evaluators import ExpectimaxEvaluator, PointsEvaluator, SearchedGame
from tablier.search import ExpectimaxConfig


@dataclass(frozen=True)
class Opinion:
    """One candidate, for people."""

    action: int
    text: str
    """The action in words."""
    value: float
    """What the player expects to collect from here on, in the units of the game as it is searched."""
    visits: int | None = None
    prior: float | None = None
    win_chance: float | None = None
    """Where the game is searched for the victory: its probability."""
    points: float | None = None
    """Where points are won on the way: what the next throw brings him on average, less what it brings the others."""


def points_to_come(game: Game) -> Callable[[State], dict[int, float]]:
    """A function of a state: each action's gain of points, now and on average by the next throw, over the others'."""
    form = SearchedGame(game, utility="score")
    config = ExpectimaxConfig(plies=1, objective=form.objective)
    search = ExpectimaxEvaluator(form.game, PointsEvaluator(form.game), config)

    def gains(state: State) -> dict[int, float]:
        player = state.current_player()
        search.look(form.row(state))
        return {action: form.worth(value, player) for action, value, _ in search.ranking()}

    return gains
