"""What the rest of Tablier asks about a game: how it looks, how it speaks, how it is typed, recorded and searched.

A game's home is a subclass of `Home`. Every method has an answer that works for any game, so a home overrides only what
the game does better; a game without a home gets this class as it is. Nothing outside a game's own folder knows the
game by name.

Words never stand in code: methods return a `Text` (`tablier.messages`), and the home's folder `messages` holds what it
says in each language. Keys begin with the home's name: `pig.title.pig`, `pig.die`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tablier._core import Game, State
from tablier.messages import Message, MessageError, Text, everywhere, templates

if TYPE_CHECKING:
    from fastapi import APIRouter
    from PIL.Image import Image

    from tablier.players import Player

Segment = tuple[str, str]
"""Part of a line in a terminal: text, and a style of the package rich."""
Facts = dict[str, Any]
"""What the page is told, as JSON has it."""
Bound = float | Sequence[float]
"""A limit of the entries of an array: one for all of them, or one for each."""


class Home:
    """How a game meets people, and what search must know about it. Made for one game under its options."""

    folder: ClassVar[Path | None] = None
    """The home's folder: `messages/` holds its words, `page/` the modules by which the page draws its scenes."""
    key: ClassVar[str] = ""
    """How the home's keys begin, and where the page finds its modules; empty for a game without a home."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @classmethod
    def page(cls) -> str | None:
        """Where the page finds the game's own modules: its key if the folder has `page/table.js`, else None."""
        is_there = cls.folder is not None and (cls.folder / "page" / "table.js").is_file()
        return cls.key if cls.key and is_there else None

    # --- words ---

    @property
    def title(self) -> Text:
        """What the game is called: the message `<home>.title.<game>`, else the title in its facts."""
        return self._word(f"title.{self.game.name}") or self.game.title

    def side(self, player: int) -> Text:
        """What a seat is called: the message `<home>.side.<player>`, else its number, counted from 1."""
        return self._word(f"side.{player}") or self._number(player)

    def option(self, name: str, doc: str) -> Text:
        """What a rule option means: the message `<home>.option.<name>`, else `doc`, its text in the facts."""
        return self._word(f"option.{name}") or doc

    def choice(self, option: str, value: str) -> Text:
        """What a value of an option is called: `<home>.option.<name>.<value>`, else the value in plain words."""
        return self._word(f"option.{option}.{value.replace(' ', '_')}") or value.replace("_", " ")

    def _number(self, player: int) -> Message:
        return Message("seat.number", number=player + 1)

    def _word(self, name: str) -> Message | None:
        key = f"{self.key}.{name}"
        return Message(key) if self.key and key in templates("en") else None

    # --- what happened ---

    def action(self, state: State, action: int) -> Text:
        """A player's action, or an outcome of the dice, in words."""
        return state.action_to_string(action)

    def tell(self, before: State, action: int, after: State, viewer: int | None = None) -> Text:
        """What an action or the dice did, in a sentence or two; for `viewer` also as they count, if that differs."""
        player = before.current_player()
        what = self.action(before, action)
        return (
            Message("tell.chance", what=what)
            if player < 0
            else Message("tell.action", who=self.side(player), what=what)
        )

    tells_ending: ClassVar[bool] = False
    """Whether `tell` also says how the game ended, so that `result` need not follow it."""

    def throws(self, state: State) -> list[tuple[int, Facts]]:
        """The outcomes of the dice that matter, each with what programs are told of it: at least its `weight`."""
        return [(outcome, {"outcome": outcome, "weight": weight}) for outcome, weight in state.chance_outcomes()]

    def thrown(self, state: State) -> Text:
        """Who threw what, as a heading over `why`."""
        return ""

    def why(self, state: State, steps: Sequence[tuple[State, int]] = ()) -> list[Text]:
        """Why the throw on the board brings points, and how it was marked in the `steps` that followed it."""
        return []

    @property
    def explains(self) -> bool:
        """Whether there are points to explain."""
        return type(self).why is not Home.why

    def result(self, state: State) -> Text:
        """How a game ended."""
        returns = state.returns()
        best = [player for player, value in enumerate(returns) if value == max(returns)]
        return Message("game.wins", who=self.side(best[0])) if len(best) == 1 else Message("game.drawn")

    def describe(self, state: State) -> Text:
        """The position in words, for those who cannot see the picture."""
        return str(state)

    def help(self) -> list[Text]:
        """How to play at a terminal: what counts and what may be typed. The message `<home>.help`, else the facts'."""
        return [self._word("help") or self.game.help()]

    def rules(self) -> Iterator[tuple[Text, list[Text]]]:
        """The rules at length: headings (or "") and paragraphs."""
        yield "", self.help()

    # --- pictures ---

    def svg(self, state: State, **settings: Any) -> str | None:
        """The position as an SVG document, or None. An element with `data-action` can be clicked on the page.

        `settings` are the picture's own; all pictures take `lang`, the language of their words (English by default).
        """
        return None

    def image(self, state: State) -> Image | None:
        """The position in pixels, or None; then its text is painted."""
        return None

    def board(self, state: State, viewer: int, lang: str, before: State | None, colour: bool) -> list[list[Segment]]:
        """The position in lines for a terminal, seen by a seat; what changed since `before` may be marked."""
        return [[(f"   {line}", "")] for line in str(state).splitlines()]

    # --- typed moves ---

    lists_choices: ClassVar[bool] = True
    """Whether a person is shown all choices at every decision, because they cannot guess what to type."""

    def prompt(self, state: State) -> Text:
        """What to ask the player who decides."""
        return Message("play.turn", who=self.side(state.current_player()))

    def choices(self, state: State) -> list[tuple[Text, Text]]:
        """What may be typed, and what it means."""
        return [(str(action), self.action(state, action)) for action in state.legal_actions()]

    def read(self, state: State, typed: str) -> int:
        """The legal action that a person means: its number, its text in any language, or the beginning of only one.

        Raises MessageError with the reason if there is none.
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

    def _spellings(self, state: State, action: int) -> list[str]:
        named = self.action(state, action)
        return [_letters(text) for text in (state.action_to_string(action), *everywhere(named).values())]

    def seats(self) -> Mapping[str, int]:
        """What a person may type for a seat, beside its number."""
        return {}

    # --- records and positions ---

    def seat_keys(self) -> tuple[str, ...]:
        """The keys under which a record's header tells who sat where."""
        return tuple(f"Player{seat}" for seat in range(self.game.num_players()))

    def write_record(self, actions: Sequence[int], header: Mapping[str, str], as_json: bool) -> str | None:
        """The game in the notation its players use, or None: then it is written as plain JSON (`tablier.records`)."""
        return None

    @classmethod
    def read_record(cls, text: str) -> tuple[Game, tuple[int, ...], dict[str, str]] | None:
        """The game, its actions and its header from that notation; ValueError if it is wrong, None if there is none."""
        return None

    def read_position(self, text: str) -> State | None:
        """The state that a position id names, or None if ids of this game do not look like that."""
        return None

    def moves_in_record(self, actions: Sequence[int]) -> list[int]:
        """Of each action the number under which a record lists it; nothing where records have no numbers."""
        return []

    # --- the page ---

    first_options: ClassVar[Sequence[str]] = ()
    """Options that the page offers at once when a game is set up; the others are folded away."""

    def scene(self, state: State, memory: Any) -> Facts:
        """What lies on the table; `kind` names the page's module for it: a home's key, or `picture`.

        The default is a picture, the position as text (`str(state)`), and a `label` that says it in words.
        """
        return {
            "kind": "picture",
            "svg": self.svg(state) or "",
            "text": str(state),
            "label": self.describe(state),
        }

    def legal(self, state: State) -> list[Facts]:
        """What the player to move may do: for each action at least `named`."""
        return [self.named(state, action) for action in state.legal_actions()]

    def named(self, state: State, action: int) -> Facts:
        """An action for the page: number, kind (move, choice or mark), verb and `text`."""
        return {"action": action, "kind": "move", "verb": "move", "text": self.action(state, action)}

    def moves(self, state: State, action: int) -> list[list[int]] | None:
        """A move of men as pairs of fields (from, to), where the game has men that move."""
        return None

    def log(self, before: State, action: int, after: State, memory: Any) -> tuple[Facts, Any]:
        """A line of the page's log, and what the page must remember that a state forgets (None at the start).

        A page that begins to look in the middle of a long game knows its last actions only.
        """
        player = before.current_player()
        if player < 0:
            return {"player": None, "kind": "throw", "text": self.tell(before, action, after)}, memory
        facts = {"player": player, "kind": "move", "verb": "move", "text": self.tell(before, action, after)}
        return facts, memory

    def is_secret(self, state: State) -> bool:
        """Whether what the dice gave must not be told yet."""
        return False

    def colour(self, state: State, seat: int) -> int:
        """The colour that a seat plays now."""
        return seat

    @classmethod
    def scene_model(cls) -> Any:
        """The pydantic model of its scenes, for the API's description; None for the default's."""
        return None

    @classmethod
    def routes(cls) -> APIRouter | None:
        """Operations that only this game adds to the API; ValueErrors in them are answered as refusals (422)."""
        return None

    # --- search and learning ---

    interface: ClassVar[Collection[str]] = ()
    """Options that say how the game is paid and encoded, not how it is played."""

    def bounds(self, view: str) -> tuple[Bound, Bound] | None:
        """The least and the greatest values of `view`, "features" or "observation"; None if the game does not say."""
        return None

    def transfer(self, state: State) -> State:
        """A state of the same game under another interface, as a state of this game."""
        return state

    def player(self, make: Callable[[Game], Player], within: Callable[[Game], Player]) -> Player:
        """The player that `make` builds, fit for this game: where marking is not a matter of judgement, it is honest.

        `within` builds a simple player for decisions that `make`'s cannot take.
        """
        return make(self.game)

    def is_judged(self, state: State) -> bool:
        """Whether a decision is a matter of judgement, and not simply right or wrong."""
        return True


def _letters(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())
