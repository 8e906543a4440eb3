"""Accepts or refuses gestures at a table (`gestures`). A gesture counts only after the store has committed it."""

from __future__ import annotations

import secrets
import time
from dataclasses import replace

from tablier.web.service.clients import NOBODY, Client
from tablier.web.service.gestures import SAYINGS, SERVER, Gesture, Kind, agreed, of_kind
from tablier.web.service.players import HUMAN
from tablier.web.service.refusal import Refused
from tablier.web.service.store import TABLE_BYTES
from tablier.web.service.table import Table
from tablier.web.service.tables import Tables

MOST = 1_000
"""Gestures at a table."""
CHATTER, WHILE = 5, 10.0
"""How many things a player can say within how many seconds."""
NAME = 24
"""Characters in a name."""


class Desk:
    """Takes the gestures of people."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def take(
        self,
        table: Table,
        kind: Kind,
        value: str,
        version: int | None,
        tokens: list[str],
        client: Client = NOBODY,
        known: bool = False,
    ) -> list[int]:
        """Takes a gesture.

        Args:
            table: the table.
            kind: what is done.
            value: what is said, or the name; otherwise empty.
            version: the version of the table that the client saw; a takeback needs it.
            tokens: the client's tokens.
            client: the client, whose share of the server a rematch uses.
            known: whether they may use the reserve for known players.

        Returns:
            The seats that the tokens belong to.

        Raises:
            Refused: the tokens are wrong, or the gesture is not possible now; nothing has changed.
        """
        if not tokens:
            raise Refused(401, "token.missing")
        mine = table.seats_of(tokens)
        if not mine:
            raise Refused(403, "token.wrong")
        async with table.lock:
            if table.stale:
                raise Refused(409, "table.changed")
            if len(table.gestures) >= MOST:
                raise Refused(409, "gesture.too_many", most=MOST)
            await self._tables.check_time(table)
            seats = mine if kind in ("tutor", "rematch") else [_seat(table, mine)]
            value = self._checked(table, kind, value.strip(), version, seats[0])
            made = [Gesture(kind, seat, value, table.written, time.time()) for seat in seats]
            new = [one for one in made if not _is_repeated(table, one)]
            if kind == "rematch" and not table.next and table.people <= {*agreed(table.gestures, "rematch"), *mine}:
                await self._tables.quota.check(client, TABLE_BYTES, known)
                await self._begin_again(table, new)
            else:
                await self._tables.gesture(table, *new)
        self._tables.wake(table)
        return mine

    def _checked(self, table: Table, kind: Kind, value: str, version: int | None, seat: int) -> str:
        """Returns the value to store; refuses a gesture that is not possible now."""
        if kind == "rematch":
            if not table.over:
                raise Refused(409, "gesture.not_over")
        elif kind in ("resign", "takeback", "tutor") and table.over:
            raise Refused(409, "game.over")
        if kind == "resign" and len(table.row.seats) != 2:
            raise Refused(409, "gesture.resign_two")
        if kind == "takeback":
            return _back(table, version, seat)
        if kind == "name" and not (0 < len(value) <= NAME and value.isprintable()):
            raise Refused(422, "gesture.name", most=NAME)
        if kind == "say":
            if value not in SAYINGS:
                raise Refused(422, "gesture.say", sayings=", ".join(SAYINGS))
            since = time.time() - WHILE
            if len([one for one in of_kind(table.gestures, "say") if one.seat == seat and one.at > since]) >= CHATTER:
                raise Refused(429, "gesture.chatter")
        return value if kind in ("name", "say") else ""

    async def _begin_again(self, table: Table, agreements: list[Gesture]) -> None:
        """Begins the next game of the same people: everyone moves on by one seat and keeps their token."""
        seats, tokens = table.row.seats, table.row.tokens
        row = replace(
            table.row,
            id=secrets.token_urlsafe(16),
            seats=seats[-1:] + seats[:-1],
            tokens=tokens[-1:] + tokens[:-1],
            seed=secrets.token_hex(32),
            created=time.time(),
        )
        kept = [one for one in table.gestures if one.kind in ("name", "clock", "tutor")]
        moved = [replace(one, seat=(one.seat + 1) % len(seats) if one.seat >= 0 else SERVER, written=0) for one in kept]
        leads = Gesture("next", SERVER, row.id, table.written, time.time())
        await self._tables.open_next(table, row, moved, *agreements, leads)


def _seat(table: Table, mine: list[int]) -> int:
    """Returns the seat that makes a gesture: the client's own, or the one to move if they have several."""
    return table.to_move if table.to_move is not None and table.to_move in mine else mine[0]


def _back(table: Table, version: int | None, seat: int) -> str:
    """Returns the version before the last decision of a seat; refuses a takeback that is out of turn."""
    if any(player == HUMAN for other, player in enumerate(table.row.seats) if other != seat):
        raise Refused(409, "gesture.takeback_people")
    if version != table.version:
        raise Refused(409, "table.version", version=table.version, given=-1 if version is None else version)
    if table.to_move != seat:
        raise Refused(403, "turn.other")
    to = table.takeback_of(seat)
    if to is None:
        raise Refused(409, "gesture.takeback_none")
    return str(to)


def _is_repeated(table: Table, made: Gesture) -> bool:
    """Whether a seat has agreed to the same before; saying so again changes nothing."""
    return made.kind in ("tutor", "rematch") and made.seat in agreed(table.gestures, made.kind)  # type: ignore[arg-type]
