"""The operations of the API for libraries: a person's games, statistics, and export, without accounts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field, StrictStr
from pydantic_core import to_json

from tablier import records
from tablier.games.api_fields import Body, Words
from tablier.web.http import api
from tablier.web.service.codes import read_code, spaced
from tablier.web.service.refusal import Refused
from tablier.web.service.table import Table

router = APIRouter(prefix=api.PREFIX, responses=api.ERRORS)
COST = 20.0
"""What it costs to open a library, in milliseconds of the server's time."""
BUSY = 0.2
"""Seconds until an export asks again for a place in the queue of records."""
LIBRARY = "/library"
Code = Annotated[str, Header(alias="Tablier-Library", max_length=100, description="The library's secret code")]
Unit = Literal["win", "points", "value"]


class LibraryCode(BaseModel):
    """The secret code of a new library. Whoever knows it can read and change the library."""

    code: str


class OtherLibrary(Body):
    """The code of the library that takes the games of this one."""

    code: Annotated[StrictStr, Field(max_length=100)]


class Joined(BaseModel):
    """The number of games that the other library has now."""

    games: int


class Opponent(BaseModel):
    """An opponent: a player string with the name of its level, or a person with the name they gave."""

    player: str
    name: str
    person: bool
    title: Words | None


class LibraryGame(BaseModel):
    """A game of a library. `rate` is the mean cost of a decision in `unit`, once its `analysis` is done. `opponents` is
    empty for a person who played all seats. Times are Unix times; `ended` is null while the game is running."""

    table: str
    game: str
    titles: Words
    page: str | None
    opponents: list[Opponent]
    begun: float
    ended: float | None
    outcome: Literal["won", "drawn", "lost"] | None
    result: Words | None
    analysis: Literal["none", "waiting", "done"]
    unit: Unit
    rate: float | None
    luck: float | None
    level: Words | None


class Results(BaseModel):
    """The number of games won, drawn and lost."""

    won: int
    drawn: int
    lost: int


class Rate(BaseModel):
    """The error rate of a game, and when it ended (Unix time)."""

    table: str
    at: float
    mean: float


class KindOfPoints(BaseModel):
    """Points of a kind, such as a jan: made, missed (expected from the next throw after the better move, summed over
    all mistakes), and made by the opponents."""

    kind: str
    title: Words
    made: float
    missed: float
    against: float


class Side(BaseModel):
    """A side of a choice: how often it was taken, and how often the analyst's other side was better by at least 1%."""

    title: Words
    taken: int
    wrong: int


class KindOfChoice(BaseModel):
    """A choice before the move, such as to hold or to leave."""

    kind: str
    title: Words
    sides: list[Side]


class Marking(BaseModel):
    """Decisions with one right answer: how many, how many of them wrong, and by how many points in all."""

    n: int
    wrong: int
    points: float


class Statistics(BaseModel):
    """Statistics over the games of one kind; `mean` is the error rate over all decisions of the analysed ones."""

    game: str
    page: str | None
    titles: Words
    results: Results
    analysed: int
    unit: Unit
    mean: float | None
    level: Words | None
    rates: list[Rate]
    points: list[KindOfPoints]
    choices: list[KindOfChoice]
    marking: Marking | None


class LibraryView(BaseModel):
    """A library: its code in groups, its games, newest first, and statistics for each game that was played."""

    code: str
    games: list[LibraryGame]
    statistics: list[Statistics]


@router.post(LIBRARY, status_code=201, response_model=LibraryCode, responses=api.UNWRITTEN | api.FULL)
async def create(request: Request) -> Response:
    """Creates an empty library and returns its secret code."""
    server, client = api.server_of(request), api.client_of(request)
    if not client.local and not server.new_libraries.take(client):
        raise Refused(429, "server.too_fast")
    return api.answer({"code": spaced(await server.library.create(client))}, 201)


@router.get(LIBRARY, response_model=LibraryView, responses=api.MISSING | api.UNWRITTEN)
async def listed(request: Request, code: Code) -> Response:
    """Returns the games of a library and statistics over them."""
    library = api.server_of(request).library
    owner = await library.owner(code)
    api.charge(request, COST)
    found = await library.listed(owner, api.client_of(request))
    api.charge(request, len(found["games"]) / api.WRITTEN)
    return api.answer({"code": spaced(read_code(code)), **found})


@router.delete(LIBRARY, status_code=204, response_class=Response, responses=api.MISSING | api.UNWRITTEN)
async def forget(request: Request, code: Code) -> Response:
    """Deletes a library. Its tables stay."""
    library = api.server_of(request).library
    await library.forget(await library.owner(code))
    return Response(status_code=204)


@router.post(f"{LIBRARY}/join", response_model=Joined, responses=api.MISSING | api.CONFLICT | api.UNWRITTEN)
async def join(request: Request, code: Code, body: OtherLibrary) -> Response:
    """Moves all games of a library to another, whose code is in the body, and deletes the first."""
    library = api.server_of(request).library
    api.charge(request, COST)
    owner = await library.owner(code)
    return api.answer({"games": await library.join(owner, body.code)})


@router.put(
    f"{LIBRARY}/games/{{table}}",
    response_model=LibraryGame,
    responses=api.MISSING | api.TOKENLESS | api.CONFLICT | api.UNWRITTEN | api.FULL,
    openapi_extra={"security": [{"HTTPBearer": []}]},
)
async def put(request: Request, table: api.TableId, code: Code) -> Response:
    """Adds a table to a library, or updates it there; the token of a seat at the table is sent too. A finished game is
    then reviewed in the background."""
    library = api.server_of(request).library
    if not (tokens := api.tokens_of(request)):
        raise Refused(401, "token.missing")
    owner, found = await library.owner(code), await api.table_of(request, table)
    return api.answer(await library.put(owner, found, tokens, api.client_of(request)))


@router.delete(
    f"{LIBRARY}/games/{{table}}",
    status_code=204,
    response_class=Response,
    responses=api.MISSING | api.UNWRITTEN,
)
async def remove(request: Request, table: api.TableId, code: Code) -> Response:
    """Removes a game from a library. Its table stays."""
    library = api.server_of(request).library
    await library.remove(await library.owner(code), table)
    return Response(status_code=204)


@router.post(f"{LIBRARY}/games/{{table}}/analysis", response_model=LibraryGame, responses=api.MISSING | api.CONFLICT)
async def analyse(request: Request, table: api.TableId, code: Code) -> Response:
    """Asks for the error rate and the other figures of a finished game, and returns the game as it is known so far.
    Repeat the request until `analysis` is `done`."""
    library = api.server_of(request).library
    owner = await library.owner(code)
    return api.answer(await library.analyse(owner, table, api.client_of(request)))


@router.get(
    f"{LIBRARY}/export",
    response_class=StreamingResponse,
    responses=api.MISSING | {200: {"content": {"application/json": {}}, "description": "The whole library"}},
)
async def export(request: Request, code: Code) -> Response:
    """Returns everything that a library has in one JSON file: each game with its figures and its record."""
    library = api.server_of(request).library
    owner = await library.owner(code)
    api.charge(request, COST)
    headers = {"Content-Disposition": 'attachment; filename="tablier-library.json"'}
    games = library.export(owner, lambda table: _record(request, table))
    return StreamingResponse(_exported(games), 200, headers, "application/json")


async def _record(request: Request, table: Table) -> str:
    """Writes the record of a game, when its turn has come."""
    api.charge(request, table.version / api.WRITTEN)
    game, actions = table.game, table.settled()
    while True:
        try:
            return await api.server_of(request).thinkers.queued(
                "record", lambda: records.dump(game, actions), api.client_of(request)
            )
        except Refused:
            await asyncio.sleep(BUSY)


async def _exported(games: AsyncIterator[dict[str, Any]]) -> AsyncIterator[bytes]:
    yield b'{"format":"tablier-library","version":1,"games":['
    between = b""
    async for game in games:
        yield between + to_json(game)
        between = b","
    yield b"]}"
