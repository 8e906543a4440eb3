"""Writes and checks the lines of a game record, field by field.

record.py documents the grammar and is the only user. A field is an `Event`, a small dictionary, which is rendered as
text or JSON. Nothing is parsed: where the record has a choice (dice, moves, leaving, schools), the reader looks for the
legal action that renders to the same text, and everything else must match what the rules prescribe exactly.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from tablier._core import Game, trictrac
from tablier._core.trictrac import CORRECT, DECLARE, FILL, FIRST_MOVE, LEAVE, AccountParts, Parts, SchoolStep, Stage
from tablier.games.trictrac.jans import TARIFF
from tablier.games.trictrac.marking import marque_ended
from tablier.games.trictrac.position import START
from tablier.games.trictrac.record_error import RecordError, Unit
from tablier.messages import Message

PLAYERS = ("White", "Black")
Event = dict[str, Any]
"""A field of a line, as in JSON."""
Render = Callable[[Event, str], str]
"""Renders a field for comparison, given the event and the mover's name."""

_WAITS: Event = {"waits": True}


def as_json(event: Any, mover: str) -> str:
    """Renders an event canonically: two events are equal if and only if their texts are, whatever the order of keys."""
    return json.dumps(event, sort_keys=True)


def as_text(event: Event, mover: str) -> str:
    """Renders an event as a field of the text format; the mover's name is omitted."""
    name = "" if event.get("player") in (None, mover) else f"{event['player']} "
    match event:
        case {"draw": [a, b], "begins": first}:
            return f"draw {a}-{b}, {f'{first} begins' if first else 'again'}"
        case {"throw": number, "player": player, "dice": [a, b]}:
            return f"{number}. {player} {a}-{b}"
        case {"points": points, "jans": jans}:
            return f"{name}{points} " + ", ".join(f"{jan} x{ways}" for jan, ways in jans.items())
        case {"holes": holes, "bredouille": bredouille}:
            return f"{name}{holes} hole{'s' * (holes > 1)}{' bredouille' * bredouille}"
        case {"choice": choice}:
            return str(choice)
        case {"moves": moves}:
            return " ".join(f"{start}-{'off' if end == 25 else end}" for start, end in moves) or "pass"
        case {"declares": amount}:
            return f"{name}declares {amount}"
        case {"claims": amount}:
            return f"{name}claims {amount or 'nothing'}"
        case {"corrects": True}:
            return f"{name}corrects"
        case {"has_it_filled": wanted}:
            return f"{name}{'has it filled' if wanted else 'lets it stand'}"
        case {"score": [[a, b], [c, d]]}:
            return f"score {a}/{b} {c}/{d}"
        case {"setting": number, "begins": first}:
            return f"setting {number}, {first} begins"
        case {"marque": number, "winner": winner}:
            return f"marqué {number}, {f'{winner} wins' if winner else 'refait'}"
        case {"marque": number, "seats": [white, black]}:
            return f"marqué {number}, player {white} is White, player {black} is Black"
        case {"tokens": tokens}:
            return f"tokens {' '.join(map(str, tokens))}"
        case {"winner": winner, "stake": stake}:
            return f"{winner} wins, stake {stake}"
        case {"unfinished": rolls}:
            return f"unfinished, {rolls} rolls" if rolls else "unfinished"
    return "..."


class _Unfinished(Exception):
    """Raised when the record ends before the next action."""


class _Walk(ABC):
    """Walks through a game line by line: emits what follows from the rules and asks the subclass for each action.

    Writing and checking share this walk, so they cannot disagree on the format of a line.
    """

    def __init__(self, game: Game) -> None:
        self.options = game.options()
        self.state = game.new_initial_state()
        self.actions: list[int] = []
        self.mover = ""
        self.schools = bool(self.options.get("schools"))
        self.throws, self.settings = 0, 1
        self.holes = [0, 0]  # as last emitted
        self.score = [[0, 0], [0, 0]]  # as last emitted
        self.untold_throw = False  # a throw that has no line yet: from the draw, or carried over to a new setting

    @abstractmethod
    def say(self, event: Event) -> None:
        """Adds a field to the current line."""

    @abstractmethod
    def choose(self) -> int:
        """Returns the next action and adds its fields; raises _Unfinished if there is none."""

    @abstractmethod
    def new_line(self) -> None:
        """Ends the current line."""

    @abstractmethod
    def within_line(self) -> bool:
        """Whether the current line has any fields."""

    def tell(self) -> None:
        """Walks through the whole game."""
        self.tell_seats()
        try:
            while self.untold_throw or not self.state.is_terminal():
                self.tell_roll()
        except _Unfinished:
            if self.within_line():
                self.say(_WAITS)
                self.new_line()
        self.say(self.ending())
        self.new_line()

    def step(self) -> int:
        action = self.choose()
        self.state.apply_action(action)
        self.actions.append(action)
        return action

    def tell_seats(self) -> None:
        """With three players, adds the line that says who plays the next marqué."""
        now = trictrac.parts(self.state)
        if now.account and len(now.seats) == 3 and not self.state.is_terminal():
            self.say({"marque": now.account.played + 1, "seats": [now.seats.index(seat) for seat in (0, 1)]})
            self.new_line()

    def tell_marque(self, given: AccountParts, now: AccountParts) -> None:
        """Adds the result of a marqué and who plays the next one."""
        losers = [player for player, lost in enumerate(given.lost) if lost != now.lost[player]]
        winner = PLAYERS[1 - given.seats[losers[0]]] if losers else None
        self.say({"marque": given.played + 1, "winner": winner})
        self.new_line()
        if losers:
            self.tell_seats()

    def tell_roll(self) -> None:
        now = trictrac.parts(self.state)
        if self.untold_throw:
            self.say(self.head(now.player, list(now.dice)))
            self.untold_throw = False
        else:
            if now.stage == Stage.ROLL_DICE:
                self.step()
            self.step()
            if now.drawing:
                self.new_line()
                self.untold_throw = trictrac.parts(self.state).dice != (0, 0)
                return
        self.tell_throw()

    def tell_throw(self) -> None:
        """Adds everything after the dice until the end of the turn (rules.md, 2.3)."""
        now = given = trictrac.parts(self.state)
        mover, schools = given.player, self.schools
        self.throws += 1
        self.mover = PLAYERS[mover]
        jans = self.jans()
        self.marks(mover, jans[0], given.due[0])
        over, carried = self.state.is_terminal(), False
        while not over:
            was = now
            action = self.step()
            now = trictrac.parts(self.state)
            moved = was.stage in (Stage.HOLD_OR_GO, Stage.MOVE) and action != LEAVE
            if moved and not was.failed:
                self.marks(1 - mover, jans[1], given.due[1])
            claimed = was.school == SchoolStep.CLAIM_AGAINST_OTHER or (
                moved and was.failed
            )  # including a filling made after a claim
            played = claimed and not now.failed if schools else moved
            carried = played and now.dice != (0, 0) and now.board == START
            over = played or now.winner is not None or now.stage <= Stage.ROLL_DICE
        score = [[now.holes[player], now.points[player]] for player in (0, 1)]
        if given.account and now.account and marque_ended(given, now):
            self.holes, self.score = [0, 0], score
            self.new_line()
            self.tell_marque(given.account, now.account)
        else:
            if score != self.score and not carried:  # if carried over, it already includes the next throw
                self.score = score
                self.say({"score": score})
            self.new_line()
        self.untold_throw = carried
        if carried or (not self.state.is_terminal() and now.throws == (0, 0)):
            self.settings += 1
            self.say({"setting": self.settings, "begins": PLAYERS[now.player]})
            self.new_line()

    def marks(self, player: int, jans: dict[str, int], points: int) -> None:
        """Adds the points a throw gives a player, and the holes unless schools are played (players then declare)."""
        name = PLAYERS[player]
        if points:
            self.say({"player": name, "points": points, "jans": jans})
        holes = trictrac.parts(self.state).holes[player]
        won, self.holes[player] = holes - self.holes[player], holes
        if won > 0 and not self.schools:
            self.say({"player": name, "holes": won, "bredouille": won % 2 == 0})  # only the first can be single

    def jans(self) -> tuple[dict[str, int], dict[str, int]]:
        """Returns the ways of each jan for the mover and for the opponent; call it before the move."""
        ways = trictrac.throw_ways(self.state)
        mine = {jan: count for jan, count in ways.items() if not TARIFF[jan][2]}
        theirs = {jan: count for jan, count in ways.items() if TARIFF[jan][2]}
        return mine, theirs

    def head(self, player: int, dice: list[int]) -> Event:
        return {"throw": self.throws + 1, "player": PLAYERS[player], "dice": dice}

    def ending(self) -> Event:
        now = trictrac.parts(self.state)
        if now.account and self.state.is_terminal():
            return {"tokens": list(now.account.tokens)}
        if now.winner is not None:
            return {"winner": PLAYERS[now.winner], "stake": now.stake}
        rolls = self.options["explicit_roll"] and now.stage == Stage.ROLL_WAITING and not now.drawing
        return {"unfinished": PLAYERS[now.player] if rolls else None}

    def describe(self, now: Parts, action: int) -> list[Event]:
        """Returns the fields of a legal action; raises ValueError if a move names a man that is not there."""
        if now.stage == Stage.ROLL_DICE:
            return []  # implied by the throw
        if now.stage == Stage.ROLL_WAITING:
            a, b = trictrac.throw(action)
            if now.drawing:
                return [{"draw": [a, b], "begins": None if a == b else PLAYERS[a < b]}]
            return [self.head(now.player, [a, b])]
        player = {"player": PLAYERS[now.seats[self.state.current_player()]]}
        if now.school == SchoolStep.DECLARE:
            return [player | {"declares": trictrac.amount(action)}]
        if now.school:
            if action == CORRECT:
                return [player | {"corrects": True}]
            if now.school == SchoolStep.DECIDE_FILLING:
                return [player | {"has_it_filled": action == FILL}]
            return [player | {"claims": trictrac.amount(action)}]
        if action == LEAVE:
            return [{"choice": "leave"}]
        moves: Event = {"moves": [list(move) for move in trictrac.moves(self.state, action)]}
        return [{"choice": "hold"}, moves] if now.stage == Stage.HOLD_OR_GO else [moves]


class Writer(_Walk):
    """Writes the lines for a list of actions."""

    def __init__(self, game: Game, actions: tuple[int, ...]) -> None:
        super().__init__(game)
        self.given = actions
        self.lines: list[tuple[str, list[Event]]] = []
        self.fields: list[Event] = []

    def say(self, event: Event) -> None:
        """Adds a field to the current line."""
        self.fields.append(event)

    def choose(self) -> int:
        """Returns the next action and adds its fields."""
        if len(self.actions) == len(self.given):
            raise _Unfinished
        action = self.given[len(self.actions)]
        self.fields += self.describe(trictrac.parts(self.state), action)
        return action

    def new_line(self) -> None:
        """Stores the current line."""
        self.lines.append((self.mover, self.fields))
        self.fields = []

    def within_line(self) -> bool:
        """Whether the current line has any fields."""
        return bool(self.fields)


@dataclass(frozen=True)
class Line:
    """A line of a given record: its number, its text and its fields."""

    number: int
    text: str
    fields: list[str]


class Reader(_Walk):
    """Checks the lines of a record and finds the legal action behind each choice."""

    def __init__(self, game: Game, lines: list[Line], render: Render, unit: Unit) -> None:
        super().__init__(game)
        self.lines, self.render, self.unit = lines, render, unit
        self.at, self.told = 0, 0  # index of the current line, and number of its fields already checked

    def wrong(self, reason: Message) -> RecordError:
        """Returns an error that names the current line."""
        if self.at < len(self.lines):
            told = reason if self.written() else Message("trictrac.record.line_ends", reason=reason)
            return RecordError(told, self.lines[self.at].number, self.lines[self.at].text, self.unit)
        last = self.lines[-1].number if self.lines else 0
        return RecordError(Message("trictrac.record.ends", reason=reason), last + 1, "", self.unit)

    def expected(self, key: str, wanted: str) -> RecordError:
        """Returns the error that the current field is not `wanted`."""
        written = self.written()
        if not written:
            return self.wrong(Message(key, wanted=repr(wanted)))
        return self.wrong(Message(f"{key}.not", wanted=repr(wanted), written=f"{written[0]!r:.80}"))

    def written(self) -> list[str]:
        """Returns the fields of the current line that are not checked yet."""
        return self.lines[self.at].fields[self.told :] if self.at < len(self.lines) else []

    def say(self, event: Event) -> None:
        """Checks that the next field is this event."""
        said = self.render(event, self.mover)
        written = self.written()
        if not written or written[0] != said:
            raise self.expected("trictrac.record.rules_say", said)
        self.told += 1

    def choose(self) -> int:
        """Returns the legal action that the next fields describe."""
        written, now = self.written(), trictrac.parts(self.state)
        stop = _WAITS if self.told else self.ending()
        if written == [self.render(stop, self.mover)]:
            raise _Unfinished
        for action, events in self.spellings(now):
            fields = [self.render(event, self.mover) for event in events]
            if written[: len(fields)] == fields and self.is_legal(action):
                self.told += len(fields)
                return action
        allowed = (self.describe(now, action) for action in self.state.legal_actions())
        shown = [" | ".join(self.render(event, self.mover) for event in events) for events in islice(allowed, 8)]
        if now.stage == Stage.ROLL_WAITING:
            raise self.expected("trictrac.record.throw", shown[1])
        more = " ..." if len(shown) < len(self.state.legal_actions()) else ""
        raise self.wrong(Message("trictrac.record.choices", choices="; ".join(shown) + more))

    def spellings(self, now: Parts) -> Iterator[tuple[int, list[Event]]]:
        """Yields the legal actions, then every possible move, legal or not, with its men in both orders."""
        for action in self.state.legal_actions():
            yield action, self.describe(now, action)
        if now.stage not in (Stage.HOLD_OR_GO, Stage.MOVE):
            return
        for action in range(FIRST_MOVE, DECLARE):
            try:
                *choice, event = self.describe(now, action)
            except ValueError:  # the move names a man that is not there
                continue
            yield action, [*choice, event]
            yield action, [*choice, {"moves": event["moves"][::-1]}]

    def is_legal(self, action: int) -> bool:
        """Whether the engine accepts the action: legal_actions() lists only one spelling of each play."""
        try:
            self.state.child(action)
        except ValueError:
            return False
        return True

    def new_line(self) -> None:
        """Checks that the current line ends here."""
        if self.written():
            raise self.wrong(Message("trictrac.record.complete", written=f"{self.written()[0]!r:.80}"))
        self.at, self.told = self.at + 1, 0

    def within_line(self) -> bool:
        """Whether a field of the current line has been checked."""
        return self.told > 0
