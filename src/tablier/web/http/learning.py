"""The operations of the API for learners: lessons and puzzles."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel

from tablier.games.api_fields import Body, Number, Words
from tablier.web.http import api, models
from tablier.web.service import exercises

router = APIRouter(prefix=api.PREFIX, responses=api.ERRORS)
COST = 10.0
"""What a lesson or a puzzle costs the server, in milliseconds."""
Name = Annotated[str, Path(max_length=64, pattern=r"^[a-z0-9_-]+$")]


class LessonHeading(BaseModel):
    """A lesson and its number of steps."""

    name: str
    title: Words
    about: Words
    steps: int


class LessonsOfGame(BaseModel):
    """The lessons of a game, in order."""

    game: str
    titles: Words
    lessons: list[LessonHeading]


class Answer(BaseModel):
    """An answer to pick."""

    value: int
    text: Words


class PositionView(BaseModel):
    """A position to look at and to play on, as in the view of a table."""

    game: str
    titles: Words
    options: dict[str, bool | int | str]
    seats: list[models.Seat]
    to_move: int
    your_turn: bool
    scene: models.Scene
    legal: list[models.Action]


class Exercise(BaseModel):
    """A position with a question. The answer is an action of the position (`move`), or a value of `options` (`pick`).
    `score` is true if the score matters; `source` tells where the position is from."""

    name: str
    question: Literal["move", "pick"]
    ask: Words
    score: bool
    source: Words | None
    options: list[Answer]
    view: PositionView


class LessonStep(Exercise):
    """A step of a lesson, with the right answers, what they teach, and help after a wrong one. `log` has the throw and
    its score, to be shown with the answer."""

    why: Words
    hint: Words
    right: list[int]
    log: list[models.Entry]


class PastDecision(Exercise):
    """A decision of a table, to be taken again. `log` has the throw, to be shown with the answer."""

    log: list[models.Entry]


class Lesson(BaseModel):
    """A lesson."""

    name: str
    title: Words
    about: Words
    steps: list[LessonStep]


class PuzzleHeading(BaseModel):
    """A puzzle and its difficulty, from 1."""

    name: str
    level: int


class PuzzleSet(BaseModel):
    """Puzzles of one kind."""

    name: str
    title: Words
    about: Words
    puzzles: list[PuzzleHeading]


class PuzzlesOfGame(BaseModel):
    """The puzzles of a game; `daily` is the name of the puzzle of the day."""

    game: str
    titles: Words
    daily: str
    sets: list[PuzzleSet]


class AnswerGiven(Body):
    """An answer to a puzzle: an action of its position, or a value of its options."""

    answer: Number


class Verdict(BaseModel):
    """The reply to an answer: whether it is right, why, the best answer, and the throw with its score."""

    right: bool
    told: list[Words]
    solution: int
    log: list[models.Entry]


async def _charged(request: Request, work: Callable[[], object]) -> Response:
    """Does the work in a thread and charges the client for it."""
    api.charge(request, COST)
    return api.answer(await asyncio.to_thread(work))


@router.get("/lessons", response_model=list[LessonsOfGame])
async def lessons(request: Request) -> Response:
    """Lists the games that have lessons, and their lessons."""
    return await _charged(request, exercises.listed_lessons)


@router.get("/lessons/{game}/{name}", response_model=Lesson, responses=api.MISSING)
async def lesson(request: Request, game: Name, name: Name) -> Response:
    """Returns a lesson with all its steps."""
    return await _charged(request, lambda: exercises.lesson(game, name))


@router.get("/puzzles", response_model=list[PuzzlesOfGame])
async def puzzles(
    request: Request,
    day: Annotated[str | None, Query(pattern=r"^\d{4}-\d\d-\d\d$", description="The day of the daily puzzle")] = None,
) -> Response:
    """Lists the games that have puzzles, and their puzzles. Without `day`, the daily one is that of today in UTC."""
    today = datetime.now(UTC).date().isoformat()
    return await _charged(request, lambda: exercises.listed_puzzles(day or today))


@router.get("/puzzles/{game}/{name}", response_model=Exercise, responses=api.MISSING)
async def puzzle(request: Request, game: Name, name: Name) -> Response:
    """Returns a puzzle, without its answer."""
    return await _charged(request, lambda: exercises.puzzle(game, name))


@router.post("/puzzles/{game}/{name}/answer", response_model=Verdict, responses=api.MISSING)
async def solve(request: Request, game: Name, name: Name, body: AnswerGiven) -> Response:
    """Judges an answer to a puzzle and explains it."""
    return await _charged(request, lambda: exercises.verdict(game, name, body.answer))


@router.get("/tables/{table}/exercise", response_model=PastDecision, responses=api.MISSING | api.CONFLICT)
async def take_again(request: Request, table: api.TableId, at: Annotated[int, Query(ge=0, le=2**31)]) -> Response:
    """Returns the decision of a table after `at` actions as an exercise; `POST /tables/{table}/hint` judges it."""
    found = await api.table_of(request, table)
    api.check_tutor(found)
    version = api.checked(found, at)
    return api.answer(await api.past(request, lambda: exercises.retry(found, version)))
