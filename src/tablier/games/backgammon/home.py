"""The home of backgammon: connects the `Home` interface to the modules of this folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablier._core import Game, State, backgammon
from tablier.games.backgammon import (
    drawing,
    notation,
    position,
    record,
    scene,
    set_up,
    telling,
    text_board,
    typed,
    why_not,
)
from tablier.games.champion import Champion
from tablier.games.engine import Engine
from tablier.games.home import Bound, Facts, Home, Segment
from tablier.games.set_up import SetUp
from tablier.messages import Message, MessageError, Text, accepted

if TYPE_CHECKING:
    from PIL.Image import Image


class BackgammonHome(Home):
    """The home of backgammon and of its other start positions."""

    folder = Path(__file__).parent
    key = "backgammon"
    lists_choices = False
    first_options = ("start", "scoring")
    variants = {"hyper": {"start": "hyper"}}  # noqa: RUF012
    foreign_formats = tuple(record.FORMATS)
    interface = ("scoring", "encoding")

    # --- what happened ---

    def action(self, state: State, action: int) -> Text:
        """Returns the text of a throw, or of a move as in books: "13/7 8/7", "bar/22", "6/off"."""
        return notation.action_text(state, action)

    def tell(self, before: State, action: int, after: State, viewer: int | None = None) -> Text:
        """Describes a throw or a move in a sentence or two."""
        return telling.tell(before, action, after)

    def throws(self, state: State) -> list[tuple[int, Facts]]:
        """Returns the 21 throws, each with its dice and its weight out of 36; in the opening the order counts."""
        if backgammon.parts(state).opening:
            return super().throws(state)
        dice = [(outcome, outcome // 6 + 1, outcome % 6 + 1) for outcome in state.legal_actions()]
        return [(one, {"dice": [a, b], "weight": 1 if a == b else 2}) for one, a, b in dice if a >= b]

    def result(self, state: State) -> Text:
        """Returns who won, and whether by a gammon or a backgammon."""
        return telling.result(state)

    def result_for(self, state: State, seat: int) -> Text:
        """Returns the result for a seat, with a gammon or a backgammon."""
        return telling.result_for(state, seat)

    def describe(self, state: State) -> Text:
        """Describes the men and the dice."""
        return telling.describe(state)

    def help(self) -> list[Text]:
        """Returns the summary of the rules and what can be typed."""
        return [self.summary(), "", Message("backgammon.help.typing")]

    def rules(self) -> Iterator[tuple[Text, list[Text]]]:
        """Yields the sections of the rules, the same as on the web page."""
        for section in json.loads((self.folder / "page" / "sections.json").read_text(encoding="utf-8")):
            key = f"backgammon.rules.{section['name']}"
            yield Message(f"{key}.title"), [Message(key)]

    # --- pictures ---

    def svg(self, state: State, **settings: Any) -> str:
        """Draws the board with men, bar, dice and pips; settings as in `drawing.draw_state`."""
        return drawing.draw_state(state, **settings)

    def image(self, state: State) -> Image:
        """Draws the board as a bitmap. Needs Pillow."""
        from tablier.games.backgammon.painting import paint

        return paint(state)

    def board(self, state: State, viewer: int, lang: str, before: State | None, colour: bool) -> list[list[Segment]]:
        """Draws the board from the viewer's side; numbers of points that changed are highlighted."""
        changed = text_board.changed_points(before, state, viewer) if before is not None else ()
        return text_board.board_lines(state, viewer, changed, colour, lang)

    # --- typed moves ---

    def prompt(self, state: State) -> Text:
        """Returns the throw; in a doublet, which half of it is to play."""
        now = backgammon.parts(state)
        half = {4: ".doublet", 2: ".half"}[now.moves_left] if now.dice[0] == now.dice[1] else ""
        dice = f"{now.dice[0]}-{now.dice[1]}"
        return Message(f"backgammon.prompt{half}", who=telling.side_name(now.player), dice=dice)

    def choices(self, state: State) -> list[tuple[Text, Text]]:
        """Returns the numbered plays."""
        legal = state.legal_actions()
        return [(str(number), notation.action_text(state, action)) for number, action in enumerate(legal, 1)]

    def read(self, state: State, typed_text: str) -> int:
        """Parses a typed move; of a whole doublet, the first half."""
        return typed.read(state, typed_text)[0]

    def read_turn(self, state: State, typed_text: str) -> list[int]:
        """Parses a typed move: two actions for all four moves of a doublet."""
        return typed.read(state, typed_text)

    def seats(self) -> Mapping[str, int]:
        """Returns the words for White and Black in every language."""
        return {word: side for side in (0, 1) for word in accepted(f"backgammon.seats.{side}")}

    # --- records and positions ---

    def seat_keys(self) -> tuple[str, ...]:
        """Returns White and Black."""
        return ("White", "Black")

    @classmethod
    def recognises(cls, text: str) -> bool:
        """Whether a text looks like match text or SGF of backgammon."""
        return record.recognises(text)

    def write_foreign(self, form: str, actions: Sequence[int], header: Mapping[str, str]) -> str:
        """Writes match text or SGF."""
        return record.write(self.game, actions, header, form)

    @classmethod
    def read_record(cls, text: str) -> tuple[Game, tuple[int, ...], dict[str, str]]:
        """Reads match text and SGF with one game, and checks every move."""
        return record.read(text)

    def read_position(self, text: str) -> State | None:
        """Returns the state with this id: GNU Backgammon's, or XGID."""
        return position.read_id(text, self.game)

    def position_id(self, state: State) -> str | None:
        """Returns GNU Backgammon's position id and match id; None within a doublet."""
        now = position.Position.of(state)
        return None if now.moves_left == 2 and now.dice[0] == now.dice[1] else now.id()

    # --- the page ---

    def scene(self, state: State, memory: Any) -> Facts:
        """Returns the data from which the page draws the board."""
        return scene.scene(state)

    def legal(self, state: State) -> list[Facts]:
        """Returns the legal actions, with all orders of steps."""
        return scene.legal(state)

    def named(self, state: State, action: int) -> Facts:
        """Returns a player's action."""
        return scene.named(state, action)

    def moves(self, state: State, action: int) -> list[list[int]] | None:
        """Returns a move as [from, to] in the mover's numbering; 25 is the bar, 0 off the board."""
        return scene.pairs(state, action)

    def log(self, before: State, action: int, after: State, memory: Any) -> tuple[Facts, Any]:
        """Returns a log line with the throw or the move."""
        return scene.log(before, action, after), memory

    def dice(self, state: State, outcome: int) -> tuple[int, int]:
        """Returns the dice of a throw."""
        return outcome // 6 + 1, outcome % 6 + 1

    def thrower(self, state: State) -> int | None:
        """Returns the player who throws; None before the opening throw, which decides who starts."""
        now = backgammon.parts(state)
        return now.player if state.is_chance_node() and not now.opening else None

    def set_up(self, state: State) -> SetUp:
        """Returns the men, those on the bar, and who is to throw."""
        return set_up.set_up(state)

    def from_set_up(self, men: Sequence[int], bar: tuple[int, int], values: Mapping[str, int]) -> State:
        """Returns the state of a position that was set up by hand."""
        return set_up.from_set_up(self.game, men, bar, values)

    def why_not(self, state: State, tried: Sequence[tuple[int, int | None]]) -> list[Text]:
        """Returns the rule that a step breaks: the bar, points that are held, bearing off, the duty to play."""
        return why_not.why_not(state, tried)

    @classmethod
    def scene_model(cls) -> Any:
        """Returns the model of backgammon's scenes."""
        from tablier.games.backgammon.page_models import BackgammonScene

        return BackgammonScene

    # --- search and learning ---

    def bounds(self, view: str) -> tuple[Bound, Bound]:
        """Returns the bounds: features are fractions, observations are signed counts of at most fifteen men."""
        return (0, 1) if view == "features" else (-15, 15)

    @property
    def near(self) -> float:
        """Eight hundredths of a point (docs/lab-notebook.md)."""
        return 0.08

    def champion(self) -> Champion | None:
        """Returns the shipped network; hypergammon, whose positions no other game has, needs one of its own."""
        return self.shipped("hypergammon" if self.game.options()["start"] == "hyper" else self.game.name)

    def engine(self, name: str, plies: int) -> Engine | None:
        """Returns GNU Backgammon, which plays for 1, 2 or 3 points with fifteen men."""
        if name != "gnubg":
            return None
        from tablier.games.backgammon import gnubg
        from tablier.games.backgammon.gnubg.turns import GnubgEngine

        options = self.game.options()
        if options["scoring"] != "full" or options["start"] == "hyper":
            raise MessageError.of("gnubg.rules")
        return GnubgEngine(gnubg.shared(), self.game, plies)

    def transfer(self, state: State) -> State:
        """Returns the same position with this game's scoring and encoding."""
        return backgammon.compose(self.game, backgammon.parts(state))

    # --- error ratings ---

    luck_rollouts = 32

    def decision_kind(self, state: State) -> str:
        """Returns `bearing_off`, `race` or, while the sides are in contact, `move`."""
        return telling.decision_kind(state)


HOME = BackgammonHome
