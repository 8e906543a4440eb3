"""Creates, finds and updates tables. An action takes effect only after the store has committed it."""

from __future__ import annotations

import asyncio
import logging
import secrets
import sqlite3
import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from tablier._core import Game, State
from tablier.games import home_of
from tablier.messages import Message, visible
from tablier.registry import load_game
from tablier.web.service import store as stored
from tablier.web.service.clients import NOBODY, Client
from tablier.web.service.gestures import SERVER, Clock, Gesture, of_kind
from tablier.web.service.limits import Limits
from tablier.web.service.packing import pack
from tablier.web.service.players import HUMAN, RECORD
from tablier.web.service.quota import Quota
from tablier.web.service.refusal import Refused, refusing
from tablier.web.service.store import Row, Statement, Store
from tablier.web.service.table import Table, hashed
from tablier.web.service.thinkers import Thinkers

log = logging.getLogger("tablier.web")
PACE = 0.4
"""Minimum seconds per action at tables without people, so that spectators can follow."""
PAUSE = 2.0
"""Seconds until a player tries again after its action could not be saved."""
RESUMED = 500
"""Maximum number of tables to resume at startup, where a player was interrupted."""


class Tables:
    """The tables in a store. Use this class only from the event loop."""

    def __init__(self, store: Store, thinkers: Thinkers, limits: Limits) -> None:
        self.store, self.limits = store, limits
        self._thinkers = thinkers
        self._live: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self.quota = Quota(store, limits)

    def __len__(self) -> int:
        return self.quota.stored

    def __contains__(self, tid: str) -> bool:
        """Returns whether a table is in memory."""
        return tid in self._live

    async def begin(
        self,
        game: str,
        options: dict[str, Any],
        seats: list[str],
        tutor: bool,
        seed: int | None,
        client: Client = NOBODY,
        known: bool = False,
        clock: Clock | None = None,
    ) -> tuple[Table, list[str | None]]:
        """Creates a table.

        Args:
            game: the name of the game.
            options: its rule options.
            seats: `human` or a player string for each seat.
            tutor: whether hints are allowed during the game.
            seed: makes the dice repeatable; None for unpredictable dice.
            client: who asks for it.
            known: whether they are a known player (`is_known`).
            clock: a clock, for tables where two people play; None for as much time as they like.

        Returns:
            The table, and a token for each human seat (None for other seats).

        Raises:
            Refused: an argument is not valid (422), the server is full (429, 507) or cannot save the table (503).
        """
        await self.quota.check(client, stored.TABLE_BYTES, known)
        with refusing():
            rules = load_game(game, **options)
        if len(seats) != rules.num_players():
            raise Refused(422, "seats.count", game=home_of(rules).title, n=rules.num_players(), given=len(seats))
        if clock and seats != [HUMAN, HUMAN]:
            raise Refused(422, "clock.people")
        for player in sorted(set(seats) - {HUMAN}):
            with refusing():
                await asyncio.to_thread(self._thinkers.check, rules, player)
        tokens = [secrets.token_urlsafe(24) if seat == HUMAN else None for seat in seats]
        kept = [None if token is None else hashed(token) for token in tokens]
        secret = secrets.token_hex(32) if seed is None else f"given {seed}"
        row = Row(
            secrets.token_urlsafe(16),
            game,
            options,
            seats,
            kept,
            tutor,
            secret,
            time.time(),
            *self.quota.origin(client),
        )
        table = await self.open(row, Gesture("clock", SERVER, str(clock), 0, row.created) if clock else None)
        return table, tokens

    async def open(self, row: Row, *made: Gesture | None, also: Sequence[Statement] = ()) -> Table:
        """Stores a new table with the gestures made before its first action, and whatever else, and starts it."""
        table, known = Table(row, self.limits.actions), [one for one in made if one is not None]
        first = [stored.add_gesture(row.id, n, one) for n, one in enumerate(known)]
        await self._append(table, [], stored.add_table(row), *first, *also)
        for one in known:
            table.apply(one)
        self.quota.stored += 1
        self.quota.add(row, stored.table_bytes(row))
        self._live[row.id] = table
        self._make_room()
        self.wake(table)
        return table

    async def upload(self, game: Game, actions: list[int], client: Client = NOBODY, known: bool = False) -> str:
        """Stores a game played elsewhere as a table without players; its actions must be legal. Returns the id."""
        packed = await asyncio.to_thread(pack, actions)
        await self.quota.check(client, stored.TABLE_BYTES + stored.PART_BYTES + len(packed), known)
        seats = [RECORD] * game.num_players()
        nobody: list[str | None] = [None] * len(seats)
        origin = self.quota.origin(client)
        row = Row(secrets.token_urlsafe(16), game.name, game.options(), seats, nobody, True, "", time.time(), *origin)
        written = stored.pack_actions(row.id, packed, len(actions))
        await self._commit(stored.add_table(row), *written, stored.end_table(row.id))
        self.quota.stored += 1
        self.quota.add(row, stored.table_bytes(row) + stored.PART_BYTES + len(packed))
        return row.id

    async def is_known(self, tid: str, tokens: list[str]) -> bool:
        """Returns whether these tokens belong to a seat at this table, and the table has existed for a while."""
        try:
            table = await self.find(tid)
        except Refused:
            return False
        return time.time() - table.row.created >= self.limits.known and bool(table.seats_of(tokens))

    async def remove(self, tids: list[str]) -> int:
        """Deletes tables for good, except those that somebody is watching or playing at; returns how many."""
        gone = [tid for tid in tids if tid not in self._live or not _in_use(self._live[tid])]
        for tid in gone:
            self._live.pop(tid, None)
        await self._commit(*(statement for tid in gone for statement in stored.remove_table(tid)))
        loading = [self._loading[tid] for tid in gone if tid in self._loading]
        await asyncio.gather(*loading, return_exceptions=True)
        for tid in gone:  # whoever asked for one at the same time has found it
            if table := self._live.pop(tid, None):
                table.stale = True
        return len(gone)

    async def find(self, tid: str) -> Table:
        """Returns the table with this id; refuses with 404 if there is none."""
        table = self._live.get(tid)
        if table is None or table.stale:
            if tid not in self._loading:
                self._loading[tid] = asyncio.create_task(self._load(tid))
            table = await asyncio.shield(self._loading[tid])
        if tid in self._live:
            self._live.move_to_end(tid)
        table.looked = time.monotonic()
        self.wake(table)
        return table

    async def _load(self, tid: str) -> Table:
        try:
            try:
                row = await asyncio.to_thread(self.store.table, tid)
                if row is None:
                    raise Refused(404, "table.missing")
                table = self._set_up(row)
                await asyncio.to_thread(self._restore, table)
            except (ValueError, TypeError, OverflowError, IndexError, sqlite3.Error) as error:
                if isinstance(error, Refused):
                    raise
                log.warning("%s is damaged: %s", tid[:6], error)
                raise Refused(500, "table.damaged") from None
            if pause := table.pause():
                await self.gesture(table, pause)
            if old := self._live.pop(tid, None):
                table.watchers = old.watchers
            self._live[tid] = table
            self._make_room()
            return table
        finally:
            del self._loading[tid]

    def _restore(self, table: Table) -> None:
        made = self.store.gestures(table.row.id)
        times = self.store.times(table.row.id) if of_kind(made, "clock") else None
        table.restore(*self.store.story(table.row.id), made, times)

    def _set_up(self, row: Row) -> Table:
        try:
            return Table(row, self.limits.actions)
        except (ValueError, TypeError):
            raise Refused(404, "table.unknown_game", game=row.game) from None

    def _make_room(self) -> None:
        """Evicts unused tables from memory; they stay in the store."""
        for tid in list(self._live)[: max(0, len(self._live) - self.limits.live)]:
            table = self._live[tid]
            if not _in_use(table):
                del self._live[tid]

    async def play(self, table: Table, action: int, version: int, tokens: list[str]) -> list[int]:
        """Plays a person's action and rolls the dice that follow.

        Args:
            table: the table.
            action: the action.
            version: the version of the table that the client saw.
            tokens: the client's tokens.

        Returns:
            The seats that the tokens belong to.

        Raises:
            Refused: the tokens, the version, the turn or the action is wrong, or the action could not be saved.
        """
        mine = table.seats_of(tokens)
        if not tokens:
            raise Refused(401, "token.missing")
        if not mine:
            raise Refused(403, "token.wrong")
        async with table.lock:
            await self.check_time(table)
            if version != table.version or table.stale:
                raise Refused(409, "table.version", version=table.version, given=version)
            if table.over:
                raise Refused(409, "game.over")
            if table.to_move not in mine:
                raise Refused(403, "turn.other")
            if table.full:
                raise Refused(409, "table.full", most=table.most)
            with refusing():
                table.state.child(action)
            await self._append(table, [action])
        self.wake(table)
        return mine

    async def _append(self, table: Table, actions: list[int], *first: Statement, note: Message | None = None) -> None:
        """Saves actions and the dice that follow, and only then plays them. The caller holds the table's lock."""
        tid = table.row.id
        played, state = _with_players(table.state, actions)
        while (action := table.next_action(state, table.version + len(played))) is not None:
            played.append((action, state.current_player() if state.current_player() >= 0 else stored.CHANCE))
            state = state.child(action)
        notes = [stored.add_note(tid, table.version, note)] if note else []
        size = stored.ACTION_BYTES * len(played)
        end = [stored.end_table(tid)] if state.is_terminal() else []
        if end or table.written + len(played) >= table.most:  # nothing is added any more
            actions = [*table.kept, *(action for action, _ in played)]
            packed = pack(actions)
            end += stored.pack_actions(tid, packed, len(actions))
            size = stored.PART_BYTES + len(packed) - stored.ACTION_BYTES * table.written
        try:
            await self._commit(*first, *notes, *stored.add_actions(tid, table.written, played), *end)
        except BaseException:  # even if the request was cancelled, the commit may have succeeded
            table.stale = True
            raise
        self.quota.add(table.row, size)
        if note:
            table.note(note)
        for action, _ in played:
            table.follow(action)
        table.changed()

    async def gesture(self, table: Table, *made: Gesture) -> None:
        """Saves gestures and then makes them. The caller holds the table's lock."""
        tid, first = table.row.id, len(table.gestures)
        statements = [stored.add_gesture(tid, n, one) for n, one in enumerate(made, first)]
        statements += [stored.end_table(tid)] if any(one.kind in ("resign", "time") for one in made) else []
        statements += [stored.drop_review(tid)] if any(one.kind == "takeback" for one in made) else []
        if not made:
            return
        try:
            await self._commit(*statements)
        except BaseException:  # even if the request was cancelled, the commit may have succeeded
            table.stale = True
            raise
        self._apply(table, made)

    async def open_next(self, table: Table, row: Row, carried: Sequence[Gesture], *made: Gesture) -> None:
        """Saves gestures together with the table they lead to, and starts that. The caller holds the first one's lock.

        Args:
            table: the table where the gestures are made.
            row: the new table.
            carried: what holds there from the start.
            made: the gestures.
        """
        numbered = enumerate(made, len(table.gestures))
        try:
            await self.open(row, *carried, also=[stored.add_gesture(table.row.id, n, one) for n, one in numbered])
        except BaseException:  # as in `gesture`
            table.stale = True
            raise
        self._apply(table, made)

    def _apply(self, table: Table, made: Sequence[Gesture]) -> None:
        self.quota.add(table.row, sum(stored.PART_BYTES + len(one.value) for one in made))
        for one in made:
            table.apply(one)
        table.changed()

    async def keep_time(self, table: Table) -> None:
        """Ends the game if the player to move has no time left."""
        if table.clock is not None:
            async with table.lock:
                await self.check_time(table)

    async def check_time(self, table: Table) -> None:
        """Does what `keep_time` does for a caller who holds the table's lock."""
        seat = table.to_move
        if seat is None or table.over or table.stale:
            return
        left = table.time_left(seat)
        if left is not None and left <= 0:
            await self.gesture(table, Gesture("time", seat, "", table.written, time.time()))

    async def _commit(self, *statements: Statement) -> None:
        try:
            await self.store.commit(*statements)
        except sqlite3.IntegrityError:
            raise Refused(409, "table.changed") from None
        except sqlite3.Error as error:
            log.warning("could not save a game: %s", error)
            raise Refused(503, "store.unwritable") from None

    def wake(self, table: Table) -> None:
        """Starts the computer player whose turn it is, unless it is already running."""
        if table.bot and table.thinker is None and not (table.stale or table.forgotten or table.full):
            table.thinker = asyncio.create_task(self._bots(table))

    async def _bots(self, table: Table) -> None:
        """Plays for computer players until a person is to move, the game is over, or nobody is watching."""
        try:
            while (player := table.bot) and not table.forgotten and not table.full:
                state, began = table.state, time.monotonic()
                action, note = await self._chosen(table, player)
                if table.all_bots:
                    await asyncio.sleep(max(0.0, PACE - (time.monotonic() - began)))
                async with table.lock:
                    if table.state is not state or table.over or table.stale:
                        break
                    await self._append(table, [action], note=note)
        except Refused as error:
            log.warning("%s: %s", table.row.id[:6], error)
            await asyncio.sleep(PAUSE)
        finally:
            table.thinker = None
            table.changed()

    async def _chosen(self, table: Table, player: str) -> tuple[int, Message | None]:
        """Returns a player's action; if the player fails, a random legal action and a note for the log."""
        try:
            people, owner = not table.all_bots, table.row.network
            action = await self._thinkers.choose(table.game, player, table.state, people, owner)
            table.state.child(action)
            return action, None
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"[:200]
            log.warning("player %s failed in a game of %s: %s", player, table.row.game, reason)
            note = Message("note.player_failed", player=player, problem=type(error).__name__)
            return secrets.choice(table.state.legal_actions()), note

    async def resume(self) -> None:
        """Resumes players that were interrupted by the last shutdown."""
        for tid in await asyncio.to_thread(self.store.waiting, time.time() - self.limits.age, RESUMED):
            try:
                await self.find(tid)
            except Exception as error:  # whatever is wrong with a table, the others go on
                log.warning("%s: %s", visible(tid[:6]), visible(str(error)))

    def wake_watchers(self) -> None:
        """Notifies all watchers of all tables."""
        for table in self._live.values():
            table.changed()

    async def close(self) -> None:
        """Stops all computer players; every action played is already in the store."""
        await asyncio.gather(*self._loading.values(), return_exceptions=True)  # the store is still open
        thinkers = [table.thinker for table in self._live.values() if table.thinker]
        for task in thinkers:
            task.cancel()
        await asyncio.gather(*thinkers, return_exceptions=True)


def _in_use(table: Table) -> bool:
    return bool(table.watchers or table.thinker or table.lock.locked())


def _with_players(state: State, actions: list[int]) -> tuple[list[tuple[int, int]], State]:
    """Returns the actions with their players, and the state after them."""
    played = []
    for action in actions:
        played.append((action, state.current_player()))
        state = state.child(action)
    return played, state
