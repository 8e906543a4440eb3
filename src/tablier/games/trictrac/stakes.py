"""What a game is worth to its winner, and what it costs to give it up (docs/rules.md, 12)."""

from __future__ import annotations

from tablier import _core
from tablier._core import State


def resignation_stake(state: State, player: int) -> int:
    """What `player` loses by resigning now: the largest stake that the other can still reach.

    >>> import tablier
    >>> resignation_stake(tablier.load_game("trictrac", stake_rule="quadruple").new_initial_state(), 0)
    4
    """
    if player not in (0, 1):
        raise ValueError("players are 0 (White) and 1 (Black)")
    if state.is_terminal():
        raise ValueError("the game is over")
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
