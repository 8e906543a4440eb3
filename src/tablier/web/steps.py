"""A move of Trictrac step by step: in which orders its men can be moved, so that a board can offer one step at a time.

A legal action stands for all plays that end in the same position. Which spellings those are, the engine says: every
order is played by it, and counts only if it leads where the action leads.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from tablier._core import State
from tablier._core.trictrac import parts

Step = tuple[int, int, int]
"""From, to and the die, in the mover's own numbers; to is 0 for a man that is borne off."""
Order = tuple[Step, ...]

LEAVE, FIRST_MOVE, END_OF_MOVES = 1, 2, 514
CORNER, OPPOSING, OFF = 12, 13, 25


def orders(state: State) -> dict[int, list[Order]]:
    """Of every legal move of a state: the orders in which it can be played, a move that plays nothing having one."""
    now = parts(state)
    own = [-n for n in reversed(now["board"])] if now["player"] else list(now["board"])
    men = [0, *(max(n, 0) for n in own)]
    legal = [action for action in state.legal_actions() if FIRST_MOVE <= action < END_OF_MOVES]
    spelled: dict[tuple[int, ...], list[tuple[int, Order]]] = defaultdict(list)
    of_action: dict[int, tuple[int, ...]] = {}
    for action, order, after in _spellings(men, now["dice"]):
        spelled[after].append((action, order))
        of_action[action] = after
    found: dict[int, list[Order]] = {}
    for action in legal:
        goal = _outcome(state, action)
        found[action] = []
        for spelling, order in spelled[of_action[action]]:
            if order not in found[action] and (spelling == action or _outcome(state, spelling) == goal):
                found[action].append(order)
    return found


def steps(state: State, action: int) -> Order:
    """The steps of a move, first die first or second die first as the action says."""
    now = parts(state)
    own = [-n for n in reversed(now["board"])] if now["player"] else list(now["board"])
    men = [0, *(max(n, 0) for n in own)]
    die, (first, second) = (action - FIRST_MOVE) // 256, divmod((action - FIRST_MOVE) % 256, 16)
    numbers = now["dice"][::-1] if die else now["dice"]
    middle, one = _moved(men, _field(men, first), numbers[0])
    after, two = _moved(middle, _field(middle, second), numbers[1])
    return _settled(after, one, two)


def by_power(order: Order) -> bool:
    """Whether both men take the corner as if they went to the opposing one."""
    return len(order) == 2 and all(to == CORNER and start + die == OPPOSING for start, to, die in order)


def _outcome(state: State, action: int) -> dict[str, Any] | None:
    """Where an action leads, or None if it is not legal. Which men left which fields is no matter of the position."""
    try:
        after = parts(state.child(action))
    except ValueError:
        return None
    after.pop("from")
    return after


def _spellings(men: list[int], dice: tuple[int, int]) -> Iterator[tuple[int, Order, tuple[int, ...]]]:
    """Every action that names men who are there, its steps, and the men afterwards (contract, section 3)."""
    for base, numbers in ((FIRST_MOVE, dice), (FIRST_MOVE + 256, dice[::-1])):
        for first in _named(men):
            middle, one = _moved(men, first, numbers[0])
            for second in _named(middle):
                after, two = _moved(middle, second, numbers[1])
                order = _settled(after, one, two)
                yield base + 16 * _ordinal(men, first) + _ordinal(middle, second), order, tuple(after)


def _settled(after: list[int], one: Step | None, two: Step | None) -> Order:
    """The steps that were made. Two men that would both stand on the opposing corner stand on the own one instead."""
    order = tuple(step for step in (one, two) if step)
    if after[OPPOSING] == 2 and all(start + die == OPPOSING for start, _, die in order):
        after[CORNER], after[OPPOSING] = after[CORNER] + 2, 0
        order = tuple((start, CORNER, die) for start, _, die in order)
    return order


def _field(men: list[int], ordinal: int) -> int:
    """Where the man of this number stands, counted from field 1; 0 for none."""
    for field in range(1, 25) if ordinal else ():
        ordinal -= men[field]
        if ordinal <= 0:
            return field
    return 0


def _named(men: list[int]) -> list[int]:
    """The fields from which a man may go; 0 for a number that is not played."""
    return [0, *(field for field in range(1, 25) if men[field])]


def _ordinal(men: list[int], field: int) -> int:
    return sum(men[1 : field + 1]) if field else 0


def _moved(men: list[int], start: int, die: int) -> tuple[list[int], Step | None]:
    after = men.copy()
    if not start:
        return after, None
    after[start] -= 1
    to = start + die
    if to >= OFF:
        return after, (start, 0, die)
    after[to] += 1
    return after, (start, to, die)
