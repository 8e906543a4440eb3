"""The legal plays of a throw in any position, from the mover's side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tablier import _core
from tablier.games.trictrac.jans import check_board, check_dice
from tablier.registry import load_game


@dataclass(frozen=True)
class Play:
    """A legal way to play a throw."""

    board: tuple[int, ...]
    """The position after the play, from the mover's side."""
    moves: tuple[tuple[int, int], ...]
    """(from, to) field numbers, 25 for off the board; a man that plays both numbers has one pair."""
    action: int
    """The action that makes this play in a `State`."""


def plays(board: Sequence[int], dice: Sequence[int], **options: Any) -> list[Play]:
    """Returns the legal plays of a throw, one per resulting position (docs/rules.md, 3 to 6).

    Args:
        board: 24 signed counts from the mover's side; the mover's men are positive.
        dice: two integers from 1 to 6.
        options: rule options as in `load_game`; only `bearing_off` affects the plays.

    Returns:
        At least one play. If no number can be played, it is a single play without moves.

    Raises:
        ValueError: the board or the dice are impossible.

    >>> start = [15, *[0] * 22, -15]
    >>> [play.moves for play in plays(start, (2, 1))]
    [((1, 3), (1, 2)), ((1, 4),)]
    """
    d1, d2 = check_dice(dice)
    found = _core.trictrac.plays(load_game("trictrac", **options), check_board(board), d1, d2)
    return [Play(tuple(after), tuple(moves), action) for after, moves, action in found]
