"""The score of a position, the school in progress, and the account of the scored game."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

from tablier._core.trictrac import (
    CORRECTION_CLAIMED,
    MOST_DECLARED,
    MOST_MARQUES,
    MOST_TOKENS,
    NOTHING_CLAIMED,
    AccountParts,
    Parts,
    SchoolStep,
)
from tablier.messages import MessageError

Pair = tuple[int, int]
Flags = tuple[bool, bool]

SCHOOLS = (None, *(step.name.lower() for step in SchoolStep if step))
"""Values of `School.asks`: None, "declare", "claim_against_mover" and so on, in the order of `SchoolStep`."""


def number(name: str, value: object, most: int, least: int = 0) -> int:
    """Checks an integer (NumPy's included) against a range; `name` is for the error message."""
    try:
        result = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        result = least - 1
    if not least <= result <= most:
        raise MessageError.of("trictrac.position.number", name=name, least=least, most=most, value=repr(value))
    return result


def pair(name: str, value: object, most: int, least: int = 0) -> Pair:
    """Checks two integers against a range."""
    try:
        one, two = (operator.index(n) for n in value)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        one = two = least - 1
    if not (least <= one <= most and least <= two <= most):
        raise MessageError.of("trictrac.position.pair", name=name, least=least, most=most, value=repr(value))
    return one, two


def _of_players(name: str, value: object, most: int, least: int = 0) -> tuple[int, ...]:
    try:
        numbers = tuple(operator.index(n) for n in value)  # type: ignore[attr-defined]
    except TypeError:
        numbers = ()
    if len(numbers) not in (2, 3) or not all(least <= n <= most for n in numbers):
        raise MessageError.of("trictrac.position.players", name=name, least=least, most=most, value=repr(value))
    return numbers


def flags(name: str, value: object) -> Flags:
    """Checks two booleans."""
    one, two = pair(name, value, 1)
    return bool(one), bool(two)


def score_fields(given: Any) -> dict[str, Any]:
    """Checks the five fields of a score and derives those that are None from the others."""
    points, holes = pair("points", given.points, 11), pair("holes", given.holes, 255)
    first = given.first_hole
    if first is not None:
        first = number("first_hole", first, 1)
    if given.points_run is None:
        points_run = (points[0] > 0 and points[1] == 0, points[1] > 0 and points[0] == 0)
    else:
        points_run = flags("points_run", given.points_run)
    if given.holes_run is not None:
        holes_run = flags("holes_run", given.holes_run)
        if first is None:
            first = _first_hole(holes, holes_run)
    elif not all(holes):
        holes_run = (holes[0] > 0, holes[1] > 0)
        first = _first_hole(holes, holes_run) if first is None else first
    else:
        first = 0 if first is None else first
        interrupted = holes[first] > 1  # they won another hole after their opponent's first
        holes_run = (first == 1 and not interrupted, first == 0 and not interrupted)
    return {"points": points, "holes": holes, "points_run": points_run, "holes_run": holes_run, "first_hole": first}


def _first_hole(holes: Pair, holes_run: Flags) -> int | None:
    if not any(holes):
        return None
    if not all(holes):
        return 0 if holes[0] else 1
    if any(holes_run):  # a run while both have holes: the opponent won the first
        return 1 if holes_run[0] else 0
    return 0 if holes[0] > 1 else 1


@dataclass(frozen=True)
class Score:
    """Points and holes and whether they are uninterrupted. Pairs are in the order White, Black.

    Fields that are None are derived from the others. Values out of range raise ValueError.
    """

    points: Pair = (0, 0)
    """Points, 0 to 11."""
    holes: Pair = (0, 0)
    """Holes won in this game, or in this marqué."""
    points_run: Flags | None = None
    """Whether each player's points are uninterrupted. Default: true only if the opponent has none."""
    holes_run: Flags | None = None
    """Whether each player's holes are uninterrupted. Default: derived from `holes` and `first_hole`."""
    first_hole: int | None = None
    """Who won the first hole of the game, or of the marqué. Default: derived from `holes` and `holes_run`."""

    def __post_init__(self) -> None:
        for name, value in score_fields(self).items():
            object.__setattr__(self, name, value)

    @classmethod
    def read(cls, parts: Parts) -> Score:
        """Reads the score from the parts of a state."""
        return cls(parts.points, parts.holes, parts.points_run, parts.holes_run, _whose(parts.first_hole))

    @classmethod
    def read_before(cls, parts: Parts) -> Score:
        """Reads the score before the throw was marked."""
        runs = parts.points_run_before, parts.holes_run_before
        return cls(parts.points_before, parts.holes_before, *runs, _whose(parts.first_hole_before))

    def write(self, parts: Parts) -> None:
        """Writes the score to the parts of a state."""
        parts.points, parts.holes = self.points, self.holes
        parts.points_run, parts.holes_run = self.points_run or (False, False), self.holes_run or (False, False)
        parts.first_hole = (self.first_hole == 0, self.first_hole == 1)

    def write_before(self, parts: Parts) -> None:
        """Writes this score as the one before the throw was marked."""
        parts.points_before, parts.holes_before = self.points, self.holes
        parts.points_run_before = self.points_run or (False, False)
        parts.holes_run_before = self.holes_run or (False, False)
        parts.first_hole_before = (self.first_hole == 0, self.first_hole == 1)


def _whose(flags: Flags) -> int | None:
    return flags.index(True) if any(flags) else None


@dataclass(frozen=True)
class School:
    """The marking of a throw, while players declare and claim points (option `schools`; docs/rules.md, 13).

    Pairs are in the order mover, opponent.
    """

    asks: str | None = "declare"
    """The decision to take now, one of `SCHOOLS`; None while the mover holds, leaves or moves."""
    declared: Pair = (0, 0)
    """Points declared so far by each player."""
    claim: int | str | None = None
    """The opponent's claim against the mover: a number of points, "correct" for a mere correction, or None."""
    fill_due: int = 0
    """The part of the mover's points that filling or keeping a jan gives."""
    failed: bool = False
    """Whether the mover failed to fill or keep; while they move, whether they must now do it after all."""
    left: Pair = (0, 0)
    """After a failed filling, the fields left by the first and the second die, in the mover's numbering; 0 for none."""
    hole_settled: bool = False
    """Whether it is too late to claim against the hole that lets the mover leave."""
    before: Score = Score()
    """The score before the throw was marked."""

    def __post_init__(self) -> None:
        if self.asks not in SCHOOLS:
            raise ValueError(f"asks must be one of {', '.join(map(str, SCHOOLS))}, not {self.asks!r}")
        object.__setattr__(self, "declared", pair("declared", self.declared, MOST_DECLARED))
        if self.claim not in (None, "correct"):
            object.__setattr__(self, "claim", number("claim", self.claim, MOST_DECLARED))
        object.__setattr__(self, "left", pair("left", self.left, 24))
        object.__setattr__(self, "fill_due", number("fill_due", self.fill_due, 254))
        for name in ("failed", "hole_settled"):
            object.__setattr__(self, name, bool(number(name, getattr(self, name), 1)))
        if not isinstance(self.before, Score):
            raise ValueError("before must be a Score")

    @classmethod
    def read(cls, parts: Parts) -> School | None:
        """Reads the school from the parts of a state; None if nothing is being marked."""
        claim = parts.claim
        if claim == 0 and not parts.failed:
            return None
        return cls(
            asks=SCHOOLS[parts.school],
            declared=parts.declared,
            claim=None if claim in (0, NOTHING_CLAIMED) else "correct" if claim == CORRECTION_CLAIMED else claim,
            fill_due=parts.fill_due,
            failed=parts.failed,
            left=parts.left,
            hole_settled=parts.hole_settled,
            before=Score.read_before(parts),
        )

    def write(self, parts: Parts) -> None:
        """Writes the school to the parts of a state."""
        parts.school = SchoolStep(SCHOOLS.index(self.asks))
        parts.declared, parts.fill_due, parts.left = self.declared, self.fill_due, self.left
        parts.failed, parts.hole_settled = self.failed, self.hole_settled
        parts.claim = self._claim_number()
        self.before.write_before(parts)

    def _claim_number(self) -> int:
        if self.claim is None:
            made_good = self.failed and self.asks is None  # too late for a claim
            return 0 if made_good else NOTHING_CLAIMED
        return CORRECTION_CLAIMED if isinstance(self.claim, str) else self.claim


@dataclass(frozen=True)
class Account:
    """The account of the scored game (docs/rules.md, 15). Tuples have one entry per player, two or three.

    Values out of range raise ValueError.
    """

    tokens: tuple[int, ...] = (0, 0)
    """Tokens each player has won, minus those paid and put aside."""
    lost: tuple[int, ...] = (0, 0)
    """Marqués lost by each player; their sum is the number of marqués played."""
    refaits: int = 0
    """The number of consecutive void marqués just before this one."""
    first: int = 0
    """The player who threw first in this marqué: White 0, Black 1."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", _of_players("tokens", self.tokens, MOST_TOKENS, -MOST_TOKENS))
        object.__setattr__(self, "lost", _of_players("lost", self.lost, MOST_MARQUES))
        object.__setattr__(self, "refaits", number("refaits", self.refaits, 255))
        object.__setattr__(self, "first", number("first", self.first, 1))

    @classmethod
    def read(cls, parts: Parts) -> Account | None:
        """Reads the account from the parts of a state; None in the ordinary game."""
        account = parts.account
        return None if account is None else cls(account.tokens, account.lost, account.refaits, account.first)

    def write(self, parts: Parts) -> None:
        """Writes the account to the parts of a state."""
        parts.account = AccountParts(self.tokens, self.lost, self.refaits, self.first)


def marque_ended(was: Parts, now: Parts) -> bool:
    """Whether a marqué of the scored game, decided or void, ended between these two states."""
    if was.account is None or now.account is None:
        return False
    return (was.account.played, was.account.refaits) != (now.account.played, now.account.refaits)
