"""The scenes of Trictrac as the API describes them. Needs pydantic."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from tablier.games.api_fields import Body, Options, Whole, Words

Die = Annotated[int, Field(ge=1, le=6), Whole]
Men = Annotated[int, Field(ge=-15, le=15), Whole]


class JanShown(BaseModel):
    """A scoring event of a throw; its fields are in White's numbers."""

    name: str
    title: Words
    points: int
    player: int
    why: Words
    fields: list[int]
    ways: int


class Throw(BaseModel):
    """A throw of Trictrac and what it scores. The jans are not told while players mark it themselves."""

    player: int
    dice: tuple[int, int]
    jans: list[JanShown]


class TrictracScene(BaseModel):
    """A table of Trictrac; pairs are White's and Black's. `colours` has a place for every seat: 0 White, 1 Black,
    null for the one of three who rests."""

    kind: Literal["trictrac"]
    men: Annotated[list[int], Field(min_length=24, max_length=24)]
    dice: tuple[int, int] | None
    stage: Literal["draw", "roll", "mark", "hold_or_leave", "move", "over"]
    mover: int
    colours: list[int | None]
    holes: tuple[int, int]
    points: tuple[int, int]
    bredouille: tuple[bool, bool]
    grand_bredouille: tuple[bool, bool]
    pavillon: int | None
    borne_off: tuple[int, int]
    swapped: bool
    tokens: list[int] | None
    throw: Throw | None


class ThrowGiven(Body):
    """A position of Trictrac from the mover's side, and a throw."""

    board: Annotated[list[Men], Field(min_length=24, max_length=24)]
    dice: Annotated[list[Die], Field(min_length=2, max_length=2)]
    options: Options = Field(default_factory=dict)


class Score(BaseModel):
    """What a throw gives the mover and the other player."""

    jans: list[JanShown]
    points: tuple[int, int]
