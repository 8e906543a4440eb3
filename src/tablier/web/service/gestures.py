"""What people do at a table besides playing: resign, take a move back, say something, agree to the tutor or a rematch.

A gesture is a row that is added and never changed, like an action. A table is its actions and its gestures; this module
decides what a gesture means, `desk.Desk` whether it is accepted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

Kind = Literal["resign", "takeback", "say", "name", "tutor", "rematch", "clock", "pause", "time", "next"]
"""The last four come from the server: the clock of a new table, time when the server was down, a player out of time,
and the table of a rematch."""
SAYINGS = ("hello", "good_luck", "well_played", "thanks", "oops", "one_moment", "goodbye")
"""What a player can say; the page has the words (`page.say.<name>`)."""
SHOWN = 6
"""How many of the last sayings a view has."""
SERVER = -1
"""The seat of a gesture that comes from the server."""


@dataclass(frozen=True)
class Gesture:
    """A gesture at a table."""

    kind: str
    seat: int
    """The seat that made it, or `SERVER`."""
    value: str
    """What was said, the name, the next table, the clock, seconds, or the version that a takeback goes back to."""
    written: int
    """Actions written when it was made, those that were taken back included."""
    at: float
    """When it was made (Unix time)."""


@dataclass(frozen=True)
class Clock:
    """A clock: seconds for the whole game, and seconds added for each decision."""

    base: float
    increment: float

    @classmethod
    def read(cls, text: str) -> Clock:
        """Reads a clock from a gesture, such as `300+5`; raises ValueError if it is not a clock."""
        base, _, increment = text.partition("+")
        return cls(_seconds(base), _seconds(increment))

    def __str__(self) -> str:
        return f"{self.base:g}+{self.increment:g}"

    def left(self, deciders: Sequence[int], times: Sequence[float], seat: int) -> float:
        """Returns the seconds a seat has left after its decisions so far. The first decision of a seat takes no time.

        Args:
            deciders: the player of each action, negative for dice.
            times: when each action was played (Unix time).
            seat: the seat.
        """
        left, is_first = self.base, True
        for n, decider in enumerate(deciders):
            if decider != seat:
                continue
            if not is_first:
                left += self.increment - max(0.0, times[n] - times[n - 1])
            is_first = False
        return left


def _seconds(text: str) -> float:
    seconds = float(text)
    if not (math.isfinite(seconds) and seconds >= 0):
        raise ValueError(f"{text} is not a number of seconds")
    return seconds


def is_sound(made: Gesture, seats: int) -> bool:
    """Returns whether a gesture can have been made at a table with this many seats; if not, its row is damaged."""
    if made.kind not in get_args(Kind) or made.written < 0 or not math.isfinite(made.at):
        return False
    if made.kind in ("resign", "time") and seats != 2:
        return False
    by_server = made.kind in ("clock", "next")
    return (made.seat == SERVER if by_server else 0 <= made.seat < seats) and _is_value(made.kind, made.value)


def _is_value(kind: str, value: str) -> bool:
    """Returns whether a gesture of this kind can have this value."""
    try:
        if kind == "clock":
            Clock.read(value)
        elif kind == "pause":
            _seconds(value)
        elif kind == "takeback":
            return re.fullmatch("[0-9]{1,9}", value) is not None
        elif kind == "next":
            return re.fullmatch("[A-Za-z0-9_-]+", value) is not None
        elif kind == "say":
            return value in SAYINGS
        elif kind == "name":
            return bool(value) and value.isprintable()
        else:
            return not value
    except ValueError:
        return False
    return True


def of_kind(gestures: Sequence[Gesture], kind: Kind) -> list[Gesture]:
    """Returns the gestures of a kind."""
    return [one for one in gestures if one.kind == kind]


def agreed(gestures: Sequence[Gesture], kind: Kind) -> list[int]:
    """Returns the seats that have agreed to something, such as the tutor."""
    return sorted({one.seat for one in of_kind(gestures, kind)})


def names(gestures: Sequence[Gesture], seats: int) -> list[str]:
    """Returns the last name that each seat gave itself, or ""."""
    found = {one.seat: one.value for one in of_kind(gestures, "name")}
    return [found.get(seat, "") for seat in range(seats)]


def said(gestures: Sequence[Gesture]) -> list[dict[str, Any]]:
    """Returns the last things that were said, each with the number of its gesture."""
    found = [{"n": n, "seat": one.seat, "say": one.value} for n, one in enumerate(gestures) if one.kind == "say"]
    return found[-SHOWN:]


def standing(written: Sequence[int], gestures: Sequence[Gesture]) -> list[int]:
    """Returns the numbers of the written actions that stand, that is, have not been taken back.

    Raises:
        ValueError: a takeback does not fit the actions.
    """
    stand: list[int] = []
    backs = iter([*of_kind(gestures, "takeback"), None])
    back = next(backs)
    for n in range(len(written) + 1):
        while back is not None and back.written == n:
            to = int(back.value)
            if not 0 <= to <= len(stand):
                raise ValueError(f"a takeback goes to version {to} of {len(stand)}")
            del stand[to:]
            back = next(backs)
        if n < len(written):
            stand.append(n)
    if back is not None:
        raise ValueError(f"a takeback after {back.written} actions is out of order, or actions are missing")
    return stand
