"""Who thinks: threads for the players at the tables, and one for hints, reviews and records.

Searches run in C++ without the interpreter's lock, so a thought never holds up the server. A player is made with the
time of a decision as its bound (`players.Maker`); nobody has to interrupt it.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from tablier._core import Game, State
from tablier.players import Opinion, Player
from tablier.web.limits import Limits
from tablier.web.players import Maker

T = TypeVar("T")
MOST_IDLE = 6
"""Players that are kept between decisions: a network need not be read again, a tree is gone on with."""


class Busy(Exception):
    """There is too much to think about; come again."""


class Thinkers:
    """The threads, and the players they use."""

    def __init__(self, maker: Maker, limits: Limits) -> None:
        self.maker, self._limits = maker, limits
        self._seats = ThreadPoolExecutor(limits.threads, thread_name_prefix="seat")
        self._desk = ThreadPoolExecutor(1, thread_name_prefix="desk")
        self._at_desk = 0
        self._idle: list[tuple[tuple[str, str], Player]] = []
        self._lock = threading.Lock()

    def close(self) -> None:
        """Lets the threads end; what they are at takes no longer than a decision."""
        self._seats.shutdown(wait=False, cancel_futures=True)
        self._desk.shutdown(wait=False, cancel_futures=True)

    def check(self, game: Game, player: str) -> None:
        """Raises if there is no such player for the game."""
        self.give_back(game, player, self.borrow(game, player))

    async def choose(self, game: Game, player: str, state: State) -> int:
        """What a player does; whatever goes wrong in him is raised."""
        return await asyncio.get_running_loop().run_in_executor(self._seats, self._choose, game, player, state)

    def _choose(self, game: Game, player: str, state: State) -> int:
        who = self.borrow(game, player)
        action = int(who.choose(state))
        self.give_back(game, player, who)
        return action

    async def explain(self, game: Game, player: str, state: State) -> list[Opinion]:
        """What a player thinks of every action, the best first."""

        def work() -> list[Opinion]:
            who = self.borrow(game, player)
            opinions: list[Opinion] = who.explain(state)  # type: ignore[attr-defined]
            self.give_back(game, player, who)
            return opinions

        return await self.at_desk(work)

    async def at_desk(self, work: Callable[[], T]) -> T:
        """Work that is not a move: one after the other, and not too much of it."""
        if self._at_desk >= self._limits.waiting:
            raise Busy
        self._at_desk += 1
        try:
            return await self.background(work)
        finally:
            self._at_desk -= 1

    async def background(self, work: Callable[[], T]) -> T:
        """A piece of long work, between what others want of the same thread."""
        return await asyncio.get_running_loop().run_in_executor(self._desk, work)

    def borrow(self, game: Game, text: str) -> Player:
        """A player of this description, for one thread."""
        key = (repr(game), text)
        with self._lock:
            for place, (known, who) in enumerate(self._idle):
                if known == key:
                    del self._idle[place]
                    return who
        return self.maker.make(text, game, secrets.randbits(53))

    def give_back(self, game: Game, text: str, who: Player) -> None:
        """Keeps a player for the next one who needs him."""
        with self._lock:
            self._idle.append(((repr(game), text), who))
            del self._idle[:-MOST_IDLE]
