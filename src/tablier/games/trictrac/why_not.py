"""Why a step on the board is not legal: the rule of docs/rules.md that it breaks.

The engine alone decides what is legal. This module is asked about a step that begins none of its plays, and looks for
the rule: first where a man may stop (3, 4, 5), then bearing off (6), then the duties to play (3.1) and to fill (3.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tablier._core import State
from tablier._core.trictrac import is_move, parts
from tablier.games.trictrac.jans import QUARTERS
from tablier.games.trictrac.steps import CORNER, OFF, OPPOSING, Order, orders
from tablier.messages import Message, Text

HOME = 19
"""The first field of the return jan."""
THEIR_BIG, THEIR_SMALL = range(13, 19), range(19, 25)
ENOUGH = 2
"""Men that make a field."""
Tried = Sequence[tuple[int, int | None]]
"""Steps as (from, to) in the mover's field numbers; to is 0 off the board, and None for "anywhere"."""


@dataclass(frozen=True)
class Ground:
    """A position within a turn: men by field from 1, the mover's positive, and the numbers left to play."""

    men: tuple[int, ...]
    left: tuple[int, ...]

    def own(self, field: int) -> int:
        """Returns the mover's men on a field."""
        return max(0, self.men[field])

    def theirs(self, field: int) -> int:
        """Returns the opponent's men on a field."""
        return max(0, -self.men[field])

    def after(self, start: int, number: int, to: int | None = None) -> Ground:
        """Returns the ground after a step, whether or not it is legal; by power, it ends on another field (`to`)."""
        men, end = list(self.men), start + number if to is None else to or OFF
        men[start] -= 1
        if end < OFF:
            men[end] += 1
        left = list(self.left)
        left.remove(number)
        return replace(self, men=tuple(men), left=tuple(left))

    @property
    def sources(self) -> list[int]:
        """The fields of the mover's men."""
        return [field for field in range(1, OFF) if self.own(field)]


def why_not(state: State, tried: Tried) -> list[Text]:
    """Returns the rule that the last of some steps breaks; the steps before it begin a legal play.

    If a man cannot move at all, there is a rule for each number.

    Args:
        state: a decision about a move.
        tried: the steps.
    """
    plays = [order for found in orders(state).values() for order in found]
    if not plays:
        return [Message("trictrac.why_not.no_move")]
    now = parts(state)
    ground = _after(Ground((0, *now.board_from(now.player)), now.dice), tried[:-1], plays)
    start, to = tried[-1]
    if not 1 <= start < OFF or not ground.own(start):
        key = "theirs" if 1 <= start < OFF and ground.theirs(start) else "no_man"
        return [Message(f"trictrac.why_not.{key}", field=start)]
    if not ground.left:
        return [Message("trictrac.why_not.played")]
    judge = _Judge(ground, plays, _jans(state), len(tried) - 1)
    if to is None:
        numbers = sorted(set(ground.left), reverse=True)
        told = {number: judge.step(start, number) for number in numbers}
        return [Message("trictrac.why_not.by", number=number, why=why) for number, why in told.items()]
    return [judge.to(start, to)]


def _after(ground: Ground, done: Tried, plays: list[Order]) -> Ground:
    """Returns the ground after steps that begin a play."""
    for play in plays:
        if [step[:2] for step in play[: len(done)]] == [tuple(step) for step in done]:
            for start, to, number in play[: len(done)]:
                ground = ground.after(start, number, to)
            return ground
    return ground


def _jans(state: State) -> dict[str, bool]:
    """Returns the jans that every legal play leaves full, and whether each is full now."""
    now = parts(state)
    results = [parts(state.child(action)) for action in state.legal_actions() if is_move(action)]
    after = [result.board_from(now.player) for result in results]
    return {
        name: _is_full(now.board_from(now.player), name)
        for name in QUARTERS
        if after and all(_is_full(board, name) for board in after)
    }


def _is_full(board: Sequence[int], jan: str) -> bool:
    return all(board[field - 1] >= ENOUGH for field in QUARTERS[jan])


def _fillable(ground: Ground, jan: str) -> bool:
    """Whether the opponent can still fill a jan with their men (docs/rules.md, 5)."""
    counts = [ground.theirs(OFF - field) for field in range(1, 13)]
    fields = range(1, 7) if jan == "small" else range(7, 13)
    return all(sum(counts[:field]) >= ENOUGH * (field - fields[0] + 1) for field in fields)


class _Judge:
    """Finds the rule that a step breaks.

    Args:
        ground: the position before the step.
        plays: the legal plays of the whole throw.
        jans: the jans that every play leaves full.
        done: the steps made so far.
    """

    def __init__(self, ground: Ground, plays: list[Order], jans: dict[str, bool], done: int) -> None:
        self._ground, self._plays, self._jans, self._done = ground, plays, jans, done

    def to(self, start: int, to: int) -> Text:
        """Explains a step to a field, or off the board, with one number or with both."""
        ground, goal = self._ground, to or OFF
        if 0 < to <= start:
            return Message("trictrac.why_not.backward")
        exact = [number for number in ground.left if start + number == goal]
        longer = [number for number in ground.left if goal == OFF and start + number > OFF]
        by_power = [number for number in ground.left if goal == CORNER and start + number == OPPOSING]
        if exact or longer:
            return self.step(start, (exact or sorted(longer))[0])
        if by_power:
            return self._power()
        if len(ground.left) == ENOUGH and start + sum(ground.left) == goal:
            return self._both(start)
        if goal == OFF:
            return Message("trictrac.why_not.too_short", field=start)
        return Message("trictrac.why_not.no_number", field=start, to=to)

    def step(self, start: int, number: int) -> Text:
        """Explains a step with one number."""
        return self._stop(start, number) or self._duty(self._ground.after(start, number), start, number)

    def _both(self, start: int) -> Text:
        """Explains a man's step with both numbers, which rests in between (docs/rules.md, 3)."""
        first, second = self._ground.left
        rests = [start + number for number in (first, second) if start + number < OFF]
        if rests and all(self._ground.theirs(rest) for rest in rests):
            return Message("trictrac.why_not.no_rest", rests=" ".join(map(str, sorted(set(rests)))))
        number = next((n for n in (first, second) if start + n < OFF and not self._ground.theirs(start + n)), first)
        other = second if number == first else first
        between = self._ground.after(start, number)
        judge = _Judge(between, self._plays, self._jans, self._done + 1)
        return judge._stop(start + number, other) or judge._duty(
            between.after(start + number, other), start + number, other
        )

    def _stop(self, start: int, number: int) -> Text | None:
        """Returns why a man may not stop where a number takes it; None if it may."""
        ground, to = self._ground, start + number
        if to >= OFF:
            return self._exit(start, number)
        if ground.theirs(to):
            return Message("trictrac.why_not.blocked", field=to, n=ground.theirs(to))
        if to == OPPOSING:
            return Message("trictrac.why_not.opposing_corner")
        if to in THEIR_BIG and _fillable(ground, "big"):
            return Message("trictrac.why_not.their_big", field=to)
        if to in THEIR_SMALL and _fillable(ground, "small"):
            return Message("trictrac.why_not.their_small", field=to)
        return None

    def _exit(self, start: int, number: int) -> Text | None:
        """Returns why a man cannot be borne off with a number (docs/rules.md, 6); None if it can."""
        behind = [field for field in self._ground.sources if field < HOME]
        if behind:
            return Message("trictrac.why_not.not_home", field=behind[0])
        rear = self._ground.sources[0]
        if start + number > OFF and rear < start:
            return Message("trictrac.why_not.excess", number=number, field=rear)
        return None

    def _duty(self, after: Ground, start: int, number: int) -> Text:
        """Explains a step that a man could make, but that leads to no legal play."""
        ends = list(_ends(after, self._plays, self._jans, self._done + 1))
        longest = max(len(play) for play in self._plays)
        if not ends:
            alone = self._corner(after, start, start + number)
            if longest > self._done + 1 and after.left:
                rest = after.left[0]
                return alone or Message("trictrac.why_not.both", number=number, other=rest)
            return alone or self._other(number)
        numbers = {play[0][2] for play in self._plays}
        if longest == 1 and number < min(numbers):
            return Message("trictrac.why_not.higher", number=min(numbers))
        for jan, kept in self._jans.items():
            if not any(_is_full(end.men[1:], jan) for end in ends):
                name = Message(f"trictrac.why_not.jan.{jan}")
                return Message("trictrac.why_not.keep" if kept else "trictrac.why_not.fill", jan=name)
        return self._corner(after, start, start + number) or self._other(number)

    def _corner(self, after: Ground, start: int, to: int) -> Text | None:
        """Returns the rule of the rest corner if one man would stand there alone (docs/rules.md, 4)."""
        if after.own(CORNER) != 1:
            return None
        return Message("trictrac.why_not.corner_left" if start == CORNER else "trictrac.why_not.corner_taken")

    def _power(self) -> Text:
        """Explains why the corner cannot be taken by power."""
        ground = self._ground
        if ground.theirs(OPPOSING):
            return Message("trictrac.why_not.power_held")
        if ground.own(CORNER):
            return Message("trictrac.why_not.power_own")
        if len(ground.left) == ENOUGH and all(ground.own(CORNER - number) for number in set(ground.left)):
            one, two = ground.left
            if one != two or ground.own(CORNER - one) >= ENOUGH:
                return Message("trictrac.why_not.power_effect")
        return Message("trictrac.why_not.power_two")

    def _other(self, number: int) -> Text:
        """The last resort: bearing off, or the play as a whole."""
        if self._ground.sources and self._ground.sources[0] >= HOME:
            return Message("trictrac.why_not.excess_last")
        return Message("trictrac.why_not.no_play", number=number)


def _ends(ground: Ground, plays: list[Order], jans: dict[str, bool], done: int) -> Iterator[Ground]:
    """Yields where a turn can end from here if only the rules about single men counted."""
    if ground.own(CORNER) != 1 and (not ground.left or max(len(play) for play in plays) <= done):
        yield ground
    for number in set(ground.left):
        for start in ground.sources:
            judge = _Judge(ground, plays, jans, done)
            if judge._stop(start, number) is None:
                yield from _ends(ground.after(start, number), plays, jans, done + 1)
