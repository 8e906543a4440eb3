"""The texts of a game's home: names, what happened, and typed moves (`tablier.games.home`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from tablier._core import Game, State
from tablier.messages import Message, MessageError, Text, everywhere, templates

Facts = dict[str, Any]
"""Data for the web page, ready for JSON except that texts are still a `Text`."""


class HomeTexts:
    """How a game speaks, and what people type to play it."""

    folder: ClassVar[Path | None] = None
    """The folder of the home: `messages/` holds its texts, `page/` its JavaScript modules for the web page."""
    key: ClassVar[str] = ""
    """Prefix of the home's message keys and name of its modules on the web page; empty for a game without a home."""

    def __init__(self, game: Game) -> None:
        self.game = game

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
        return type(self).why is not HomeTexts.why

    def result(self, state: State) -> Text:
        """Returns the result of a finished game."""
        returns = state.returns()
        best = [player for player, value in enumerate(returns) if value == max(returns)]
        return Message("game.wins", who=self.side(best[0])) if len(best) == 1 else Message("game.drawn")

    def result_for(self, state: State, seat: int) -> Text:
        """Returns the result of a finished game for the player of a seat: "You won." and so on."""
        returns = state.returns()
        if returns.count(max(returns)) > 1:
            return self.result(state)
        return Message("game.you_won" if returns[seat] == max(returns) else "game.you_lost")

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


def _letters(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())
