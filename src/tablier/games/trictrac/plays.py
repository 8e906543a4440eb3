"""Every legal play of a throw, from the mover's side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tablier import _core
from tablier.games.trictrac.jans import check_board, check_dice
from tablier.registry import load_game


@dataclass(frozen=True)
class Play:
    """One way to play a throw."""

    board: tuple[int, ...]
    """The position afterwards, from the mover's side."""
    moves: tuple[tuple[int, int], ...]
    """(from, to) in field numbers, 25 = off the board; a man that plays both numbers is one pair."""
    action: int
    """The action by which a state plays it."""


def plays(board: Sequence[int], dice: Sequence[int], **options: Any) -> list[Play]:
    """The legal plays, one for each position that can be reached (docs/rules.md, 3 to 6).

    If nothing can be played, the one play has no moves. Of the options only `bearing_off` makes a difference.
    """
    d1, d2 = check_dice(dice)
    found = _core.trictrac.plays(load_game("trictrac", **options), check_board(board), d1, d2)
    return [Play(tuple(after), tuple(moves), action) for after, moves, action in found]
