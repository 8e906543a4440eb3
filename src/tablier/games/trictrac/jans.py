"""What a throw is worth, and why: jans with the fields involved and the reason.

The engine counts; this module explains. Every rule is stated from the mover's side (docs/rules.md, 1).
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tablier import _core
from tablier._core import State
from tablier.messages import Message, MessageError, languages, listed, render
from tablier.registry import load_game

SMALL, BIG, RETURN = range(1, 7), range(7, 13), range(19, 25)
QUARTERS = {"small": SMALL, "big": BIG, "return": RETURN}
TARIFF: dict[str, tuple[int, int, bool]] = _core.trictrac.tariff()

EVENTS = {
    "hit_small": "TrueHitSmallJan",
    "hit_big": "TrueHitBigJan",
    "false_small": "FalseHitSmallJan",
    "false_big": "FalseHitBigJan",
    "corner": "TrueHitOpponentCorner",
    "six_tables": "SixTables",
    "two_tables": "TwoTables",
    "contre_two_tables": "ContreTwoTables",
    "mezeas": "Mezeas",
    "contre_mezeas": "ContreMezeas",
    "exit": "FirstPlayerToExit",
    "helpless": "HelplessMan",
    **{f"{verb}_{jan}": "FilledQuarter" for verb in ("fill", "conserve") for jan in QUARTERS},
}
"""The names under which recorded data knows the jans (docs/rules.md, 9.11). The optional jans have none."""


@dataclass(frozen=True)
class Way:
    """One way in which a field is reached: from `source` by `number`, over `rest` if by both numbers."""

    target: int
    source: int
    number: int
    rest: int | None = None

    @property
    def text(self) -> Message:
        """For example "17 from 12 by 5"."""
        if self.rest is None:
            return Message("trictrac.way", target=self.target, source=self.source, number=self.number)
        return Message("trictrac.way.over", target=self.target, source=self.source, number=self.number, rest=self.rest)


@dataclass(frozen=True)
class Jan:
    """One scoring event of a throw."""

    name: str
    ways: int
    points: int
    beneficiary: str
    """"player", who threw, or "opponent"."""
    fields: tuple[int, ...] = ()
    """The fields involved, in the mover's numbering, ascending."""
    details: tuple[Way, ...] = field(default=(), repr=False)

    @property
    def event(self) -> str | None:
        """The name in recorded data, or None for the optional jans."""
        return EVENTS.get(self.name)

    @property
    def title(self) -> Message:
        """What the jan is called."""
        return Message(f"trictrac.jan.{self.name}")

    @property
    def reason(self) -> Message:
        """Why these points are due."""
        where = listed(*(way.text for way in self.details), by="list.semicolon")
        return Message(f"trictrac.jan.{self.name}.why", n=self.ways, where=where)

    def why(self, lang: str = "en") -> str:
        """The reason in one sentence, in any language of the catalogue (`tablier.messages.languages`)."""
        if lang not in languages():
            raise ValueError(f"lang must be one of {', '.join(languages())}, not {lang!r}")
        return render(self.reason, lang)


@dataclass(frozen=True)
class ThrowScore:
    """All that a throw gives, before any move."""

    player_points: int
    opponent_points: int
    jans: tuple[Jan, ...]

    def ways(self) -> dict[str, int]:
        """Jan names to ways."""
        return {jan.name: jan.ways for jan in self.jans}


def score_throw(board: Sequence[int], dice: Sequence[int], throw_index: int = 4, **options: Any) -> ThrowScore:
    """What the dice give in this position, seen from the mover's side (positive men are theirs).

    `throw_index` is the number of the mover's throw in the setting (it matters for the jan of six tables).

    >>> board = [13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, -2, 0, 0, 0, 0, 0, 0, 0, 0, 0, -13]
    >>> score = score_throw(board, (6, 1))
    >>> score.player_points, score.jans[0].name
    (4, 'mezeas')
    >>> print(score.jans[0].why())
    Mezeas: an ace with only the corner taken, the opposing corner empty.
    """
    board = check_board(board)
    d1, d2 = check_dice(dice)
    if not isinstance(throw_index, int) or not 1 <= throw_index <= 255:
        raise MessageError.of("trictrac.throw_index", value=repr(throw_index))
    player, opponent, ways = _core.trictrac.score(load_game("trictrac", **options), board, d1, d2, throw_index)
    return ThrowScore(player, opponent, explain(board, (d1, d2), ways))


def throw_jans(state: State) -> tuple[Jan, ...]:
    """The jans of the throw that lies on the board, as long as it has not been played; none before a throw."""
    parts = _core.trictrac.parts(state)
    return explain(parts.board_from(parts.player), parts.dice, _core.trictrac.throw_ways(state))


def explain(board: Sequence[int], dice: tuple[int, int], ways: dict[str, int]) -> tuple[Jan, ...]:
    """The jans of a throw with their fields, given the engine's count of ways."""
    jans = []
    for name, count in ways.items():
        simple, doublet, to_opponent = TARIFF[name]
        value = doublet if dice[0] == dice[1] else simple
        details = _details(name, board, dice)
        fields = {way.target for way in details} | {way.source for way in details} or set(_plain_fields(name, board))
        who = "opponent" if to_opponent else "player"
        jans.append(Jan(name, count, count * value, who, tuple(sorted(fields)), details))
    return tuple(jans)


def check_board(board: Sequence[int]) -> list[int]:
    """24 integers, NumPy's among them; what else a board must fulfil is for the engine to say."""
    try:
        numbers = [operator.index(n) for n in board]
    except TypeError:
        numbers = []
    if len(numbers) != 24:
        raise MessageError.of("trictrac.board.size")
    if wrong := [n for n in numbers if abs(n) > 15]:
        raise MessageError.of("trictrac.board.too_many", men=abs(wrong[0]))
    return numbers


def check_dice(dice: Sequence[int]) -> tuple[int, int]:
    """Two integers from 1 to 6."""
    try:
        numbers = [operator.index(n) for n in dice if not isinstance(n, bool)]
    except TypeError:
        numbers = []
    if len(numbers) != 2 or not all(1 <= n <= 6 for n in numbers):
        raise MessageError.of("trictrac.dice", value=repr(dice))
    return numbers[0], numbers[1]


def _own(board: Sequence[int], field_number: int) -> int:
    return max(board[field_number - 1], 0) if 1 <= field_number <= 24 else 0


def _theirs(board: Sequence[int], field_number: int) -> int:
    return max(-board[field_number - 1], 0) if 1 <= field_number <= 24 else 0


def _reach(board: Sequence[int], target: int, dice: tuple[int, int], truly: bool) -> list[Way]:
    """The ways to a field (docs/rules.md, 9.1 and 9.2): direct and over an open rest, or only the false one."""
    a, b = dice
    ways = [Way(target, target - n, n) for n in sorted({a, b}) if _own(board, target - n)] if truly else []
    source = target - a - b
    if _own(board, source):
        rests = sorted({source + a, source + b})
        is_open = [rest for rest in rests if _theirs(board, rest) <= 1]
        if bool(is_open) == truly:
            ways.append(Way(target, source, a + b, (is_open or rests)[0]))
    return ways


def _details(name: str, board: Sequence[int], dice: tuple[int, int]) -> tuple[Way, ...]:
    kind, _, where = name.partition("_")
    if kind in ("hit", "false"):
        table = set(BIG) | set(range(13, 19)) if where == "big" else set(SMALL) | set(RETURN)
        blots = [f for f in sorted(table) if _theirs(board, f) == 1]
        return tuple(way for blot in blots for way in _reach(board, blot, dice, kind == "hit"))
    if name == "margot":
        clefts = [f for f in range(2, 24) if not board[f - 1] and board[f - 2] == board[f] == -1]
        return tuple(way for cleft in clefts for way in _reach(board, cleft, dice, True))
    if name == "corner":
        return tuple(Way(13, 13 - n, n) for n in dice)
    return ()


def _plain_fields(name: str, board: Sequence[int]) -> list[int]:
    verb, _, where = name.partition("_")
    if verb == "fill":
        return [f for f in QUARTERS[where] if _own(board, f) < 2]
    if verb == "conserve":
        return list(QUARTERS[where])
    if name in ("two_tables", "contre_two_tables"):
        return [*(f for f in range(2, 25) if _own(board, f)), 12, 13]
    if name in ("mezeas", "contre_mezeas"):
        return [12, 13]
    if name == "six_tables":
        return list(range(2, 8))
    if name == "exit":
        return [f for f in RETURN if _own(board, f)]
    return [12] if name == "pile_de_misere" else []
