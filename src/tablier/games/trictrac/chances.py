"""The chance to win a game of Trictrac from the points that a player is expected to gain.

It is the conversion of the heuristic (core/games/trictrac/heuristic.h), with the same constants.
"""

from __future__ import annotations

import math

from tablier._core import State, trictrac

SLOPE, ADVANTAGE, SPREAD = 0.8656, 1.3533, -1.0
POINTS = 12
"""Points of a hole."""


def win_chance(state: State, margin: float) -> float:
    """Returns the win probability of the player to move.

    Args:
        state: a decision of the ordinary game.
        margin: points that the player is expected to gain from here on, minus the opponent's.
    """
    goal = int(state.get_game().options()["holes_to_win"])
    holes = trictrac.parts(state).holes
    player = state.current_player()
    mine, other = (max(1, goal - holes[side]) for side in (player, 1 - player))
    lead = other - mine + ADVANTAGE * margin / POINTS
    return 1 / (1 + math.exp(-SLOPE * lead / math.sqrt(mine + other + SPREAD)))
