"""The chance to win a game of Trictrac by the holes that each player still needs, and by the points ahead.

`tools/hole_table.py` makes the data from games of a network. They are games for the win, without stakes, so it does not
matter how the holes were won.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablier._core import Game, State
from tablier.games.trictrac.position import Position

FILE = Path(__file__).with_name("hole_table.json")
MOST = 12


@lru_cache(1)
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return table


def hole_chance(needed: int, opponent_needs: int, throws: bool = True) -> float:
    """Returns a player's chance to win the game at the start of a setting.

    Args:
        needed: holes the player still needs, 1 to 12.
        opponent_needs: holes the opponent still needs, 1 to 12.
        throws: whether the player throws first.

    Raises:
        ValueError: a number of holes is out of range.

    Examples:
        >>> hole_chance(1, 12) > 0.9 > hole_chance(6, 12) > hole_chance(12, 12) > 0.5
        True
    """
    if not (1 <= needed <= MOST and 1 <= opponent_needs <= MOST):
        raise ValueError(f"holes must be from 1 to {MOST}, not {needed} and {opponent_needs}")
    rows = _table()["throws"]
    return float(rows[needed - 1][opponent_needs - 1] if throws else 1 - rows[opponent_needs - 1][needed - 1])


def win_link(
    game: Game, margins: Callable[[Sequence[State]], NDArray[np.float64]], slope: float | None = None
) -> NDArray[np.float64] | None:
    """Returns the numbers with which core/games/trictrac/win_link.h turns margins into win chances.

    A player's lead is the points marked in this hole plus the margin still to come, compared with the margin that the
    same evaluator expects at the start of a setting with the same holes. There, at a lead of zero, the chance is that
    of the hole table. A lead of twelve points adds `slope / (needed + opponent_needs + 1)` to the log-odds: the fewer
    holes are left, the more a point is worth.

    Args:
        game: the ordinary game.
        margins: returns the margin that the evaluator expects for player 0, given states of `game` before a throw.
        slope: by default that of the data.

    Returns:
        An array with two numbers for each pair of needs; None if the game is longer than the table.
    """
    goal = int(str(game.options()["holes_to_win"]))
    if goal > MOST:
        return None
    slope = float(_table()["slope"]) if slope is None else slope
    needs = range(1, goal + 1)
    starts = [Position(holes=(goal - mine, goal - theirs)).state(game) for mine in needs for theirs in needs]
    thrower = np.asarray(margins(starts), np.float64).reshape(goal, goal)
    start = (thrower - thrower.T) / 2  # whoever throws first
    link = np.zeros((MOST, MOST, 2))
    for mine in needs:
        for theirs in needs:
            chance = (hole_chance(mine, theirs) + hole_chance(mine, theirs, throws=False)) / 2
            per_point = slope / MOST / (mine + theirs + 1)
            log_odds = np.log(chance / (1 - chance))
            link[mine - 1, theirs - 1] = log_odds - per_point * start[mine - 1, theirs - 1], per_point
    return link.ravel()
