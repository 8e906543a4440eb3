"""Parses typed moves of backgammon into actions.

A move lists men with their points in the mover's numbering: `13/7 8/7`, `bar/22`, `6/off`, `13/7(2)`, also with `-`.
One man with several numbers is `24/18/16` or `24/16`. `*` for hits can be left out. Men may come in any order. All four
moves of a doublet can be typed at once, or two at a time. Keywords are accepted in every language.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tablier._core import State
from tablier._core.backgammon import moves, parts
from tablier.games.backgammon.notation import BAR, OFF, Move, place_text
from tablier.messages import MessageError, accepted

MOST_TYPED = 4
"""The most moves in a turn."""
_TOKEN = re.compile(r"(?P<path>[^()]+?)(?:\((?P<times>[1-4])\))?")
Delta = frozenset[tuple[int, int]]
"""The net effect of moves: (place, change in the number of men)."""


@dataclass(frozen=True)
class Path:
    """A typed path of one man: its stops, and those marked as hits."""

    stops: tuple[int, ...]
    hits: frozenset[int]


def read(state: State, typed: str) -> list[int]:
    """Parses a typed turn: moves, the number of a play as the command `moves` lists it, or `pass`.

    Returns:
        The actions: two for a whole doublet, otherwise one.

    Raises:
        MessageError: the text matches no legal play; the message gives the reason.

    >>> import tablier
    >>> state = tablier.load_game("backgammon").new_initial_state().child(12)  # 3-1
    >>> [state.action_to_string(action) for action in read(state, "8/5 6/5")]
    ['8/5 6/5']
    >>> read(state, "7/4")
    Traceback (most recent call last):
    tablier.messages.message.MessageError: you have no man on 7
    """
    words = " ".join(typed.lower().split())
    legal = state.legal_actions()
    number = words.removeprefix("#")
    if number.isdecimal():
        if 1 <= int(number[:9]) <= len(legal):
            return [legal[int(number[:9]) - 1]]
        raise MessageError.of("backgammon.read.not_listed", most=len(legal))
    if words in accepted("backgammon.typed.pass"):
        if len(legal) == 1 and not moves(state, legal[0]):
            return legal
        raise MessageError.of("backgammon.read.must_play")
    return match(state, read_paths(words))


def read_paths(text: str) -> list[Path]:
    """Parses the paths of a typed play; raises MessageError if it is not one."""
    found = []
    joined = "(".join(part.rstrip() for part in text.split("("))  # 13/7 (2) is one token
    for token in joined.replace(",", " ").replace(";", " ").split():
        parsed = _TOKEN.fullmatch(token)
        stops = re.split(r"[-/>→]", parsed["path"]) if parsed else []
        places = [_place(word.rstrip("*"), first=number == 0) for number, word in enumerate(stops)]
        falling = all(a > b for a, b in itertools.pairwise(places))
        if parsed is None or len(places) < 2 or -1 in places or not falling:
            raise MessageError.of("backgammon.read.not_a_move", typed=f"{token:.40}")
        hits = frozenset(place for place, word in zip(places, stops, strict=True) if word.endswith("*"))
        found += [Path(tuple(places), hits)] * int(parsed["times"] or 1)
    if not found or len(found) > MOST_TYPED:
        raise MessageError.of("backgammon.read.points")
    return found


def match(state: State, paths: list[Path]) -> list[int]:
    """Returns the actions of the play that typed paths mean; raises MessageError if it is not legal."""
    wanted = _delta((path.stops[0], path.stops[-1]) for path in paths)
    best: tuple[int, list[int]] | None = None
    for actions, played in _plays(state):
        if _delta((start, to) for start, to, _ in played) != wanted:
            continue
        unlike = _unlike(paths, played)
        if best is None or unlike < best[0]:
            best = unlike, actions
        if unlike == 0:
            break
    if best is None:
        raise _refusal(state, paths)
    return best[1]


def _plays(state: State) -> Iterator[tuple[list[int], list[Move]]]:
    """Yields the plays of one turn of the engine, then whole doublets."""
    halves = [([action], moves(state, action)) for action in state.legal_actions()]
    yield from halves
    if parts(state).moves_left < MOST_TYPED:
        return
    for actions, played in halves:
        after = state.child(actions[0])
        if after.current_player() == state.current_player():
            for action in after.legal_actions():
                yield [*actions, action], [*played, *moves(after, action)]


def _unlike(paths: list[Path], played: list[Move]) -> int:
    """Counts in how far a play with the same result on the mover's side differs from what was typed."""
    hits, typed_hits = {to for _, to, hit in played if hit}, {place for path in paths for place in path.hits}
    landings = Counter(place for path in paths for place in path.stops[1:])
    missed = landings - Counter(to for _, to, _ in played)  # stops that were typed, but on another way
    return 4 * missed.total() + 2 * len(typed_hits - hits) + len(hits - set(landings))


def _place(word: str, first: bool) -> int:
    """Parses a point, the bar or off; returns -1 for anything else."""
    if first and word in accepted("backgammon.typed.bar"):
        return BAR
    if not first and word in accepted("backgammon.typed.off"):
        return OFF
    number = int(word) if re.fullmatch("[0-9]{1,2}", word) else -1
    return number if (1 <= number <= BAR if first else OFF <= number < BAR) else -1


def _delta(played: Iterable[tuple[int, int]]) -> Delta:
    change: Counter[int] = Counter()
    for start, to in played:
        change[start] -= 1
        change[to] += 1
    return frozenset((place, men) for place, men in change.items() if men)


def _refusal(state: State, paths: list[Path]) -> MessageError:
    """Returns the error that explains why the paths are not a legal play."""
    now = parts(state)
    own = now.board if now.player == 0 else tuple(-count for count in reversed(now.board))
    on_bar = now.bar[now.player]
    reached = {place for path in paths for place in path.stops[1:]}
    for path in paths:
        start = path.stops[0]
        there = on_bar if start == BAR else max(0, own[start - 1])
        if not there and start not in reached:
            return MessageError.of("backgammon.read.no_man", place=place_text(start))
    if on_bar and all(path.stops[0] != BAR for path in paths):
        return MessageError.of("backgammon.read.enter_first")
    told = Counter((path.stops[0], path.stops[-1]) for path in paths)
    longer = (
        Counter((start, to) for start, to, _ in played) for _, played in _plays(state) if len(played) > len(paths)
    )
    if any(told <= moves_of for moves_of in longer):
        return MessageError.of("backgammon.read.more")
    return MessageError.of("backgammon.read.not_legal", first=now.dice[0], second=now.dice[1])
