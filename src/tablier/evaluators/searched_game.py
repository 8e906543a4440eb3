"""Adapts the rewards and encoding of a game to a search."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tablier import _core
from tablier._core import Game, State
from tablier.games import home_of
from tablier.registry import load_game


class SearchedGame:
    """A game with the rewards and encoding that a search or network needs.

    Args:
        game: the game that is played.
        **interface: values for options that change only the rewards ("utility") or the encoding ("encoding"). Options
            that are not in the game's `Home.interface` are ignored.

    Attributes:
        game: the game to search.
        objective: what a search maximises: "own" return in zero-sum games, otherwise the "margin".
    """

    def __init__(self, game: Game, **interface: object) -> None:
        options, offered = game.options(), home_of(game).interface
        wanted = {key: value for key, value in interface.items() if key in offered and key in options}
        changed = {key: value for key, value in wanted.items() if options[key] != value}
        self.game = load_game(game.name, **{**options, **changed}) if changed else game
        self.objective = "own" if self.game._zero_sum() else "margin"
        self._home = home_of(self.game) if changed else None

    def of(self, state: State) -> State:
        """Converts a state of the played game to the searched game."""
        return self._home.transfer(state) if self._home else state

    def row(self, state: State) -> NDArray[np.uint64]:
        """Converts a state like `of` and returns it as a batch of one, an array [1, words]."""
        return _core.search.words(self.of(state)).reshape(1, -1)

    def worth(self, value: Sequence[float], player: int) -> float:
        """Returns the objective of a player.

        Args:
            value: one value per player, by seat.
            player: the seat.
        """
        return worth(value, player, self.objective)

    def win_chance(self, worth: float, state: State | None = None) -> float | None:
        """Converts an objective to a win probability; None if that is not possible.

        It is possible if the game pays +1 for a win and -1 for a loss, or if the game's home can convert points.

        Args:
            worth: the objective of the player to move.
            state: the decision that it belongs to, in the played game. Only homes need it.
        """
        if not (self.game._zero_sum() and self.game.max_utility() == 1):
            return None if state is None else home_of(self.game).win_chance(state, worth)
        return min(1.0, max(0.0, (1 + worth) / 2))


def worth(value: Sequence[float], player: int, objective: str) -> float:
    """Returns what a player maximises, given the values of all players.

    Args:
        value: one value per player, by seat.
        player: the seat.
        objective: "own" for the player's value, "margin" for the player's value minus the mean of the others.

    Examples:
        >>> worth([3.0, 1.0], player=0, objective="margin")
        2.0
    """
    if objective == "own":
        return value[player]
    return value[player] - (sum(value) - value[player]) / max(1, len(value) - 1)
