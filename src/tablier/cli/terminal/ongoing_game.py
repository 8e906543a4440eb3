"""A game in progress: its actions, dice and players. It does no input or output."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tablier._core import Game, State
from tablier.players import Player


class OngoingGame:
    """Plays a game step by step, with undo.

    Args:
        game: the game.
        players: a computer player per seat; None for a person.
        seed: seed of the dice.
        actions: actions already played, such as those of a saved game.
    """

    def __init__(self, game: Game, players: Sequence[Player | None], seed: int, actions: Sequence[int] = ()) -> None:
        self.game = game
        self.players = list(players)
        self.states: list[State] = [game.new_initial_state()]
        self.actions: list[int] = []
        self.seed = seed
        self._thrown: list[int] = []  # every outcome so far, including undone throws
        for action in actions:
            self.play(action)

    @property
    def state(self) -> State:
        """The current state."""
        return self.states[-1]

    def play(self, action: int) -> None:
        """Plays an action or a chance outcome."""
        after = self.state.child(action)
        if self.state.is_chance_node():
            self._thrown = [*self._thrown[: self._throws()], action, *self._thrown[self._throws() + 1 :]]
        self.actions.append(action)
        self.states.append(after)

    def throw(self) -> int:
        """Returns the outcome of the next throw, which depends only on the seed and the number of the throw.

        So the dice are the same after an undo, and nobody can undo to get a better throw.
        """
        number, legal = self._throws(), self.state.legal_actions()
        if number < len(self._thrown) and self._thrown[number] in legal:
            return self._thrown[number]
        return random.Random(f"{self.seed} {number}").choice(legal)

    def decisions(self) -> list[int]:
        """Returns the indices of the actions at which a person had a choice."""
        result = []
        for index, state in enumerate(self.states[:-1]):
            player = state.current_player()
            if player >= 0 and self.players[player] is None and len(state.legal_actions()) > 1:
                result.append(index)
        return result

    def undo(self, count: int = 1) -> bool:
        """Undoes the last `count` decisions at which a person had a choice; returns False if there are fewer."""
        places = self.decisions()
        if not 1 <= count <= len(places):
            return False
        index = places[-count]
        del self.states[index + 1 :], self.actions[index:]
        return True

    def _throws(self) -> int:
        return sum(state.is_chance_node() for state in self.states[:-1])
