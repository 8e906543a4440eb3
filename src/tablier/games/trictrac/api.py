"""The endpoint Trictrac adds to the API: the score of a throw in any position. Needs FastAPI."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from tablier.games.trictrac.jans import score_throw
from tablier.games.trictrac.page_models import Score, ThrowGiven
from tablier.games.trictrac.scene import shown
from tablier.messages import everywhere
from tablier.registry import load_game

router = APIRouter()


@router.post("/throws", response_model=Score)
async def score(body: ThrowGiven) -> Response:
    """Returns the points of a Trictrac throw in any position, and the jans that give them."""
    rules: dict[str, Any] = load_game("trictrac", **body.options).options()
    found = score_throw(body.board, body.dice, **rules)
    jans = [shown(jan, 0) for jan in found.jans]
    said = [jan | {name: everywhere(jan[name]) for name in ("title", "why")} for jan in jans]
    return JSONResponse({"jans": said, "points": [found.player_points, found.opponent_points]})
