"""Request and response models of the API. The OpenAPI schema is built from them, and tests check responses with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

from pydantic import BaseModel, Field, StrictBool, StrictStr

from tablier.games import home_types
from tablier.games.api_fields import Body, Options, Whole, Words
from tablier.registry import registered_games
from tablier.web.service.gestures import Clock

Count = Annotated[int, Field(ge=0, le=2**31), Whole]
Seed = Annotated[int, Field(ge=0, le=2**53), Whole]
PlayerText = Annotated[StrictStr, Field(max_length=250)]


class NewClock(Body):
    """A clock for two people: seconds for the whole game, and seconds added for each decision."""

    base: Annotated[int, Field(ge=10, le=36_000), Whole]
    increment: Annotated[int, Field(ge=0, le=600), Whole] = 0


class NewTable(Body):
    """A table to create. `seats` has one entry per seat: `human`, or a player such as `gumbel:sims=200`. A `seed` makes
    the dice repeatable; without one they are unpredictable."""

    game: Annotated[StrictStr, Field(max_length=64, examples=registered_games()[:1])]
    options: Options = Field(default_factory=dict)
    seats: Annotated[list[PlayerText], Field(min_length=1, max_length=8, examples=[["human", "greedy"]])]
    tutor: StrictBool = False
    seed: Seed | None = None
    clock: NewClock | None = None

    @property
    def timing(self) -> Clock | None:
        """The clock of the table."""
        return Clock(self.clock.base, self.clock.increment) if self.clock else None


class NewAction(Body):
    """An action, and the version of the table it applies to."""

    action: Count
    version: Count


class HintWanted(Body):
    """The player to ask (default: a strong one) and the version of the table (default: the current one)."""

    player: PlayerText | None = None
    at: Count | None = None


class Error(BaseModel):
    """The reason for a refusal: `detail` for people, `code` and `params` for programs.

    A parameter is a text, a number, or an object with `code` and `params`.
    """

    detail: str
    code: Annotated[str, Field(examples=["table.version"])]
    params: Annotated[dict[str, Any], Field(examples=[{"version": 7, "given": 6}])]


class OptionChoice(BaseModel):
    """A possible value of an option."""

    value: str
    text: Words


class GameOption(BaseModel):
    """A rule option of a game: a flag, a number from `min` to `max`, or one of `choices`. `offered` says where a page
    shows it: under "More options", under "All rules", or never, because it matters only for learning."""

    name: str
    default: bool | int | str
    accepts: str
    doc: Words
    min: int | None
    max: int | None
    choices: list[OptionChoice]
    offered: Literal["first", "later", "never"]


class GameVariant(BaseModel):
    """A set of options that a page offers beside the game, such as a shorter game for beginners."""

    name: str
    titles: Words
    options: dict[str, bool | int | str]


class GameFacts(BaseModel):
    """A game on this server. `title` is in English, `titles` in every language. `page` locates the game's JavaScript
    module (`games/<page>/table.js`); null if it has none. `sides` are the names of the seats. `default` marks the game
    that a page shows first."""

    name: str
    default: bool
    title: str
    titles: Words
    variants: list[GameVariant]
    formats: list[str]
    """Formats of other programs in which records can be downloaded."""
    page: str | None
    players: int
    sides: list[Words]
    chance: bool
    options: list[GameOption]
    help: str
    """A summary of the rules in English, with the action numbers."""
    helps: Words
    """A summary of the rules in every language."""


class Level(BaseModel):
    """A suggested player. `rank` is its place from the easiest (1) to the strongest; null for trained networks."""

    player: str
    title: Words
    about: Words
    rank: int | None


class Setting(BaseModel):
    """A setting in a player string, such as `sims` in `gumbel:sims=200`."""

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
    """Suggested players, easiest first, and the settings that player strings accept."""

    levels: list[Level]
    kinds: list[Kind]


class PictureScene(BaseModel):
    """The scene of a game without its own model: a picture (may be empty), the position as text, and a label for
    screen readers."""

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
"""(from, to, die); `to` is 0 for off the board."""


class Action(BaseModel):
    """A legal action. Moves list all orders in which their steps can be made."""

    action: int
    kind: Literal["move", "choice", "mark"]
    verb: str
    text: Words
    amount: int | None = None
    moves: list[Step] | None = None
    orders: list[list[Step]] | None = None
    puissance: bool = False


class Event(BaseModel):
    """Something worth announcing, such as a hole won; `sums_up` if the text repeats the event before it."""

    kind: str
    text: Words
    sums_up: bool


class Entry(BaseModel):
    """A line of the log: the version it led to, the player and their colour. `jans` are the scoring events of a throw,
    as in the game's scene; `reset` tells that the pieces were set up again."""

    version: int
    player: int | None
    colour: int | None = None
    kind: Literal["throw", "move", "choice", "mark", "note", "end"]
    verb: str | None = None
    text: Words
    dice: tuple[int, int] | None = None
    jans: list[dict[str, Any]] | None = None
    moves: list[tuple[int, int]] | None = None
    points: tuple[int, int] | None = None
    holes: tuple[int, int] | None = None
    event: Event | None = None
    reset: bool = False


class SheetPlayer(BaseModel):
    """A column of a score sheet."""

    label: Words


class SheetRow(BaseModel):
    """A row of a score sheet: a game that counts (`line`) or not (`void`), a sum, or the total. `cells` has a number
    for each player, or null."""

    kind: Literal["line", "void", "sum", "total"]
    label: Words
    text: Words
    cells: list[int | None]


class Sheet(BaseModel):
    """The score sheet of a game that is played over several rounds. `text` says how a round is won while the sheet has
    none, and is empty afterwards."""

    text: Words
    players: list[SheetPlayer]
    rows: list[SheetRow]


class Seat(BaseModel):
    """The player of a seat; `you` is true if the request had the seat's token, `name` is what a person calls
    themselves."""

    player: str
    you: bool
    label: Words
    name: str


class Agreed(BaseModel):
    """The seats that have agreed to the tutor and to a rematch."""

    tutor: list[int]
    rematch: list[int]


class Said(BaseModel):
    """Something that a player said: the number of the gesture, the seat, and the name of the saying."""

    n: int
    seat: int
    say: str


class ClockNow(BaseModel):
    """The seconds that each seat has left, and the seat whose clock is running."""

    left: list[float]
    running: int | None


class View(BaseModel):
    """A table as the client sees it."""

    table: str
    version: int
    length: int
    game: str
    title: str
    titles: Words
    options: dict[str, bool | int | str]
    tutor: bool
    seeded: bool
    commitment: str | None
    """The SHA-256 of the dice's seed, which `/tables/{table}/dice` reveals at the end; null without a secret seed."""
    revision: int
    """The number of gestures so far."""
    agreed: Agreed
    said: list[Said]
    next: str | None
    """The table of the rematch, where each player has the next seat and the same token."""
    clock: ClockNow | None
    takeback: bool
    """Whether the player to move can take back their last decision."""
    seats: list[Seat]
    to_move: int | None
    your_turn: bool
    thinking: bool
    over: bool
    full: bool
    returns: list[float]
    winner: int | None
    """The seat that won; null before the end and for a draw."""
    result: Words | None
    results: list[Words] | None
    """The result for each seat, such as "You won."; null before the end."""
    scene: Scene
    sheet: Sheet | None
    legal: list[Action]
    log: list[Entry]


class Begun(BaseModel):
    """A new table, with a token for every human seat."""

    table: str
    tokens: list[str | None]
    view: View


class Uploaded(BaseModel):
    """The table created from an uploaded record."""

    table: str


class Candidate(BaseModel):
    """A player's evaluation of an action; `cost` is the loss compared with the best action, and `reasons` say what the
    best action does better."""

    action: int
    text: Words
    moves: list[tuple[int, int]] | None
    value: float
    win_chance: float | None
    visits: int | None
    prior: float | None
    points: float | None
    cost: float
    reasons: list[Words]


class Hint(BaseModel):
    """The evaluations of all legal actions, best first; `unit` is the unit of `cost`."""

    by: str
    unit: Literal["win", "points", "value"]
    candidates: list[Candidate]


class Choice(BaseModel):
    """An action of a reviewed game."""

    action: int
    text: Words
    moves: list[tuple[int, int]] | None


class Mistake(BaseModel):
    """A decision that was worse than the best; `version` is the table's version before it."""

    version: int
    player: int
    colour: int
    played: Choice
    best: Choice
    cost: float
    reasons: list[Words]


class ReviewedPlayer(BaseModel):
    """How well a seat played: its decisions, their mean cost and level, and, if known, its luck in the review's
    unit."""

    decisions: int
    mean: float
    band: str | None
    level: Words | None
    luck: float | None


class Review(BaseModel):
    """The review of a game, with `done` of `of` decisions. `chance` has pairs of a version and seat 0's win chance.
    `players` has one entry per seat once the review is done; a review of an earlier version of the server has none."""

    state: Literal["working", "done"]
    done: int
    of: int
    by: str
    unit: Literal["win", "points", "value"]
    chance: list[tuple[int, float]]
    mistakes: list[Mistake]
    players: list[ReviewedPlayer]


class RunFacts(BaseModel):
    """A training run."""

    name: str
    algorithm: str
    game: str
    steps: int
    minutes: float
    metrics: list[str]


class Health(BaseModel):
    """The version of the server and the number of its tables."""

    version: str
    tables: int
