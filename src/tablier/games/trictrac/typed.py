"""Moves of Trictrac as people type them.

A move is where men go, in the mover's own field numbers: `1-5 1-3` (also with / or >), `1-8` or `1-5-8` for one man by
both numbers, `22-off`, `pass`. Fields without a goal are where the men come from, in the order of the dice: `6 5`. The
corner by power may be told as it ends (`7-12 8-12`), as it is reckoned (`7-13 8-13`) or as `power`. Any order will do.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator

from tablier._core import State, trictrac
from tablier._core.trictrac import LEAVE, Parts

OFF = 25
_OFF_WORDS = ("off", "out", "sort", "sortie", "dehors", "25", "0")
_POWER_WORDS = ("power", "puissance", "par puissance", "by power")
_PASS_WORDS = ("pass", "passe", "passer")

_PHRASES = {
    "must play": ("something can be played, so it must be", "on peut jouer, donc on le doit"),
    "fields": ("a move is told by fields, as in 1-5 1-3", "un coup se dit par des cases, comme 1-5 1-3"),
    "no move": (
        "'{0}' is no move; a move is told by fields from 1 to 24, as in 1-5 1-3 or 22-off",
        "« {0} » n'est pas un coup ; un coup se dit par des cases de 1 à 24, comme 1-5 1-3 ou 22-sort",
    ),
    "no power": (
        "the corner cannot be taken by power with this throw",
        "ce coup ne permet pas de prendre son coin par puissance",
    ),
    "no man": ("there is no man of yours on field {0}", "vous n'avez pas de dame à la case {0}"),
    "one number": (
        "that is one number; say where the other goes too",
        "c'est un seul nombre ; dites aussi où va l'autre",
    ),
    "not legal": ("that is no legal play of {0} and {1}", "ce coup n'est pas permis par {0} et {1}"),
}

Delta = frozenset[tuple[int, int]]
"""How many men more or less stand on which fields: what a play comes down to."""


def read_move(state: State, text: str, lang: str = "en") -> int:
    """The legal action that the text means; ValueError with the reason (in English or French) if there is none.

    >>> import tablier
    >>> state = tablier.load_game("trictrac", first_throw="white").new_initial_state().child(23)
    >>> [state.action_to_string(read_move(state, text)) for text in ("1-5 1-7", "1/7, 1/5", "1 1", "1-11")]
    ['1-5 1-7', '1-5 1-7', '1-5 1-7', '1-5-11']
    >>> read_move(state, "2-6")
    Traceback (most recent call last):
    ValueError: there is no man of yours on field 2
    """
    parts = trictrac.parts(state)
    plays = {action: trictrac.moves(state, action) for action in state.legal_actions() if action != LEAVE}
    by_delta: dict[Delta, int] = {}
    for action, moves in plays.items():
        by_delta.setdefault(_delta(moves), action)
    words = " ".join(text.lower().split())
    if words in _PASS_WORDS:
        if frozenset() in by_delta:
            return by_delta[frozenset()]
        raise ValueError(_phrase(lang, "must play"))
    if words in _POWER_WORDS:
        return _by_power(plays, parts.dice, lang)
    paths = [_path(token, lang) for token in re.split(r"[\s,;+]+", words) if token]
    if not paths:
        raise ValueError(_phrase(lang, "fields"))
    for moves in _meanings(paths, parts.dice):
        if (delta := _delta(moves)) in by_delta:
            return by_delta[delta]
    raise ValueError(_reason(paths, parts, list(plays.values()), lang))


def _path(token: str, lang: str) -> tuple[int, int | None]:
    """From where, and to where if that is said."""
    stops = [word for word in re.split(r"[-/>:.→]+", token.rstrip("*")) if word]
    numbers = [
        OFF if word in _OFF_WORDS and i else int(word) if word.isdecimal() else -1 for i, word in enumerate(stops)
    ]
    if not numbers or not all(1 <= number <= OFF for number in numbers) or numbers[0] == OFF:
        raise ValueError(_phrase(lang, "no move", token))
    return numbers[0], numbers[-1] if len(numbers) > 1 else None


def _meanings(paths: list[tuple[int, int | None]], dice: tuple[int, int]) -> Iterator[list[tuple[int, int]]]:
    """What the paths may mean: dice in their order first, then the other way round; and 13 is 12 by power."""
    if len(paths) > 4:
        return
    for order in (dice, dice[::-1]):
        for numbers in itertools.islice(itertools.permutations(order, min(len(paths), 2)), 2):
            moves = []
            for i, (start, end) in enumerate(paths):
                goal = min(OFF, start + numbers[min(i, len(numbers) - 1)]) if end is None else end
                moves.append((start, goal))
            yield moves
            yield [(start, 12 if end == 13 else end) for start, end in moves]


def _delta(moves: list[tuple[int, int]]) -> Delta:
    change: Counter[int] = Counter()
    for start, end in moves:
        change[start] -= 1
        change[end] += 1
    return frozenset((field, men) for field, men in change.items() if men)


def _by_power(plays: dict[int, list[tuple[int, int]]], dice: tuple[int, int], lang: str) -> int:
    wanted = _delta([(13 - dice[0], 12), (13 - dice[1], 12)])
    for action, moves in plays.items():
        if _delta(moves) == wanted:
            return action
    raise ValueError(_phrase(lang, "no power"))


def _reason(paths: list[tuple[int, int | None]], parts: Parts, plays: list[list[tuple[int, int]]], lang: str) -> str:
    own = parts.board_from(parts.player)
    reached = {end for _, end in paths}
    for start, _ in paths:
        if own[start - 1] <= 0 and start not in reached:
            return _phrase(lang, "no man", start)
    told = Counter((start, end) for start, end in paths if end is not None)
    if len(paths) == 1 and told and any(told <= Counter(moves) for moves in plays if len(moves) > 1):
        return _phrase(lang, "one number")
    return _phrase(lang, "not legal", *parts.dice)


def _phrase(lang: str, key: str, *values: object) -> str:
    return _PHRASES[key][lang == "fr"].format(*values)
