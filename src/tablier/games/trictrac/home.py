"""Trictrac's home: what the rest of Tablier asks about it, answered by the files of this folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablier._core import Game, State, trictrac
from tablier.games.home import Bound, Facts, Home, Segment
from tablier.games.trictrac import (
    actions,
    encoding,
    honest,
    picture,
    position,
    prompts,
    record,
    scene,
    schools,
    telling,
    text_board,
    typed,
)
from tablier.messages import Text, accepted

if TYPE_CHECKING:
    from fastapi import APIRouter
    from PIL.Image import Image

    from tablier.players import Player


class TrictracHome(Home):
    """The home of the ordinary game and of the scored one (trictrac_a_ecrire)."""

    folder = Path(__file__).parent
    key = "trictrac"
    lists_choices = False
    tells_ending = True
    first_options = ("holes_to_win", "schools")
    interface = ("utility", "encoding")

    def side(self, player: int) -> Text:
        """White and Black; three players change sides, so they are numbered."""
        return self._number(player) if self.game.num_players() == 3 else super().side(player)

    # --- what happened ---

    def action(self, state: State, action: int) -> Text:
        """A move in the mover's field numbers, or what a player chooses and says."""
        return actions.action_text(state, action)

    def tell(self, before: State, action: int, after: State, viewer: int | None = None) -> Text:
        """A sentence or two; the other player's move also in the viewer's numbers."""
        told = telling.tell(before, action, after)
        return told if viewer is None else [*told, *telling.in_viewers_numbers(before, action, viewer)]

    def throws(self, state: State) -> list[tuple[int, Facts]]:
        """Each pair of dice once, whichever die is first."""
        outcomes = ((outcome, trictrac.throw(outcome)) for outcome in state.legal_actions())
        return [(one, {"dice": [a, b], "weight": 1 if a == b else 2}) for one, (a, b) in outcomes if a >= b]

    def thrown(self, state: State) -> Text:
        """Who threw what."""
        return telling.thrown(state)

    def why(self, state: State, steps: Sequence[tuple[State, int]] = ()) -> list[Text]:
        """The jans of the throw; where schools are played also what was marked and claimed."""
        return telling.why(state) + schools.marked(steps)

    def result(self, state: State) -> Text:
        """Who has won: by holes, or in the scored game by tokens, which are its returns."""
        return super().result(state) if trictrac.parts(state).account else telling.result(state)

    def describe(self, state: State) -> Text:
        """Where the men stand, the score, the dice."""
        return picture.describe(state)

    def help(self) -> list[Text]:
        """The game in short, and what may be typed."""
        return prompts.help_texts(self.game)

    def rules(self) -> Iterator[tuple[Text, list[Text]]]:
        """The text of the page's rules."""
        return prompts.rules()

    # --- pictures ---

    def svg(self, state: State, **settings: Any) -> str:
        """The table with its men, dice, jetons and fichets."""
        return picture.draw_state(state, **settings)

    def image(self, state: State) -> Image:
        """The same in pixels."""
        from tablier.games.trictrac.painting import paint

        return paint(state)

    def board(self, state: State, viewer: int, lang: str, before: State | None, colour: bool) -> list[list[Segment]]:
        """The board from the viewer's side; the numbers of fields that changed are brighter."""
        side = trictrac.parts(state).seats[viewer]
        side = side if side < 2 else 0  # whoever rests sees it as White does
        changed = text_board.changed_fields(before, state, side) if before is not None else ()
        return text_board.board_lines(state, side, changed, colour, lang)

    # --- typed moves ---

    def prompt(self, state: State) -> Text:
        """Who has thrown what, and what they are asked for."""
        return prompts.prompt(state)

    def choices(self, state: State) -> list[tuple[Text, Text]]:
        """The plays, numbered; where schools are played, what may be said."""
        return prompts.choices(state)

    def read(self, state: State, typed_text: str) -> int:
        """Field numbers, the number of a listed play, `leave`; points and claims where schools are played."""
        return typed.read(state, typed_text)

    def seats(self) -> Mapping[str, int]:
        """White and Black, in every language."""
        return {word: side for side in (0, 1) for word in accepted(f"trictrac.seats.{side}")}

    # --- records and positions ---

    def seat_keys(self) -> tuple[str, ...]:
        """White and Black; three players are numbered."""
        return record.PLAYERS if self.game.num_players() == 2 else super().seat_keys()

    def write_record(self, actions: Sequence[int], header: Mapping[str, str], as_json: bool) -> str:
        """A line for each throw, or the same as JSON."""
        written = record.Record.from_actions(self.game, actions, header)
        return written.json() if as_json else written.text()

    @classmethod
    def read_record(cls, text: str) -> tuple[Game, tuple[int, ...], dict[str, str]]:
        """Both kinds, replayed line by line."""
        return record.read(text)

    def read_position(self, text: str) -> State | None:
        """The state of an 18-character id."""
        return position.read_id(text, self.game)

    def moves_in_record(self, actions: Sequence[int]) -> list[int]:
        """The numbers of throws."""
        return record.throw_numbers(self.game, actions)

    # --- the page ---

    def scene(self, state: State, memory: Any) -> Facts:
        """The table as it stands."""
        return scene.scene(state, memory or scene.Memory())

    def legal(self, state: State) -> list[Facts]:
        """The legal actions, moves with every order of their steps."""
        return scene.legal(state)

    def named(self, state: State, action: int) -> Facts:
        """A player's action, with the points that it declares or claims."""
        return scene.named(state, action)

    def moves(self, state: State, action: int) -> list[list[int]] | None:
        """A move as pairs (from, to) in the mover's numbers, to 0 off the board."""
        return scene.pairs(state, action)

    def log(self, before: State, action: int, after: State, memory: Any) -> tuple[Facts, Any]:
        """What happened, with the throw, its jans and the score."""
        return scene.log(before, action, after, memory or scene.Memory())

    def is_secret(self, state: State) -> bool:
        """A throw that players are still marking themselves."""
        return scene.is_marked_by_players(state)

    def colour(self, state: State, seat: int) -> int:
        """White 0 or Black 1; of three players the one who rests has the number of the seat."""
        side = scene.colours(state)[seat]
        return seat if side is None else side

    @classmethod
    def scene_model(cls) -> Any:
        """A table of Trictrac."""
        from tablier.games.trictrac.page_models import TrictracScene

        return TrictracScene

    @classmethod
    def routes(cls) -> APIRouter:
        """The worth of a throw in any position."""
        from tablier.games.trictrac.api import router

        return router

    # --- search and learning ---

    def bounds(self, view: str) -> tuple[Bound, Bound]:
        """Entry by entry, as docs/contract.md lists them."""
        return encoding.features_bounds(self.game) if view == "features" else encoding.observation_bounds(self.game)

    def transfer(self, state: State) -> State:
        """The same position, paid or encoded as this game is."""
        return trictrac.transfer(self.game, state)

    def player(self, make: Callable[[Game], Player], within: Callable[[Game], Player]) -> Player:
        """Where schools are played the player is honest."""
        schools_played = bool(self.game.options()["schools"])
        return honest.HonestPlayer(self.game, make, within) if schools_played else make(self.game)

    def is_judged(self, state: State) -> bool:
        """Moves are a matter of judgement, marking and claiming are not."""
        return honest.is_judged(state)


HOME = TrictracHome
