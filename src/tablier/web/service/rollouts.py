"""Rollouts on the analysis board. They run in the background, a portion of games at a time, and can be cancelled.

All rollouts share one thread and take turns there. What a client may ask for is limited three times: in the number of
rollouts at once, in the time of each one, and in the time for hints, which rollouts count against.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

from tablier._core import Game, State
from tablier.analysis import Policy, RolloutSettings, default_analyst, make_policy
from tablier.candidate import Candidate
from tablier.evaluators.rollout_table import Rollout, RolloutTable
from tablier.games import Facts, Home, home_of
from tablier.messages import Text
from tablier.players import make_player
from tablier.registry import load_game
from tablier.web.service import view
from tablier.web.service.clients import Client
from tablier.web.service.limits import Shares
from tablier.web.service.refusal import Refused
from tablier.web.service.thinkers import Thinkers

log = logging.getLogger("tablier.web")
T = TypeVar("T")
MOST_AT_ONCE, MOST_OF_ADDRESS, NETWORK = 6, 1, 2
"""Rollouts in progress, in total and per address, and how many times as many a network may have."""
MOST_KEPT = 64
"""Finished rollouts whose results are kept for a client that polls late."""
CANDIDATES, PORTION, DECISIONS = 5, 36, 12
"""Moves that are rolled out, games of each between two looks at the results, and decisions of a game."""
SECONDS = 30.0
"""The computing time of a rollout, in seconds. After that it ends with the games it has."""
PATIENCE = 30.0
"""Seconds without a poll after which a rollout is cancelled."""
SEED = 1
"""The seed of the dice, so that the same question gets the same answer."""


def has_policy(home: Home) -> bool:
    """Returns whether positions of a game with its options can be rolled out."""
    return _policy(home.game.name, tuple(sorted(home.game.options().items()))) is not None


@lru_cache(16)
def _policy(name: str, options: tuple[tuple[str, bool | int | str], ...]) -> Policy | None:
    """Returns what plays the games: the champion's network, for win chances if possible, otherwise the heuristic."""
    game = load_game(name, **dict(options))
    champion = home_of(game).champion()
    if champion and champion.network:
        texts = [f"expectimax:plies=1,net={champion.network}{by}" for by in (",by=win", "")]
    else:
        texts = ["" if champion else "heuristic"]
    for text in filter(None, texts):
        try:
            return make_policy(game, text)
        except ValueError:
            continue
    return None


@dataclass
class _Work:
    """A rollout."""

    client: Client
    games: int
    asked: float = field(default_factory=time.monotonic)
    state: str = "working"
    found: list[Rollout] = field(default_factory=list)
    spent: float = 0.0
    cancelled: bool = False
    failed: Text = ""
    task: asyncio.Task[None] | None = None


class Rollouts:
    """Starts rollouts, tells their progress and cancels them."""

    def __init__(self, thinkers: Thinkers, think: float) -> None:
        self._thinkers, self._think = thinkers, think
        self._shares = Shares(MOST_AT_ONCE, MOST_OF_ADDRESS, NETWORK)
        self._all: OrderedDict[str, tuple[_Work, Home, State]] = OrderedDict()

    async def start(self, home: Home, state: State, games: int, client: Client) -> Facts:
        """Starts a rollout: of the best candidates of a decision or, before a throw, of the position.

        Args:
            home: the home of the game.
            state: the position.
            games: the most games for each candidate.
            client: who asks.

        Raises:
            Refused: the game is over (409), its positions cannot be rolled out (422), or there are too many (429).
        """
        if state.is_terminal():
            raise Refused(409, "game.over")
        if not home.is_judged(state) or not await asyncio.to_thread(has_policy, home):
            raise Refused(422, "analysis.no_rollouts")
        self._thinkers.check_hints(client)
        if not self._shares.take(client):
            raise Refused(429, "server.busy")
        number, work = secrets.token_urlsafe(16), _Work(client, games)
        self._all[number] = work, home, state
        work.task = asyncio.create_task(self._make(work, home.game, state))
        self._forget()
        return await self.progress(number)

    def _forget(self) -> None:
        """Drops the oldest finished rollouts."""
        for number in [number for number, (work, _, _) in self._all.items() if work.state != "working"][:-MOST_KEPT]:
            del self._all[number]

    def _find(self, number: str) -> tuple[_Work, Home, State]:
        found = self._all.get(number)
        if found is None:
            raise Refused(404, "analysis.no_rollout")
        return found

    async def progress(self, number: str) -> Facts:
        """Returns the results so far; refuses with 404 if there is no such rollout, with 422 if it failed."""
        work, home, state = self._find(number)
        work.asked = time.monotonic()
        if work.failed:
            raise Refused(422, "analysis.failed", reason=work.failed)
        found, now = list(work.found), work.state  # of the same moment: it goes on while words are found for it
        told = await asyncio.to_thread(lambda: [_told(home, state, one) for one in found])
        done = max((one.games for one in found), default=0)
        unit = "win" if found and found[0].by_chance else "value"
        seat = max(0, state.current_player())
        about = {"id": number, "state": now, "done": done, "of": work.games, "unit": unit, "seat": seat}
        return about | {"candidates": told}

    async def cancel(self, number: str) -> Facts:
        """Cancels a rollout; what it found so far stays."""
        work, _, _ = self._find(number)
        work.cancelled = True
        if work.task:
            await asyncio.wait([work.task])
        return await self.progress(number)

    async def close(self) -> None:
        """Cancels all rollouts."""
        tasks = [work.task for work, _, _ in self._all.values() if work.task and work.state == "working"]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _make(self, work: _Work, game: Game, state: State) -> None:
        """Plays one portion of games at a time, so that other rollouts get their turn in between."""
        try:
            table = await self._step(work, lambda: _table(game, state, work.games, self._think))
            while not work.cancelled and work.spent < SECONDS and time.monotonic() - work.asked < PATIENCE:
                goes_on = await self._step(work, lambda: _portion(table, state, work))
                if not goes_on:
                    break
            work.state = "cancelled" if work.cancelled else "done"
        except Exception as error:
            log.warning("a rollout of %s failed: %s", game.name, error)
            work.state, work.failed = "failed", Refused.because(error).message
        finally:
            self._shares.give_back(work.client)

    async def _step(self, work: _Work, make: Callable[[], T]) -> T:
        found, spent = await self._thinkers.rolling(make, work.client)
        work.spent += spent
        return found


def _table(game: Game, state: State, games: int, think: float) -> RolloutTable:
    policy = _policy(game.name, tuple(sorted(game.options().items())))
    assert policy is not None
    settings = RolloutSettings(games=games, decisions=DECISIONS, seed=SEED, threads=1, portion=PORTION)
    if state.is_chance_node():
        return RolloutTable(state, policy, [None], settings)
    ranked: list[Candidate] = make_player(default_analyst(game, think), game).explain(state)
    return RolloutTable(state, policy, [one.action for one in ranked[:CANDIDATES]], settings)


def _portion(table: RolloutTable, state: State, work: _Work) -> bool:
    """Plays a portion of games and notes the results; returns whether games are left to play."""
    if state.is_chance_node():
        table.play([0], table.games)
        work.found = table.results()
        return table.games < work.games
    goes_on = table.go_on()
    work.found = table.ranking()
    return goes_on and table.most < work.games


def _told(home: Home, state: State, one: Rollout) -> Facts:
    facts = {"value": one.value, "error": one.error, "behind": one.behind, "behind_error": one.behind_error}
    facts["games"] = one.games
    if one.action is None:
        return facts | {"action": None, "text": None, "moves": None}
    return facts | view.choice(home, state, one.action)
