"""Records as Smart Game Format (SGF, GM[6]), as GNU Backgammon writes it.

A collection holds one tree per game: `(;FF[4]GM[6]MI[length:3][game:0][ws:0][bs:0]PW[a]PB[b];W[31hefe];B[65aggl])`.
The value of a move is the two dice and, for each man, the letters of where it starts and ends: a to x are White's
points 1 to 24 for both players, y is the bar, z off the board. Only the main line is read. Games with a doubling cube
and positions set up by hand are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tablier._core.backgammon import parts
from tablier.games.backgammon.notation import BAR, OFF
from tablier.games.backgammon.turns import VARIATIONS, GameRecord, Replay, Turn, refusal, side_key, start_of, turns_of
from tablier.games.backgammon.typed import Path
from tablier.messages import MessageError, reason_of
from tablier.record_format import HEADER_LENGTH, checked_header
from tablier.registry import load_game

PLAYERS = ("W", "B")
NAMES = {"PW": "White", "PB": "Black", "EV": "Event", "RO": "Round", "PC": "Place", "DT": "Date", "GC": "Comment"}
SET_UP = ("AE", "AW", "AB", "PL", "DI", "CP", "CV")
"""Properties that set up a position."""
_MOVE = re.compile(r"([1-6])([1-6])((?:[a-y][a-z]){0,4})")
_MATCH = re.compile(r"(length|game|ws|bs):(\d{1,5})")
_RESULT = re.compile(r"([WB])\+(\d{1,4})(R?)", re.IGNORECASE)


@dataclass
class Property:
    """A property of a node: its name, its values and its line."""

    name: str
    values: list[str]
    line: int


Node = list[Property]


def recognises(text: str) -> bool:
    """Whether a text looks like SGF of backgammon."""
    return bool(re.match(r"\s*\(\s*;[^()]{0,200}?GM\s*\[\s*6\s*\]", text))


def write(games: Sequence[GameRecord]) -> str:
    """Writes the games of a match, or of money play, as a collection."""
    return "\n".join(_tree(record) for record in games) + "\n"


def _tree(record: GameRecord) -> str:
    turns, last = turns_of(record.game, record.actions)
    match = {"length": record.length, "game": record.number - 1, "ws": record.score[0], "bs": record.score[1]}
    root = "(;FF[4]GM[6]CA[UTF-8]AP[tablier]MI" + "".join(f"[{key}:{value}]" for key, value in match.items())
    header = {side_key(0): side_key(0), side_key(1): side_key(1)} | checked_header(record.header)
    root += "".join(f"{name}[{_escaped(header[key])}]" for name, key in NAMES.items() if key in header)
    variation = VARIATIONS[str(record.game.options()["start"])]
    root += "RU[NoCube]" if variation == "Backgammon" else f"RU[NoCube:{variation}]"
    if last.is_terminal():
        root += f"RE[{PLAYERS[parts(last).player]}+{parts(last).points}]"
    return "\n".join([root, *(f";{PLAYERS[turn.player]}[{_value(turn)}]" for turn in turns)]) + ")"


def _value(turn: Turn) -> str:
    def letter(place: int) -> str:
        if place in (OFF, BAR):
            return "z" if place == OFF else "y"
        return chr(ord("a") + (place if turn.player == 0 else 25 - place) - 1)

    return f"{turn.dice[0]}{turn.dice[1]}" + "".join(letter(start) + letter(to) for start, to, _ in turn.moves)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def read(text: str) -> list[GameRecord]:
    """Reads the games of a collection.

    Raises:
        MessageError: the text is not SGF of backgammon, or a move is illegal; it names the line and the reason.
    """
    found = [_game(nodes) for nodes in _trees(text)]
    if not found:
        raise MessageError.of("backgammon.record.no_game")
    return found


def _game(nodes: list[Node]) -> GameRecord:
    header, match, start, result = dict[str, str](), {"length": 0, "game": 0, "ws": 0, "bs": 0}, "standard", None
    line, shown = 1, ""
    try:
        for one in nodes[0]:
            line, shown = one.line, f"{one.name}[{one.values[0]}]"
            if one.name == "GM" and one.values[0].strip() != "6":
                raise MessageError.of("backgammon.record.other_game")
            if one.name in SET_UP:
                raise MessageError.of("backgammon.record.set_up")
            if one.name in NAMES:
                header |= checked_header({NAMES[one.name]: " ".join(one.values[0].split())[:HEADER_LENGTH]})
            elif one.name == "MI":
                match |= {found[1]: int(found[2]) for value in one.values if (found := _MATCH.fullmatch(value.strip()))}
            elif one.name == "RU":
                start = _start(one.values[0])
            elif one.name == "RE":
                result = _RESULT.fullmatch(one.values[0].strip())
        game = load_game("backgammon", start=start)
        replay = Replay(game)
        for node in nodes:
            for one in node:
                line, shown = one.line, f"{one.name}[{one.values[0]}]"
                if one.name in PLAYERS:
                    _play(replay, PLAYERS.index(one.name), one.values[0].strip())
                elif one.name in SET_UP:
                    raise MessageError.of("backgammon.record.set_up")
        if result:
            replay.check_result(PLAYERS.index(result[1].upper()), int(result[2]), match["length"] == 0)
    except MessageError as error:
        raise refusal(line, shown, reason_of(error)) from None
    score = (match["ws"], match["bs"])
    return GameRecord(game, tuple(replay.actions), header, match["length"], score, match["game"] + 1)


def _start(rules: str) -> str:
    """Returns the start position that the property RU names, among rules such as Crawford."""
    names = {name.lower() for name in VARIATIONS.values()}
    for word in rules.split(":"):
        if word.strip().lower() in names or word.strip().lower().endswith("gammon"):
            return start_of(word)
        if re.fullmatch("hypergammon[0-9]", word.strip().lower()):
            return start_of(word)
    return "standard"


def _play(replay: Replay, player: int, value: str) -> None:
    if value in ("double", "take", "drop", "beaver"):
        raise MessageError.of("backgammon.record.cube")
    found = _MOVE.fullmatch(value)
    if found is None:
        raise MessageError.of("backgammon.record.sgf_move")
    dice, letters = (int(found[1]), int(found[2])), found[3]
    paths = []
    for start, to in zip(letters[::2], letters[1::2], strict=True):
        begin, end = (_place(letter, player) for letter in (start, to))
        if end in (BAR, begin) or end > begin:
            raise MessageError.of("backgammon.record.sgf_move")
        paths.append(Path((begin, end), frozenset()))
    try:
        replay.play(player, dice, paths)
    except MessageError as error:
        if error.code != "backgammon.record.can_move":
            raise
        replay.waiting = True  # the record ends after the throw


def _place(letter: str, player: int) -> int:
    if letter in "yz":
        return BAR if letter == "y" else OFF
    point = ord(letter) - ord("a") + 1
    return point if player == 0 else 25 - point


# The syntax of SGF


_TOKEN = re.compile(r"\s*(?:(?P<sign>[();])|(?P<name>[A-Za-z]{1,20})|\[(?P<value>(?:[^\]\\]++|\\.)*+)\])", re.DOTALL)


def _trees(text: str) -> Iterator[list[Node]]:
    """Yields the main line of each tree: of several variations, the first one."""
    nodes: list[Node] = []
    depth, at, line, ended = 0, 0, 1, False
    end = len(text.rstrip())
    while at < end:
        token = _TOKEN.match(text, at)
        line += text.count("\n", at, token.end() if token else at)
        if token is None or (not depth and token["sign"] != "("):
            raise refusal(line, text[at : at + 40].split("\n")[0], MessageError.of("backgammon.record.sgf").message)
        at = token.end()
        if token["sign"] == "(":
            depth += 1
        elif token["sign"] == ")":
            depth, ended = depth - 1, True
            if not depth:
                yield _checked(nodes, line)
                nodes, ended = [], False
        elif ended:
            continue  # another variation
        elif token["sign"] == ";":
            nodes.append([])
        elif token["name"] and nodes:
            nodes[-1].append(Property(token["name"], [], line))
        elif token["value"] is not None and nodes and nodes[-1]:
            nodes[-1][-1].values.append(re.sub(r"\\(.)", r"\1", token["value"], flags=re.DOTALL))
        else:
            raise refusal(line, token[0].strip()[:40], MessageError.of("backgammon.record.sgf").message)
    if depth:
        raise MessageError.of("backgammon.record.sgf_ends")


def _checked(nodes: list[Node], line: int) -> list[Node]:
    """Returns the nodes; raises MessageError unless there is one and each property has a value."""
    for node in nodes:
        for one in node:
            if not one.values:
                raise refusal(one.line, one.name, MessageError.of("backgammon.record.sgf").message)
    if not nodes:
        raise refusal(line, ")", MessageError.of("backgammon.record.sgf").message)
    return nodes
