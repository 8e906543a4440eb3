"""Who thinks, and in which thread: nobody waits for what another kind of work takes.

Searches run in C++ without the interpreter's lock, so a thought never holds up the server. A player is made with the
time of a decision as its bound (`players.Maker`); nobody has to interrupt it. Where many people wait for their
opponents, each thinks for a shorter time.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from tablier._core import Game, State
from tablier.candidate import Candidate
from tablier.players import Player
from tablier.web.service.limits import Limits
from tablier.web.service.players import Maker
from tablier.web.service.refusal import Refused

T = TypeVar("T")
MOST_IDLE = 6
"""Players that are kept between decisions: a network need not be read again, a tree is gone on with."""
LEAST = 1 / 64
"""The share of their time that players always have, however many wait."""


class Thinkers:
    """The threads, and the players they use."""

    def __init__(self, maker: Maker, limits: Limits) -> None:
        self.maker, self._limits = maker, limits
        self._threads = {
            "seat": ThreadPoolExecutor(limits.threads, "seat"),  # opponents of people, who search
            "quick": ThreadPoolExecutor(1, "quick"),  # players who do not search
            "machines": ThreadPoolExecutor(1, "machines"),  # players at tables without people
            "desk": ThreadPoolExecutor(1, "desk"),  # hints and records
            "review": ThreadPoolExecutor(1, "review"),
        }
        self._at_desk = 0
        self._at_seats = 0
        self._idle: list[tuple[tuple[str, str, float], Player]] = []
        self._lock = threading.Lock()

    def close(self) -> None:
        """Lets the threads end; what they are at takes no longer than a decision."""
        for threads in self._threads.values():
            threads.shutdown(wait=False, cancel_futures=True)

    def check(self, game: Game, player: str) -> None:
        """Raises if there is no such player for the game."""
        self.give_back(game, player, self.borrow(game, player))

    async def choose(self, game: Game, player: str, state: State, people: bool = True) -> int:
        """What a player does, at a table with people or without; whatever goes wrong in it is raised."""

        def work() -> int:
            share = self._share() if line == "seat" else 1.0
            who = self.borrow(game, player, share)
            action = int(who.choose(state))
            self.give_back(game, player, who, share)
            return action

        line = "quick" if not self.maker.searches(player) else "seat" if people else "machines"
        if line != "seat":
            return await self._in(line, work)
        self._at_seats += 1
        try:
            return await self._in(line, work)
        finally:
            self._at_seats -= 1

    def _share(self) -> float:
        """How much of its time a player may take: a half, a quarter and so on where so many more wait than think."""
        share, crowd = 1.0, self._at_seats / self._limits.threads
        while share * crowd > 1 and share > LEAST:
            share /= 2
        return share

    async def explain(self, game: Game, player: str, state: State) -> list[Candidate]:
        """What a player thinks of every action, the best first."""

        def work() -> list[Candidate]:
            who = self.borrow(game, player)
            ranked = who.explain(state)
            self.give_back(game, player, who)
            return ranked

        return await self.at_desk(work)

    async def at_desk(self, work: Callable[[], T]) -> T:
        """Work that is not a move: one after the other, and not too much of it."""
        if self._at_desk >= self._limits.waiting:
            raise Refused(429, "server.busy")
        self._at_desk += 1
        try:
            return await self._in("desk", work)
        finally:
            self._at_desk -= 1

    async def reviewing(self, work: Callable[[], T]) -> T:
        """A piece of a review, in turn with those of other reviews."""
        return await self._in("review", work)

    async def _in(self, line: str, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads[line], work)

    def borrow(self, game: Game, text: str, share: float = 1.0) -> Player:
        """A player of this description, for one thread."""
        key = (repr(game), text, share)
        with self._lock:
            for place, (known, who) in enumerate(self._idle):
                if known == key:
                    del self._idle[place]
                    return who
        return self.maker.make(text, game, secrets.randbits(53), share)

    def give_back(self, game: Game, text: str, who: Player, share: float = 1.0) -> None:
        """Keeps a player for the next who needs it."""
        with self._lock:
            self._idle.append(((repr(game), text, share), who))
            del self._idle[:-MOST_IDLE]
