"""A game as it is searched."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tablier import _core
from tablier._core import Game, State
from tablier.games import home_of
from tablier.registry import load_game


class SearchedGame:
    """The same game, paid and encoded as a search wants it.

    `interface` are options by which the game is paid (utility) and encoded (encoding); a game that has no such options
    (`Home.interface`) is searched as it is.
    """

    def __init__(self, game: Game, **interface: object) -> None:
        options, offered = game.options(), home_of(game).interface
        wanted = {key: value for key, value in interface.items() if key in offered and key in options}
        changed = {key: value for key, value in wanted.items() if options[key] != value}
        self.game = load_game(game.name, **{**options, **changed}) if changed else game
        self.objective = "own" if self.game._zero_sum() else "margin"
        self._home = home_of(self.game) if changed else None

    def of(self, state: State) -> State:
        """A state of the game as a state of the searched one."""
        return self._home.transfer(state) if self._home else state

    def row(self, state: State) -> NDArray[np.uint64]:
        """The same as a batch of one."""
        return _core.search.words(self.of(state)).reshape(1, -1)

    def worth(self, value: Sequence[float], player: int) -> float:
        """What the player seeks, of the values of all."""
        return worth(value, player, self.objective)

    def win_chance(self, worth: float) -> float | None:
        """The probability of victory, where it is paid +1 and -1."""
        if not (self.game._zero_sum() and self.game.max_utility() == 1):
            return None
        return min(1.0, max(0.0, (1 + worth) / 2))


def worth(value: Sequence[float], player: int, objective: str) -> float:
    """What a player seeks, of the values of all: their `own`, or the `margin` over the mean of the others'."""
    if objective == "own":
        return value[player]
    return value[player] - (sum(value) - value[player]) / max(1, len(value) - 1)
