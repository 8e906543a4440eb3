"""The interface between a game and the rest of Tablier: pictures, texts, typed moves, records, search settings.

A game's home is a subclass of `Home`. Every method has a default that works for any game, so a home overrides only what
the game does better; a game without a home uses this class unchanged. No code outside a game's folder refers to the
game by name.

Code contains no user-facing text: methods return a `Text` (`tablier.messages`), and the `messages` folder of the home
holds the translations. Message keys start with the home's key: `pig.title.pig`, `pig.die`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tablier import models
from tablier._core import Game, State
from tablier.games.champion import Champion
from tablier.games.engine import Engine
from tablier.messages import Message, MessageError, Text, everywhere, templates

if TYPE_CHECKING:
    import numpy as np
    from fastapi import APIRouter
    from numpy.typing import NDArray
    from PIL.Image import Image

    from tablier.players import Player

Segment = tuple[str, str]
"""Part of a terminal line: the text and its style, as the `rich` package writes styles."""
Facts = dict[str, Any]
"""Data for the web page, ready for JSON except that texts are still a `Text`."""
Bound = float | Sequence[float]
"""A bound on the entries of an array: one number for all entries, or one per entry."""
MOVE = "move"
"""The kind of most decisions (`Home.decision_kind`)."""


class Home:
    """How a game is shown to people, and what search and learning need to know about it.

    A home belongs to one loaded game with its options. Subclass it, override what the game does better than the
    defaults, and pass the subclass to `tablier.register(..., home=...)`.
    """

    folder: ClassVar[Path | None] = None
    """The folder of the home: `messages/` holds its texts, `page/` its JavaScript modules for the web page."""
    key: ClassVar[str] = ""
    """Prefix of the home's message keys and name of its modules on the web page; empty for a game without a home."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @classmethod
    def page(cls) -> str | None:
        """Returns the home's key if its folder contains `page/table.js`, else None: the page has no module for it."""
        is_there = cls.folder is not None and (cls.folder / "page" / "table.js").is_file()
        return cls.key if cls.key and is_there else None

    # --- names ---

    @property
    def title(self) -> Text:
        """The name of the game: the message `<home>.title.<game>`, or the title the game declares."""
        return self._word(f"title.{self.game.name}") or self.game.title

    def side(self, player: int) -> Text:
        """Returns the name of a seat: the message `<home>.side.<player>`, or its number, counted from 1."""
        return self._word(f"side.{player}") or self._number(player)

    def option(self, name: str, doc: str) -> Text:
        """Returns what a rule option means: the message `<home>.option.<name>`, or `doc`, the game's description."""
        return self._word(f"option.{name}") or doc

    def choice(self, option: str, value: str) -> Text:
        """Returns the name of an option's value: `<home>.option.<option>.<value>`, or the value with spaces for `_`."""
        return self._word(f"option.{option}.{value.replace(' ', '_')}") or value.replace("_", " ")

    def _number(self, player: int) -> Message:
        return Message("seat.number", number=player + 1)

    def _word(self, name: str) -> Message | None:
        key = f"{self.key}.{name}"
        return Message(key) if self.key and key in templates("en") else None

    # --- what happened ---

    def action(self, state: State, action: int) -> Text:
        """Returns a short text for a player's action or, at a chance node, for an outcome of the dice.

        Args:
            state: the state in which it is played or rolled.
            action: the action, or the chance outcome.
        """
        return state.action_to_string(action)

    def tell(self, before: State, action: int, after: State, viewer: int | None = None) -> Text:
        """Describes in a sentence or two what an action or a roll did.

        Args:
            before: the state the action was applied to.
            action: the action, or the chance outcome.
            after: the state that followed.
            viewer: the seat of the reader; a home may add the fields in their numbering.
        """
        player = before.current_player()
        what = self.action(before, action)
        return (
            Message("tell.chance", what=what)
            if player < 0
            else Message("tell.action", who=self.side(player), what=what)
        )

    tells_ending: ClassVar[bool] = False
    """Whether `tell` includes the result of the game, so that `result` must not be shown after it."""

    def throws(self, state: State) -> list[tuple[int, Facts]]:
        """Returns the distinct outcomes of the dice, each with data for programs that includes its `weight`."""
        return [(outcome, {"outcome": outcome, "weight": weight}) for outcome, weight in state.chance_outcomes()]

    def thrown(self, state: State) -> Text:
        """Returns who threw what: the heading for `why`."""
        return ""

    def why(self, state: State, steps: Sequence[tuple[State, int]] = ()) -> list[Text]:
        """Explains the points of the throw on the board.

        Args:
            state: the state after the throw.
            steps: the states and actions since then, which show how the points were marked.

        Returns:
            The paragraphs of the explanation; none if there is nothing to explain.
        """
        return []

    @property
    def explains(self) -> bool:
        """Whether the game has points to explain, that is, overrides `why`."""
        return type(self).why is not Home.why

    def result(self, state: State) -> Text:
        """Returns the result of a finished game."""
        returns = state.returns()
        best = [player for player, value in enumerate(returns) if value == max(returns)]
        return Message("game.wins", who=self.side(best[0])) if len(best) == 1 else Message("game.drawn")

    def describe(self, state: State) -> Text:
        """Describes the position for readers who cannot see the picture."""
        return str(state)

    def summary(self) -> Text:
        """Returns the rules in a few paragraphs: the message `<home>.help`, or the help the game declares."""
        return self._word("help") or self.game.help()

    def numbering(self) -> Text:
        """Returns how actions and chance outcomes are numbered: the message `<home>.numbering`, or ""."""
        return self._word("numbering") or ""

    def help(self) -> list[Text]:
        """Returns the help shown in a terminal: the summary of the rules, and what can be typed."""
        return [self.summary()]

    def rules(self) -> Iterator[tuple[Text, list[Text]]]:
        """Yields the full rules, section by section: a heading ("" for none) and its paragraphs."""
        yield "", self.help()

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

    # --- typed moves ---

    lists_choices: ClassVar[bool] = True
    """Whether the terminal lists all choices at every decision, because players could not guess what to type."""

    def prompt(self, state: State) -> Text:
        """Returns the prompt for the player to move."""
        return Message("play.turn", who=self.side(state.current_player()))

    def choices(self, state: State) -> list[tuple[Text, Text]]:
        """Returns what the player to move can type, each with its meaning."""
        return [(str(action), self.action(state, action)) for action in state.legal_actions()]

    def read(self, state: State, typed: str) -> int:
        """Parses a typed move: an action's number, its text in any language, or an unambiguous prefix of that text.

        Args:
            state: the state, with a player to move.
            typed: what the player typed.

        Raises:
            MessageError: no legal action matches, or more than one does.
        """
        legal, wanted = state.legal_actions(), _letters(typed)
        if typed.isdecimal() and int(typed[:18]) in legal:
            return int(typed)
        texts = {action: self._spellings(state, action) for action in legal}
        meant = [action for action in legal if wanted in texts[action]]
        meant = meant or [action for action in legal if any(text.startswith(wanted) for text in texts[action])]
        if not wanted or len(meant) != 1:
            raise MessageError.of("play.not_a_choice", typed=typed)
        return meant[0]

    def read_turn(self, state: State, typed: str) -> list[int]:
        """Parses what a player typed for a whole turn, which can be more than one action; by default one (`read`).

        Raises:
            MessageError: as in `read`.
        """
        return [self.read(state, typed)]

    def _spellings(self, state: State, action: int) -> list[str]:
        named = self.action(state, action)
        return [_letters(text) for text in (state.action_to_string(action), *everywhere(named).values())]

    def seats(self) -> Mapping[str, int]:
        """Returns the names accepted for seats besides their numbers, mapped to seats."""
        return {}

    # --- records and positions ---

    def seat_keys(self) -> tuple[str, ...]:
        """Returns the header keys of a game record that name the players, one per seat."""
        return tuple(f"Player{seat}" for seat in range(self.game.num_players()))

    def write_record(self, actions: Sequence[int], header: Mapping[str, str], as_json: bool) -> str | None:
        """Writes a game record in the game's notation.

        Args:
            actions: all actions from the initial state, chance outcomes included.
            header: free text by key, such as the players' names.
            as_json: whether to write the JSON variant of the notation.

        Returns:
            The record; None if the game has no notation and `tablier.records` should write plain JSON.
        """
        return None

    @classmethod
    def read_record(cls, text: str) -> tuple[Game, tuple[int, ...], dict[str, str]] | None:
        """Reads a game record that `write_record` wrote.

        Returns:
            The game, its actions and its header; None if the game has no notation.

        Raises:
            ValueError: the text is not a valid record.
        """
        return None

    foreign_formats: ClassVar[Sequence[str]] = ()
    """Formats of other programs that `write_foreign` writes, named by the suffix of their files."""

    def write_foreign(self, form: str, actions: Sequence[int], header: Mapping[str, str]) -> str:
        """Writes a game record in one of the `foreign_formats`; arguments as in `write_record`."""
        raise NotImplementedError

    @classmethod
    def recognises(cls, text: str) -> bool:
        """Whether a text looks like a record in a foreign format of this game, which `read_record` reads."""
        return False

    def read_position(self, text: str) -> State | None:
        """Returns the state with this position id; None if `text` does not look like an id of this game."""
        return None

    def moves_in_record(self, actions: Sequence[int]) -> list[int]:
        """Returns for each action the number it has in a game record; empty if records do not number moves."""
        return []

    # --- the page ---

    first_options: ClassVar[Sequence[str]] = ()
    """Options that the page lists first when a game is set up; the rest are collapsed."""

    variants: ClassVar[Mapping[str, Mapping[str, bool | int | str]]] = {}
    """Sets of options that the page offers beside the game, each named by the message `<home>.variant.<name>`."""

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

    # --- search and learning ---

    interface: ClassVar[Collection[str]] = ()
    """Options that affect rewards and encodings but not the rules of play."""

    def bounds(self, view: str) -> tuple[Bound, Bound] | None:
        """Returns the minimum and maximum of an array; None if the game declares none.

        Args:
            view: "features" or "observation".
        """
        return None

    def transfer(self, state: State) -> State:
        """Converts a state of the same game with other `interface` options to a state of this game."""
        return state

    def player(self, make: Callable[[Game], Player], within: Callable[[Game], Player]) -> Player:
        """Builds a player for this game; a home can wrap it, for example so that it marks points honestly.

        Args:
            make: builds the player for a game.
            within: builds a simple player for the decisions that the one from `make` cannot take.
        """
        return make(self.game)

    def champion(self) -> Champion | None:
        """Returns what the player `champion` plays by: by default the shipped network of the game, if there is one."""
        return self.shipped(self.game.name)

    def shipped(self, name: str) -> Champion | None:
        """Returns the champion that plays by the shipped network of this name; None if there is none."""
        network = models.network(name)
        return Champion(network=network, levels=models.levels(name)) if network else None

    def engine(self, name: str, plies: int) -> Engine | None:
        """Returns another program that plays this game; None if it does not know the game.

        Args:
            name: the name of the program.
            plies: its depth of search.

        Raises:
            MessageError: the program is not installed, or cannot play with these options.
        """
        return None

    def is_judged(self, state: State) -> bool:
        """Whether the decision is a matter of judgement rather than simply right or wrong."""
        return True

    def points_off(self, state: State, action: int) -> float:
        """Returns how many points an answer is off, in a decision that is simply right or wrong."""
        return 0.0

    def appraised(self, state: State) -> State | None:
        """Returns a state at a chance node as a state of the game in which evaluators value it best.

        None if the position does not exist there. By default it is the state itself.
        """
        return state

    def win_link(self, margins: Callable[[Sequence[State]], NDArray[np.float64]]) -> NDArray[np.float64] | None:
        """Returns the numbers that turn an evaluator's margins of points into win chances; None if there are none.

        `LinksMargins` in core/game.h reads them.

        Args:
            margins: returns the margin of points that the evaluator expects for player 0, given states before a roll.
        """
        return None

    # --- error ratings ---

    def decision_kind(self, state: State) -> str:
        """Returns the kind of a decision that `is_judged`, for error ratings: `move` by default.

        The message `<home>.kind.<kind>` names any other kind.
        """
        return MOVE

    def kind_name(self, kind: str) -> Text:
        """Returns the name of a kind of decision: the message `<home>.kind.<kind>`, or the kind itself."""
        return self._word(f"kind.{kind}") or kind

    def at_other_scores(self, state: State) -> list[tuple[tuple[int, int], State]]:
        """Returns the same decision at other scores, each with the scores of the mover and the opponent.

        For reports on a first choice (`branch`), whose answer depends on the score.
        """
        return []

    def referee(self) -> Path | None:
        """Returns the file of the game's referee (`tablier.analysis.referee`), or None."""
        return None

    def branch(self, state: State, action: int) -> int:
        """Returns which side of a first choice an action takes, if the decision is a choice and a move in one.

        The cost of taking the wrong side counts for `decision_kind`, the cost of the move within it for `move`. By
        default each action is its own side.
        """
        return action


def _letters(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())
