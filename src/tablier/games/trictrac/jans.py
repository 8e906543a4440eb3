"""What a throw is worth, and why: jans with the fields involved and a sentence in English and in French.

The engine counts; this module explains. Every rule is stated from the mover's side (docs/rules.md, 1).
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tablier import _core
from tablier._core import State
from tablier._core.trictrac import Parts
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

JAN_NAMES = {
    "small": ("the small jan", "le petit jan"),
    "big": ("the big jan", "le grand jan"),
    "return": ("the return jan", "le jan de retour"),
}


@dataclass(frozen=True)
class Way:
    """One way in which a field is reached: from `source` by `number`, over `rest` if by both numbers."""

    target: int
    source: int
    number: int
    rest: int | None = None

    def text(self, lang: str) -> str:
        """For example "17 from 12 by 5"."""
        words = ("from", "by", "over") if lang == "en" else ("de", "par", "en passant par")
        over = f" {words[2]} {self.rest}" if self.rest else ""
        return f"{self.target} {words[0]} {self.source} {words[1]} {self.number}{over}"


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

    def why(self, lang: str = "en") -> str:
        """One sentence that tells why these points are due, in English ("en") or French ("fr")."""
        if lang not in ("en", "fr"):
            raise ValueError(f"lang must be 'en' or 'fr', not {lang!r}")
        return _SENTENCES[lang](self)


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
    """What the dice give in this position, seen from the mover's side (positive men are his).

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
        raise ValueError(f"throw_index counts from 1; {throw_index!r} does not")
    rules = load_game("trictrac", **options).options()
    player, opponent, ways = _core.trictrac.score(
        board,
        d1,
        d2,
        throw_index,
        rules["bearing_off"] == "by_default_only",
        bool(rules["pile_de_misere"]),
        bool(rules["margot_la_fendue"]),
    )
    return ThrowScore(player, opponent, explain(board, (d1, d2), ways))


def throw_jans(state: State) -> tuple[Jan, ...]:
    """The jans of the throw that lies on the board, as long as it has not been played; none before a throw."""
    parts = _core.trictrac.parts(state)
    if parts.dice == (0, 0):
        return ()
    return explain(parts.board_from(parts.player), parts.dice, throw_ways(parts, state.get_game().options()))


def throw_ways(parts: Parts, rules: dict[str, Any]) -> dict[str, int]:
    """The ways of each jan of that throw, of the mover and of the other, from the parts of a state."""
    player, (a, b) = parts.player, parts.dice
    old_law = rules["bearing_off"] == "by_default_only"
    pile, margot = bool(rules["pile_de_misere"]), bool(rules["margot_la_fendue"])
    ways = _core.trictrac.score(parts.board_from(player), a, b, parts.throws[player], old_law, pile, margot)[2]
    if rules["mezeas_next_throw_only"] and not parts.corner_just_taken[player]:
        ways = {jan: count for jan, count in ways.items() if jan not in ("mezeas", "contre_mezeas")}
    mine = sum(count * TARIFF[jan][a == b] for jan, count in ways.items() if not TARIFF[jan][2])
    if mine < parts.due[0]:
        ways["jan_de_rencontre"] = 1  # the position does not tell it: it depends on the throw before
    return ways


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
        raise ValueError("a board is 24 integers, positive for the mover, negative for the opponent")
    if wrong := [n for n in numbers if abs(n) > 15]:
        raise ValueError(f"a field holds at most fifteen men, not {abs(wrong[0])}")
    return numbers


def check_dice(dice: Sequence[int]) -> tuple[int, int]:
    """Two integers from 1 to 6."""
    try:
        numbers = [operator.index(n) for n in dice if not isinstance(n, bool)]
    except TypeError:
        numbers = []
    if len(numbers) != 2 or not all(1 <= n <= 6 for n in numbers):
        raise ValueError(f"dice are two numbers from 1 to 6, not {dice!r}")
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


def _english(jan: Jan) -> str:
    where = "; ".join(way.text("en") for way in jan.details)
    verb, _, quarter = jan.name.partition("_")
    if verb == "hit":
        return f"Single men are hit: {where}."
    if verb == "false":
        return f"Single men are hit falsely, over fields that are held: {where}."
    if verb == "fill":
        ways = "one way" if jan.ways == 1 else f"{jan.ways} ways"
        return f"The throw fills {JAN_NAMES[quarter][0]}, in {ways}."
    if verb == "conserve":
        return f"The throw can be played without breaking {JAN_NAMES[quarter][0]}."
    return {
        "corner": f"Two men besides those on the own corner reach the empty opposing corner: {where}.",
        "six_tables": "Six tables: the third throw would put single men on all of the fields 2 to 7.",
        "two_tables": "Two tables: the only two men down would reach both rest corners, which are empty.",
        "contre_two_tables": "The only two men down would reach both rest corners, but the opposing one is held.",
        "mezeas": "Mezeas: an ace with only the corner taken, the opposing corner empty.",
        "contre_mezeas": "An ace with only the corner taken, but the opposing corner is held.",
        "exit": "The last man is borne off.",
        "helpless": f"{jan.ways} of the two numbers cannot be played.",
        "pile_de_misere": "All fifteen men are piled on the rest corner.",
        "margot": f"Margot la fendue, a man could land between two single men: {where}.",
        "jan_de_rencontre": "The second player repeats the first throw of the game.",
    }[jan.name]


def _french(jan: Jan) -> str:
    where = " ; ".join(way.text("fr") for way in jan.details)
    verb, _, quarter = jan.name.partition("_")
    if verb == "hit":
        return f"Des dames découvertes sont battues : {where}."
    if verb == "false":
        return f"Des dames découvertes sont battues à faux, les repos étant fermés : {where}."
    if verb == "fill":
        ways = "d'une façon" if jan.ways == 1 else f"de {jan.ways} façons"
        return f"Le coup remplit {JAN_NAMES[quarter][1]}, {ways}."
    if verb == "conserve":
        return f"Le coup peut être joué en conservant {JAN_NAMES[quarter][1]}."
    return {
        "corner": f"Deux dames, sans celles du coin, battent le coin adverse vide : {where}.",
        "six_tables": "Jan de six tables : le troisième coup couvrirait d'une dame chacune des flèches 2 à 7.",
        "two_tables": "Jan de deux tables : les deux seules dames abattues atteindraient les deux coins, vides.",
        "contre_two_tables": "Contre-jan de deux tables : le coin adverse est pris.",
        "mezeas": "Jan de mézéas : un as, le coin seul étant pris et le coin adverse vide.",
        "contre_mezeas": "Contre-jan de mézéas : un as, le coin seul étant pris, mais le coin adverse l'est aussi.",
        "exit": "La dernière dame sort.",
        "helpless": f"Jan qui ne peut : {jan.ways} nombre{'s' if jan.ways > 1 else ''} ne peut se jouer."
        if jan.ways == 1
        else "Jan qui ne peut : aucun des deux nombres ne peut se jouer.",
        "pile_de_misere": "Pile de misère : les quinze dames sont sur le coin.",
        "margot": f"Margot la fendue : une dame tomberait entre deux dames découvertes : {where}.",
        "jan_de_rencontre": "Jan de rencontre : le second joueur répète le premier coup de la partie.",
    }[jan.name]


_SENTENCES = {"en": _english, "fr": _french}
