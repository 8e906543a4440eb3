"""Hints for a position, and reviews of whole games, which run in the background."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tablier._core import Game, State
from tablier.analysis import (
    Decision,
    ErrorRating,
    band_name,
    decisions,
    default_analyst,
    error_ratings,
    is_judged,
    make_quick_judge,
    mistakes,
)
from tablier.candidate import Candidate, cost
from tablier.games import Facts, Home
from tablier.messages import Text, everywhere
from tablier.players import make_player
from tablier.web.service import view
from tablier.web.service.clients import NOBODY, Client
from tablier.web.service.limits import Shares
from tablier.web.service.refusal import Refused
from tablier.web.service.store import Store, keep_review
from tablier.web.service.table import Table
from tablier.web.service.thinkers import Thinkers

log = logging.getLogger("tablier.web")
MOST_DECISIONS, MOST_MISTAKES = 2_000, 200
MOST_AT_ONCE, MOST_OF_ADDRESS, NETWORK = 8, 3, 2
"""Reviews in progress, in total and per address, and how many times as many a network may have."""
SECONDS = 180.0
"""The time limit of a review, in seconds. In a long game, it is divided equally among the decisions."""
PATIENCE = 90.0
"""Seconds without a poll after which a review is cancelled; a page in a background tab polls rarely."""

LUCK, THROWS = 90.0, 4
"""Seconds for measuring luck, and throws after which other reviews get their turn."""
POLL = 0.1
"""Seconds between two polls of the server itself."""


def analyst(game: Game, seconds: float) -> str:
    """Returns the default analyst of a game, limited to some seconds per decision."""
    return default_analyst(game, seconds)


async def hint(
    thinkers: Thinkers, home: Home, state: State, player: str | None, think: float, client: Client = NOBODY
) -> Facts:
    """Returns the evaluations of all legal actions, best first, by `player` (default: the analyst)."""
    if player is None:
        by = analyst(home.game, think)

        def work() -> list[Candidate]:
            return make_player(by, home.game).explain(state)

        ranked = await thinkers.queued("hint", work, client)
    else:
        by = player
        ranked = await thinkers.explain(home.game, player, state, client)
    told = await asyncio.to_thread(lambda: [_candidate(home, state, one, ranked) for one in ranked])
    return {"by": by, "unit": _unit(ranked), "candidates": told}


def _unit(ranked: Sequence[Candidate]) -> str:
    """Returns the unit of `cost`."""
    best = ranked[0]
    return "win" if best.win_chance is not None else "points" if best.points == best.value else "value"


def _candidate(home: Home, state: State, one: Candidate, ranked: list[Candidate]) -> Facts:
    told = {name: getattr(one, name) for name in ("value", "win_chance", "visits", "prior", "points")}
    why = _reasons(home, state, ranked[0].action, one.action)
    return view.choice(home, state, one.action) | told | {"cost": cost(one, ranked), "reasons": why}


def _reasons(home: Home, state: State, better: int, worse: int) -> list[view.Words]:
    """Returns why an action is better than another, in every language; nothing about markings and claims."""
    return [everywhere(text) for text in home.reasons(state, better, worse)] if home.is_judged(state) else []


@dataclass
class _Work:
    """A review in progress."""

    by: str
    client: Client
    asked: float
    of: int = 0
    unit: str = "win"
    judged: list[Decision] = field(default_factory=list)

    def told(self, state: str, bad: list[Facts]) -> Facts:
        chance = [(one.index, one.win_chance) for one in self.judged if one.win_chance is not None]
        facts = {"state": state, "done": len(self.judged), "of": self.of, "by": self.by, "unit": self.unit}
        return facts | {"chance": chance, "mistakes": bad, "players": []}


class Reviews:
    """Runs reviews and returns stored ones."""

    def __init__(self, store: Store, thinkers: Thinkers, think: float) -> None:
        self._store, self._thinkers, self._think = store, thinkers, think
        self._working: dict[str, tuple[_Work, asyncio.Task[None]]] = {}
        self._shares = Shares(MOST_AT_ONCE, MOST_OF_ADDRESS, NETWORK)
        self._failed: dict[str, Text] = {}
        self._late: dict[str, Facts] = {}
        """Finished reviews of games that have continued since, for clients that are still waiting for them."""

    async def ask(self, table: Table, client: Client = NOBODY) -> Facts:
        """Returns the review of a table or its progress; starts it if necessary.

        Args:
            table: the table.
            client: who asks for it.

        Raises:
            Refused: too many reviews are in progress (429), or the review failed (422).
        """
        tid, version = table.row.id, table.version
        if tid in self._working:
            return self._progress(tid)
        if reason := self._failed.pop(tid, None):  # reported once; the next request tries again
            raise Refused(422, "review.failed", reason=reason)
        if late := self._late.pop(tid, None):
            return late
        if kept := await asyncio.to_thread(self._store.review, tid, version):
            return await asyncio.to_thread(_in_words, kept, table.home, table.actions[:version])
        if tid not in self._working:  # it may have started while the store was read
            if not self._shares.take(client):
                raise Refused(429, "server.busy")
            work = _Work(analyst(table.game, self._think), client, time.monotonic())
            self._working[tid] = (work, asyncio.create_task(self._make(table, list(table.actions), work)))
        return self._progress(tid)

    async def finish(self, table: Table, client: Client = NOBODY) -> Facts:
        """Returns the review of a finished game when it is done; arguments and errors as in `ask`."""
        while (told := await self.ask(table, client))["state"] == "working":
            await asyncio.sleep(POLL)
        return told

    def _progress(self, tid: str) -> Facts:
        work = self._working[tid][0]
        work.asked = time.monotonic()
        return work.told("working", [])

    async def _make(self, table: Table, actions: list[int], work: _Work) -> None:
        """Analyses one decision at a time, so that other reviews get their turn in between."""
        tid = table.row.id
        try:
            work.of = await asyncio.to_thread(_choices, table.game, actions)
            work.by = analyst(table.game, min(self._think, SECONDS / max(1, work.of)))
            player = make_player(work.by, table.game)
            judge = await self._thinkers.reviewing(lambda: decisions(table.game, actions, player))
            while len(work.judged) < MOST_DECISIONS:
                if time.monotonic() - work.asked > PATIENCE:
                    return
                one = await self._thinkers.reviewing(lambda: next(judge, None))
                if one is None:
                    break
                work.judged.append(one)
            work.of = len(work.judged)
            if work.judged:
                work.unit = _unit(work.judged[0].opinions)
            done = work.told("done", [_mistake(one) for one in mistakes(work.judged)[:MOST_MISTAKES]])
            luck = await self._luck(table.game, actions, work.unit)
            rated = await self._thinkers.reviewing(lambda: error_ratings(table.game, work.judged, actions))
            done["players"] = [_player(rating, luck[seat] if luck else None) for seat, rating in enumerate(rated)]
            await self._store.commit(keep_review(tid, len(actions), done))
            if table.version > len(actions):
                self._late[tid] = await asyncio.to_thread(_in_words, done, table.home, actions)
                while len(self._late) > MOST_AT_ONCE:
                    del self._late[next(iter(self._late))]
        except Exception as error:
            log.warning("the review of a game of %s failed: %s", table.row.game, error)
            self._failed[tid] = Refused.because(error).message
        finally:
            del self._working[tid]
            self._shares.give_back(work.client)

    async def _luck(self, game: Game, actions: list[int], unit: str) -> list[float] | None:
        """Returns the luck of each seat in the unit of the review; None if it cannot be measured in time."""
        judge = await self._thinkers.reviewing(lambda: make_quick_judge(game))
        if judge is None or (judge.unit == "win") != (unit == "win"):
            return None
        thrown = [
            (state, action)
            for state, action in zip(_states(game, actions), actions, strict=True)
            if state.is_chance_node()
        ]
        total, end = [0.0] * game.num_players(), time.monotonic() + LUCK
        for at in range(0, len(thrown), THROWS):
            if time.monotonic() > end:
                return None
            part = thrown[at : at + THROWS]
            luck = await self._thinkers.reviewing(lambda part=part: judge.luck(part))  # type: ignore[misc]
            total = [sum(seat) for seat in zip(total, luck.sum(axis=0).tolist(), strict=True)]
        return total

    async def close(self) -> None:
        """Cancels all reviews in progress."""
        tasks = [task for _, task in self._working.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _states(game: Game, actions: list[int]) -> Iterator[State]:
    state = game.new_initial_state()
    for action in actions:
        yield state
        state = state.child(action)


def _choices(game: Game, actions: list[int]) -> int:
    """Returns the number of decisions that will be analysed."""
    return min(MOST_DECISIONS, sum(is_judged(state) for state in _states(game, actions)))


def _player(rating: ErrorRating, luck: float | None) -> Facts:
    """Returns the error rating of a seat and its luck, for the store."""
    return {"decisions": rating.decisions, "mean": rating.mean, "band": rating.band, "luck": luck}


def _mistake(one: Decision) -> Facts:
    """Returns a mistake for the store: without texts, so that it can be shown in any language."""
    facts = {"version": one.index, "player": one.player, "cost": one.cost}
    return facts | {"played": {"action": one.played}, "best": {"action": one.best.action}}


def _in_words(review: Facts, home: Home, actions: list[int]) -> Facts:
    """Adds texts to a review from the store."""
    wanted = {one["version"] for one in review["mistakes"]}
    at = {version: state for version, state in enumerate(_states(home.game, actions)) if version in wanted}
    told = []
    for one in review["mistakes"]:
        state = at[one["version"]]
        choices = {name: view.choice(home, state, one[name]["action"]) for name in ("played", "best")}
        why = _reasons(home, state, one["best"]["action"], one["played"]["action"])
        told.append(one | {"colour": home.colour(state, one["player"]), "reasons": why} | choices)
    rated = [one | {"level": one["band"] and everywhere(band_name(one["band"]))} for one in review.get("players", [])]
    return review | {"mistakes": told, "players": rated}
