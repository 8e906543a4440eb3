"""The ASGI application: its parts, startup and shutdown, and error responses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastapi import Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import Message as ASGIMessage
from starlette.types import Receive, Scope, Send

from tablier.games import home_types
from tablier.messages import Message, templates
from tablier.web.http import analysis, api, gestures, learning, library, pages
from tablier.web.http.guard import CLIENT, Guard
from tablier.web.http.refusals import refusal
from tablier.web.service.clients import Client, Network
from tablier.web.service.desk import Desk
from tablier.web.service.library import Library
from tablier.web.service.limits import Budget, Limits
from tablier.web.service.players import Maker
from tablier.web.service.refusal import Refused, refusing
from tablier.web.service.review import Reviews
from tablier.web.service.rollouts import Rollouts
from tablier.web.service.runs import Runs
from tablier.web.service.store import Store, StoreError
from tablier.web.service.streams import Streams
from tablier.web.service.tables import Tables
from tablier.web.service.thinkers import Thinkers
from tablier.web.service.upkeep import keep_up

STATUSES = {400: "body.unreadable", 404: "address.missing", 405: "method.refused"}
"""Message keys for errors raised by the framework."""
METHODS = ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")
"""The methods that an address can have."""
API_WORK, PAGE_WORK = 2.0, 0.2
"""What a request costs at least, in milliseconds of the server's time; requests that cost more pay the rest when their
size is known (`api.charge`)."""
VOUCHES = 5
"""New tables per hour for which a seat at an existing table makes a known player."""
LIBRARIES = 30
"""New libraries an address can create per hour."""
FILE = 1.1
"""The largest size of the database file, as a multiple of what new tables may fill: moves still find room."""


@dataclass(frozen=True)
class Settings:
    """Settings of a server."""

    db: Path
    """The SQLite file with all games; created if it does not exist."""
    runs: Path = Path("runs")
    """The folder of training runs, whose networks can be played against; it need not exist."""
    host: str = "127.0.0.1"
    """The address the server listens on. The Host header of a request must be this address, the machine's name, a
    loopback name or one of `names`."""
    names: tuple[str, ...] = ()
    """Additional host names that clients may use."""
    proxies: tuple[Network, ...] = ()
    """Proxies whose `X-Forwarded-For` header names the client; the header of anyone else is ignored."""
    limits: Limits = field(default_factory=Limits)
    """Limits on time, memory and requests."""


class Server:
    """The services shared by all requests, from startup to shutdown."""

    def __init__(self, settings: Settings) -> None:
        self.limits = settings.limits
        self.runs = Runs(settings.runs)
        self.store = Store(settings.db, int(FILE * (1 + self.limits.reserve) * self.limits.disk))
        self.maker = Maker(self.runs, self.limits.think)
        self.thinkers = Thinkers(self.maker, self.limits)
        self.tables = Tables(self.store, self.thinkers, self.limits)
        self.desk = Desk(self.tables)
        self.reviews = Reviews(self.store, self.thinkers, self.limits.think)
        self.rollouts = Rollouts(self.thinkers, self.limits.think)
        self.library = Library(self.tables, self.reviews, self.maker)
        limits = self.limits
        self.new_tables = Budget(limits.burst, limits.refill, limits.network)
        self.new_libraries = Budget(LIBRARIES, LIBRARIES / 3600, limits.network)
        self.vouched = Budget(VOUCHES, VOUCHES / 3600)
        self.work = Budget(limits.work_burst, limits.work, limits.network)
        self.streams = Streams(limits)
        self.closing = False

    def end_streams(self) -> None:
        """Ends all event streams."""
        self.closing = True
        self.tables.wake_watchers()

    async def close(self) -> None:
        """Stops all work; every action played is already in the store."""
        self.end_streams()
        await self.tables.close()
        await self.library.close()
        await self.reviews.close()
        await self.rollouts.close()
        self.thinkers.close()
        await asyncio.to_thread(self.store.close)


class App:
    """The ASGI application: the API and the page, with checks on every request.

    Run it with uvicorn, or with an ASGI test client. The lifespan protocol opens and closes the database.

    Args:
        settings: the database, folders, host names and limits to use.

    Example:
        >>> from pathlib import Path
        >>> app = App(Settings(db=Path("games.sqlite")))
        >>> app.fastapi.title
        'Tablier'
    """

    def __init__(self, settings: Settings) -> None:
        self.fastapi = _fastapi(settings)
        self._pages = pages.Pages()
        limits = settings.limits
        self._guard = Guard(self._inside, settings.host, settings.names, limits.body, limits.record, settings.proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles a request (ASGI interface)."""
        await self._guard(scope, receive, self._in_one_line(send) if scope["type"] == "lifespan" else send)

    def _in_one_line(self, send: Send) -> Send:
        """Returns `send` for startup, so that a database that cannot be used is reported without a traceback."""

        async def told(event: ASGIMessage) -> None:
            if event["type"] == "lifespan.startup.failed" and hasattr(self.fastapi.state, "problem"):
                event["message"] = self.fastapi.state.problem
            await send(event)

        return told

    async def _inside(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.fastapi(scope, receive, send)
            return
        is_page = not scope["path"].startswith("/api/")
        if self._may_ask(scope[CLIENT], PAGE_WORK if is_page else API_WORK):
            await (self._pages if is_page else self.fastapi)(scope, receive, send)
        else:
            language = Headers(scope=scope).get("accept-language", "")
            await refusal(429, Message("server.too_fast"), language)(scope, receive, send)

    def _may_ask(self, client: Client, work: float) -> bool:
        server: Server | None = getattr(self.fastapi.state, "server", None)
        return server is None or client.local or server.work.take(client, work)

    def ending(self) -> None:
        """Ends all event streams, which would otherwise keep the server from shutting down."""
        server: Server | None = getattr(self.fastapi.state, "server", None)
        if server:
            server.end_streams()


def _fastapi(settings: Settings) -> FastAPI:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        try:
            server = app.state.server = Server(settings)
        except StoreError as error:
            app.state.problem = str(error)
            raise
        chores = [asyncio.create_task(one) for one in (server.tables.resume(), keep_up(server.tables))]
        yield
        for task in chores:
            task.cancel()
        await server.close()

    app = FastAPI(
        title="Tablier",
        version="1",
        description="Play Tablier's games over HTTP. The server rolls the dice, checks every action and keeps score.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
    )
    app.include_router(api.router)
    app.include_router(gestures.router)
    app.include_router(learning.router)
    app.include_router(analysis.router)
    app.include_router(library.router)
    for home in home_types():
        if added := home.routes():
            app.include_router(added, prefix=api.PREFIX, responses=api.ERRORS, dependencies=[Depends(_refusing)])
    plain = app.openapi

    def described() -> dict[str, Any]:
        schema = plain()
        schema["components"]["securitySchemes"] = {"HTTPBearer": {"type": "http", "scheme": "bearer"}}
        return schema

    app.openapi = described  # type: ignore[method-assign]

    @app.get("/api/v1/docs", include_in_schema=False)
    async def docs() -> Response:
        return Response(pages.describe(app.openapi()), media_type="text/html")

    _answer_errors(app)
    return app


async def _refusing() -> AsyncIterator[None]:
    """Turns errors in the endpoints of games into 422 responses."""
    with refusing():
        yield


def _answer_errors(app: FastAPI) -> None:
    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> Response:
        return _told(request, error.status, error.message)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        return _told(request, 422, _invalid(error.errors()[0]))

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        code = STATUSES.get(error.status_code)
        message = Message(code) if code else Message("refused", reason=str(error.detail))
        headers = {"Allow": _allowed(app, request)} if error.status_code == 405 else error.headers
        return _told(request, error.status_code, message, headers)

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> Response:
        return _told(request, 500, Message("server.failed"))


def _allowed(app: FastAPI, request: Request) -> str:
    """Returns the methods of an address; each is a route of its own, and the framework lists those of the first."""
    scopes = {method: {**request.scope, "method": method} for method in METHODS}
    return ", ".join(
        method for method in METHODS if any(one.matches(scopes[method])[0] == Match.FULL for one in app.routes)
    )


def _invalid(error: dict[str, Any]) -> Message:
    """Converts a validation error of pydantic to a message."""
    facts = {name: value for name, value in error.get("ctx", {}).items() if isinstance(value, int | float | str)}
    if error["type"] == "json_invalid":
        return Message("body.not_json", problem=str(facts["error"]))
    where = ".".join(str(part) for part in error["loc"] if part != "body")
    key = f"body.problem.{error['type']}"
    problem = Message(key, **facts) if key in templates("en") else error["msg"]
    return Message("body.invalid", where=f"{where or 'body':.200}", problem=problem)


def _told(request: Request, status: int, message: Message, headers: Mapping[str, str] | None = None) -> Response:
    return refusal(status, message, request.headers.get("accept-language", ""), headers)
