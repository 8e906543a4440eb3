"""API models of backgammon's scenes. Needs pydantic."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field


class BackgammonScene(BaseModel):
    """The board of a backgammon table. Pairs are in the order White, Black; `men` are 24 signed counts, points 1 to 24
    of White, whose men are positive. `moves_left` is 4 at the start of a doublet, played two moves at a time."""

    kind: Literal["backgammon"]
    men: Annotated[list[int], Field(min_length=24, max_length=24)]
    bar: tuple[int, int]
    borne_off: tuple[int, int]
    dice: tuple[int, int] | None
    stage: Literal["opening", "roll", "move", "over"]
    mover: int
    moves_left: Literal[0, 2, 4]
    colours: tuple[int, int]
    pips: tuple[int, int]
