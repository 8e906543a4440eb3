"""Libraries: the games of a person, their results and figures, without accounts.

A library belongs to whoever knows its code, which the server gives a browser and keeps only as a hash. A game enters it
with the token of a seat at its table. Finished games are reviewed in the background, one at a time.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from tablier.games import Home, home_of
from tablier.messages import everywhere
from tablier.registry import load_game
from tablier.web.service import shelf
from tablier.web.service.clients import Client
from tablier.web.service.codes import new_code, read_code
from tablier.web.service.figures import figures, level, statistics
from tablier.web.service.gestures import names
from tablier.web.service.limits import DAY, Shares
from tablier.web.service.players import HUMAN, Maker
from tablier.web.service.refusal import Refused
from tablier.web.service.review import Reviews
from tablier.web.service.shelf import Facts, Owner, Shelf
from tablier.web.service.store import Statement
from tablier.web.service.table import Table
from tablier.web.service.tables import Tables

log = logging.getLogger("tablier.web")
MOST_GAMES = 5_000
"""Games in a library."""
MOST_WAITING, MOST_OF_ADDRESS, NETWORK = 64, 16, 3
"""Games that wait for a review, in total and per address, and how many times as many a network may have."""
REFRESHED = 20
"""Unfinished games that are looked up again when a library is opened."""
PAUSE, TRIES = 5.0, 12
"""Seconds until a review is tried again while the server is busy, and how often."""
OUTCOMES = {1.0: "won", 0.5: "drawn", 0.0: "lost"}


class Library:
    """The libraries of a server. Use this class only from the event loop."""

    def __init__(self, tables: Tables, reviews: Reviews, maker: Maker) -> None:
        self._tables, self._reviews, self._maker = tables, reviews, maker
        self._shelf = Shelf(tables.store)
        self._shares = Shares(MOST_WAITING, MOST_OF_ADDRESS, NETWORK)
        self._waiting: dict[str, Client] = {}
        self._worker: asyncio.Task[None] | None = None

    async def create(self, client: Client) -> str:
        """Creates a library and returns its code; refuses if there is no room (507)."""
        await self._tables.quota.check_room(client, shelf.LIBRARY_BYTES)
        code, origin = new_code(), self._tables.quota.origin(client)
        await self._commit(shelf.add_library(code, *origin))
        self._tables.quota.add(Owner("", 0.0, *origin), shelf.LIBRARY_BYTES)
        return code

    async def owner(self, text: str) -> Owner:
        """Returns the library with this code; refuses a code that is not complete (422) or unknown (404)."""
        found = await asyncio.to_thread(self._shelf.owner, read_code(text))
        if found is None:
            raise Refused(404, "library.missing")
        return found

    async def put(self, owner: Owner, table: Table, tokens: list[str], client: Client) -> Facts:
        """Adds a table to a library, or updates it there.

        Args:
            owner: the library.
            table: the table.
            tokens: the client's tokens, one of them of a seat at the table.
            client: who asks for it.

        Returns:
            The game as the library lists it.

        Raises:
            Refused: no token is right (403), or there is no room (409, 507).
        """
        if not (mine := table.seats_of(tokens)):
            raise Refused(403, "token.wrong")
        tid = table.row.id
        known = await asyncio.to_thread(self._shelf.game, owner.id, tid)
        if known is None and await asyncio.to_thread(self._shelf.count, owner.id) >= MOST_GAMES:
            raise Refused(409, "library.full", most=MOST_GAMES)
        facts = await self._facts(table, mine[0] if len(mine) == 1 else None)
        if known is not None:
            if known["ended"]:
                return await self._listed_one(tid, known)
            facts["seat"] = known["seat"] if known["seat"] == facts["seat"] else None
        row = shelf.packed(facts)
        await self._tables.quota.check_room(client, shelf.size_of(row), known=True)
        await self._commit(shelf.put_game(owner.id, tid, row), *_touched(owner))
        self._tables.quota.add(owner, shelf.size_of(row) if known is None else 0)
        if facts["ended"]:
            self._await(tid, client)
        return await self._listed_one(tid, facts)

    async def _facts(self, table: Table, seat: int | None) -> Facts:
        """Returns what a library remembers of a table; `seat` is None for a person who plays several."""
        row = table.row
        found = await asyncio.to_thread(self._tables.store.read, "SELECT ended FROM tables WHERE id = ?", (row.id,))
        ended = (found[0][0] if found else None) or (time.time() if table.over or table.full else None)
        won = None
        if table.over and seat is not None:
            won = 0.5 if table.winner is None else float(table.winner == seat)
        return {
            "game": row.game,
            "options": row.options,
            "seats": row.seats,
            "names": names(table.gestures, len(row.seats)),
            "seat": seat,
            "begun": row.created,
            "ended": ended,
            "won": won,
            "result": table.result_for(seat),
            "figures": None,
        }

    async def listed(self, owner: Owner, client: Client) -> Facts:
        """Returns a library: its games, newest first, and statistics for each game that was played."""
        games = await asyncio.to_thread(self._shelf.games, owner.id)
        running = sorted((one for one in games if not one[1]["ended"]), key=lambda one: -one[1]["begun"])
        for tid, facts in running[:REFRESHED]:
            facts.update(await self._ended(owner, tid, facts, client))
        if touched := _touched(owner):
            await self._commit(*touched)
        return await asyncio.to_thread(self._in_words, games)

    async def _ended(self, owner: Owner, tid: str, facts: Facts, client: Client) -> Facts:
        """Returns the facts of a game that was running when it was looked at last."""
        try:
            table = await self._tables.find(tid)
            if not (table.over or table.full):
                return facts
        except Refused:  # its table was deleted
            return facts
        now = await self._facts(table, facts["seat"])
        await self._commit(shelf.update_game(owner.id, tid, shelf.packed(now)))
        self._await(tid, client)
        return now

    def _in_words(self, games: list[tuple[str, Facts]]) -> Facts:
        homes = {name: _home(name) for name in {facts["game"] for _, facts in games}}
        levels = {name: self._levels(home) for name, home in homes.items()}
        games.sort(key=lambda one: one[1]["ended"] or one[1]["begun"])
        listed = [self._entry(tid, one, homes[one["game"]], levels[one["game"]]) for tid, one in games]
        summed = []
        for name, home in homes.items():
            own = [one for one in games if one[1]["game"] == name]
            if home is None or not any(one["ended"] for _, one in own):
                continue
            told = {"game": name, "page": home.page(), "titles": everywhere(home.title), "results": _results(own)}
            summed.append(told | statistics(home, own))
        summed.sort(key=lambda one: -sum(one["results"].values()))
        return {"games": listed[::-1], "statistics": summed}

    def _levels(self, home: Home | None) -> dict[str, Any]:
        return {one["player"]: one["title"] for one in self._maker.levels(home.game)} if home else {}

    async def _listed_one(self, tid: str, facts: Facts) -> Facts:
        def told() -> Facts:
            home = _home(facts["game"])
            return self._entry(tid, facts, home, self._levels(home))

        return await asyncio.to_thread(told)

    def _entry(self, tid: str, facts: Facts, home: Home | None, levels: dict[str, Any]) -> Facts:
        seat, found = facts["seat"], facts["figures"]
        others = [n for n in range(len(facts["seats"])) if n != seat] if seat is not None else []
        rated = found["seats"][seat] if found and seat is not None else None
        state = "done" if found else "waiting" if tid in self._waiting else "none"
        return {
            "table": tid,
            "game": facts["game"],
            "titles": everywhere(home.title) if home else {"en": facts["game"]},
            "page": home.page() if home else None,
            "opponents": [_opponent(facts["seats"][n], facts["names"][n], levels) for n in others],
            "begun": facts["begun"],
            "ended": facts["ended"],
            "outcome": OUTCOMES.get(facts["won"]),
            "result": facts["result"],
            "analysis": state,
            "unit": found["unit"] if found else "win",
            "rate": rated["mean"] if rated and rated["decisions"] else None,
            "luck": rated["luck"] if rated else None,
            "level": level(rated["mean"], found["unit"]) if rated and rated["decisions"] else None,
        }

    async def analyse(self, owner: Owner, tid: str, client: Client) -> Facts:
        """Asks for the figures of a finished game; returns the game as the library lists it.

        Raises:
            Refused: the library does not have the game (404), it is not over (409), or too many are waiting (429).
        """
        facts = await asyncio.to_thread(self._shelf.game, owner.id, tid)
        if facts is None:
            raise Refused(404, "library.no_game")
        if not facts["ended"]:
            raise Refused(409, "gesture.not_over")
        if not facts["figures"]:
            await self._tables.find(tid)  # its table may have been deleted
            if not self._await(tid, client):
                raise Refused(429, "server.busy")
        return await self._listed_one(tid, facts)

    def _await(self, tid: str, client: Client) -> bool:
        """Queues a game for its review; returns False if the queue is full."""
        if tid in self._waiting:
            return True
        if not self._shares.take(client):
            return False
        self._waiting[tid] = client
        if self._worker is None:
            self._worker = asyncio.create_task(self._work())
        return True

    async def _work(self) -> None:
        """Reviews the waiting games, one after the other."""
        while self._waiting:
            tid, client = next(iter(self._waiting.items()))
            try:
                await self._measure(tid)
            except (Refused, ValueError, sqlite3.Error) as error:  # it can be asked for again
                log.warning("no figures for %s: %s", tid[:6], error)
            finally:
                del self._waiting[tid]
                self._shares.give_back(client)
        self._worker = None

    async def _measure(self, tid: str) -> None:
        """Reviews a game and stores its figures in all libraries that have it."""
        table, review = await self._tables.find(tid), None
        for _ in range(TRIES):
            try:
                review = await self._reviews.finish(table)
                break
            except Refused as error:
                if error.status != 429:
                    raise
                await asyncio.sleep(PAUSE)
        if review is None:
            raise Refused(429, "server.busy")
        told, game, actions = review, table.game, list(table.actions)
        seats = await asyncio.to_thread(figures, game, actions, told)
        found = {"unit": told["unit"], "by": told["by"], "seats": seats}
        for owner, facts in await asyncio.to_thread(self._shelf.holders, tid):
            row = shelf.packed(facts | {"figures": found})
            await self._commit(shelf.update_game(owner.id, tid, row))
            self._tables.quota.add(owner, len(row) - len(shelf.packed(facts)))

    async def remove(self, owner: Owner, tid: str) -> None:
        """Removes a game from a library; refuses if it is not there (404)."""
        if await asyncio.to_thread(self._shelf.game, owner.id, tid) is None:
            raise Refused(404, "library.no_game")
        await self._commit(shelf.remove_game(owner.id, tid))

    async def forget(self, owner: Owner) -> None:
        """Deletes a library; the tables stay."""
        await self._commit(*shelf.remove_library(owner.id))

    async def join(self, owner: Owner, text: str) -> int:
        """Moves the games of a library to the one with this code; returns how many games that one has then."""
        other = await self.owner(text)
        if other.id == owner.id:
            raise Refused(409, "library.same")
        counts = [await asyncio.to_thread(self._shelf.count, one.id) for one in (owner, other)]
        if sum(counts) > MOST_GAMES:
            raise Refused(409, "library.full", most=MOST_GAMES)
        await self._commit(*shelf.merge(owner.id, other.id))
        return await asyncio.to_thread(self._shelf.count, other.id)

    async def export(self, owner: Owner, write: Callable[[Table], Awaitable[str]]) -> AsyncIterator[Facts]:
        """Yields every game of a library with all that is known of it, oldest first, and its record.

        `record` is None if the table was deleted, or if its game is not over; otherwise `write` writes it.
        """
        games = await asyncio.to_thread(self._shelf.games, owner.id)
        for tid, facts in sorted(games, key=lambda one: one[1]["begun"]):
            table = None
            with contextlib.suppress(Refused):
                table = await self._tables.find(tid)
            record = await write(table) if table and (table.over or table.full) else None
            yield {"table": tid, **facts, "record": record}

    async def close(self) -> None:
        """Stops the work in the background; it can be asked for again."""
        if self._worker:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)

    async def _commit(self, *statements: Statement) -> None:
        try:
            await self._tables.store.commit(*statements)
        except sqlite3.Error as error:
            log.warning("could not save a library: %s", error)
            raise Refused(503, "store.unwritable") from None


def _touched(owner: Owner) -> list[Statement]:
    """Returns the statement that notes that a library was opened, once a day."""
    return [shelf.touch(owner.id)] if time.time() - owner.opened > DAY else []


def _home(name: str) -> Home | None:
    """Returns the home of a game; None if it is not installed here."""
    try:
        return home_of(load_game(name))
    except ValueError:
        return None


def _opponent(player: str, name: str, levels: dict[str, Any]) -> Facts:
    return {"player": player, "name": name, "person": player == HUMAN, "title": levels.get(player)}


def _results(games: list[tuple[str, Facts]]) -> dict[str, int]:
    """Counts the games won, drawn and lost."""
    outcomes = [one["won"] for _, one in games]
    return {name: outcomes.count(value) for value, name in OUTCOMES.items()}
