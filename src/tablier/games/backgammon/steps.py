"""The orders in which the steps of a move can be made, so that a board can offer single steps.

A legal action stands for all plays that end in the same position. Each candidate order is played in the engine and
counts only if it is legal and reaches that position.
"""

from __future__ import annotations

from collections.abc import Iterator

from tablier._core import State
from tablier._core.backgammon import moves, parts, spell
from tablier.games.backgammon.notation import BAR, OFF

Step = tuple[int, int, int]
"""(from, to, die) in the mover's numbering; from 25 is the bar, to 0 is off the board."""
Order = tuple[Step, ...]


def orders(state: State) -> dict[int, list[Order]]:
    """Returns for each legal action the orders in which it can be played; the action's own order comes first."""
    found: dict[int, list[Order]] = {}
    for action in state.legal_actions():
        own = steps(state, action)
        found[action] = [own]
        if len(own) < 2:
            continue
        goal = state.child(action)
        for order in _others(own):
            if order not in found[action] and _leads_to(state, order, goal):
                found[action].append(order)
    return found


def steps(state: State, action: int) -> Order:
    """Returns the steps of a move in the action's own order."""
    played = moves(state, action)
    dice = parts(state).dice
    if len(played) == 2:
        starts = (played[0][0], played[1][0])
        for first, second in (dice, dice[::-1]):
            numbers = ((starts[0], first), (starts[1], second))
            landings = tuple(max(OFF, start - die) for start, die in numbers)
            if landings == (played[0][1], played[1][1]) and _spelled(state, numbers) == action:
                return tuple((start, max(OFF, start - die), die) for start, die in numbers)
    return tuple((start, to, next(die for die in _fitting(start, to, dice))) for start, to, _ in played)


def _fitting(start: int, to: int, dice: tuple[int, int]) -> Iterator[int]:
    """Yields the numbers that take a man from `start` to `to`, exact ones first."""
    yield from (die for die in sorted(dice) if start - die == to)
    yield from (die for die in sorted(dice) if to == OFF and start < die)


def _others(own: Order) -> Iterator[Order]:
    """Yields other orders that take the same men to the same points."""
    (_, _, one), (_, _, two) = own
    places = sorted({start for start, _, _ in own} | {start - die for start, _, _ in own for die in (one, two)})
    starts = [place for place in places if OFF < place <= BAR]
    effect = _effect(own)
    for first, second in ((one, two), (two, one)):
        for a in starts:
            for b in starts:
                order = ((a, max(OFF, a - first), first), (b, max(OFF, b - second), second))
                if _effect(order) == effect:
                    yield order


def _effect(order: Order) -> tuple[tuple[int, int], ...]:
    change: dict[int, int] = {}
    for start, to, _ in order:
        change[start] = change.get(start, 0) - 1
        change[to] = change.get(to, 0) + 1
    return tuple(sorted((place, men) for place, men in change.items() if men))


def _leads_to(state: State, order: Order, goal: State) -> bool:
    action = _spelled(state, tuple((start, die) for start, _, die in order))
    return action is not None and state.child(action) == goal


def _spelled(state: State, men: tuple[tuple[int, int], ...]) -> int | None:
    try:
        return spell(state, list(men))
    except ValueError:
        return None
