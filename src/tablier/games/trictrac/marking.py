"""What a position may hold beside men, dice and score: the school in progress, and the account of the scored game."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

Pair = tuple[int, int]
Flags = tuple[bool, bool]

SCHOOLS = (
    None,
    "declare",
    "claim_against_mover",
    "claim_against_other",
    "claim_after_go",
    "claim_after_win",
    "decide_filling",
)
"""What `School.asks` may be, in the order of the engine's numbers."""

_NO_CLAIM, _CORRECT = 255, 254
MOST_TOKENS, MOST_MARQUES = 10_000_000, 240


def number(name: str, value: object, most: int, least: int = 0) -> int:
    """A whole number (NumPy's among them) in this range."""
    try:
        result = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        result = least - 1
    if not least <= result <= most:
        raise ValueError(f"{name} is a number from {least} to {most}, not {value!r}")
    return result


def pair(name: str, value: object, most: int, least: int = 0) -> Pair:
    """Two whole numbers in this range."""
    try:
        one, two = (operator.index(n) for n in value)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        one = two = least - 1
    if not (least <= one <= most and least <= two <= most):
        raise ValueError(f"{name} are two numbers from {least} to {most}, not {value!r}")
    return one, two


def _of_players(name: str, value: object, most: int, least: int = 0) -> tuple[int, ...]:
    try:
        numbers = tuple(operator.index(n) for n in value)  # type: ignore[attr-defined]
    except TypeError:
        numbers = ()
    if len(numbers) not in (2, 3) or not all(least <= n <= most for n in numbers):
        raise ValueError(f"{name} are two or three numbers from {least} to {most}, not {value!r}")
    return numbers


def flags(name: str, value: object) -> Flags:
    """Two truth values."""
    one, two = pair(name, value, 1)
    return bool(one), bool(two)


def score_fields(given: Any) -> dict[str, Any]:
    """The five fields of a score, checked, and those that are None worked out from the others."""
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
        interrupted = holes[first] > 1  # he won again after the other's first hole
        holes_run = (first == 1 and not interrupted, first == 0 and not interrupted)
    return {"points": points, "holes": holes, "points_run": points_run, "holes_run": holes_run, "first_hole": first}


def _first_hole(holes: Pair, holes_run: Flags) -> int | None:
    if not any(holes):
        return None
    if not all(holes):
        return 0 if holes[0] else 1
    if any(holes_run):  # a run after the other's holes: the other began
        return 1 if holes_run[0] else 0
    return 0 if holes[0] > 1 else 1


@dataclass(frozen=True)
class Score:
    """Points and holes with their runs, pairs in the order White, Black. What is not given follows from the rest."""

    points: Pair = (0, 0)
    holes: Pair = (0, 0)
    points_run: Flags | None = None
    """Whose points were marked without interruption; by default his who alone has any."""
    holes_run: Flags | None = None
    """Whose holes were won without interruption; by default his who alone has any."""
    first_hole: int | None = None
    """Who won the first hole of the game, or of the marqué; by default whom the rest suggests."""

    def __post_init__(self) -> None:
        for name, value in score_fields(self).items():
            object.__setattr__(self, name, value)

    @classmethod
    def read(cls, parts: dict[str, Any], when: str = "") -> Score:
        """The score among the parts of a state; `when` is "_before" for the one before the throw."""
        names = ("points", "holes", "points_run", "holes_run")
        first = parts["first_hole" + when]
        return cls(**{n: parts[n + when] for n in names}, first_hole=first.index(True) if True in first else None)

    def parts(self, when: str = "") -> dict[str, Any]:
        """The other way round."""
        names = ("points", "holes", "points_run", "holes_run")
        first = (self.first_hole == 0, self.first_hole == 1)
        return {**{n + when: getattr(self, n) for n in names}, "first_hole" + when: first}


@dataclass(frozen=True)
class School:
    """A throw that is being marked and claimed (option `schools`; docs/rules.md, 13).

    Its pairs are in the order mover, other player.
    """

    asks: str | None = "declare"
    """What is decided now, one of `SCHOOLS`; None while the mover holds, leaves or moves."""
    declared: Pair = (0, 0)
    """What each has declared so far."""
    claim: int | str | None = None
    """What the other player claims against the mover: an amount, "correct" to have it marked right, None nothing."""
    fill_due: int = 0
    """The part of what is due to the mover that is owed to filling or keeping a jan."""
    failed: bool = False
    """Whether he neglected to fill or keep; while he moves: whether he must now make it good."""
    left: Pair = (0, 0)
    """Fields that the men of such a play left by the first and by the second die, in the mover's numbering; 0 none."""
    hole_settled: bool = False
    """Whether the hole that lets him leave can no longer be claimed."""
    before: Score = Score()
    """The score before the throw was marked."""

    def __post_init__(self) -> None:
        if self.asks not in SCHOOLS:
            raise ValueError(f"asks must be one of {', '.join(map(str, SCHOOLS))}, not {self.asks!r}")
        object.__setattr__(self, "declared", pair("declared", self.declared, 126))
        if self.claim not in (None, "correct"):
            object.__setattr__(self, "claim", number("claim", self.claim, 126))
        object.__setattr__(self, "left", pair("left", self.left, 24))
        object.__setattr__(self, "fill_due", number("fill_due", self.fill_due, 254))
        for name in ("failed", "hole_settled"):
            object.__setattr__(self, name, bool(number(name, getattr(self, name), 1)))
        if not isinstance(self.before, Score):
            raise ValueError("before is a Score")

    @classmethod
    def read(cls, parts: dict[str, Any]) -> School | None:
        """The school among the parts of a state, or None if nothing is being marked."""
        claim = parts["claim"]
        if claim == 0 and not parts["failed"]:
            return None
        return cls(
            asks=SCHOOLS[parts["school"]],
            claim=None if claim in (0, _NO_CLAIM) else "correct" if claim == _CORRECT else claim,
            left=parts["from"],
            before=Score.read(parts, "_before"),
            **{name: parts[name] for name in ("declared", "fill_due", "failed", "hole_settled")},
        )

    def parts(self) -> dict[str, Any]:
        """The other way round."""
        claim = _CORRECT if self.claim == "correct" else _NO_CLAIM if self.claim is None else self.claim
        made_good = self.failed and self.asks is None  # nothing can be claimed any more
        names = ("declared", "fill_due", "failed", "hole_settled")
        return {
            "school": SCHOOLS.index(self.asks),
            "claim": 0 if made_good and self.claim is None else claim,
            "from": self.left,
            **{name: getattr(self, name) for name in names},
            **self.before.parts("_before"),
        }


NO_SCHOOL = {**School(asks=None).parts(), "claim": 0}
"""The parts of a state in which nothing is being marked."""


@dataclass(frozen=True)
class Account:
    """The account of the scored game (docs/rules.md, 15), one entry a player; with three players give three."""

    tokens: tuple[int, ...] = (0, 0)
    """What each has won, less what he has paid and put aside."""
    lost: tuple[int, ...] = (0, 0)
    """Marqués lost by each; together those that were played."""
    refaits: int = 0
    """Void marqués in a row, just before this one."""
    first: int = 0
    """Who threw first in this marqué: White 0, Black 1."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", _of_players("tokens", self.tokens, MOST_TOKENS, -MOST_TOKENS))
        object.__setattr__(self, "lost", _of_players("lost", self.lost, MOST_MARQUES))
        object.__setattr__(self, "refaits", number("refaits", self.refaits, 255))
        object.__setattr__(self, "first", number("first", self.first, 1))

    @classmethod
    def read(cls, parts: dict[str, Any]) -> Account | None:
        """The account among the parts of a state, or None in the ordinary game."""
        if "tokens" not in parts:
            return None
        return cls(**{name: parts[name] for name in ("tokens", "lost", "refaits", "first")})

    def parts(self) -> dict[str, Any]:
        """The other way round."""
        return {name: getattr(self, name) for name in ("tokens", "lost", "refaits", "first")}
