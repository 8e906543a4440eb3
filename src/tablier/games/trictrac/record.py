r"""Game records of Trictrac: text for players, JSON for programs, both checked against the rules.

Only the dice, moves and choices of a record are free. Everything else (who throws, points and jans, holes, the score,
settings, the result) follows from them, and `replay` compares it with the engine. The first line that differs is
rejected with the reason.

    [Game "trictrac"]                          always first
    [Option holes_to_win "3"]                  options that differ from the default, as in load_game()
    [White "a player"]                         any other key: free text, \" and \\ escaped as in C

    draw 4-4, again                            White's die, Black's die; not with first_throw = white
    draw 2-4, Black begins
    1. Black 2-4: 1-7
    2. White 4-6: 1-11
    (...)
    12. White 6-6: 10 hit_small x1, hit_big x1 | 1 hole | hold | 7-19 | Black 6 false_small x1 | score 1/2 0/6
    13. Black 3-5: 14 hit_small x3, hit_big x1 | 2 holes bredouille | leave | score 1/0 2/0
    setting 2, Black begins
    (...)
    19. White 5-5: 12 hit_small x2 | 2 holes bredouille | score 3/0 2/0
    White wins, stake 1

Each line is a throw: its number, the mover, the dice in the order thrown, then fields in order of play. Fields about
the opponent start with their name; fields about the mover do not.

    [Black] 8 hit_big x2, fill_big x1          points and the ways of each jan; omitted if there are none
    [Black] 1 hole  [Black] 2 holes bredouille holes won with these points; bredouille: the first of them is double
    hold | leave                               if there was a choice; `leave` ends the throw unless a claim undoes it
    8-13 10-13                                 moves in the mover's field numbers; corner by power: to 12
    8-16   22-off   pass                       one man with both numbers; a man borne off; no legal move
    score 2/0 0/2                              White's and Black's holes/points after the throw, if it changed them
    [Black] declares 4                         schools: the points field has the correct points, `score` the outcome
    [Black] claims 2  claims nothing  corrects schools
    Black has it filled | 7-10 8-10            White neglected a filling and must make it: a new move, after all claims
    Black lets it stand                        or need not make it; either field follows Black's claim
    ...                                        an unfinished record stops within this throw

In the scored game (`[Game "trictrac_a_ecrire"]`), `marqué 1, White wins` or `marqué 1, refait` follows the throw that
ended the marqué, and the last line is `tokens 52 -52`, the accounts of White and Black. Three players are numbered: the
line `marqué 2, player 1 is White, player 2 is Black` precedes each marqué, and `tokens` has three accounts.

`setting 2, White begins` follows leaving and bearing off. With last_throw_carries_over the next line repeats the dice
and has the score. The last line is `White wins, stake 1` or `unfinished`; with explicit_roll it is
`unfinished, White rolls` if White has already asked for the dice. White and Black are seats, even if
swap_colours_on_exit has swapped the colours. Blank lines are ignored, and the men of a move may be in any legal order.

In JSON each line is an entry of "throws": its head plus "events", one per field; off is 25.
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tablier._core import Game, State
from tablier._core.trictrac import Stage, parts
from tablier.games.trictrac.position import START
from tablier.games.trictrac.record_error import RecordError, Unit
from tablier.games.trictrac.record_lines import PLAYERS, Event, Line, Reader, Render, Writer, as_json, as_text
from tablier.messages import Message, MessageError, reason_of
from tablier.record_format import checked_header, parsed_json, readable
from tablier.registry import load_game

__all__ = ["PLAYERS", "Record", "RecordError", "read", "replay", "throw_numbers"]

FORMAT, VERSION = "tablier-record", 1
GAMES = ("trictrac", "trictrac_a_ecrire")
MAX_CHARACTERS, MAX_LINES = 1_000_000, 20_000
MAX_JSON_CHARACTERS = 4 * MAX_CHARACTERS
"""JSON is about three times as long as text."""

_TAG = re.compile(r'\[(Option )?([A-Za-z][A-Za-z0-9_]{0,39}) "((?:[^"\\]|\\["\\])*)"\]')


@dataclass(frozen=True)
class Record:
    """A game, finished or not: its options, its header and every action from the start, chance outcomes included.

    The constructor replays the actions and raises RecordError if one of them is illegal, so a Record is always valid.

    >>> import tablier
    >>> print(Record.from_actions(tablier.load_game("trictrac"), [0, 26]).text())
    [Game "trictrac"]
    <BLANKLINE>
    draw 1-1, again
    draw 5-3, White begins
    1. White 5-3: ...
    unfinished
    <BLANKLINE>
    """

    game: str
    """The name of the game, "trictrac" or "trictrac_a_ecrire"."""
    options: Mapping[str, Any] = field(hash=False)
    """Rule options that differ from the default."""
    header: Mapping[str, str] = field(hash=False)
    """Free text by key, such as the players' names under "White" and "Black"."""
    actions: tuple[int, ...]
    """All actions from the initial state, chance outcomes included."""

    def __post_init__(self) -> None:
        rules = _load(self.game, self.options)
        defaults = load_game(self.game).options()
        changed = {name: value for name, value in rules.options().items() if value != defaults[name]}
        object.__setattr__(self, "options", changed)
        object.__setattr__(self, "header", _header(self.header))
        object.__setattr__(self, "actions", tuple(self.actions))
        self.final_state()
        object.__setattr__(self, "actions", tuple(map(operator.index, self.actions)))  # from NumPy integers

    @classmethod
    def from_actions(cls, game: Game, actions: Iterable[int], header: Mapping[str, str] | None = None) -> Record:
        """Creates a record from the actions of a game.

        Args:
            game: the game that was played.
            actions: the actions from its initial state, chance outcomes included.
            header: free text by key.

        Raises:
            RecordError: an action is illegal, or the header is not valid.
        """
        return cls(game.name, game.options(), header or {}, tuple(actions))

    @classmethod
    def parse(cls, text: str | bytes) -> Record:
        """Reads a record in the text format; the same as `replay`."""
        return replay(text)

    @classmethod
    def from_json(cls, text: str | bytes) -> Record:
        """Reads a record in the JSON format and checks it as `replay` does.

        Raises:
            RecordError: the record is not valid; the error names the first wrong entry.
        """
        return _replay_json(text)

    def states(self) -> Iterator[State]:
        """Yields the initial state and the state after each action."""
        state = _load(self.game, self.options).new_initial_state()
        yield state.clone()
        for number, action in enumerate(self.actions, 1):
            try:
                state.apply_action(action)
            except (ValueError, TypeError) as error:
                raise RecordError.of("record.action", number=number, reason=reason_of(error)) from None
            yield state.clone()

    def final_state(self) -> State:
        """Returns the state after the last action."""
        *_, last = self.states()
        return last

    def text(self) -> str:
        """Writes the record in the text format, whose grammar is in the docstring of this module."""
        lines = [f'[Game "{self.game}"]']
        for name, option in self.options.items():
            lines.append(f'[Option {name} "{str(option).lower() if isinstance(option, bool) else option}"]')
        for key, value in self.header.items():
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'[{key} "{escaped}"]')
        lines.append("")
        for mover, events in self._lines():
            head, *fields = (as_text(event, mover) for event in events)
            lines.append(f"{head}: {' | '.join(fields)}" if fields else head)
        return _readable("\n".join(lines) + "\n", MAX_CHARACTERS)

    def json(self) -> str:
        """Writes the record as JSON, one line per throw."""
        head = {"format": FORMAT, "version": VERSION, "game": self.game}
        head |= {"options": dict(self.options), "header": dict(self.header)}
        entries = []
        for _, (first, *events) in self._lines():
            entries.append(json.dumps(first | {"events": events} if events else first, ensure_ascii=False))
        opened = json.dumps(head, ensure_ascii=False)[:-1]
        return _readable(opened + ', "throws": [\n' + ",\n".join(entries) + "\n]}\n", MAX_JSON_CHARACTERS)

    def _lines(self) -> list[tuple[str, list[Event]]]:
        writer = Writer(_load(self.game, self.options), self.actions)
        writer.tell()
        return writer.lines


def replay(text: str | bytes) -> Record:
    """Reads a record in the text format, replays its dice, moves and choices, and checks every line against the rules.

    Args:
        text: the record, at most 1,000,000 characters and 20,000 lines; bytes are decoded as UTF-8.

    Returns:
        The record.

    Raises:
        RecordError: the record is not valid; the error names the first wrong line and the reason.

    >>> replay('[Game "trictrac"]\\ndraw 5-3, White begins\\n1. White 5-3: 1-6 1-4\\nunfinished').actions
    (26, 256)
    """
    tags: list[tuple[int, str, re.Match[str]]] = []
    lines: list[Line] = []
    for number, raw in enumerate(_readable(text, MAX_CHARACTERS).split("\n"), 1):
        line = " ".join(raw.split())
        if line.startswith("[") and not lines:
            tag = _TAG.fullmatch(raw.strip())
            if tag is None:
                raise RecordError.of("trictrac.record.header_line").at(number, raw)
            tags.append((number, raw, tag))
        elif line:
            head, colon, fields = line.partition(":")
            split = [head, *fields.split("|")] if colon else [head]
            lines.append(Line(number, raw, [field.strip() for field in split]))
    if not tags and not lines:
        raise RecordError.of("trictrac.record.empty")
    if not tags:
        raise RecordError.of("trictrac.record.begins").at(lines[0].number, lines[0].text)
    game, header = _read_tags(tags)
    return _read(game, header, lines, as_text, "line")


def read(text: str) -> tuple[Game, tuple[int, ...], dict[str, str]]:
    """Returns the game, the actions and the header of a record in either format."""
    record = _replay_json(text) if text.lstrip().startswith("{") else replay(text)
    return load_game(record.game, **record.options), record.actions, dict(record.header)


def throw_numbers(game: Game, actions: Sequence[int]) -> list[int]:
    """Returns for each action the number of its throw in a record."""
    state, throws, result = game.new_initial_state(), 0, []
    for action in actions:
        before, state = state, state.child(action)
        thrown = parts(state).dice != (0, 0)
        throws += thrown and (before.is_chance_node() or _carried_over(before, state))
        result.append(throws)
    return result


def _carried_over(before: State, after: State) -> bool:
    """Whether a setting started with the last throw of the previous one (option last_throw_carries_over)."""
    now = parts(after)
    reset = sum(now.throws) <= 1 and now.board == START
    return reset and after.current_player() >= 0 and parts(before).stage >= Stage.HOLD_OR_GO


def _replay_json(text: str | bytes) -> Record:
    data = _json(text)
    keys = ["format", "version", "game", "options", "header", "throws"]
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise RecordError.of("trictrac.record.format", format=FORMAT)
    if type(data.get("version")) is not int or data["version"] != VERSION:
        given = f"{data.get('version')!r:.40}"
        raise RecordError.of("trictrac.record.version", version=VERSION, given=given)
    if sorted(data) != sorted(keys) or not isinstance(data["throws"], list):
        raise RecordError.of("trictrac.record.keys", keys=", ".join(keys))
    if len(data["throws"]) > MAX_LINES:
        raise RecordError.of("trictrac.record.too_many_throws", most=MAX_LINES)
    lines: list[Line] = []
    for number, entry in enumerate(data["throws"], 1):
        events = entry.get("events", []) if isinstance(entry, dict) else None
        if not isinstance(events, list):
            raise RecordError(Message("trictrac.record.throw_object"), number, json.dumps(entry), "entry")
        head = {key: value for key, value in entry.items() if key != "events"}
        lines.append(Line(number, json.dumps(entry), [as_json(event, "") for event in [head, *events]]))
    return _read(_load(data["game"], data["options"]), data["header"], lines, as_json, "entry")


def _json(text: str | bytes) -> Any:
    try:
        return parsed_json(_readable(text, MAX_JSON_CHARACTERS))
    except RecordError:
        raise
    except MessageError as error:
        raise RecordError(error.message) from None


def _read(game: Game, header: Any, lines: list[Line], render: Render, unit: Unit) -> Record:
    checked = _header(header)
    reader = Reader(game, lines, render, unit)
    reader.tell()
    if reader.at < len(lines):
        raise reader.wrong(Message("trictrac.record.after_end"))
    return Record.from_actions(game, reader.actions, checked)


def _readable(text: str | bytes, most: int) -> str:
    """Decodes the text and limits its size, which bounds the time spent on it."""
    try:
        found = readable(text, most)
    except MessageError as error:
        raise RecordError(error.message) from None
    if found.count("\n") > MAX_LINES:
        raise RecordError.of("record.too_many_lines", most=MAX_LINES)
    return found


def _header(header: Any) -> dict[str, str]:
    try:
        return checked_header(header)
    except MessageError as error:
        raise RecordError(error.message) from None


def _load(name: Any, options: Any) -> Game:
    if name not in GAMES:
        raise RecordError.of("trictrac.record.game", game=f"{name!r:.60}", games=", ".join(GAMES))
    if not isinstance(options, Mapping) or not all(
        isinstance(key, str) and f"{key}{value if isinstance(value, str) else ''}".isprintable()
        for key, value in options.items()
    ):
        raise RecordError.of("trictrac.record.options")
    try:
        return load_game(name, **options)
    except (ValueError, TypeError, OverflowError) as error:
        raise RecordError(reason_of(error)) from None


def _read_tags(tags: list[tuple[int, str, re.Match[str]]]) -> tuple[Game, dict[str, str]]:
    if tags[0][2].group(1) or tags[0][2].group(2) != "Game":
        raise RecordError.of("trictrac.record.begins").at(*tags[0][:2])
    header: dict[str, str] = {}
    options: dict[str, Any] = {}
    game = GAMES[0]
    for number, raw, tag in tags:
        is_option, key, value = tag.group(1), tag.group(2), re.sub(r"\\(.)", r"\1", tag.group(3))
        try:
            if key in (options if is_option else header) or (key == "Game" and number != tags[0][0]):
                raise RecordError.of("trictrac.record.twice", key=key)
            if is_option:
                options[key] = _option_value(game, key, value)
            elif key == "Game":
                game = value
                _load(game, {})
            else:
                header |= _header({key: value})
        except RecordError as error:
            raise error.at(number, raw) from None
    try:
        return _load(game, options), header
    except RecordError as error:  # name the line of the wrong option
        number, raw, _ = next((tag for tag in tags if tag[2].group(1) and tag[2].group(2) in error.reason), tags[-1])
        raise error.at(number, raw) from None


def _option_value(game: str, name: str, text: str) -> Any:
    rules = load_game(game)
    known = {**rules._retired_options(), **rules.options()}
    if name not in known:
        raise RecordError.of("trictrac.record.no_option", game=game, option=name, options=", ".join(rules.options()))
    if isinstance(known[name], bool):
        return {"true": True, "false": False}.get(text, text)
    return int(text) if isinstance(known[name], int) and re.fullmatch("[0-9]{1,9}", text) else text
