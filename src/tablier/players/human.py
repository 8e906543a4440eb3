"""A person at the terminal."""

from __future__ import annotations

import sys

from tablier._core import Game, State
from tablier.candidate import Candidate
from tablier.messages import MessageError


class HumanPlayer:
    """Prompts a person at the terminal for every decision."""

    def __init__(self, game: Game) -> None:
        self._title = game.title

    def choose(self, state: State) -> int:
        """Prompts until a legal action is typed, as a number or as text.

        Raises:
            MessageError: the input has ended.
        """
        legal = state.legal_actions()
        texts = {state.action_to_string(action): action for action in legal}
        print(state)
        for text, action in texts.items():
            print(f"  {action:>4}  {text}")
        while True:
            try:
                typed = input(f"{self._title}, player {state.current_player()}: ").strip()
            except EOFError:
                raise MessageError.of("player.input_ended") from None
            if typed in texts:
                return texts[typed]
            if typed.isdecimal() and int(typed) in legal:
                return int(typed)
            print(f"'{typed}' is not one of the actions above", file=sys.stderr)

    def explain(self, state: State) -> list[Candidate]:
        """Returns the legal actions, all with the value 0: a person gives no evaluation."""
        return [Candidate(action, state.action_to_string(action), 0.0) for action in state.legal_actions()]
