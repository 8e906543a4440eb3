r"""Records of games of Trictrac: text that a player reads, JSON for programs, and a check of either by the rules.

A record holds nothing that has to be believed. Only the dice, the moves and the choices are free; all the rest (who
throws, points and jans, holes, the score, settings, the end) follows from them, and `replay` compares every word with
what the engine says. The first line that differs is refused with the reason.

    [Game "trictrac"]                          always first
    [Option holes_to_win "3"]                  options that differ from the default, as in load_game()
    [White "a player"]                         any other key: free text, \" and \\ as in C

    draw 4-4, again                            White's die, Black's die; no such line with first_throw = white
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

A line is a throw: its number, the mover, the dice in their order, and fields in the order in which things happen. What
the other player does or marks begins with their name, what the mover does does not.

    [Black] 8 hit_big x2, fill_big x1          points, and the ways of each jan; no field when there are none
    [Black] 1 hole  [Black] 2 holes bredouille holes won by these points; bredouille: the first of them is double
    hold | leave                               where there was a choice; `leave` ends the throw, if no claim undoes it
    8-13 10-13                                 moves in the mover's own numbers; corner by power: to 12
    8-16   22-off   pass                       one man by both numbers: from where to where; borne off; nothing to play
    score 2/0 0/2                              White's and Black's holes/points after the throw, if it changed them
    [Black] declares 4                         schools; the points field tells what is true, `score` what came of it
    [Black] claims 2  claims nothing  corrects schools
    Black has it filled | 7-10 8-10            a filling that White neglected is made after all, and White moves again;
    Black lets it stand                        or it is not: the fields follow Black's claim, the move all claims
    ...                                        an unfinished record stops within this throw

In the scored game (`[Game "trictrac_a_ecrire"]`) `marqué 1, White wins`, or `marqué 1, refait`, follows the throw that
ended it, and the last line is `tokens 52 -52`, the account of White and of Black. Three players are numbered: a line
`marqué 2, player 1 is White, player 2 is Black` comes before each marqué, and `tokens` has three accounts.

`setting 2, White begins` follows leaving and bearing off (with last_throw_carries_over the dice on the next line are
the old ones, and the score is written there). The last line is `White wins, stake 1` or `unfinished`, or with
explicit_roll `unfinished, White rolls` when the dice were asked for. White and Black are the seats, whatever colour
swap_colours_on_exit gives them. Blank lines are skipped, a move may be spelled in any legal order.

In JSON a line is an entry of "throws": its head with "events", one for each field; off is 25.
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
"""The same game is about three times longer in JSON."""

_TAG = re.compile(r'\[(Option )?([A-Za-z][A-Za-z0-9_]{0,39}) "((?:[^"\\]|\\["\\])*)"\]')


@dataclass(frozen=True)
class Record:
    """A game, finished or not: its rules, who played it, and every action from the start, chance outcomes included.

    Making one plays it through, so that a Record always replays; RecordError tells what does not.

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
    options: Mapping[str, Any] = field(hash=False)
    """Those that differ from the default."""
    header: Mapping[str, str] = field(hash=False)
    actions: tuple[int, ...]

    def __post_init__(self) -> None:
        rules = _load(self.game, self.options)
        defaults = load_game(self.game).options()
        changed = {name: value for name, value in rules.options().items() if value != defaults[name]}
        object.__setattr__(self, "options", changed)
        object.__setattr__(self, "header", _header(self.header))
        object.__setattr__(self, "actions", tuple(self.actions))
        self.final_state()
        object.__setattr__(self, "actions", tuple(map(operator.index, self.actions)))  # NumPy's among them

    @classmethod
    def from_actions(cls, game: Game, actions: Iterable[int], header: Mapping[str, str] | None = None) -> Record:
        """The record of the actions that were applied to a game's initial state."""
        return cls(game.name, game.options(), header or {}, tuple(actions))

    @classmethod
    def parse(cls, text: str | bytes) -> Record:
        """The record that `text()` wrote, or a person; checked as by `replay`."""
        return replay(text)

    @classmethod
    def from_json(cls, text: str | bytes) -> Record:
        """The record that `json()` wrote, checked in the same way."""
        return _replay_json(text)

    def states(self) -> Iterator[State]:
        """The initial state, and the state after each action."""
        state = _load(self.game, self.options).new_initial_state()
        yield state.clone()
        for number, action in enumerate(self.actions, 1):
            try:
                state.apply_action(action)
            except (ValueError, TypeError) as error:
                raise RecordError.of("record.action", number=number, reason=reason_of(error)) from None
            yield state.clone()

    def final_state(self) -> State:
        """Where the record ends."""
        *_, last = self.states()
        return last

    def text(self) -> str:
        """The record as the module's docstring describes it."""
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
        """The same as JSON, one line a throw."""
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
    """Replays a record from its dice, moves and choices, and compares every line with what the rules say.

    Returns the record, or raises RecordError naming the first line that is wrong, and why.
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
    """The game, the actions and the header of a record as text or JSON."""
    record = _replay_json(text) if text.lstrip().startswith("{") else replay(text)
    return load_game(record.game, **record.options), record.actions, dict(record.header)


def throw_numbers(game: Game, actions: Sequence[int]) -> list[int]:
    """Of each action the number of its throw, as the record has it."""
    state, throws, result = game.new_initial_state(), 0, []
    for action in actions:
        before, state = state, state.child(action)
        thrown = parts(state).dice != (0, 0)
        throws += thrown and (before.is_chance_node() or _carried_over(before, state))
        result.append(throws)
    return result


def _carried_over(before: State, after: State) -> bool:
    """Whether the men went back with the dice left on the board (option last_throw_carries_over)."""
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
    """The text, if its size is sane: whatever comes later takes time in proportion."""
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
    except RecordError as error:  # the line of the option that it complains about
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
