"""Why a step on the board is not legal: the rule of backgammon that it breaks.

The engine alone decides what is legal. This module is asked about a step that begins none of its plays, and looks for
the rule: the bar, points that are held, bearing off, and the duty to play as much of the throw as possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablier._core import State
from tablier._core.backgammon import parts
from tablier.games.backgammon.notation import BAR, OFF
from tablier.games.backgammon.steps import Order, orders
from tablier.messages import Message, Text

HOME = 6
"""The last point of the home board."""
HELD = 2
"""Opposing men that hold a point."""
Tried = Sequence[tuple[int, int | None]]
"""Steps as (from, to) in the mover's numbering; from 25 is the bar, to 0 is off, and to None means "anywhere"."""


@dataclass(frozen=True)
class Ground:
    """A position within a turn: men by place (25 the bar), the mover's positive, and the numbers left to play."""

    men: tuple[int, ...]
    left: tuple[int, ...]

    def after(self, start: int, number: int) -> Ground:
        """Returns the ground after a step, whether or not it is legal."""
        men, left, to = list(self.men), list(self.left), start - number
        men[start] -= 1
        if to > OFF:
            men[to] = 1 if men[to] < 0 else men[to] + 1
        left.remove(number)
        return Ground(tuple(men), tuple(left))

    @property
    def sources(self) -> list[int]:
        """The places of the mover's men, the rearmost first."""
        return [place for place in range(BAR, OFF, -1) if self.men[place] > 0]


def why_not(state: State, tried: Tried) -> list[Text]:
    """Returns the rule that the last of some steps breaks; the steps before it begin a legal play.

    If a man cannot move at all, there is a rule for each number.

    Args:
        state: a decision.
        tried: the steps.
    """
    plays = [order for found in orders(state).values() for order in found]
    now = parts(state)
    own = now.board if now.player == 0 else tuple(-count for count in reversed(now.board))
    done = len(tried) - 1
    ground = _after(Ground((0, *own, now.bar[now.player]), now.dice), tried[:-1], plays)
    start, to = tried[-1]
    if not OFF < start <= BAR or ground.men[start] <= 0:
        theirs = OFF < start < BAR and ground.men[start] < 0
        return [Message(f"backgammon.why_not.{'theirs' if theirs else 'no_man'}", place=_place(start))]
    if not any(plays):
        return [Message("backgammon.why_not.nothing")]
    if not ground.left:
        return [Message("backgammon.why_not.played")]
    if start != BAR and ground.men[BAR] > 0:
        return [Message("backgammon.why_not.bar")]
    if to is None:
        numbers = sorted(set(ground.left), reverse=True)
        told = {number: _step(ground, plays, done, start, number) for number in numbers}
        return [Message("backgammon.why_not.by", number=number, why=why) for number, why in told.items()]
    return [_to(ground, plays, done, start, to)]


def _after(ground: Ground, done: Tried, plays: list[Order]) -> Ground:
    """Returns the ground after steps that begin a play."""
    for play in plays:
        if [step[:2] for step in play[: len(done)]] == [tuple(step) for step in done]:
            for start, _, number in play[: len(done)]:
                ground = ground.after(start, number)
            return ground
    return ground


def _to(ground: Ground, plays: list[Order], done: int, start: int, to: int) -> Text:
    """Explains a step to a point, or off the board, with one number or with both."""
    if to >= start:
        return Message("backgammon.why_not.backward")
    exact = [number for number in ground.left if start - number == to]
    longer = [number for number in ground.left if to == OFF and start < number]
    if exact or longer:
        return _step(ground, plays, done, start, (exact or sorted(longer))[0])
    if to == OFF:
        return Message("backgammon.why_not.too_short", place=_place(start))
    if len(ground.left) > 1 and start - sum(ground.left) == to:
        rests = sorted({start - number for number in ground.left})
        if all(ground.men[rest] <= -HELD for rest in rests):
            return Message("backgammon.why_not.no_rest", rests=" ".join(map(str, rests)))
        number = next(number for number in ground.left if ground.men[start - number] > -HELD)
        after = ground.after(start, number)
        return _step(after, plays, done + 1, start - number, after.left[0])
    return Message("backgammon.why_not.no_number", place=_place(start), to=to)


def _step(ground: Ground, plays: list[Order], done: int, start: int, number: int) -> Text:
    """Explains a step with one number."""
    if why := _stop(ground, start, number):
        return why
    after, longest = ground.after(start, number), max(map(len, plays))
    numbers = {play[0][2] for play in plays if play}
    if longest == 1 and number < min(numbers):
        return Message("backgammon.why_not.higher", number=min(numbers))
    if longest > done + 1 and after.left and not _can_play(after, after.left[0]):
        return Message("backgammon.why_not.both", number=number, other=after.left[0])
    return Message("backgammon.why_not.no_play", number=number)


def _place(place: int) -> Message:
    return Message("backgammon.why_not.on_bar") if place == BAR else Message("backgammon.why_not.point", point=place)


def _can_play(ground: Ground, number: int) -> bool:
    starts = [BAR] if ground.men[BAR] > 0 else ground.sources
    return any(_stop(ground, start, number) is None for start in starts)


def _stop(ground: Ground, start: int, number: int) -> Text | None:
    """Returns why a man may not stop where a number takes it; None if it may."""
    to = start - number
    if to > OFF:
        n = -ground.men[to]
        return Message("backgammon.why_not.held", point=to, n=n) if n >= HELD else None
    rear = ground.sources[0]
    if rear > HOME:
        return Message("backgammon.why_not.not_home", place=_place(rear))
    if to < OFF and rear > start:
        return Message("backgammon.why_not.excess", number=number, point=rear)
    return None
