"""Keeps the database small: packs games that nobody plays, and deletes old ones when room is short.

Nothing is deleted while there is room. When the database is nearly full, games without a move for `Limits.keep` go
first, the oldest first. If that is not enough, the network that has stored the most makes room with its games without a
move for a day. Libraries that nobody has opened for a year go last.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import time

from tablier.web.service import shelf
from tablier.web.service import store as stored
from tablier.web.service.limits import DAY
from tablier.web.service.packing import pack
from tablier.web.service.refusal import Refused
from tablier.web.service.rows import Damaged
from tablier.web.service.tables import Tables

log = logging.getLogger("tablier.web")
EVERY = 3600.0
"""Seconds between two rounds while room is not short."""
PAUSE = 60.0
"""Seconds between two rounds at least."""
TOGETHER = 200
"""Tables per commit."""
UNOPENED = 365 * DAY
"""Seconds after which a library that nobody opens may be deleted."""


async def keep_up(tables: Tables) -> None:
    """Tidies forever: every hour, and as soon as room is short."""
    while True:
        try:
            await tidy(tables)
        except (sqlite3.Error, Refused) as error:  # such as a full disk; the next round tries again
            log.warning("could not tidy the database: %s", error)
        await asyncio.sleep(PAUSE)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(tables.quota.short.wait(), EVERY)


async def tidy(tables: Tables) -> None:
    """Packs what nobody has played for a day, and deletes old games if room is short."""
    packed = 0
    while idle := await asyncio.to_thread(tables.store.unpacked, time.time() - DAY, TOGETHER):
        if not (done := await _pack(tables, idle)):
            break
        packed += done
    await (tables.quota.refresh() if packed else tables.quota.measure())
    while tables.quota.is_short and (old := await _old(tables)):
        gone = await tables.remove(old)
        if not gone:
            break
        log.warning("the database is nearly full: deleted %d games that nobody plays any more", gone)
        await tables.quota.refresh()
    while tables.quota.is_short and await _forget(tables):
        await tables.quota.refresh()
    tables.quota.short.clear()


async def _pack(tables: Tables, idle: list[str]) -> int:
    """Packs tables; returns how many. Damaged ones stay as they are."""
    done = 0
    for tid in idle:
        with contextlib.suppress(Damaged, OverflowError, TypeError):
            actions, _ = await asyncio.to_thread(tables.store.story, tid)
            await tables.store.commit(*stored.pack_actions(tid, pack(actions), len(actions)))
            done += 1
    return done


async def _old(tables: Tables) -> list[str]:
    """Returns the tables to delete next."""
    now, idle = time.time(), tables.store.idle
    if old := await asyncio.to_thread(idle, now - tables.limits.keep, TOGETHER):
        return old
    return await asyncio.to_thread(idle, now - DAY, TOGETHER, tables.quota.heaviest())


async def _forget(tables: Tables) -> int:
    """Deletes libraries that nobody has opened for a year; returns how many."""
    gone = await asyncio.to_thread(shelf.Shelf(tables.store).forgotten, time.time() - UNOPENED, TOGETHER)
    await tables.store.commit(*(statement for one in gone for statement in shelf.remove_library(one)))
    if gone:
        log.warning("the database is nearly full: deleted %d libraries that nobody opens any more", len(gone))
    return len(gone)
