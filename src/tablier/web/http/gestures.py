"""The part of the HTTP API beside playing: gestures of people at a table, and the audit of its dice."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field, StrictStr

from tablier.games.api_fields import Body
from tablier.web.http import api, models
from tablier.web.service import audit
from tablier.web.service.refusal import Refused

router = APIRouter(prefix=api.PREFIX, responses=api.ERRORS)


class NewGesture(Body):
    """What a person does at a table besides playing. `value` is the name, or what is said; a takeback needs the
    `version` of the table that it applies to."""

    kind: Literal["resign", "takeback", "say", "name", "tutor", "rematch"]
    value: Annotated[StrictStr, Field(max_length=100)] = ""
    version: models.Count | None = None


class Roll(BaseModel):
    """A roll: the version of the table before it, how many equally likely outcomes there were, and which one came,
    counted from 0."""

    version: int
    outcomes: int
    outcome: int


class Dice(BaseModel):
    """The seed of a finished game and its rolls. Roll n was `sha256("<seed> <version>") mod outcomes`; `commitment` is
    the SHA-256 of the seed, which the table had from the start."""

    commitment: str
    seed: str
    rolls: list[Roll]


@router.post(
    "/tables/{table}/gestures",
    response_model=models.View,
    responses=api.MISSING | api.CONFLICT | api.TOKENLESS | api.UNWRITTEN | api.FULL,
    openapi_extra={"security": [{"HTTPBearer": []}]},
)
async def gesture(request: Request, table: api.TableId, body: NewGesture) -> Response:
    """Resigns, takes a move back, says something, gives a name, or agrees to the tutor or to a rematch."""
    found = await api.table_of(request, table)
    desk, known = api.server_of(request).desk, False
    if body.kind == "rematch" and found.over and not found.next:  # it may begin a table
        api.count_new_table(request)
        known = await api.is_vouched_for(request, table)
    who = (api.tokens_of(request), api.client_of(request), known)
    mine = await desk.take(found, body.kind, body.value, body.version, *who)
    return api.answer(found.view(mine))


@router.get("/tables/{table}/dice", response_model=Dice, responses=api.MISSING | api.CONFLICT)
async def dice(request: Request, table: api.TableId) -> Response:
    """Returns the seed of the dice and all rolls, once the game is over."""
    found = await api.table_of(request, table)
    promised = audit.commitment(found.row.seed)
    if promised is None:
        raise Refused(409, "dice.none")
    if not found.over:
        raise Refused(409, "dice.secret")
    api.charge(request, found.version / api.REPLAYED)
    game, actions, queued = found.game, list(found.actions), api.server_of(request).thinkers.queued
    rolls = await queued("past", lambda: audit.rolls(game, actions), api.client_of(request))
    return api.answer({"commitment": promised, "seed": found.row.seed, "rolls": rolls})
