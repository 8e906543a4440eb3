"""A table in memory: its game, its seats and its views."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import time
from typing import Any

from tablier._core import Game, State
from tablier.games import home_of
from tablier.messages import Message, everywhere, render
from tablier.registry import load_game
from tablier.web.service import view
from tablier.web.service.players import HUMAN, RECORD
from tablier.web.service.store import Row
from tablier.web.service.view import Story, Words

Facts = dict[str, Any]
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
        self.notes: list[tuple[int, Words]] = []
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
        self._common: tuple[int, Facts] = (-1, {})
        self._legal: tuple[int, list[Facts]] = (-1, [])

    @property
    def version(self) -> int:
        """The number of actions so far, chance outcomes included."""
        return len(self.actions)

    @property
    def to_move(self) -> int | None:
        """The seat to move; None at the end, or if a record ends before a roll."""
        player = self.state.current_player()
        return player if player >= 0 else None

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
        return self.version >= self.most and not self.state.is_terminal()

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

    def roll(self, state: State, version: int) -> int:
        """Rolls the dice at a version of the table, from its secret seed, so that clients cannot predict them."""
        digest = hashlib.sha256(f"{self.row.seed} {version}".encode()).digest()
        outcomes = state.legal_actions()
        return outcomes[int.from_bytes(digest) % len(outcomes)]

    def follow(self, action: int) -> None:
        """Plays an action that has been saved."""
        before = self.state
        self.state = before.child(action)
        self.actions.append(action)
        if self.version % STRIDE == 0:
            self._marks.append(self.state)
        self.story.tell(before, action, self.state, self.version)

    def restore(self, actions: list[int], notes: list[tuple[int, Words]]) -> None:
        """Sets the table to the actions and notes from the store."""
        self.actions = actions
        self.notes = notes
        state = self.game.new_initial_state()
        self._marks = [state]
        for n, action in enumerate(actions, 1):
            state = state.child(action)
            if n % STRIDE == 0:
                self._marks.append(state)
        self.state, self.story = self.past(len(actions))

    def note(self, message: Message) -> None:
        """Adds a line to the log that is not an action."""
        text = everywhere(message)
        self.story.note(self.version, text)
        self.notes.append((self.version, text))
        self._common = (-1, {})

    def changed(self) -> None:
        """Notifies the watchers."""
        for event in self.watchers:
            event.set()

    def view(self, mine: list[int]) -> Facts:
        """Returns the table as the players of these seats see it."""
        if self._common[0] != self.version:
            self._common = (self.version, self._seen(self.state, self.story, self.version))
        turn = self.to_move in mine and not self.full
        return self._common[1] | {
            "seats": self._seats(mine),
            "your_turn": turn,
            "thinking": self.thinking,
            "legal": self.legal() if turn else [],
        }

    def legal(self) -> list[Facts]:
        """Returns the legal actions of the player to move."""
        if self._legal[0] != self.version:
            self._legal = (self.version, view.legal(self.home, self.state))
        return self._legal[1]

    def view_at(self, version: int, mine: list[int]) -> Facts:
        """Returns the table as it was after `version` actions."""
        state, story = self.past(version)
        seen = self._seen(state, story, version)
        return seen | {"seats": self._seats(mine), "your_turn": False, "thinking": False, "legal": []}

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
        named = zip(self.row.seats, self._sides, strict=True)
        return [{"player": player, "you": seat in mine, "label": label} for seat, (player, label) in enumerate(named)]

    def _seen(self, state: State, story: Story, version: int) -> Facts:
        player = state.current_player()
        over = state.is_terminal()
        return {
            "table": self.row.id,
            "version": version,
            "length": self.version,
            "game": self.row.game,
            **self._titles,
            "options": self.game.options(),
            "tutor": self.row.tutor,
            "seeded": self.row.seed.startswith("given "),
            "to_move": player if player >= 0 else None,
            "over": over,
            "full": version >= self.most and not over,
            "returns": state.returns(),
            "result": everywhere(self.home.result(state)) if over else None,
            "scene": view.scene(self.home, state, story.memory),
            "log": list(story.log),
        }


def hashed(token: str) -> str:
    """Hashes a token for the store, so that reading the database does not give access to a seat."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
