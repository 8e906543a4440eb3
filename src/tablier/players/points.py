"""Computes what each action gains in points."""

from __future__ import annotations

from collections.abc import Callable

from tablier._core import Game, State
from tablier.evaluators import ExpectimaxEvaluator, PointsEvaluator, SearchedGame
from tablier.search import ExpectimaxConfig


def points_to_come(game: Game) -> Callable[[State], dict[int, float]]:
    """Returns a function that maps a state to the gain of each legal action.

    The gain is the points won immediately and, on average, on the next roll, minus the opponents' mean.
    """
    searched = SearchedGame(game, utility="score")
    config = ExpectimaxConfig(plies=1, objective=searched.objective)
    search = ExpectimaxEvaluator(searched.game, PointsEvaluator(searched.game), config)

    def gains(state: State) -> dict[int, float]:
        player = state.current_player()
        search.look(searched.row(state))
        return {action: searched.worth(value, player) for action, value, _ in search.ranking()}

    return gains
