"""The operations of the API for the analysis board: positions, candidates, rollouts and pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, Field, StrictStr

from tablier.games.api_fields import Body, Number, OptionName, Options, Whole, Words
from tablier.messages import languages
from tablier.registry import registered_games
from tablier.web.http import api, models
from tablier.web.service.analysis import Asked, HandMade, Study, changed_options, written
from tablier.web.service.refusal import Refused, refusing
from tablier.web.service.review import hint

router = APIRouter(prefix=api.PREFIX, responses=api.ERRORS)
MOST_ACTIONS = 400
"""Actions from the start of an analysis. A client that wants more starts again from its position."""
T = TypeVar("T")
Men = Annotated[int, Field(ge=-15, le=15), Whole]
OnBar = Annotated[int, Field(ge=0, le=15), Whole]
Place = Annotated[int, Field(ge=0, le=25), Whole]
ValueName = Annotated[str, Field(max_length=40)]
RolloutId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{22}$", description="The rollout's id")]


class PositionGiven(Body):
    """A position set up by hand: men by field from White's side, White's positive; men on the bar; and values of the
    fields that a view of the game lists (`set_up`)."""

    men: Annotated[list[Men], Field(min_length=24, max_length=24)]
    bar: tuple[OnBar, OnBar] = (0, 0)
    values: Annotated[dict[ValueName, Number], Field(max_length=20)] = Field(default_factory=dict)


class Analysed(Body):
    """What to analyse: a game with its options, the position to start from (`position` of a view, an id of the game, or
    set up by hand; without one, the start of the game), and the actions since then, throws included."""

    game: Annotated[StrictStr, Field(max_length=64, examples=registered_games()[:1])]
    options: Options = Field(default_factory=dict)
    position: Annotated[StrictStr, Field(max_length=1_000)] | None = None
    set_up: PositionGiven | None = None
    actions: Annotated[list[models.Count], Field(max_length=MOST_ACTIONS)] = Field(default_factory=list)

    def asked(self) -> Asked:
        """Returns the request for the service."""
        given = self.set_up
        by_hand = HandMade(given.men, given.bar, given.values) if given else None
        return Asked(self.game, self.options, self.position, by_hand, self.actions)


class MoveTried(Analysed):
    """A move that is not legal: its steps [from, to] in the mover's numbering. The steps before the last begin a legal
    move; without a `to`, the last one asks why the man cannot move at all."""

    tried: Annotated[list[tuple[Place, Place | None]], Field(min_length=1, max_length=4)]


class CandidatesWanted(Analysed):
    """A position and the player to ask (default: a strong one)."""

    player: models.PlayerText | None = None


class RolloutWanted(Analysed):
    """A position and the most games for each candidate."""

    games: Annotated[int, Field(ge=36, le=1_296), Whole] = 648


class PictureWanted(Analysed):
    """A position and the language of its labels."""

    lang: Annotated[StrictStr, Field(max_length=8)] = "en"


class Throw(BaseModel):
    """An outcome of a chance node; `dice` is null in a game without a pair of dice."""

    outcome: int
    dice: tuple[int, int] | None
    text: Words


class SetUpChoice(BaseModel):
    """A value that a field can have."""

    value: int
    text: Words


class SetUpField(BaseModel):
    """A value to choose when a position is set up; `seat` is null if it belongs to both players."""

    name: str
    label: Words
    value: int
    seat: int | None
    choices: list[SetUpChoice]


class SetUp(BaseModel):
    """The position as it can be changed by hand: men, those on the bar (null without a bar), the men of each player,
    and further values."""

    men: list[int]
    bar: tuple[int, int] | None
    most: int
    fields: list[SetUpField]


class AnalysisView(BaseModel):
    """A position on the analysis board. `position` stands for it in a link and stores all of it; `id` is the game's own
    id, which may store less, or null. `throws` has the outcomes of a chance node. `set_up` is null if positions of the
    game cannot be set up by hand, `rollouts` is false if they cannot be rolled out."""

    game: str
    titles: Words
    options: dict[str, bool | int | str]
    version: int
    position: str
    id: str | None
    seats: list[models.Seat]
    to_move: int | None
    to_throw: int | None
    """The seat that throws; null before a throw that decides who starts, and in games where nobody in particular
    throws."""
    your_turn: bool
    over: bool
    result: Words | None
    scene: models.Scene
    legal: list[models.Action]
    throws: list[Throw]
    log: list[models.Entry]
    set_up: SetUp | None
    rollouts: bool


class WhyNot(BaseModel):
    """The rule that a move breaks; for a man that cannot move at all, one for each number."""

    told: list[Words]


class RolledOut(BaseModel):
    """The result of a rollout of an action, or of the position if `action` is null: mean, standard error, and the
    distance to the best action with its standard error."""

    action: int | None
    text: Words | None
    moves: list[tuple[int, int]] | None
    games: int
    value: float
    error: float
    behind: float
    behind_error: float


class RolloutProgress(BaseModel):
    """A rollout: `done` of `of` games for each candidate, and the results so far, best first, for the player `seat`.
    `unit` is the unit of values: win chances, or points."""

    id: str
    state: Literal["working", "done", "cancelled"]
    done: int
    of: int
    unit: Literal["win", "value"]
    seat: int
    candidates: list[RolledOut]


class Picture(BaseModel):
    """A position as an SVG document."""

    svg: str


class PositionOfTable(BaseModel):
    """Where the analysis of a table's position starts; `options` are those that differ from their defaults."""

    game: str
    options: dict[OptionName, bool | int | str]
    position: str


async def _studied(request: Request, body: Analysed, work: Callable[[Study], T]) -> T:
    """Sets the position up and works on it, in the queue for past positions."""
    api.charge(request, len(body.actions) / api.REPLAYED)
    return await api.past(request, lambda: work(Study(body.asked())))


@router.post("/analysis", response_model=AnalysisView)
async def analyse(request: Request, body: Analysed) -> Response:
    """Returns a position on the analysis board. Nothing is stored."""
    return api.answer(await _studied(request, body, Study.view))


@router.post("/analysis/why-not", response_model=WhyNot, responses=api.CONFLICT)
async def why_not(request: Request, body: MoveTried) -> Response:
    """Returns the rule that a move breaks, in words."""
    return api.answer(await _studied(request, body, lambda study: study.why_not(body.tried)))


@router.post("/analysis/candidates", response_model=models.Hint, responses=api.CONFLICT)
async def candidates(request: Request, body: CandidatesWanted) -> Response:
    """Returns a player's evaluation of every legal action, best first."""
    server = api.server_of(request)
    study = await _studied(request, body, lambda study: study)
    if study.state.current_player() < 0:
        raise Refused(409, "decision.none")
    with refusing():
        wanted = (study.home, study.state, body.player, server.limits.think, api.client_of(request))
        return api.answer(await hint(server.thinkers, *wanted))


@router.post("/analysis/rollouts", status_code=201, response_model=RolloutProgress, responses=api.CONFLICT)
async def roll_out(request: Request, body: RolloutWanted) -> Response:
    """Starts a rollout of the best actions or, before a throw, of the position.

    It runs in the background as long as a client keeps polling it.
    """
    study = await _studied(request, body, lambda study: study)
    rollouts = api.server_of(request).rollouts
    return api.answer(await rollouts.start(study.home, study.state, body.games, api.client_of(request)), 201)


@router.get("/analysis/rollouts/{rollout}", response_model=RolloutProgress, responses=api.MISSING)
async def rollout_progress(request: Request, rollout: RolloutId) -> Response:
    """Returns the progress of a rollout."""
    return api.answer(await api.server_of(request).rollouts.progress(rollout))


@router.post("/analysis/rollouts/{rollout}/cancel", response_model=RolloutProgress, responses=api.MISSING)
async def cancel_rollout(request: Request, rollout: RolloutId) -> Response:
    """Cancels a rollout; returns what it found."""
    return api.answer(await api.server_of(request).rollouts.cancel(rollout))


@router.post("/analysis/picture", response_model=Picture)
async def picture(request: Request, body: PictureWanted) -> Response:
    """Returns a position as a picture."""
    lang = body.lang if body.lang in languages() else languages()[0]
    return api.answer(await _studied(request, body, lambda study: study.picture(lang)))


@router.get("/tables/{table}/position", response_model=PositionOfTable, responses=api.MISSING | api.CONFLICT)
async def position(
    request: Request, table: api.TableId, at: Annotated[int | None, Query(ge=0, le=2**31)] = None
) -> Response:
    """Returns the position of a table, now or after `at` actions, to analyse it."""
    found = await api.table_of(request, table)
    api.check_tutor(found)
    version = found.version if at is None else api.checked(found, at)

    def work() -> dict[str, Any]:
        state, _ = found.past(version)
        options = changed_options(found.home)
        return {"game": found.game.name, "options": options, "position": written(found.home, state)}

    return api.answer(await api.past(request, work))
