"""The points of a throw and the reasons for them: its jans, with the fields involved.

The engine counts the points; this module explains them. All boards are seen from the mover's side (docs/rules.md, 1).
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
"""Names of the jans in existing data sets (docs/rules.md, 9.11). Optional jans have none."""


@dataclass(frozen=True)
class Way:
    """A way to reach the field `target`: from `source` by `number`, resting on `rest` if it takes both dice."""

    target: int
    source: int
    number: int
    rest: int | None = None

    @property
    def text(self) -> Message:
        """The way as text, such as "17 from 12 by 5"."""
        if self.rest is None:
            return Message("trictrac.way", target=self.target, source=self.source, number=self.number)
        return Message("trictrac.way.over", target=self.target, source=self.source, number=self.number, rest=self.rest)


@dataclass(frozen=True)
class Jan:
    """A scoring event of a throw."""

    name: str
    """The name in code, such as "hit_small" or "fill_big"."""
    ways: int
    """The number of ways that score."""
    points: int
    """The points of all ways together."""
    beneficiary: str
    """Who marks the points: "player" for the one who threw, or "opponent"."""
    fields: tuple[int, ...] = ()
    """The fields involved, in the mover's numbering, ascending."""
    details: tuple[Way, ...] = field(default=(), repr=False)
    """The ways one by one for hits, false hits, corner hits and margot; empty for other jans."""

    @property
    def event(self) -> str | None:
        """The name in existing data sets, or None for the optional jans."""
        return EVENTS.get(self.name)

    @property
    def title(self) -> Message:
        """The name of the jan for people."""
        return Message(f"trictrac.jan.{self.name}")

    @property
    def reason(self) -> Message:
        """The explanation of the points."""
        where = listed(*(way.text for way in self.details), by="list.semicolon")
        return Message(f"trictrac.jan.{self.name}.why", n=self.ways, where=where)

    def why(self, lang: str = "en") -> str:
        """Returns the explanation of the points in one sentence.

        Args:
            lang: one of `tablier.messages.languages()`.

        Raises:
            ValueError: there is no catalogue for `lang`.
        """
        if lang not in languages():
            raise ValueError(f"lang must be one of {', '.join(languages())}, not {lang!r}")
        return render(self.reason, lang)


@dataclass(frozen=True)
class ThrowScore:
    """The score of a throw, which is fixed before any move is made."""

    player_points: int
    """Points for the player who threw."""
    opponent_points: int
    """Points for the opponent."""
    jans: tuple[Jan, ...]
    """The scoring events of both players."""

    def ways(self) -> dict[str, int]:
        """Returns the number of ways by name of the jan."""
        return {jan.name: jan.ways for jan in self.jans}


def score_throw(board: Sequence[int], dice: Sequence[int], throw_index: int = 4, **options: Any) -> ThrowScore:
    """Returns the points of a throw in any position, and the jans that give them.

    Args:
        board: 24 signed counts from the mover's side; the mover's men are positive.
        dice: two integers from 1 to 6.
        throw_index: the number of the mover's throw in the setting, from 1; it matters only for the jan of six tables.
        options: rule options as in `load_game`.

    Raises:
        ValueError: the board, the dice or `throw_index` are impossible.

    >>> board = [13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, -2, 0, 0, 0, 0, 0, 0, 0, 0, 0, -13]
    >>> score = score_throw(board, (6, 1))
    >>> score.player_points, score.jans[0].name
    (4, 'mezeas')
    >>> print(score.jans[0].why())
    Mezeas: an ace when only the corner is taken and the opponent's corner is empty.
    """
    board = check_board(board)
    d1, d2 = check_dice(dice)
    if not isinstance(throw_index, int) or not 1 <= throw_index <= 255:
        raise MessageError.of("trictrac.throw_index", value=repr(throw_index))
    player, opponent, ways = _core.trictrac.score(load_game("trictrac", **options), board, d1, d2, throw_index)
    return ThrowScore(player, opponent, explain(board, (d1, d2), ways))


def throw_jans(state: State) -> tuple[Jan, ...]:
    """Returns the jans of the current throw of a state; none before the throw and once it has been played."""
    parts = _core.trictrac.parts(state)
    return explain(parts.board_from(parts.player), parts.dice, _core.trictrac.throw_ways(state))


def explain(board: Sequence[int], dice: tuple[int, int], ways: dict[str, int]) -> tuple[Jan, ...]:
    """Adds points, fields and details to the engine's count of ways per jan."""
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
    """Converts a board to 24 ints (NumPy integers are accepted); the engine checks everything else."""
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
    """Converts dice to two ints from 1 to 6."""
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
    """Returns the true ways to a field or, if `truly` is false, the false way, if any (docs/rules.md, 9.1 and 9.2)."""
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
