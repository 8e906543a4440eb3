"""What the web board, notebooks and terminals show of a game (`tablier.games.home`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from tablier._core import State
from tablier.games.exercise import Lesson, PuzzleSet
from tablier.games.home_texts import Facts, HomeTexts
from tablier.games.set_up import SetUp
from tablier.messages import Message, Text

if TYPE_CHECKING:
    from fastapi import APIRouter
    from PIL.Image import Image

Segment = tuple[str, str]
"""Part of a terminal line: the text and its style, as the `rich` package writes styles."""


class HomePage(HomeTexts):
    """How a game looks."""

    @classmethod
    def page(cls) -> str | None:
        """Returns the home's key if its folder contains `page/table.js`, else None: the page has no module for it."""
        is_there = cls.folder is not None and (cls.folder / "page" / "table.js").is_file()
        return cls.key if cls.key and is_there else None

    # --- pictures ---

    def svg(self, state: State, **settings: Any) -> str | None:
        """Draws the position as an SVG document; None if the game has no picture.

        Elements with a `data-action` attribute can be clicked on the web page.

        Args:
            state: the state to draw.
            settings: settings of this game's picture. Every picture accepts `lang`, the language of its labels
                (default: English).
        """
        return None

    def image(self, state: State) -> Image | None:
        """Draws the position as a bitmap; if it returns None, the caller paints `str(state)` instead."""
        return None

    def board(self, state: State, viewer: int, lang: str, before: State | None, colour: bool) -> list[list[Segment]]:
        """Draws the position for a terminal.

        Args:
            state: the state to draw.
            viewer: the seat whose point of view is shown.
            lang: the language of the labels.
            before: an earlier state, or None; a home may highlight what has changed since.
            colour: whether the terminal shows colours.

        Returns:
            The lines, each a list of segments.
        """
        return [[(f"   {line}", "")] for line in str(state).splitlines()]

    # --- the page ---

    first_options: ClassVar[Sequence[str]] = ()
    """Options that the page lists first when a game is set up; the rest are collapsed."""

    variants: ClassVar[Mapping[str, Mapping[str, bool | int | str]]] = {}
    """Sets of options that the page offers beside the game, each named by the message `<home>.variant.<name>`."""

    @property
    def title(self) -> Text:
        """The name of the game, or of the variant that its options make it: `<home>.title.<game>.<variant>`."""
        options = self.game.options()
        for name, own in self.variants.items():
            if all(options.get(option) == value for option, value in own.items()):
                return self._word(f"title.{self.game.name}.{name}") or super().title
        return super().title

    def scene(self, state: State, memory: Any) -> Facts:
        """Returns the data from which the page draws a position.

        `kind` names the JavaScript module that draws it: a home's key, or `picture`. The default scene is a picture
        with the position as text (`str(state)`) and as a `label` for screen readers.

        Args:
            state: the state to draw.
            memory: what `log` returned last, None at the start.
        """
        return {
            "kind": "picture",
            "svg": self.svg(state) or "",
            "text": str(state),
            "label": self.describe(state),
        }

    def legal(self, state: State) -> list[Facts]:
        """Returns the legal actions for the page, each with at least the data of `named`."""
        return [self.named(state, action) for action in state.legal_actions()]

    def named(self, state: State, action: int) -> Facts:
        """Returns an action for the page: its number, kind (move, choice or mark), verb and `text`."""
        return {"action": action, "kind": "move", "verb": "move", "text": self.action(state, action)}

    def moves(self, state: State, action: int) -> list[list[int]] | None:
        """Returns the moves of an action as [from, to] fields; None in a game without moving pieces."""
        return None

    def log(self, before: State, action: int, after: State, memory: Any) -> tuple[Facts, Any]:
        """Returns a line for the page's log and the new memory.

        A line can have an `event`, which the page shows in a banner: its `kind`, its `text`, and `sums_up` if the text
        repeats the event before it. `reset` tells that the pieces were set up again.

        Args:
            before: the state the action was applied to.
            action: the action, or the chance outcome.
            after: the state that followed.
            memory: what the previous call returned: anything the page must remember that a state does not store.
                None at the start, and where a page joins a long game and is sent only its last actions.
        """
        player = before.current_player()
        if player < 0:
            return {"player": None, "kind": "throw", "text": self.tell(before, action, after)}, memory
        facts = {"player": player, "kind": "move", "verb": "move", "text": self.tell(before, action, after)}
        return facts, memory

    def recalled(self, state: State) -> tuple[list[Facts], Any]:
        """Returns the log lines and the memory of a page that begins with this state; none by default.

        A game whose scenes need more than the state stores, such as the last throw, derives it here.
        """
        return [], None

    def dice(self, state: State, outcome: int) -> tuple[int, int] | None:
        """Returns the two dice of a chance outcome; None in a game without a pair of dice."""
        return None

    def thrower(self, state: State) -> int | None:
        """Returns the seat that throws the dice next; None if the throw belongs to nobody, or is not told."""
        return None

    # --- the analysis board ---

    def set_up(self, state: State) -> SetUp | None:
        """Returns the position to be changed by hand; None if positions of this game cannot be set up on a board."""
        return None

    def from_set_up(self, men: Sequence[int], bar: tuple[int, int], values: Mapping[str, int]) -> State:
        """Returns the state of a position that was set up by hand, before a throw.

        Args:
            men: 24 signed counts from White's side.
            bar: White's and Black's men on the bar.
            values: the values of the fields of `set_up` that were chosen.

        Raises:
            MessageError: no game can reach the position.
        """
        raise NotImplementedError

    def why_not(self, state: State, tried: Sequence[tuple[int, int | None]]) -> list[Text]:
        """Returns the rule that the last of some steps on the board breaks, in one or more paragraphs.

        Args:
            state: a decision.
            tried: the steps as (from, to) in the mover's numbering. The steps before the last begin a legal move. If
                `to` is None, the text says why the man cannot move at all.
        """
        return [Message("analysis.not_legal")]

    # --- the score sheet ---

    def sheet_line(self, before: State, action: int, after: State) -> Facts | None:
        """Returns what an action adds to the score sheet of the game, as JSON data; None, the default, for nothing."""
        return None

    def sheet(self, lines: Sequence[Facts], state: State) -> Facts | None:
        """Returns the score sheet after the `lines` so far; None, the default, if the game has none.

        It has `players`, each with a `label`, and `rows`. A row has a `kind`, a `label`, an explanation (`text`), and
        `cells`: a number for each player, or None. A `text` of the sheet is shown above the rows.
        """
        return None

    # --- lessons, puzzles, tutor ---

    def lessons(self) -> Sequence[Lesson]:
        """Returns the lessons that teach the game, in order; none by default."""
        return ()

    def puzzles(self) -> Sequence[PuzzleSet]:
        """Returns the puzzles of the game; none by default."""
        return ()

    def reasons(self, state: State, better: int, worse: int) -> list[Text]:
        """Returns why an action is better than another, the weightiest reason first; none by default."""
        return []

    def is_secret(self, state: State) -> bool:
        """Whether the points of the throw must stay hidden for now."""
        return False

    def colour(self, state: State, seat: int) -> int:
        """Returns the colour that a seat (from 0) plays in this state; by default the seat itself."""
        return seat

    @classmethod
    def scene_model(cls) -> Any:
        """Returns the pydantic model of the home's scenes for the OpenAPI schema; None for the default scene."""
        return None

    @classmethod
    def routes(cls) -> APIRouter | None:
        """Returns the endpoints this game adds to the API, if any; a ValueError in one becomes a 422 response."""
        return None
