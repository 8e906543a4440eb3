"""API models of Trictrac's scenes and of its endpoint. Needs pydantic."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from tablier.games.api_fields import Body, Options, Whole, Words

Die = Annotated[int, Field(ge=1, le=6), Whole]
Men = Annotated[int, Field(ge=-15, le=15), Whole]


class JanShown(BaseModel):
    """A scoring event of a throw. `fields` are in White's numbering; `player` is who marks the points."""

    name: str
    title: Words
    points: int
    player: int
    why: Words
    fields: list[int]
    ways: int


class Throw(BaseModel):
    """A Trictrac throw and its jans. The jans are empty while the players are marking the throw themselves."""

    player: int
    dice: tuple[int, int]
    jans: list[JanShown]


class TrictracScene(BaseModel):
    """The board of a Trictrac table. Pairs are in the order White, Black; `men` are 24 signed counts from White's side.
    `colours` has one entry per seat: 0 White, 1 Black, null for a third player who sits out."""

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
    """A Trictrac position from the mover's side (24 signed counts, the mover's men positive) and a throw."""

    board: Annotated[list[Men], Field(min_length=24, max_length=24)]
    dice: Annotated[list[Die], Field(min_length=2, max_length=2)]
    options: Options = Field(default_factory=dict)


class Score(BaseModel):
    """The jans of a throw, and its points for the mover and for the opponent."""

    jans: list[JanShown]
    points: tuple[int, int]
