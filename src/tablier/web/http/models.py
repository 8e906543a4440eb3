"""Bodies and answers of the API. The OpenAPI description is made of these, and tests hold the answers against it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

from pydantic import BaseModel, Field, StrictBool, StrictStr

from tablier.games import home_types
from tablier.games.api_fields import Body, Options, Whole, Words
from tablier.registry import registered_games

Count = Annotated[int, Field(ge=0, le=2**31), Whole]
Seed = Annotated[int, Field(ge=0, le=2**53), Whole]
PlayerText = Annotated[StrictStr, Field(max_length=250)]


class NewTable(Body):
    """A table to be begun."""

    game: Annotated[StrictStr, Field(max_length=64, examples=registered_games()[:1])]
    options: Options = Field(default_factory=dict)
    seats: Annotated[list[PlayerText], Field(min_length=1, max_length=8, examples=[["human", "greedy"]])]
    """One entry a seat: `human`, or a player such as `gumbel:sims=200`."""
    tutor: StrictBool = False
    seed: Seed | None = None
    """Makes the dice repeatable; without one nobody can foresee them."""


class NewAction(Body):
    """An action at a table as it stood at a version."""

    action: Count
    version: Count


class HintWanted(Body):
    """Whose opinion of which position; by default a strong player's, of the present one."""

    player: PlayerText | None = None
    at: Count | None = None


class Error(BaseModel):
    """Why a request was refused: a sentence for people, and the same as a code with named parameters for programs.

    A parameter is a text, a number, or again an object with `code` and `params`.
    """

    detail: str
    code: Annotated[str, Field(examples=["table.version"])]
    params: Annotated[dict[str, Any], Field(examples=[{"version": 7, "given": 6}])]


class OptionChoice(BaseModel):
    """A value that an option may have."""

    value: str
    text: Words


class GameOption(BaseModel):
    """A rule option of a game: a flag, a number from `min` to `max`, or one of `choices`."""

    name: str
    default: bool | int | str
    accepts: str
    doc: Words
    min: int | None
    max: int | None
    choices: list[OptionChoice]
    offered: Literal["first", "later", "never"]
    """Where a page offers it: at once, among all the rules, or not at all because only learners need it."""


class GameFacts(BaseModel):
    """A game that can be played here."""

    name: str
    title: str
    """In English;"""
    titles: Words
    """and in every language."""
    page: str | None
    """Where the page finds modules of the game's own (`games/<page>/table.js`); null if it has none."""
    players: int
    sides: list[Words]
    """What the seats are called."""
    chance: bool
    options: list[GameOption]
    help: str


class Level(BaseModel):
    """A player to choose."""

    player: str
    title: Words
    about: Words


class Setting(BaseModel):
    """A setting of a player's string."""

    name: str
    default: int | float | str
    least: float | None
    most: float | None
    about: Words


class Kind(BaseModel):
    """A kind of player."""

    name: str
    settings: list[Setting]


class Players(BaseModel):
    """Players to choose, easy ones first, and what a free player string may hold."""

    levels: list[Level]
    kinds: list[Kind]


class PictureScene(BaseModel):
    """A game without a scene of its own: a picture (empty if there is none), and the position as text and in words."""

    kind: Literal["picture"]
    svg: str
    text: str
    label: Words


if TYPE_CHECKING:
    Scene = BaseModel
else:
    own = [model for home in home_types() if (model := home.scene_model())]
    Scene = Annotated[Union[(PictureScene, *own)], Field(discriminator="kind")]

Step = tuple[int, int, int]
"""From, to (0: off the board), die."""


class Action(BaseModel):
    """A legal action. Moves have all orders of their steps."""

    action: int
    kind: Literal["move", "choice", "mark"]
    verb: str
    text: Words
    amount: int | None = None
    moves: list[Step] | None = None
    orders: list[list[Step]] | None = None
    puissance: bool = False


class Entry(BaseModel):
    """A line of the log, with the version that it led to, and the colour that the player had."""

    version: int
    player: int | None
    colour: int | None = None
    kind: Literal["throw", "move", "choice", "mark", "note", "end"]
    verb: str | None = None
    text: Words
    dice: tuple[int, int] | None = None
    jans: list[dict[str, Any]] | None = None
    """What the throw scored, as in the game's scene."""
    moves: list[tuple[int, int]] | None = None
    points: tuple[int, int] | None = None
    holes: tuple[int, int] | None = None


class Seat(BaseModel):
    """Who sits there, and whether it is the client."""

    player: str
    you: bool
    label: Words


class View(BaseModel):
    """A table as the client may see it."""

    table: str
    version: int
    length: int
    game: str
    title: str
    titles: Words
    options: dict[str, bool | int | str]
    tutor: bool
    seeded: bool
    seats: list[Seat]
    to_move: int | None
    your_turn: bool
    thinking: bool
    over: bool
    full: bool
    returns: list[float]
    result: Words | None
    scene: Scene
    legal: list[Action]
    log: list[Entry]


class Begun(BaseModel):
    """A new table, and the token of every seat where a person sits."""

    table: str
    tokens: list[str | None]
    view: View


class Uploaded(BaseModel):
    """The table of an uploaded record."""

    table: str


class Candidate(BaseModel):
    """What a player thinks of an action; `cost` is what it loses against the best."""

    action: int
    text: Words
    moves: list[tuple[int, int]] | None
    value: float
    win_chance: float | None
    visits: int | None
    prior: float | None
    points: float | None
    cost: float


class Hint(BaseModel):
    """Candidates, the best first, in the unit of `cost`."""

    by: str
    unit: Literal["win", "points", "value"]
    candidates: list[Candidate]


class Choice(BaseModel):
    """An action of a reviewed game."""

    action: int
    text: Words
    moves: list[tuple[int, int]] | None


class Mistake(BaseModel):
    """A decision that cost something; `version` is that of the table before it."""

    version: int
    player: int
    colour: int
    played: Choice
    best: Choice
    cost: float


class Review(BaseModel):
    """A game judged; `chance` is the chance of seat 0 to win, by version."""

    state: Literal["working", "done"]
    done: int
    of: int
    by: str
    unit: Literal["win", "points", "value"]
    chance: list[tuple[int, float]]
    mistakes: list[Mistake]


class RunFacts(BaseModel):
    """A training run."""

    name: str
    algorithm: str
    game: str
    steps: int
    minutes: float
    metrics: list[str]


class Health(BaseModel):
    """Which version answers, and how many tables it keeps."""

    version: str
    tables: int
