"""Ids of positions as other programs write them: GNU Backgammon's position id and match id, and XGID.

A position id (14 characters) has the men, a match id (12 characters) who is to move, the dice, the cube and the match.
GNU Backgammon writes both as `4HPwATDgc/ABMA:cAkAAAAAAAAA`. An XGID has everything in one line:
`XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10`.

Player 0 here is the player at the bottom of the board: X in XGID, and X, player 1, in GNU Backgammon.
"""

from __future__ import annotations

import base64
import functools
import re
from dataclasses import dataclass
from typing import Any

from tablier.games.backgammon.fields import Pair, number, pair
from tablier.messages import MessageError

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
PLACES = 25
"""Places of a player in a position id: points 1 to 24 and the bar."""
POSITION_LENGTH, MATCH_LENGTH = 14, 12
FIELDS = {"cube": 4, "owner": 2, "on_roll": 1, "crawford": 1, "state": 3, "turn": 1, "doubled": 1, "resigned": 2}
FIELDS |= {"die1": 3, "die2": 3, "length": 15, "score0": 15, "score1": 15, "no_jacoby": 1}
"""The numbers in a match id and their bits, lowest bit first."""
NOT_STARTED, PLAYING, OVER = 0, 1, 2
"""States of a game in a match id; others are resigned (3) and dropped (4)."""
CENTRED = 3
MOST_CUBE = 10
"""The cube is at most 2 to this power."""
MOST_POINTS = 2 ** FIELDS["length"] - 1
_GNUBG = re.compile(r"(?:GNUBGID[ =]+)?([A-Za-z0-9+/]{14})(?::([A-Za-z0-9+/]{12}))?")
_LETTERS = "-ABCDEFGHIJKLMNO"


@dataclass(frozen=True)
class Match:
    """What an id says about the match and the cube. Games here are single and without a cube, so states ignore it."""

    length: int = 0
    """Points of the match; 0 for money play."""
    score: Pair = (0, 0)
    """Points of each player."""
    crawford: bool = False
    """Whether this is the Crawford game."""
    cube: int = 1
    """Value of the cube: a power of two."""
    owner: int | None = None
    """Who owns the cube; None if it is in the middle."""

    def __post_init__(self) -> None:
        fix = functools.partial(object.__setattr__, self)
        fix("length", number("length", self.length, 0, MOST_POINTS))
        fix("score", pair("score", self.score, MOST_POINTS))
        fix("crawford", bool(number("crawford", self.crawford, 0, 1)))
        fix("cube", number("cube", self.cube, 1, 2**MOST_CUBE))
        fix("owner", None if self.owner is None else number("owner", self.owner, 0, 1))
        if self.length and max(self.score) >= self.length:
            raise MessageError.of("backgammon.id.score", first=self.score[0], second=self.score[1], length=self.length)
        if self.cube.bit_count() > 1 or (self.cube == 1 and self.owner is not None):
            raise MessageError.of("backgammon.id.number", name="cube", value=self.cube)
        if self.crawford and not (self.length and self.length - 1 in self.score):
            raise MessageError.of("backgammon.id.crawford")


MONEY = Match()
"""Money play with the cube in the middle."""


def looks_like_id(text: str) -> bool:
    """Whether a text is an id by its form."""
    return bool(_GNUBG.fullmatch(text.strip())) or text.strip().upper().startswith("XGID=")


def read(text: str, men: int = 15) -> dict[str, Any]:
    """Returns the fields of `Position` that an id stores.

    Args:
        text: a position id, a position id and a match id joined by a colon, or an XGID.
        men: the men of each player; those not on the board are borne off.

    Raises:
        MessageError: the id is malformed or names an impossible position.
    """
    if not isinstance(text, str) or not looks_like_id(text):
        raise MessageError.of("backgammon.id.form", text=f"{text!r:.60}")
    words = text.strip()
    if words.upper().startswith("XGID="):
        return _read_xgid(words[5:], men)
    found = _GNUBG.fullmatch(words)
    if found is None:
        raise MessageError.of("backgammon.id.form", text=f"{text!r:.60}")
    facts = _read_match(found[2]) if found[2] else {"player": 0}
    other, mine = _read_men(found[1])
    sides = (mine, other) if facts["player"] == 0 else (other, mine)
    started = facts.pop("started", True)
    result = _placed(sides, men) | facts
    opening = not started and result["dice"] == (0, 0) and sides[0] == sides[1] and not any(result["off"])
    return result | {"opening": True, "player": 0} if opening else result


def position_id(sides: tuple[list[int], list[int]], player: int) -> str:
    """Returns the position id of the men (points 1 to 24 and the bar, in each player's numbering)."""
    bits = "".join("1" * count + "0" for side in (sides[1 - player], sides[player]) for count in side)
    return _letters(bits.ljust(80, "0"))


def match_id(match: Match, player: int, dice: Pair, state: int) -> str:
    """Returns the match id of a game in a state (`PLAYING` and so on)."""
    values = {
        "cube": match.cube.bit_length() - 1,
        "owner": CENTRED if match.owner is None else 1 - match.owner,
        "on_roll": 1 - player,
        "crawford": int(match.crawford),
        "state": state,
        "turn": 1 - player,
        "die1": dice[0],
        "die2": dice[1],
        "length": match.length,
        "score0": match.score[1],
        "score1": match.score[0],
        "no_jacoby": int(match.length == 0),  # gammons always count here
    }
    bits = "".join(f"{values.get(name, 0):0{size}b}"[::-1] for name, size in FIELDS.items())
    return _letters(bits.ljust(72, "0"))


def xgid(sides: tuple[list[int], list[int]], player: int, dice: Pair, match: Match) -> str:
    """Returns the XGID of a position."""
    mine, theirs = sides
    places = [_LETTERS[theirs[24]].lower()]
    for point in range(24):
        places.append(_LETTERS[mine[point]] if mine[point] else _LETTERS[theirs[23 - point]].lower())
    places.append(_LETTERS[mine[24]])
    owner = {None: 0, 0: 1, 1: -1}[match.owner]
    numbers = (match.cube.bit_length() - 1, owner, 1 if player == 0 else -1, f"{dice[0]}{dice[1]}", *match.score)
    return ":".join(map(str, (f"XGID={''.join(places)}", *numbers, int(match.crawford), match.length, MOST_CUBE)))


def _letters(bits: str) -> str:
    """Writes bits, the lowest of each byte first, in base64 without padding."""
    octets = bytes(int(bits[i : i + 8][::-1], 2) for i in range(0, len(bits), 8))
    return base64.b64encode(octets).decode().rstrip("=")


def _bits(letters: str) -> str:
    octets = base64.b64decode(letters + "=" * (-len(letters) % 4))
    if _letters("".join(f"{octet:08b}"[::-1] for octet in octets)) != letters:
        raise MessageError.of("backgammon.id.padding")
    return "".join(f"{octet:08b}"[::-1] for octet in octets)


def _read_men(letters: str) -> tuple[list[int], list[int]]:
    """Returns the men of the player who is not on roll, and of the player who is."""
    runs = _bits(letters).split("0", 2 * PLACES)
    if len(runs) <= 2 * PLACES:
        raise MessageError.of("backgammon.id.breaks_off")
    if "1" in runs[-1]:
        raise MessageError.of("backgammon.id.padding")
    counts = [len(run) for run in runs[:-1]]
    return counts[:PLACES], counts[PLACES:]


def _read_match(letters: str) -> dict[str, Any]:
    bits, values = _bits(letters), {}
    for name, size in FIELDS.items():
        values[name], bits = int(bits[:size][::-1], 2), bits[size:]
    if "1" in bits:
        raise MessageError.of("backgammon.id.padding")
    if values["doubled"] or values["resigned"] or values["state"] not in (NOT_STARTED, PLAYING, OVER):
        raise MessageError.of("backgammon.id.cube_decision")
    if values["owner"] not in (0, 1, CENTRED):
        raise MessageError.of("backgammon.id.number", name="owner", value=values["owner"])
    owner = None if values["owner"] == CENTRED else 1 - values["owner"]
    score = (values["score1"], values["score0"])
    dice = _dice(values["die1"], values["die2"])
    match = _match(values["length"], score, bool(values["crawford"]), values["cube"], owner)
    return {"player": 1 - values["on_roll"], "dice": dice, "match": match, "started": values["state"] != NOT_STARTED}


def _read_xgid(text: str, men: int) -> dict[str, Any]:
    board, *fields = text.split(":")
    if len(board) != 26 or not re.fullmatch("[-A-Oa-o]{26}", board):
        raise MessageError.of("backgammon.id.xgid_board", text=f"{board!r:.60}")
    names = ("cube", "owner", "turn", "dice", "score", "score", "crawford", "length", "cube")
    if len(fields) != len(names):
        raise MessageError.of("backgammon.id.xgid_fields", n=len(fields) + 1)
    if fields[3].upper() in ("D", "B", "R"):
        raise MessageError.of("backgammon.id.cube_decision")
    for name, field in zip(names, fields, strict=True):
        if not re.fullmatch("-?[0-9]{1,5}", field):
            raise MessageError.of("backgammon.id.number", name=name, value=f"{field!r:.20}")
    cube, owner, turn, _, mine, theirs, rule, length, _ = map(int, fields)
    if owner not in (-1, 0, 1) or turn not in (-1, 1) or not re.fullmatch("00|[1-6]{2}", fields[3]):
        wrong = "owner" if owner not in (-1, 0, 1) else "turn" if turn not in (-1, 1) else "dice"
        raise MessageError.of("backgammon.id.number", name=wrong, value=fields[names.index(wrong)])
    if board[0].isupper() or board[25].islower():
        raise MessageError.of("backgammon.id.xgid_bar")
    count = ["-abcdefghijklmno".index(letter.lower()) for letter in board]
    first = [count[point] if board[point].isupper() else 0 for point in range(1, 26)]
    second = [count[25 - point] if board[25 - point].islower() else 0 for point in range(1, 26)]
    match = _match(length, (mine, theirs), bool(length and rule), cube, {0: None, 1: 0, -1: 1}[owner])
    dice = _dice(int(fields[3][0]), int(fields[3][1]))
    return _placed((first, second), men) | {"player": 0 if turn == 1 else 1, "dice": dice, "match": match}


def _dice(first: int, second: int) -> Pair:
    if (first, second) != (0, 0) and not (1 <= first <= 6 and 1 <= second <= 6):
        raise MessageError.of("backgammon.id.number", name="dice", value=f"{first}{second}")
    return first, second


def _match(length: int, score: Pair, crawford: bool, cube: int, owner: int | None) -> Match:
    if not 0 <= cube <= MOST_CUBE:
        raise MessageError.of("backgammon.id.number", name="cube", value=cube)
    return Match(length, score, crawford, 1 << cube, owner)


def _placed(sides: tuple[list[int], list[int]], men: int) -> dict[str, Any]:
    """Returns board, bar and men borne off of both players' places; checks what no board can show."""
    first, second = sides
    for player, side in enumerate(sides):
        if sum(side) > men:
            raise MessageError.of("backgammon.id.too_many_men", player=player, n=sum(side), men=men)
    shared = [point for point in range(1, 25) if first[point - 1] and second[24 - point]]
    if shared:
        raise MessageError.of("backgammon.id.shared_point", point=shared[0])
    board = tuple(first[point] - second[23 - point] for point in range(24))
    off = (men - sum(first), men - sum(second))
    if off == (men, men):
        raise MessageError.of("backgammon.id.no_men")
    winner = next((player for player in (0, 1) if off[player] == men), None)
    facts: dict[str, Any] = {"board": board, "bar": (first[24], second[24]), "off": off, "dice": (0, 0)}
    return facts | ({"winner": winner} if winner is not None else {})
