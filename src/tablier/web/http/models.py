"""Bodies and answers of the API. The OpenAPI description is made of these, and tests hold the answers against it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, RootModel, StrictBool, StrictStr
from pydantic_core import PydanticCustomError


def _whole(value: Any) -> Any:
    """A whole number as JSON has it: 3 and 3.0 are the same, "3" and true are not numbers."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, bool | str | bytes):
        raise PydanticCustomError("whole_number", "Input should be a whole number")
    return value


Count = Annotated[int, Field(ge=0, le=2**31), BeforeValidator(_whole)]
Seed = Annotated[int, Field(ge=0, le=2**53), BeforeValidator(_whole)]
Die = Annotated[int, Field(ge=1, le=6), BeforeValidator(_whole)]
Men = Annotated[int, Field(ge=-15, le=15), BeforeValidator(_whole)]
Number = Annotated[int, Field(ge=-(2**31), le=2**31), BeforeValidator(_whole)]
OptionName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
OptionValue = StrictBool | Number | Annotated[StrictStr, Field(max_length=40)]
PlayerText = Annotated[StrictStr, Field(max_length=250)]
Options = Annotated[dict[OptionName, OptionValue], Field(max_length=40)]


class Body(BaseModel):
    """What a client sends: nothing beyond the named fields."""

    model_config = ConfigDict(extra="forbid")


class NewTable(Body):
    """A table to be begun."""

    game: Annotated[StrictStr, Field(max_length=64, examples=["pig"])]
    options: Options = {}
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


class ThrowGiven(Body):
    """A position of Trictrac from the mover's side, and a throw."""

    board: Annotated[list[Men], Field(min_length=24, max_length=24)]
    dice: Annotated[list[Die], Field(min_length=2, max_length=2)]
    options: Options = {}


class Error(BaseModel):
    """Why a request was refused: a sentence for people, and the same as a code with named parameters for programs.

    A parameter is a text, a number, or again an object with `code` and `params`.
    """

    detail: str
    code: Annotated[str, Field(examples=["table.version"])]
    params: Annotated[dict[str, Any], Field(examples=[{"version": 7, "given": 6}])]


class Words(RootModel[dict[str, str]]):
    """A text in every language that the server speaks, English among them: language to text."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"en": "White wins.", "fr": "Blanc gagne."}]})


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
    null for him of three who rests."""

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


class PictureScene(BaseModel):
    """Any other game: a picture (empty if there is none), and the position as text."""

    kind: Literal["picture"]
    svg: str
    text: str
    label: Words


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
    """A line of the log, with the version that it led to; at Trictrac with the colour that the player had."""

    version: int
    player: int | None
    colour: int | None = None
    kind: Literal["throw", "move", "choice", "mark", "note", "end"]
    verb: str | None = None
    text: Words
    dice: tuple[int, int] | None = None
    jans: list[JanShown] | None = None
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
    scene: Annotated[TrictracScene | PictureScene, Field(discriminator="kind")]
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


class Score(BaseModel):
    """What a throw gives the mover and the other player."""

    jans: list[JanShown]
    points: tuple[int, int]


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
