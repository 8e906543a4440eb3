"""Points by kind of jan, for statistics over many games: those a throw makes, and those a mistake misses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from tablier._core import State
from tablier._core.trictrac import LEAVE, parts, throw_ways
from tablier.games.trictrac.jans import TARIFF
from tablier.games.trictrac.reasons import EVERY, is_to_throw, throws

LEAST = 0.05
"""Smaller differences of the points expected are left out."""


def made(before: State, action: int, after: State) -> list[tuple[int, str, int]]:
    """Returns the points of a throw as (seat, jan, points); nothing for other actions."""
    was = parts(before)
    if not before.is_chance_node() or was.drawing:
        return []
    is_doublet = _is_doublet(action)
    return [
        (was.seats.index(was.player ^ TARIFF[name][2]), name, count * _value(name, is_doublet))
        for name, count in throw_ways(after).items()
    ]


def missed(state: State, better: int, worse: int) -> dict[str, float]:
    """Returns by jan how many points more a player's next throw gives them on average after the better move.

    The opponent's men are taken to stay where they are, as in `reasons`. Nothing if one of the actions is to leave.
    """
    player = parts(state).player
    if LEAVE in (better, worse):
        return {}
    after = [state.child(action) for action in (better, worse)]
    if not all(is_to_throw(one, 1 - player) for one in after):
        return {}
    good, bad = (_hoped(one, player) for one in after)
    return {name: gain for name in good if (gain := good[name] - bad[name]) >= LEAST}


def _hoped(state: State, player: int) -> Mapping[str, float]:
    """Returns the points by jan that a player's own throw gives them on average."""
    hoped: Counter[str] = Counter()
    for _, _, ways, weight in throws(state, parts(state), player):
        for name, count in ways.items():
            if not TARIFF[name][2]:
                hoped[name] += count * _value(name, weight == 1) * weight  # only doublets have the weight 1
    return Counter({name: points / EVERY for name, points in hoped.items()})


def _is_doublet(outcome: int) -> bool:
    return outcome // 6 == outcome % 6


def _value(name: str, is_doublet: bool) -> int:
    return TARIFF[name][int(is_doublet)]
