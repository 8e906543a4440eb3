"""The lines of a record of Trictrac: how a game is told, field by field, and how lines that were written are checked.

record.py has the grammar and is the only user. A field is an `Event`, a small dictionary; text and JSON are
two ways to write it. Nothing is parsed: where the record chooses (dice, moves, leaving, schools), the reader looks
which legal action is written like that, and everything else must be what the rules say, letter by letter.
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
"""One field of a line, as JSON has it."""
Render = Callable[[Event, str], str]
"""A field as it is compared: of the event, and the mover's name."""

_WAITS: Event = {"waits": True}


def as_json(event: Any, mover: str) -> str:
    """An event so that two are equal if and only if their texts are; types count, the order of keys does not."""
    return json.dumps(event, sort_keys=True)


def as_text(event: Event, mover: str) -> str:
    """An event as a field of the text; what the mover does goes without a name."""
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
    """The record stops where the next action is asked for."""


class _Walk(ABC):
    """Tells a game line by line: it says what follows from the rules, and has the rest chosen.

    To write a record and to check one are the same walk, so that they cannot disagree on what a line looks like.
    """

    def __init__(self, game: Game) -> None:
        self.options = game.options()
        self.state = game.new_initial_state()
        self.actions: list[int] = []
        self.mover = ""
        self.schools = bool(self.options.get("schools"))
        self.throws, self.settings = 0, 1
        self.holes = [0, 0]  # that were told
        self.score = [[0, 0], [0, 0]]  # likewise
        self.untold_throw = False  # dice lie on the board: from the draw, or carried over from the last setting

    @abstractmethod
    def say(self, event: Event) -> None:
        """One more field of the present line."""

    @abstractmethod
    def choose(self) -> int:
        """The next action, its fields included; _Unfinished if there is none."""

    @abstractmethod
    def new_line(self) -> None:
        """The present line is complete."""

    @abstractmethod
    def within_line(self) -> bool:
        """Whether a field was told since the last line was completed."""

    def tell(self) -> None:
        """The whole game."""
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
        """Who sits, where one of three players rests."""
        now = trictrac.parts(self.state)
        if now.account and len(now.seats) == 3 and not self.state.is_terminal():
            self.say({"marque": now.account.played + 1, "seats": [now.seats.index(seat) for seat in (0, 1)]})
            self.new_line()

    def tell_marque(self, given: AccountParts, now: AccountParts) -> None:
        """How a marqué ended, and who sits in the next."""
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
        """What follows the dice, to the end of the turn (rules.md, 2.3)."""
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
            )  # and filled after all, if it must be
            played = claimed and not now.failed if schools else moved
            carried = played and now.dice != (0, 0) and now.board == START
            over = played or now.winner is not None or now.stage <= Stage.ROLL_DICE
        score = [[now.holes[player], now.points[player]] for player in (0, 1)]
        if given.account and now.account and marque_ended(given, now):
            self.holes, self.score = [0, 0], score
            self.new_line()
            self.tell_marque(given.account, now.account)
        else:
            if score != self.score and not carried:  # carried over: the next throw's points are already marked
                self.score = score
                self.say({"score": score})
            self.new_line()
        self.untold_throw = carried
        if carried or (not self.state.is_terminal() and now.throws == (0, 0)):
            self.settings += 1
            self.say({"setting": self.settings, "begins": PLAYERS[now.player]})
            self.new_line()

    def marks(self, player: int, jans: dict[str, int], points: int) -> None:
        """What the throw gives a player. With schools that is only the truth: they mark what they declare."""
        name = PLAYERS[player]
        if points:
            self.say({"player": name, "points": points, "jans": jans})
        holes = trictrac.parts(self.state).holes[player]
        won, self.holes[player] = holes - self.holes[player], holes
        if won > 0 and not self.schools:
            self.say({"player": name, "holes": won, "bredouille": won % 2 == 0})  # only the first can be single

    def jans(self) -> tuple[dict[str, int], dict[str, int]]:
        """The ways of each jan, of the mover and of the other. The board is still that before the move."""
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
        """The fields of a legal action; ValueError if a move names a man that is not there."""
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
    """Walks along given actions and keeps the lines."""

    def __init__(self, game: Game, actions: tuple[int, ...]) -> None:
        super().__init__(game)
        self.given = actions
        self.lines: list[tuple[str, list[Event]]] = []
        self.fields: list[Event] = []

    def say(self, event: Event) -> None:
        """Writes it."""
        self.fields.append(event)

    def choose(self) -> int:
        """The next of the given actions, written."""
        if len(self.actions) == len(self.given):
            raise _Unfinished
        action = self.given[len(self.actions)]
        self.fields += self.describe(trictrac.parts(self.state), action)
        return action

    def new_line(self) -> None:
        """Keeps the line."""
        self.lines.append((self.mover, self.fields))
        self.fields = []

    def within_line(self) -> bool:
        """Whether the line has begun."""
        return bool(self.fields)


@dataclass(frozen=True)
class Line:
    """A line that was written: where it stands, what it says, and its fields."""

    number: int
    text: str
    fields: list[str]


class Reader(_Walk):
    """Walks along written lines. An action is found by looking which legal one is written so: nothing is guessed."""

    def __init__(self, game: Game, lines: list[Line], render: Render, unit: Unit) -> None:
        super().__init__(game)
        self.lines, self.render, self.unit = lines, render, unit
        self.at, self.told = 0, 0  # lines, and fields of the present one

    def wrong(self, reason: Message) -> RecordError:
        """The error that names the present line."""
        if self.at < len(self.lines):
            told = reason if self.written() else Message("trictrac.record.line_ends", reason=reason)
            return RecordError(told, self.lines[self.at].number, self.lines[self.at].text, self.unit)
        last = self.lines[-1].number if self.lines else 0
        return RecordError(Message("trictrac.record.ends", reason=reason), last + 1, "", self.unit)

    def expected(self, key: str, wanted: str) -> RecordError:
        """The error that something else is written here than `wanted`."""
        written = self.written()
        if not written:
            return self.wrong(Message(key, wanted=repr(wanted)))
        return self.wrong(Message(f"{key}.not", wanted=repr(wanted), written=f"{written[0]!r:.80}"))

    def written(self) -> list[str]:
        """The fields of the present line that are still to be told."""
        return self.lines[self.at].fields[self.told :] if self.at < len(self.lines) else []

    def say(self, event: Event) -> None:
        """Checks that it is what was written."""
        said = self.render(event, self.mover)
        written = self.written()
        if not written or written[0] != said:
            raise self.expected("trictrac.record.rules_say", said)
        self.told += 1

    def choose(self) -> int:
        """The legal action that was written."""
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
        """The legal actions, then every move that can be named, in either order of the men; it need not be legal."""
        for action in self.state.legal_actions():
            yield action, self.describe(now, action)
        if now.stage not in (Stage.HOLD_OR_GO, Stage.MOVE):
            return
        for action in range(FIRST_MOVE, DECLARE):
            try:
                *choice, event = self.describe(now, action)
            except ValueError:  # it names a man that is not there
                continue
            yield action, [*choice, event]
            yield action, [*choice, {"moves": event["moves"][::-1]}]

    def is_legal(self, action: int) -> bool:
        """Whether the engine accepts it: legal_actions() lists only one spelling of a play."""
        try:
            self.state.child(action)
        except ValueError:
            return False
        return True

    def new_line(self) -> None:
        """Checks that the line ends here."""
        if self.written():
            raise self.wrong(Message("trictrac.record.complete", written=f"{self.written()[0]!r:.80}"))
        self.at, self.told = self.at + 1, 0

    def within_line(self) -> bool:
        """Whether a field of the line was checked."""
        return self.told > 0
