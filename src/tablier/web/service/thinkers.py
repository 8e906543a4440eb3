"""Runs players in threads, one pool per kind of work, so that no kind blocks another.

Searches run in C++ with the GIL released, so they never block the server. Players are built with a time limit per
decision (`players.Maker`), so they need not be interrupted. When many people wait for their opponents, each search gets
less time, and the networks that they play from take turns.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from tablier._core import Game, State
from tablier.candidate import Candidate
from tablier.players import Player
from tablier.web.service.clients import NOBODY, Client
from tablier.web.service.limits import Budget, Limits, Shares
from tablier.web.service.players import Maker
from tablier.web.service.refusal import Refused
from tablier.web.service.turns import Turns

T = TypeVar("T")
MOST_IDLE = 6
"""Maximum number of players cached between decisions, to reuse their networks and search trees."""
QUEUES = {"hint": 1, "record": 1, "runs": 1, "past": 4}
"""Kinds of work that clients wait for, each with a thread and a queue of its own, and how many times `Limits.waiting`
may wait there. A client can take only a part of a queue."""
LEAST = 1 / 64
"""The smallest fraction of the time limit that a player gets, however many are waiting."""


class Thinkers:
    """The thread pools and the cached players."""

    def __init__(self, maker: Maker, limits: Limits) -> None:
        self.maker, self._limits = maker, limits
        self._threads = {
            "seat": ThreadPoolExecutor(limits.threads, "seat"),  # searches by opponents of people
            "quick": ThreadPoolExecutor(1, "quick"),  # players that do not search
            "machines": ThreadPoolExecutor(1, "machines"),  # players at tables without people
            "review": ThreadPoolExecutor(1, "review"),
            "rollout": ThreadPoolExecutor(1, "rollout"),
            **{line: ThreadPoolExecutor(1, line) for line in QUEUES},
        }
        most, mine = limits.waiting, limits.waiting_of_address
        self._hints = Budget(limits.hints_burst, limits.hints, limits.network)
        self._queues = {line: Shares(n * most, n * mine, limits.network) for line, n in QUEUES.items()}
        self._turns = {"seat": Turns(limits.threads), "quick": Turns(1), "machines": Turns(1)}
        self._idle: list[tuple[tuple[str, str, float], Player]] = []
        self._lock = threading.Lock()

    def close(self) -> None:
        """Shuts the threads down without waiting. Running work takes no longer than one decision."""
        for threads in self._threads.values():
            threads.shutdown(wait=False, cancel_futures=True)

    def check(self, game: Game, player: str) -> None:
        """Raises an error if the player string is not valid for the game."""
        self.give_back(game, player, self.borrow(game, player))

    async def choose(self, game: Game, player: str, state: State, people: bool = True, owner: str = "") -> int:
        """Returns the action that a player chooses. Errors of the player are passed on.

        Args:
            game: the game.
            player: the player string.
            state: the state in which to choose.
            people: whether people are playing at the table.
            owner: who takes turns with others: the network that the table was created from.
        """

        def work() -> int:
            who = self.borrow(game, player, share)
            action = int(who.choose(state))
            self.give_back(game, player, who, share)
            return action

        line = "quick" if not self.maker.searches(player) else "seat" if people else "machines"
        async with self._turns[line].take(owner):
            share = self._share(owner) if line == "seat" else 1.0
            return await self._in(line, work)

    def _share(self, owner: str) -> float:
        """Returns the fraction of the time limit for a search: 1, 1/2, 1/4 and so on, as more players are waiting."""
        share, crowd = 1.0, self._turns["seat"].crowd(owner)
        while share * crowd > 1 and share > LEAST:
            share /= 2
        return share

    async def explain(self, game: Game, player: str, state: State, client: Client = NOBODY) -> list[Candidate]:
        """Returns a player's evaluation of every legal action, best first."""

        def work() -> list[Candidate]:
            who = self.borrow(game, player)
            ranked = who.explain(state)
            self.give_back(game, player, who)
            return ranked

        return await self.queued("hint", work, client)

    async def queued(self, line: str, work: Callable[[], T], client: Client = NOBODY) -> T:
        """Runs work other than moves, one job at a time in each queue.

        Args:
            line: one of QUEUES.
            work: the job.
            client: who waits for it.

        Raises:
            Refused: the queue, or the client's part of it, is full, or they have asked for too many hints (429).
        """
        is_paid = line == "hint" and not client.local
        if is_paid:
            self.check_hints(client)
        if not self._queues[line].take(client):
            raise Refused(429, "server.busy")
        spent = 0.0

        def timed() -> T:
            nonlocal spent
            begun = time.monotonic()
            try:
                return work()
            finally:
                spent = time.monotonic() - begun

        try:
            return await self._in(line, timed)
        finally:
            self._queues[line].give_back(client)
            if is_paid:
                self._hints.owe(client, spent)

    async def reviewing(self, work: Callable[[], T]) -> T:
        """Runs one step of a review; steps of all reviews take turns."""
        return await self._in("review", work)

    def check_hints(self, client: Client) -> None:
        """Refuses a client that has asked for too much thinking (429)."""
        if not client.local and not self._hints.take(client, 0.0):
            raise Refused(429, "server.too_fast")

    async def rolling(self, work: Callable[[], T], client: Client) -> tuple[T, float]:
        """Runs one step of a rollout and charges its time as that of a hint; steps of all rollouts take turns.

        Returns:
            What the work returns, and the seconds it took.
        """

        def timed() -> tuple[T, float]:
            begun = time.monotonic()
            return work(), time.monotonic() - begun

        found, spent = await self._in("rollout", timed)
        if not client.local:
            self._hints.owe(client, spent)
        return found, spent

    async def _in(self, line: str, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads[line], work)

    def borrow(self, game: Game, text: str, share: float = 1.0) -> Player:
        """Takes a player out of the cache, or builds one, for use in a single thread."""
        key = (repr(game), text, share)
        with self._lock:
            for place, (known, who) in enumerate(self._idle):
                if known == key:
                    del self._idle[place]
                    return who
        return self.maker.make(text, game, secrets.randbits(53), share)

    def give_back(self, game: Game, text: str, who: Player, share: float = 1.0) -> None:
        """Returns a player to the cache."""
        with self._lock:
            self._idle.append(((repr(game), text, share), who))
            del self._idle[:-MOST_IDLE]
