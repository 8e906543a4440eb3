"""One table in memory: its game, who sits there, and how it is seen."""

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
LOOKED_AT = 60.0
"""Players of the machine among themselves rest so many seconds after the last look."""


class Table:
    """A game in progress. Only `tables.Tables` changes it, under its lock and after the store has it."""

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
        """Whether the store may know more than this object."""
        self._titles = {"title": render(self.home.title, "en"), "titles": everywhere(self.home.title)}
        self._sides = view.sides(self.home)
        self._common: tuple[int, Facts] = (-1, {})
        self._legal: tuple[int, list[Facts]] = (-1, [])

    @property
    def version(self) -> int:
        """How many actions were made, those of the dice among them."""
        return len(self.actions)

    @property
    def to_move(self) -> int | None:
        """The seat that decides; None at dice (of a record) and at the end."""
        player = self.state.current_player()
        return player if player >= 0 else None

    @property
    def bot(self) -> str | None:
        """The player that is to think now, if it is not a person."""
        if self.to_move is None:
            return None
        seat = self.row.seats[self.to_move]
        return None if seat in (HUMAN, RECORD) else seat

    @property
    def thinking(self) -> bool:
        """Whether a player of the machine is at it."""
        return self.thinker is not None and self.bot is not None

    @property
    def forgotten(self) -> bool:
        """Whether only players of the machine sit here and nobody has looked for a while: then they rest."""
        return self.all_bots and not self.watchers and time.monotonic() - self.looked > LOOKED_AT

    @property
    def full(self) -> bool:
        """Whether it has as many actions as a table may have: the game ends here, undecided."""
        return self.version >= self.most and not self.state.is_terminal()

    @property
    def all_bots(self) -> bool:
        """Whether no person sits here."""
        return HUMAN not in self.row.seats

    def seats_of(self, tokens: list[str]) -> list[int]:
        """The seats that these tokens open."""
        hashes = [hashed(token) for token in tokens]
        return [
            seat
            for seat, known in enumerate(self.row.tokens)
            if known is not None and any(hmac.compare_digest(known, one) for one in hashes)
        ]

    def roll(self, state: State, version: int) -> int:
        """The dice at this point of the game: they follow from the table's secret, and nobody can foresee them."""
        digest = hashlib.sha256(f"{self.row.seed} {version}".encode()).digest()
        outcomes = state.legal_actions()
        return outcomes[int.from_bytes(digest) % len(outcomes)]

    def follow(self, action: int) -> None:
        """Plays an action that the store has."""
        before = self.state
        self.state = before.child(action)
        self.actions.append(action)
        self.story.tell(before, action, self.state, self.version)

    def restore(self, actions: list[int], notes: list[tuple[int, Words]]) -> None:
        """Takes up what the store has."""
        self.actions = actions
        self.notes = notes
        self.state, self.story = self.past(len(actions))

    def note(self, message: Message) -> None:
        """A line of the log that is no action."""
        text = everywhere(message)
        self.story.note(self.version, text)
        self.notes.append((self.version, text))
        self._common = (-1, {})

    def changed(self) -> None:
        """Wakes those who look."""
        for event in self.watchers:
            event.set()

    def view(self, mine: list[int]) -> Facts:
        """The table as it is seen from these seats."""
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
        """What the player to move may do."""
        if self._legal[0] != self.version:
            self._legal = (self.version, view.legal(self.home, self.state))
        return self._legal[1]

    def view_at(self, version: int, mine: list[int]) -> Facts:
        """The table as it stood after so many actions."""
        state, story = self.past(version)
        seen = self._seen(state, story, version)
        return seen | {"seats": self._seats(mine), "your_turn": False, "thinking": False, "legal": []}

    def past(self, version: int) -> tuple[State, Story]:
        """The state after so many actions, and the story up to there."""
        state, story = self.game.new_initial_state(), Story(self.home)
        for n, action in enumerate(self.actions[:version], 1):
            before = state
            state = before.child(action)
            if n > version - view.LOG:
                for _, text in (note for note in self.notes if note[0] == n - 1):
                    story.note(n - 1, text)
                story.tell(before, action, state, n)
        return state, story

    def settled(self) -> list[int]:
        """The actions that may be told: not those since a throw whose points the players still mark themselves."""
        end = self.version
        if self.home.is_secret(self.state):
            state = self.game.new_initial_state()
            for n, action in enumerate(self.actions):
                end = n if state.is_chance_node() else end
                state = state.child(action)
        return self.actions[:end]

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
    """A token as it is kept: who reads the file cannot sit down."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
