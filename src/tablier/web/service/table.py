"""A table in memory: its game, its seats and its views."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import time
from typing import Any

from tablier._core import Game, State
from tablier.games import home_of
from tablier.messages import Message, Text, everywhere, render
from tablier.registry import load_game
from tablier.web.service import audit, gestures, view
from tablier.web.service.gestures import Clock, Gesture
from tablier.web.service.players import HUMAN, RECORD
from tablier.web.service.store import Row
from tablier.web.service.view import Story, Words

Facts = dict[str, Any]
STARTED = time.time()
"""When the server started: no clock runs while it is down."""
STRIDE = 64
"""Actions between two states that are kept to look back from."""
LOOKED_AT = 60.0
"""Seconds after the last view until a table without people pauses."""


class Table:
    """A game on the server. Only `tables.Tables` changes it, while holding its lock and after saving the change."""

    def __init__(self, row: Row, most: int) -> None:
        self.row, self.most = row, most
        self.game: Game = load_game(row.game, **row.options)
        self.home = home_of(self.game)
        self.state: State = self.game.new_initial_state()
        self.actions: list[int] = []
        self.deciders: list[int] = []
        """The player of each action, negative for dice and for what the table played for a player."""
        self.times: list[float] = []
        """When each action was played (Unix time), if the table has a clock."""
        self.kept: list[int] = []
        """The actions in the store, where those that were taken back stay."""
        self.gestures: list[Gesture] = []
        self.notes: list[tuple[int, Words]] = []
        self.sheet: list[tuple[int, Facts]] = []
        """The lines of the score sheet, each with the version that it came with."""
        self.story = Story(self.home)
        self.lock = asyncio.Lock()
        self.watchers: set[asyncio.Event] = set()
        self.thinker: asyncio.Task[None] | None = None
        self.looked = time.monotonic()
        self.stale = False
        """Whether the store may be ahead of this object."""
        self._marks: list[State] = [self.state]
        """Every STRIDE-th state, so that looking back costs the same at every version."""
        self._titles = {"title": render(self.home.title, "en"), "titles": everywhere(self.home.title)}
        self._sides = view.sides(self.home)
        self._common: tuple[tuple[int, int], Facts] = ((-1, -1), {})
        self._legal: tuple[tuple[int, int], list[Facts]] = ((-1, -1), [])

    @property
    def version(self) -> int:
        """The number of actions so far, chance outcomes included."""
        return len(self.actions)

    @property
    def written(self) -> int:
        """The number of actions in the store."""
        return len(self.kept)

    @property
    def to_move(self) -> int | None:
        """The seat to move; None at the end, or if a record ends before a roll."""
        player = self.state.current_player()
        return player if player >= 0 and self.ended is None else None

    @property
    def ended(self) -> Gesture | None:
        """The gesture that ended the game before its end: a player resigned or ran out of time."""
        return next((one for one in self.gestures if one.kind in ("resign", "time")), None)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.ended is not None or self.state.is_terminal()

    @property
    def people(self) -> set[int]:
        """The seats of people."""
        return {seat for seat, player in enumerate(self.row.seats) if player == HUMAN}

    @property
    def tutor(self) -> bool:
        """Whether hints are allowed: from the start, or because everyone has agreed."""
        return self.row.tutor or (bool(self.people) and self.people <= set(gestures.agreed(self.gestures, "tutor")))

    @property
    def next(self) -> str | None:
        """The table of the rematch, or None."""
        found = gestures.of_kind(self.gestures, "next")
        return found[0].value if found else None

    @property
    def clock(self) -> Clock | None:
        """The clock, or None."""
        found = gestures.of_kind(self.gestures, "clock")
        return Clock.read(found[0].value) if found else None

    def time_left(self, seat: int) -> float | None:
        """Returns the seconds a seat has left now; None without a clock."""
        clock = self.clock
        if clock is None:
            return None
        paused = [float(one.value) for one in gestures.of_kind(self.gestures, "pause") if one.seat == seat]
        left = clock.left(self.deciders, self.times, seat) + sum(paused)
        return left - max(0.0, time.time() - self.times[-1]) if self.running == seat else left

    @property
    def running(self) -> int | None:
        """The seat whose clock is running: the first decision of a seat takes no time."""
        return self.to_move if self.to_move in self.deciders else None

    def pause(self) -> Gesture | None:
        """Returns the gesture that gives back the time in which the server was down; None if no clock was running."""
        if self.clock is None or self.running is None:
            return None
        since = max(self.times[-1], *(one.at for one in gestures.of_kind(self.gestures, "pause")), 0.0)
        down = STARTED - since
        return Gesture("pause", self.running, f"{down:.3f}", self.written, STARTED) if down > 0 else None

    def takeback_of(self, seat: int) -> int | None:
        """Returns the version before the last decision of a seat; None if it has made none."""
        made = [version for version, decider in enumerate(self.deciders) if decider == seat]
        return made[-1] if made else None

    @property
    def bot(self) -> str | None:
        """The computer player to move, or None."""
        if self.to_move is None:
            return None
        seat = self.row.seats[self.to_move]
        return None if seat in (HUMAN, RECORD) else seat

    @property
    def thinking(self) -> bool:
        """Whether a computer player is choosing an action."""
        return self.thinker is not None and self.bot is not None

    @property
    def forgotten(self) -> bool:
        """Whether the table has no people and nobody has watched for a while; its players then pause."""
        return self.all_bots and not self.watchers and time.monotonic() - self.looked > LOOKED_AT

    @property
    def full(self) -> bool:
        """Whether the table has reached the maximum number of actions; its game stays unfinished."""
        return self.written >= self.most and not self.over

    @property
    def all_bots(self) -> bool:
        """Whether no seat is human."""
        return HUMAN not in self.row.seats

    def seats_of(self, tokens: list[str]) -> list[int]:
        """Returns the seats that these tokens belong to."""
        hashes = [hashed(token) for token in tokens]
        return [
            seat
            for seat, known in enumerate(self.row.tokens)
            if known is not None and any(hmac.compare_digest(known, one) for one in hashes)
        ]

    def next_action(self, state: State, version: int) -> int | None:
        """Returns what happens without a decision: a roll, or a formality of the game; None if a player must decide.

        Dice come from the table's secret seed, so that clients cannot predict them.
        """
        if not state.is_chance_node():
            return self.home.automatic(state)
        outcomes = state.legal_actions()
        return outcomes[audit.draw(self.row.seed, version, len(outcomes))]

    def follow(self, action: int) -> None:
        """Plays an action that has been saved."""
        before = self.state
        self.state = before.child(action)
        self.deciders.append(self._decider(before, action))
        self.times.append(time.time())
        self.actions.append(action)
        self.kept.append(action)
        if self.version % STRIDE == 0:
            self._marks.append(self.state)
        self._write(before, action, self.state, self.version)
        self.story.tell(before, action, self.state, self.version)

    def restore(
        self,
        written: list[int],
        notes: list[tuple[int, Words]],
        made: list[Gesture] | None = None,
        times: list[float] | None = None,
    ) -> None:
        """Sets the table to the actions, notes and gestures from the store; `times` only matter with a clock."""
        self.gestures = made or []
        self.kept = written
        stand = gestures.standing(written, self.gestures)
        self.actions = [written[n] for n in stand]
        known = times if times and len(times) == len(written) else [STARTED] * len(written)
        self.times = [known[n] for n in stand]
        self.notes = [note for note in notes if note[0] <= len(self.actions)]
        self._replay()

    def _replay(self) -> None:
        """Derives everything from the actions and gestures."""
        state, self.deciders, self.sheet = self.game.new_initial_state(), [], []
        self._marks = [state]
        for n, action in enumerate(self.actions, 1):
            if self.row.seed and state.is_chance_node() and self.next_action(state, n - 1) != action:
                raise ValueError(f"action {n - 1} does not follow from the seed of the dice")
            self.deciders.append(self._decider(state, action))
            before, state = state, state.child(action)
            self._write(before, action, state, n)
            if n % STRIDE == 0:
                self._marks.append(state)
        self.state, self.story = self.past(self.version)
        self._finish(self.story)

    def _write(self, before: State, action: int, after: State, version: int) -> None:
        """Adds to the score sheet what an action brings."""
        if (line := self.home.sheet_line(before, action, after)) is not None:
            self.sheet.append((version, line))

    def _decider(self, state: State, action: int) -> int:
        return -1 if self.home.automatic(state) == action else state.current_player()

    def apply(self, made: Gesture) -> None:
        """Makes a gesture that has been saved."""
        self.gestures.append(made)
        if made.kind == "takeback":
            end = int(made.value)
            del self.actions[end:], self.times[end:]
            self.notes = [note for note in self.notes if note[0] <= end]
            self._replay()
        elif made.kind in ("resign", "time"):
            self._finish(self.story)

    def _finish(self, story: Story) -> None:
        """Adds the end to the log if a player resigned or ran out of time."""
        if self.ended is not None:
            story.end(self.version, everywhere(self._ending(self.ended)))

    def _ending(self, ended: Gesture) -> list[Text]:
        """Says how the game ended before its end."""
        who, other = self.home.side(ended.seat), self.home.side(1 - ended.seat)
        return [Message(f"game.{ended.kind}", who=who), Message("game.wins", who=other)]

    def note(self, message: Message) -> None:
        """Adds a line to the log that is not an action."""
        text = everywhere(message)
        self.story.note(self.version, text)
        self.notes.append((self.version, text))
        self._common = ((-1, -1), {})

    def changed(self) -> None:
        """Notifies the watchers."""
        for event in self.watchers:
            event.set()

    def view(self, mine: list[int]) -> Facts:
        """Returns the table as the players of these seats see it."""
        if self._common[0] != self._stand:
            self._common = (self._stand, self._seen(self.state, self.story, self.version))
        turn = self.to_move in mine and not self.full
        return self._common[1] | {
            **self._now(mine),
            "seats": self._seats(mine),
            "your_turn": turn,
            "thinking": self.thinking,
            "legal": self.legal() if turn else [],
        }

    @property
    def _stand(self) -> tuple[int, int]:
        return self.version, len(self.gestures)

    def legal(self) -> list[Facts]:
        """Returns the legal actions of the player to move."""
        if self._legal[0] != self._stand:
            self._legal = (self._stand, view.legal(self.home, self.state))
        return self._legal[1]

    def view_at(self, version: int, mine: list[int]) -> Facts:
        """Returns the table as it was after `version` actions."""
        state, story = self.past(version)
        if version == self.version:
            self._finish(story)
        seen = self._seen(state, story, version)
        return seen | {
            **self._now(mine),
            "seats": self._seats(mine),
            "your_turn": False,
            "thinking": False,
            "legal": [],
        }

    def past(self, version: int) -> tuple[State, Story]:
        """Returns the state after `version` actions, and the log up to there."""
        mark = min(max(0, version - view.LOG) // STRIDE, len(self._marks) - 1)
        state, story = self._marks[mark], Story(self.home)
        for n, action in enumerate(self.actions[mark * STRIDE : version], mark * STRIDE + 1):
            before = state
            state = before.child(action)
            if n > version - view.LOG:
                for _, text in (note for note in self.notes if note[0] == n - 1):
                    story.note(n - 1, text)
                story.tell(before, action, state, n)
        return state, story

    def settled(self) -> list[int]:
        """Returns the actions that can be published: those before a throw that the players are still marking."""
        if not self.home.is_secret(self.state):
            return self.actions[:]
        for mark in range(len(self._marks) - 1, -1, -1):  # the last throw is in the last stretch that has one
            first, state, end = mark * STRIDE, self._marks[mark], None
            for n, action in enumerate(self.actions[first : first + STRIDE], first):
                end = n if state.is_chance_node() else end
                state = state.child(action)
            if end is not None:
                return self.actions[:end]
        return self.actions[:]

    def _seats(self, mine: list[int]) -> list[Facts]:
        named = zip(self.row.seats, self._sides, gestures.names(self.gestures, len(self.row.seats)), strict=True)
        return [
            {"player": player, "you": seat in mine, "label": label, "name": name}
            for seat, (player, label, name) in enumerate(named)
        ]

    def _now(self, mine: list[int]) -> Facts:
        """Returns what depends on gestures, on the time or on the reader."""
        made = self.gestures
        bots = [seat for seat in range(len(self.row.seats)) if seat not in self.people]
        alone = len(mine) == 1 and len(bots) == len(self.row.seats) - 1 and self.to_move in mine
        clock = self.clock and {
            "left": [self.time_left(seat) for seat in range(len(self.row.seats))],
            "running": self.running,
        }
        return {
            "revision": len(made),
            "tutor": self.tutor,
            "agreed": {"tutor": gestures.agreed(made, "tutor"), "rematch": gestures.agreed(made, "rematch")},
            "said": gestures.said(made),
            "next": self.next,
            "clock": clock,
            "takeback": alone and not self.over and self.takeback_of(mine[0]) is not None,
        }

    def _seen(self, state: State, story: Story, version: int) -> Facts:
        ended = self.ended if version == self.version else None
        player = state.current_player() if ended is None else -1
        over = state.is_terminal() or ended is not None
        return {
            "table": self.row.id,
            "version": version,
            "length": self.version,
            "game": self.row.game,
            **self._titles,
            "options": self.game.options(),
            "seeded": self.row.seed.startswith(audit.GIVEN),
            "commitment": audit.commitment(self.row.seed),
            "to_move": player if player >= 0 else None,
            "over": over,
            "full": self.full and version == self.version,
            "returns": state.returns(),
            "winner": view.winner(state) if ended is None else self.winner,
            **self._results(state, ended),
            "scene": view.scene(self.home, state, story.memory),
            "sheet": view.sheet(self.home, [line for n, line in self.sheet if n <= version], state),
            "log": list(story.log),
        }

    def _results(self, state: State, ended: Gesture | None) -> Facts:
        """Returns the result of the game for everyone and for each seat; None before the end."""
        if ended is None and not state.is_terminal():
            return {"result": None, "results": None}
        told = [everywhere(self._result(state, ended, seat)) for seat in (None, *range(len(self.row.seats)))]
        return {"result": told[0], "results": told[1:]}

    def _result(self, state: State, ended: Gesture | None, seat: int | None) -> Text:
        if ended is None:
            return self.home.result(state) if seat is None else self.home.result_for(state, seat)
        if seat is None:
            return self._ending(ended)
        if seat == ended.seat:
            return Message(f"game.you_{ended.kind}")
        return [Message(f"game.{ended.kind}", who=self.home.side(ended.seat)), Message("game.you_won")]

    def result_for(self, seat: int | None) -> Words | None:
        """Returns the result of the game for a seat, or for everyone; None before the end."""
        return everywhere(self._result(self.state, self.ended, seat)) if self.over else None

    @property
    def winner(self) -> int | None:
        """The seat that won; None before the end and for a draw."""
        return view.winner(self.state) if self.ended is None else 1 - self.ended.seat


def hashed(token: str) -> str:
    """Hashes a token for the store, so that reading the database does not give access to a seat."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
