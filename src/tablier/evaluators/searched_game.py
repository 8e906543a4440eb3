"""The form in which a game is thought about."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablier import _core
from tablier._core import Game, State
from tablier.registry import load_game


class SearchedGame:
    """A game as it is searched: the same game, paid or seen otherwise."""

    def __init__(self, game: Game, **interface: Any) -> None:
        """`interface` are options of Trictrac that say how it is paid (utility) and seen (encoding)."""
        options = game.options()
        wanted = interface if game.name == "trictrac" else {}
        self._changed = any(options[key] != value for key, value in wanted.items())
        self.game = load_game(game.name, **{**options, **wanted}) if self._changed else game
        self.objective = "own" if self.game._zero_sum() else "margin"

    def of(self, state: State) -> State:
        """A state of the game, in this form."""
        return _core.trictrac.transfer(self.game, state) if self._changed else state

    def row(self, state: State) -> NDArray[np.uint64]:
        """The same as a batch of one."""
        return _core.search.words(self.of(state)).reshape(1, -1)

    def worth(self, value: list[float] | tuple[float, ...], player: int) -> float:
        """What the player seeks, of the values of all."""
        return value[player] if self.objective == "own" else balance(value, player)

    def win_chance(self, worth: float) -> float | None:
        """The probability of victory, where it is paid +1 and -1."""
        if not (self.game._zero_sum() and self.game.max_utility() == 1):
            return None
        return min(1.0, max(0.0, (1 + worth) / 2))


def balance(value: list[float] | tuple[float, ...], player: int) -> float:
    """A player's own less the mean of the others'."""
    return value[player] - (sum(value) - value[player]) / max(1, len(value) - 1)
