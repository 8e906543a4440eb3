"""A game in progress at the terminal: its actions, its dice, who sits where. Knows nothing of screens."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tablier._core import Game, State
from tablier.players import Player


class OngoingGame:
    """Plays a game step by step; persons are the seats without a player."""

    def __init__(self, game: Game, players: Sequence[Player | None], seed: int, actions: Sequence[int] = ()) -> None:
        self.game = game
        self.players = list(players)
        self.states: list[State] = [game.new_initial_state()]
        self.actions: list[int] = []
        self.seed = seed
        self._thrown: list[int] = []  # every outcome so far, also of throws that were taken back
        for action in actions:
            self.play(action)

    @property
    def state(self) -> State:
        """The position now."""
        return self.states[-1]

    def play(self, action: int) -> None:
        """Plays an action, or a given outcome of the dice."""
        after = self.state.child(action)
        if self.state.is_chance_node():
            self._thrown = [*self._thrown[: self._throws()], action, *self._thrown[self._throws() + 1 :]]
        self.actions.append(action)
        self.states.append(after)

    def throw(self) -> int:
        """The outcome that the dice bring now. It depends on the seed and the number of the throw alone.

        So a decision that is taken back meets the same dice again, and nobody learns what a throw will be by undoing.
        """
        number, legal = self._throws(), self.state.legal_actions()
        if number < len(self._thrown) and self._thrown[number] in legal:
            return self._thrown[number]
        return random.Random(f"{self.seed} {number}").choice(legal)

    def decisions(self) -> list[int]:
        """Where persons had a choice: places among the actions."""
        result = []
        for index, state in enumerate(self.states[:-1]):
            player = state.current_player()
            if player >= 0 and self.players[player] is None and len(state.legal_actions()) > 1:
                result.append(index)
        return result

    def undo(self, count: int = 1) -> bool:
        """Goes back by so many decisions of persons that had a choice; False if there were not so many."""
        places = self.decisions()
        if not 1 <= count <= len(places):
            return False
        index = places[-count]
        del self.states[index + 1 :], self.actions[index:]
        return True

    def _throws(self) -> int:
        return sum(state.is_chance_node() for state in self.states[:-1])
