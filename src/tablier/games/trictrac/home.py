"""The home of Trictrac: connects the `Home` interface to the modules of this folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablier._core import Game, State, trictrac
from tablier.games.champion import Champion
from tablier.games.exercise import Lesson, PuzzleSet
from tablier.games.home import Bound, Facts, Home, Segment
from tablier.games.set_up import SetUp
from tablier.games.trictrac import (
    actions,
    encoding,
    hole_table,
    honest,
    lessons,
    picture,
    position,
    prompts,
    puzzles,
    reasons,
    record,
    scene,
    schools,
    set_up,
    sheet,
    tallies,
    telling,
    text_board,
    typed,
    why_not,
)
from tablier.messages import Message, Text, accepted

if TYPE_CHECKING:
    import numpy as np
    from fastapi import APIRouter
    from numpy.typing import NDArray
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
        """Returns White or Black, or a number if there are three players, because they change sides."""
        return self._number(player) if self.game.num_players() == 3 else super().side(player)

    # --- what happened ---

    def action(self, state: State, action: int) -> Text:
        """Returns the text of a throw, a move in the mover's field numbers, a choice, a declaration or a claim."""
        return actions.action_text(state, action)

    def tell(self, before: State, action: int, after: State, viewer: int | None = None) -> Text:
        """Describes an action in a sentence or two; adds an opponent's move in the viewer's field numbers."""
        told = telling.tell(before, action, after)
        return told if viewer is None else [*told, *telling.in_viewers_numbers(before, action, viewer)]

    def throws(self, state: State) -> list[tuple[int, Facts]]:
        """Returns the 21 throws, each with its dice and its weight out of 36."""
        outcomes = ((outcome, trictrac.throw(outcome)) for outcome in state.legal_actions())
        return [(one, {"dice": [a, b], "weight": 1 if a == b else 2}) for one, (a, b) in outcomes if a >= b]

    def thrown(self, state: State) -> Text:
        """Returns who threw what."""
        return telling.thrown(state)

    def why(self, state: State, steps: Sequence[tuple[State, int]] = ()) -> list[Text]:
        """Explains the jans of the throw and, with schools, what the players marked and claimed."""
        return telling.why(state) + schools.marked(steps)

    def result(self, state: State) -> Text:
        """Returns who won, by holes or, in the scored game, by tokens."""
        return super().result(state) if trictrac.parts(state).account else telling.result(state)

    def result_for(self, state: State, seat: int) -> Text:
        """Returns the result for a seat, with the holes of both players or, in the scored game, their own tokens."""
        return telling.result_for(state, seat)

    def describe(self, state: State) -> Text:
        """Describes the men, the score and the dice."""
        return picture.describe(state)

    def summary(self) -> Text:
        """Returns the rules in two paragraphs, with the goal under the game's options."""
        return prompts.summary(self.game)

    def help(self) -> list[Text]:
        """Returns the summary, where to read more, and what can be typed."""
        return [self.summary(), *prompts.typing_help(self.game)]

    def rules(self) -> Iterator[tuple[Text, list[Text]]]:
        """Yields the sections of the rules, the same as on the web page."""
        return prompts.rules()

    # --- pictures ---

    def svg(self, state: State, **settings: Any) -> str:
        """Draws the board with men, dice, tokens and pegs; settings as in `drawing.draw`."""
        return picture.draw_state(state, **settings)

    def image(self, state: State) -> Image:
        """Draws the board as a bitmap. Needs Pillow."""
        from tablier.games.trictrac.painting import paint

        return paint(state)

    def board(self, state: State, viewer: int, lang: str, before: State | None, colour: bool) -> list[list[Segment]]:
        """Draws the board from the viewer's side; numbers of fields that changed are highlighted."""
        side = trictrac.parts(state).seats[viewer]
        side = side if side < 2 else 0  # a player who sits out sees White's side
        changed = text_board.changed_fields(before, state, side) if before is not None else ()
        return text_board.board_lines(state, side, changed, colour, lang)

    # --- typed moves ---

    def prompt(self, state: State) -> Text:
        """Returns the throw and what to decide."""
        return prompts.prompt(state)

    def choices(self, state: State) -> list[tuple[Text, Text]]:
        """Returns the numbered plays or, with schools, the declarations and claims."""
        return prompts.choices(state)

    def read(self, state: State, typed_text: str) -> int:
        """Parses field numbers, the number of a listed play, `leave` or, with schools, points and claims."""
        return typed.read(state, typed_text)

    def seats(self) -> Mapping[str, int]:
        """Returns the words for White and Black in every language."""
        return {word: side for side in (0, 1) for word in accepted(f"trictrac.seats.{side}")}

    # --- records and positions ---

    def seat_keys(self) -> tuple[str, ...]:
        """Returns White and Black, or numbered keys for three players."""
        return record.PLAYERS if self.game.num_players() == 2 else super().seat_keys()

    def write_record(self, actions: Sequence[int], header: Mapping[str, str], as_json: bool) -> str:
        """Writes a record with one line per throw, or the same as JSON."""
        written = record.Record.from_actions(self.game, actions, header)
        return written.json() if as_json else written.text()

    @classmethod
    def read_record(cls, text: str) -> tuple[Game, tuple[int, ...], dict[str, str]]:
        """Reads text and JSON records and checks them against the rules."""
        return record.read(text)

    def read_position(self, text: str) -> State | None:
        """Returns the state with this 18-character id."""
        return position.read_id(text, self.game)

    def position_id(self, state: State) -> str | None:
        """Returns the 18-character id; None in the scored game, whose account it does not store."""
        return None if trictrac.parts(state).account else position.Position.of(state).id()

    def moves_in_record(self, actions: Sequence[int]) -> list[int]:
        """Returns the number of the throw that each action belongs to."""
        return record.throw_numbers(self.game, actions)

    # --- the page ---

    def scene(self, state: State, memory: Any) -> Facts:
        """Returns the data from which the page draws the board."""
        return scene.scene(state, memory or scene.Memory())

    def legal(self, state: State) -> list[Facts]:
        """Returns the legal actions, with all orders of steps for moves."""
        return scene.legal(state)

    def named(self, state: State, action: int) -> Facts:
        """Returns a player's action, including the points it declares or claims."""
        return scene.named(state, action)

    def moves(self, state: State, action: int) -> list[list[int]] | None:
        """Returns a move as [from, to] in the mover's field numbers; 0 is off the board."""
        return scene.pairs(state, action)

    def log(self, before: State, action: int, after: State, memory: Any) -> tuple[Facts, Any]:
        """Returns a log line with the throw, its jans and the score."""
        return scene.log(before, action, after, memory or scene.Memory())

    def recalled(self, state: State) -> tuple[list[Facts], Any]:
        """Returns the throw on the board with its jans."""
        return scene.recalled(state)

    def dice(self, state: State, outcome: int) -> tuple[int, int]:
        """Returns the dice of a throw."""
        return trictrac.throw(outcome)

    def thrower(self, state: State) -> int | None:
        """Returns the seat that throws; None before the draw for the first throw."""
        now = trictrac.parts(state)
        return None if now.drawing or not state.is_chance_node() else scene.colours(state).index(now.player)

    def set_up(self, state: State) -> SetUp:
        """Returns the men, the score and who is to throw."""
        return set_up.set_up(state)

    def from_set_up(self, men: Sequence[int], bar: tuple[int, int], values: Mapping[str, int]) -> State:
        """Returns the state of a position that was set up by hand; there is no bar."""
        return set_up.from_set_up(self.game, men, values)

    def why_not(self, state: State, tried: Sequence[tuple[int, int | None]]) -> list[Text]:
        """Returns the rule that a step breaks: where men may stop, the corner, bearing off, the duties to play."""
        return why_not.why_not(state, tried)

    def sheet_line(self, before: State, action: int, after: State) -> Facts | None:
        """Returns the marqué of the scored game that an action ends."""
        return sheet.line(before, action, after)

    def sheet(self, lines: Sequence[Facts], state: State) -> Facts | None:
        """Returns the score sheet of the scored game."""
        return sheet.sheet(lines, state)

    def is_secret(self, state: State) -> bool:
        """Whether the players are still marking the throw themselves."""
        return scene.is_marked_by_players(state)

    def colour(self, state: State, seat: int) -> int:
        """Returns 0 for White, 1 for Black, and the seat itself for a third player who sits out."""
        side = scene.colours(state)[seat]
        return seat if side is None else side

    @classmethod
    def scene_model(cls) -> Any:
        """Returns the model of Trictrac's scenes."""
        from tablier.games.trictrac.page_models import TrictracScene

        return TrictracScene

    @classmethod
    def routes(cls) -> APIRouter:
        """Returns the endpoint that scores a throw in any position."""
        from tablier.games.trictrac.api import router

        return router

    # --- lessons, puzzles, tutor ---

    def lessons(self) -> Sequence[Lesson]:
        """Returns the lessons of the ordinary game."""
        return lessons.lessons() if self.game.name == lessons.GAME else ()

    def puzzles(self) -> Sequence[PuzzleSet]:
        """Returns the puzzles of the ordinary game."""
        return puzzles.puzzle_sets() if self.game.name == puzzles.GAME else ()

    def reasons(self, state: State, better: int, worse: int) -> list[Text]:
        """Compares points expected, men exposed, jans and the corner after two moves, or to hold and to leave."""
        return reasons.reasons(state, better, worse)

    # --- search and learning ---

    def bounds(self, view: str) -> tuple[Bound, Bound]:
        """Returns bounds per entry, as listed in docs/contract.md."""
        return encoding.features_bounds(self.game) if view == "features" else encoding.observation_bounds(self.game)

    def transfer(self, state: State) -> State:
        """Returns the same position with this game's rewards and encoding."""
        return trictrac.transfer(self.game, state)

    def player(self, make: Callable[[Game], Player], within: Callable[[Game], Player]) -> Player:
        """Builds the player; with schools, wraps it so that it marks and claims correctly."""
        schools_played = bool(self.game.options()["schools"])
        return honest.HonestPlayer(self.game, make, within) if schools_played else make(self.game)

    @property
    def near(self) -> float:
        """Three points, and eight tokens in the scored game (docs/lab-notebook.md)."""
        return 3.0 if self.game.name == "trictrac" else 8.0

    def champion(self) -> Champion | None:
        """Returns the shipped network of the game; None for three players, whose values it does not give."""
        return super().champion() if self.game.num_players() == 2 else None

    def is_judged(self, state: State) -> bool:
        """Whether the decision is a matter of judgement: moves are, markings and claims are not."""
        return honest.is_judged(state)

    def automatic(self, state: State) -> int | None:
        """With schools, marks nothing and claims nothing for a throw that gives nobody points."""
        return schools.automatic(state)

    def points_off(self, state: State, action: int) -> float:
        """Returns how many points a marking or a claim differs from the correct one."""
        return honest.points_off(state, action)

    def appraised(self, state: State) -> State | None:
        """Returns the position before a throw in the game without schools, where points are marked correctly."""
        return honest.without_schools(state) if self.game.options()["schools"] else state

    def win_link(self, margins: Callable[[Sequence[State]], NDArray[np.float64]]) -> NDArray[np.float64] | None:
        """Returns the numbers for win chances by the hole table; None in the scored game and beyond twelve holes."""
        return hole_table.win_link(self.game, margins) if self.game.name == "trictrac" else None

    # --- error ratings ---

    def decision_kind(self, state: State) -> str:
        """Returns `hold_or_leave` after a hole won by the player's own throw, otherwise `move`."""
        return "hold_or_leave" if trictrac.LEAVE in state.legal_actions() else super().decision_kind(state)

    def at_other_scores(self, state: State) -> list[tuple[tuple[int, int], State]]:
        """Returns the decision at other numbers of holes; those that no game can reach are left out."""
        return position.at_other_holes(state)

    def referee(self) -> Path | None:
        """Returns the referee of the ordinary game; the scored game has none."""
        return Path(__file__).with_name("referee.npz") if self.game.name == "trictrac" else None

    def branch(self, state: State, action: int) -> int:
        """Returns 1 for leaving and 0 for every move, which means to hold."""
        return int(action == trictrac.LEAVE)

    # --- statistics ---

    def points_made(self, before: State, action: int, after: State) -> list[tuple[int, str, int]]:
        """Returns the points of a throw by jan."""
        return tallies.made(before, action, after)

    def points_missed(self, state: State, better: int, worse: int) -> dict[str, float]:
        """Returns by jan how many points more the player's next throw promises after the better move."""
        return tallies.missed(state, better, worse)

    def points_name(self, kind: str) -> Text:
        """Returns the name of a jan."""
        return Message(f"trictrac.jan.{kind}")


HOME = TrictracHome
