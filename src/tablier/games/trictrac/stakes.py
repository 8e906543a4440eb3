"""The cost of resigning (docs/rules.md, 12)."""

from __future__ import annotations

from tablier import _core
from tablier._core import State


def resignation_stake(state: State, player: int) -> int:
    """Returns the stake a player loses by resigning now: the largest stake the opponent can still win.

    Args:
        state: a state of `trictrac` that is not terminal.
        player: the player who resigns, 0 (White) or 1 (Black).

    Raises:
        ValueError: `player` is neither 0 nor 1, or the game is over.

    >>> import tablier
    >>> resignation_stake(tablier.load_game("trictrac", stake_rule="quadruple").new_initial_state(), 0)
    4
    """
    if player not in (0, 1):
        raise ValueError(f"player must be 0 (White) or 1 (Black), not {player!r}")
    if state.is_terminal():
        raise ValueError("the game is over; nobody can resign")
    parts, rule = _core.trictrac.parts(state), state.get_game().options().get("stake_rule")
    other = 1 - player
    run = parts.can_big_bredouille[other]
    if rule == "double":
        return 2 if run else 1
    if rule == "quadruple":
        if parts.holes[player] == 0:
            return 4
        if run and parts.first_hole[player]:
            return 3
        return 2 if parts.holes[player] < 6 else 1
    return 1
