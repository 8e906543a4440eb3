"""The HTTP API under /api/v1."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic_core import to_json

import tablier
from tablier import records
from tablier.games import home_of
from tablier.messages import everywhere, render
from tablier.players import Setting
from tablier.registry import DEFAULT_GAME
from tablier.web.http import models
from tablier.web.http.guard import CLIENT
from tablier.web.service import view
from tablier.web.service.clients import Client
from tablier.web.service.players import Maker
from tablier.web.service.refusal import Refused, refusing
from tablier.web.service.review import hint
from tablier.web.service.table import Table

if TYPE_CHECKING:
    from tablier.web.http.app import Server

DICE = 16
"""Maximum number of chance outcomes after the last action of a full table."""
BEAT = 15.0
"""Seconds between heartbeats on a quiet event stream. They detect clients that have disconnected."""
PAST = 5.0
"""What it costs to look back at a table, in milliseconds of the server's time."""
REPLAYED, WRITTEN, READ, PARSED = 100, 20, 1_000, 20_000
"""Work for a millisecond: actions of a table that is loaded, actions of a record that is written, bytes of a record
that is read, and bytes of metrics."""
T = TypeVar("T")
Answers = dict[int | str, dict[str, Any]]


def _refusals(**told: str) -> Answers:
    """Builds the OpenAPI responses for error statuses, given as _409="description"."""
    return {int(status[1:]): {"model": models.Error, "description": why} for status, why in told.items()}


ERRORS = _refusals(
    _400="The body is not valid JSON",
    _403="The seat, the host or the origin is not allowed",
    _408="The body did not arrive in time",
    _413="The body is too large",
    _422="The request is not valid; `detail` gives the reason",
    _429="Too many requests; try again later",
)
MISSING = _refusals(_404="Not found")
TOKENLESS = _refusals(_401="The seat's token is missing")
CONFLICT = _refusals(_409="The table has changed, or there is no decision to take")
UNWRITTEN = _refusals(_503="The change could not be saved and was not made")
FULL = _refusals(_507="The server's database is full")

PREFIX = "/api/v1"
router = APIRouter(prefix=PREFIX, responses=ERRORS)
"""Routes are matched in the order of this file, so the most frequent requests come first."""


def server_of(request: Request) -> Server:
    """Returns the running server of a request."""
    server: Server = request.app.state.server
    return server


TABLE_ID = r"^[A-Za-z0-9_-]{22}$"
TableId = Annotated[str, Path(pattern=TABLE_ID, description="The table's id")]


def tokens_of(request: Request) -> list[str]:
    """Returns the bearer tokens of a request, which are separated by commas."""
    kind, _, tokens = request.headers.get("authorization", "").partition(" ")
    return tokens.split(",")[:8] if kind.lower() == "bearer" else []


async def table_of(request: Request, tid: str) -> Table:
    """Returns the table with this id; refuses with 404 if there is none."""
    tables = server_of(request).tables
    was_there = tid in tables
    found = await tables.find(tid)
    if not was_there:
        charge(request, found.version / REPLAYED)
    return found


def client_of(request: Request) -> Client:
    """Returns who sent a request."""
    client: Client = request.scope[CLIENT]
    return client


def charge(request: Request, work: float) -> None:
    """Charges a client for work, in milliseconds of the server's time. Whoever owes too much is refused for a while."""
    if not client_of(request).local:
        server_of(request).work.owe(client_of(request), work)


def answer(content: Any, status: int = 200) -> Response:
    """Serializes a response. For speed, it is not validated against its model; the tests do that."""
    return Response(to_json(content), status, media_type="application/json")


@router.post(
    "/tables/{table}/actions",
    response_model=models.View,
    responses=MISSING | CONFLICT | TOKENLESS | UNWRITTEN,
    openapi_extra={"security": [{"HTTPBearer": []}]},
)
async def act(request: Request, table: TableId, body: models.NewAction) -> Response:
    """Plays an action for the seat whose token is sent, and rolls the dice that follow it."""
    found = await table_of(request, table)
    mine = await server_of(request).tables.play(found, body.action, body.version, tokens_of(request))
    return answer(found.view(mine))


@router.get(
    "/tables/{table}",
    response_model=models.View,
    responses=MISSING,
    openapi_extra={"security": [{}, {"HTTPBearer": []}]},  # with a token or without
)
async def look(request: Request, table: TableId, at: Annotated[int | None, Query(ge=0, le=2**31)] = None) -> Response:
    """Returns a table as it is now, or as it was after `at` actions."""
    found = await table_of(request, table)
    mine = found.seats_of(tokens_of(request))
    if at is None:
        await server_of(request).tables.keep_time(found)
        return answer(found.view(mine))
    version = checked(found, at)
    return answer(await past(request, lambda: found.view_at(version, mine)))


async def past(request: Request, work: Callable[[], T]) -> T:
    """Looks back at a table."""
    charge(request, PAST)
    return await server_of(request).thinkers.queued("past", work, client_of(request))


def checked(table: Table, at: int) -> int:
    """Refuses a version that the table has not reached."""
    if at > table.version:
        raise Refused(422, "table.shorter", n=table.version, at=at)
    return at


@router.post("/tables", status_code=201, response_model=models.Begun, responses=UNWRITTEN | FULL)
async def begin(request: Request, body: models.NewTable) -> Response:
    """Creates a table. Anyone who has the token of a seat can play there."""
    server = server_of(request)
    count_new_table(request)
    wanted = (body.game, body.options, body.seats, body.tutor, body.seed)
    client, known = client_of(request), await _is_known(request)
    table, tokens = await server.tables.begin(*wanted, client, known, body.timing)
    mine = [seat for seat, token in enumerate(tokens) if token]
    return answer({"table": table.row.id, "tokens": tokens, "view": table.view(mine)}, 201)


def count_new_table(request: Request) -> None:
    """Refuses a client who begins tables too fast."""
    if not server_of(request).new_tables.take(client_of(request)):
        raise Refused(429, "tables.too_fast")


async def _is_known(request: Request) -> bool:
    """Returns whether the client plays here already: the header Tablier-Table names a table that vouches for them."""
    tid = request.headers.get("tablier-table", "")
    return bool(re.fullmatch(TABLE_ID, tid)) and await is_vouched_for(request, tid)


async def is_vouched_for(request: Request, tid: str) -> bool:
    """Returns whether a token of the client is that of a seat at a table.

    A table vouches for a few new tables an hour only, so an old one is no licence to fill the reserve.
    """
    server = server_of(request)
    return await server.tables.is_known(tid, tokens_of(request)) and server.vouched.take(Client(tid, tid))


@router.get(
    "/tables/{table}/events",
    response_class=StreamingResponse,
    responses=MISSING
    | {
        200: {
            "content": {"text/event-stream": {}},
            "description": "A stream of events with `version`, `revision` and `thinking`",
        }
    },
    openapi_extra={"security": [{}, {"HTTPBearer": []}]},  # with a token or without
)
async def events(request: Request, table: TableId) -> Response:
    """Streams the table's version: the current one immediately, then a new event whenever the table changes.

    Send the token of a seat, so that watchers cannot use up the streams of the table.
    """
    server, found = server_of(request), await table_of(request, table)
    client, has_seat = client_of(request), bool(found.seats_of(tokens_of(request)))
    if not server.streams.has_room(client, table, has_seat):
        raise Refused(429, "events.too_many")
    return StreamingResponse(_stream(server, found, client, has_seat), media_type="text/event-stream")


async def _stream(server: Server, table: Table, client: Client, has_seat: bool) -> AsyncIterator[bytes]:
    counted = (client, table.row.id, has_seat)
    if not server.streams.take(*counted):  # taken since the request was checked
        return
    changed = asyncio.Event()
    changed.set()
    table.watchers.add(changed)
    try:
        while not server.closing:
            if changed.is_set():
                changed.clear()
                table = await server.tables.find(table.row.id)  # it may have been reloaded
                news = {"version": table.version, "revision": len(table.gestures), "thinking": table.thinking}
                yield b"data: " + to_json(news) + b"\n\n"
            else:
                yield b": still here\n\n"
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), BEAT)
    finally:
        server.streams.give_back(*counted)
        table.watchers.discard(changed)


@router.post("/tables/{table}/hint", response_model=models.Hint, responses=MISSING | CONFLICT)
async def advise(request: Request, table: TableId, body: models.HintWanted) -> Response:
    """Returns a player's evaluation of every legal action, best first."""
    server, found = server_of(request), await table_of(request, table)
    at = found.version if body.at is None else checked(found, body.at)
    check_tutor(found)
    state = found.state if at == found.version else (await past(request, lambda: found.past(at)))[0]
    if state.current_player() < 0:
        raise Refused(409, "decision.none")
    with refusing():
        wanted = (found.home, state, body.player, server.limits.think, client_of(request))
        return answer(await hint(server.thinkers, *wanted))


@router.post("/tables/{table}/review", response_model=models.Review, responses=MISSING)
async def review(request: Request, table: TableId) -> Response:
    """Returns the review of the whole game, or its progress.

    The first request starts it. It runs in the background as long as clients keep polling, and its result is stored.
    """
    found = await table_of(request, table)
    check_tutor(found)
    return answer(await server_of(request).reviews.ask(found, client_of(request)))


def check_tutor(table: Table) -> None:
    """Refuses if the table has no tutor and its game is not over."""
    if not (table.tutor or table.over or table.full):
        raise Refused(403, "tutor.silent")


@router.get(
    "/tables/{table}/record",
    response_class=Response,
    responses=MISSING
    | {200: {"content": {"text/plain": {}, "application/json": {}}, "description": "The game record"}},
)
async def record(request: Request, table: TableId, format: Annotated[str, Query(max_length=16)] = "text") -> Response:
    """Returns the game record: as JSON (`json`), as text if the game has a notation (`text`), or in one of the formats
    of other programs that `/games` lists.

    While the players are marking a throw themselves (schools), the record ends before that throw, because it would
    reveal the correct points.
    """
    found = await table_of(request, table)
    charge(request, found.version / WRITTEN)
    form = None if format in ("text", "json") else format

    def written() -> str:
        return records.dump(found.game, found.settled(), as_json=format == "json", form=form)

    with refusing():
        text = await server_of(request).thinkers.queued("record", written, client_of(request))
    as_json = text.startswith("{")
    name = f"{found.row.game}-{found.row.id[:6]}.{form or ('json' if as_json else 'txt')}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text.encode(), 200, headers, "application/json" if as_json else "text/plain; charset=utf-8")


_RECORD_BODY = {
    "requestBody": {
        "required": True,
        "content": {"text/plain": {"schema": {"type": "string"}}, "application/json": {"schema": {"type": "object"}}},
    }
}


@router.post(
    "/records",
    status_code=201,
    response_model=models.Uploaded,
    responses=UNWRITTEN | FULL,
    openapi_extra=_RECORD_BODY,
)
async def upload(request: Request) -> Response:
    """Creates a table from a game record, to replay and review it. The record is checked against the rules."""
    server = server_of(request)
    body = await request.body()
    client = client_of(request)
    count_new_table(request)
    charge(request, len(body) / READ)
    with refusing():
        game, actions = await server.thinkers.queued("record", lambda: records.load(body), client)
    if len(actions) > server.limits.actions + DICE:
        raise Refused(422, "table.record_too_long", most=server.limits.actions, n=len(actions))
    return answer({"table": await server.tables.upload(game, list(actions), client, await _is_known(request))}, 201)


@router.get("/health", response_model=models.Health)
async def health(request: Request) -> Response:
    """Returns the version of the server and the number of its tables."""
    return answer({"version": tablier.__version__, "tables": len(server_of(request).tables)})


@router.get("/games", response_model=list[models.GameFacts])
async def games() -> Response:
    """Lists the games of this server."""
    return answer([_facts(name) for name in tablier.registered_games()])


def _facts(name: str) -> dict[str, Any]:
    game = tablier.load_game(name)
    home = home_of(game)
    return {
        "name": name,
        "default": name == DEFAULT_GAME,
        "title": render(home.title, "en"),
        "titles": everywhere(home.title),
        "variants": view.variants(home),
        "formats": records.formats(game),
        "page": home.page(),
        "players": game.num_players(),
        "sides": view.sides(home),
        "chance": game.max_chance_outcomes() > 0,
        "options": view.options(home),
        "help": game.help(),
        "helps": everywhere(home.summary()),
    }


@router.get("/players", response_model=models.Players, responses=MISSING)
async def players(
    request: Request, game: Annotated[str, Query(max_length=64)], kinds: Annotated[bool, Query()] = True
) -> Response:
    """Lists the suggested players for a game, easiest first; with `kinds`, also the settings of player strings."""
    if game not in tablier.registered_games():
        raise Refused(404, "game.missing", name=game, names=", ".join(tablier.registered_games()))
    maker: Maker = server_of(request).maker
    levels = await asyncio.to_thread(maker.levels, tablier.load_game(game))
    found = [
        {"name": kind, "settings": [_setting(one) for one in known.values()]} for kind, known in maker.kinds.items()
    ]
    return answer({"levels": levels, "kinds": found if kinds else []})


def _setting(setting: Setting) -> dict[str, Any]:
    least, most = (setting.bounds.least, setting.bounds.most) if setting.bounds else (None, None)
    about = everywhere(setting.meaning)
    return {"name": setting.name, "default": setting.default, "least": least, "most": most, "about": about}


@router.get("/runs", response_model=list[models.RunFacts])
async def runs(request: Request) -> Response:
    """Lists the training runs in the server's runs folder."""
    server = server_of(request)
    found, read = await server.thinkers.queued("runs", server.runs.listed, client_of(request))
    charge(request, read / PARSED)
    return answer(found)


@router.get("/runs/{name}/metrics", response_model=dict[str, list[float | None]], responses=MISSING)
async def metrics(
    request: Request,
    name: Annotated[str, Path(max_length=64)],
    names: Annotated[str, Query(max_length=500, examples=["loss,win_rate"])],
) -> Response:
    """Returns columns of a run's metrics, downsampled to at most 500 rows."""
    wanted = [one for one in names.split(",") if one][:20]
    server = server_of(request)
    charge(request, await asyncio.to_thread(server.runs.size, name) / PARSED)
    columns = await server.thinkers.queued("runs", lambda: server.runs.metrics(name, wanted), client_of(request))
    if columns is None:
        raise Refused(404, "run.missing", name=name)
    return answer(columns)
