"""Parses what players type in Trictrac into actions.

A move lists men with their fields, in the mover's numbering: `1-5 1-3` (also with / or >), `1-8` or `1-5-8` for one man
with both numbers, `22-off`, `pass`. Single fields are the men to move, in the order of the dice: `6 5`. Taking the
corner by power is written with the final fields (`7-12 8-12`), the fields counted (`7-13 8-13`) or as `power`. Men may
come in any order. Keywords are accepted in every language of the catalogue (keys `trictrac.typed.*`).
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator

from tablier._core import State, trictrac
from tablier._core.trictrac import CORRECT, FILL, LEAVE, MOST_DECLARED, NO_CLAIM, Parts, SchoolStep, is_move
from tablier.games.trictrac.steps import OFF
from tablier.messages import MessageError, accepted

Delta = frozenset[tuple[int, int]]
"""The net effect of a play: (field, change in the number of men)."""


def read(state: State, typed: str) -> int:
    """Parses a typed decision: a move, the number of a play as the command `moves` lists it, or a keyword.

    With schools, also points and claims.

    Raises:
        MessageError: the text matches no legal action; the message gives the reason.
    """
    words = " ".join(typed.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    legal = state.legal_actions()
    if school := trictrac.parts(state).school:
        return _read_school(school, words, legal)
    if _is(words, "leave"):
        if LEAVE in legal:
            return LEAVE
        raise MessageError.of("trictrac.read.cannot_leave")
    if _is(words, "hold"):
        raise MessageError.of("trictrac.read.you_hold" if LEAVE in legal else "trictrac.read.nothing_to_hold")
    number = words.removeprefix("#")
    if number.isdecimal():
        moves = [action for action in legal if action != LEAVE]
        if len(number) < 10 and 1 <= int(number) <= len(moves):
            return moves[int(number) - 1]
        raise MessageError.of("trictrac.read.not_listed", most=len(moves))
    try:
        return read_move(state, words)
    except MessageError as error:
        raise MessageError.of("trictrac.read.see_moves", reason=error.message) from None


def read_move(state: State, text: str) -> int:
    """Parses a typed move.

    Raises:
        MessageError: the text matches no legal move; the message gives the reason.

    >>> import tablier
    >>> state = tablier.load_game("trictrac", first_throw="white").new_initial_state().child(23)
    >>> [state.action_to_string(read_move(state, text)) for text in ("1-5 1-7", "1/7, 1/5", "1 1", "1-11")]
    ['1-5 1-7', '1-5 1-7', '1-5 1-7', '1-5-11']
    >>> read_move(state, "2-6")
    Traceback (most recent call last):
    tablier.messages.message.MessageError: you have no man on field 2
    """
    parts = trictrac.parts(state)
    plays = {action: trictrac.moves(state, action) for action in state.legal_actions() if is_move(action)}
    by_delta: dict[Delta, int] = {}
    for action, moves in plays.items():
        by_delta.setdefault(_delta(moves), action)
    words = " ".join(text.lower().split())
    if _is(words, "pass"):
        if frozenset() in by_delta:
            return by_delta[frozenset()]
        raise MessageError.of("trictrac.read.must_play")
    if _is(words, "power"):
        return _by_power(plays, parts.dice)
    paths = [_path(token) for token in re.split(r"[\s,;+]+", words) if token]
    if not paths:
        raise MessageError.of("trictrac.read.fields")
    for moves in _meanings(paths, parts.dice):
        if (delta := _delta(moves)) in by_delta:
            return by_delta[delta]
    raise _refusal(paths, parts, list(plays.values()))


def _is(typed: str, word: str) -> bool:
    return typed in accepted(f"trictrac.typed.{word}")


def _read_school(school: SchoolStep, words: str, legal: list[int]) -> int:
    last = words.split(" ")[-1]
    if last.isdecimal():
        amount = int(last[:9])
        claim = trictrac.claim(amount) if amount else NO_CLAIM
        action = trictrac.declaration(amount) if school == SchoolStep.DECLARE else claim
        if amount % 2 == 0 and action in legal:
            return action
        raise MessageError.of("trictrac.read.even", most=MOST_DECLARED)
    if not words or _is(last, "nothing") or _is(last, "pass"):
        return trictrac.declaration(0) if school == SchoolStep.DECLARE else NO_CLAIM
    for action, meaning in ((CORRECT, "correct"), (FILL, "fill")):
        if action in legal and words.startswith(accepted(f"trictrac.typed.{meaning}")):
            return action
    raise MessageError.of("trictrac.read.not_a_school", typed=words)


def _path(token: str) -> tuple[int, int | None]:
    """Returns the start of a man's path, and its end or None if only the start was typed."""
    stops = [word for word in re.split(r"[-/>:.→]+", token.rstrip("*")) if word]
    numbers = [_field(word, first=not i) for i, word in enumerate(stops)]
    if not numbers or not all(1 <= number <= OFF for number in numbers) or numbers[0] == OFF:
        raise MessageError.of("trictrac.read.not_a_move", typed=token)
    return numbers[0], numbers[-1] if len(numbers) > 1 else None


def _field(word: str, first: bool) -> int:
    """Parses a field number, or 0 or a keyword for off the board; returns -1 for anything else."""
    if not first and (word == "0" or _is(word, "off")):
        return OFF
    return int(word[:9]) if word.isdecimal() else -1


def _meanings(paths: list[tuple[int, int | None]], dice: tuple[int, int]) -> Iterator[list[tuple[int, int]]]:
    """Yields possible moves: with the dice in their order, then reversed, each also with 13 read as 12 by power."""
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


def _by_power(plays: dict[int, list[tuple[int, int]]], dice: tuple[int, int]) -> int:
    wanted = _delta([(13 - dice[0], 12), (13 - dice[1], 12)])
    for action, moves in plays.items():
        if _delta(moves) == wanted:
            return action
    raise MessageError.of("trictrac.read.no_power")


def _refusal(paths: list[tuple[int, int | None]], parts: Parts, plays: list[list[tuple[int, int]]]) -> MessageError:
    """Returns the error that explains why the paths are not a legal play."""
    own = parts.board_from(parts.player)
    reached = {end for _, end in paths}
    for start, _ in paths:
        if own[start - 1] <= 0 and start not in reached:
            return MessageError.of("trictrac.read.no_man", field=start)
    told = Counter((start, end) for start, end in paths if end is not None)
    if len(paths) == 1 and told and any(told <= Counter(moves) for moves in plays if len(moves) > 1):
        return MessageError.of("trictrac.read.one_number")
    first, second = parts.dice
    return MessageError.of("trictrac.read.not_legal", first=first, second=second)
