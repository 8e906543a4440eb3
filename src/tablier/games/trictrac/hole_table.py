"""The chance to win a game of Trictrac by the holes that each player still needs, when the men have been set up.

`tools/hole_table.py` makes the data from games of a network. They are games for the win, without stakes, so it does not
matter how the holes were won.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

FILE = Path(__file__).with_name("hole_table.json")
MOST = 12


@lru_cache(1)
def _rows() -> list[list[float]]:
    rows: list[list[float]] = json.loads(FILE.read_text())["throws"]
    return rows


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
    if not throws:
        return 1 - _rows()[opponent_needs - 1][needed - 1]
    return _rows()[needed - 1][opponent_needs - 1]
