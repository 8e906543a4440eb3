"""Splits a move into steps and finds the orders in which they can be made, so that a board can offer single steps.

A legal action stands for all plays that end in the same position. Two steps can be swapped, a man that moves twice can
use the other number first, and two men that are borne off can exchange dice; nothing else leads to the same position.
Each candidate order is played in the engine and counts only if it is legal and reaches the position of the action.
"""

from __future__ import annotations

from collections.abc import Iterator

from tablier._core import State
from tablier._core.trictrac import Parts, is_move, named_men, parts, spell

Step = tuple[int, int, int]
"""(from, to, die) in the mover's field numbers; `to` is 0 for a man that is borne off."""
Order = tuple[Step, ...]
Named = tuple[tuple[int, int], ...]
"""(field, die) of each man to move, in order."""

CORNER, OPPOSING, OFF = 12, 13, 25


def orders(state: State) -> dict[int, list[Order]]:
    """Returns for each legal move the orders in which it can be played; the action's own order comes first."""
    men = _men(parts(state))
    found: dict[int, list[Order]] = {}
    for action in state.legal_actions():
        if is_move(action):
            named = tuple(named_men(state, action))
            own, after = _played(men, named)
            found[action] = [own]
            goal: Parts | None = None
            for other in _others(named):
                order, then = _played(men, other)
                if then != after or order in found[action]:
                    continue
                goal = goal or _outcome(state, action)
                if _outcome(state, spell(state, other)) == goal:
                    found[action].append(order)
    return found


def steps(state: State, action: int) -> Order:
    """Returns the steps of a move in the action's own order."""
    return _played(_men(parts(state)), tuple(named_men(state, action)))[0]


def by_power(order: Order) -> bool:
    """Whether the move takes the corner by power (docs/rules.md, 4.3)."""
    return len(order) == 2 and all(to == CORNER and start + die == OPPOSING for start, to, die in order)


def _men(now: Parts) -> list[int]:
    """Returns the mover's men by field number; index 0 is unused."""
    return [0, *[count if count > 0 else 0 for count in now.board_from(now.player)]]


def _others(named: Named) -> Iterator[Named]:
    """Yields the other orders of a move that can end in the same position."""
    if len(named) < 2:
        return
    one, two = named
    yield two, one
    for (start, a), (then, b) in ((one, two), (two, one)):
        if start + a == then:  # one man with both numbers, or one man taking the place of another
            yield (start, b), (start + b, a)
            yield (start + b, a), (start, b)
    if one[0] + one[1] >= OFF and two[0] + two[1] >= OFF:
        yield (one[0], two[1]), (two[0], one[1])
        yield (two[0], one[1]), (one[0], two[1])


def _played(men: list[int], named: Named) -> tuple[Order, list[int]]:
    """Returns the steps and the men after them; both empty if a man is missing."""
    after = men
    order: list[Step] = []
    for start, die in named:
        if start >= OFF or not after[start]:
            return (), []
        after = _moved(after, start, die)
        order.append((start, start + die if start + die < OFF else 0, die))
    if len(order) == 2 and after[OPPOSING] == 2 and all(start + die == OPPOSING for start, die in named):
        after[CORNER], after[OPPOSING] = after[CORNER] + 2, 0  # by power
        order = [(start, CORNER, die) for start, die in named]
    return tuple(order), after


def _outcome(state: State, action: int) -> Parts | None:
    """Returns the outcome of an action, ignoring the fields that men left; None if the action is illegal."""
    try:
        after = parts(state.child(action))
    except ValueError:
        return None
    after.left = (0, 0)
    return after


def _moved(men: list[int], start: int, die: int) -> list[int]:
    after = men.copy()
    after[start] -= 1
    if start + die < OFF:
        after[start + die] += 1
    return after
