"""The protocols of players, and what those that search have in common."""

from __future__ import annotations

from typing import NoReturn, Protocol, runtime_checkable

from tablier._core import State
from tablier.candidate import Candidate


@runtime_checkable
class Chooser(Protocol):
    """Chooses actions for the player to move. That is enough to play a match."""

    def choose(self, state: State) -> int:
        """Returns one of the legal actions of the state."""
        ...


@runtime_checkable
class Player(Chooser, Protocol):
    """Chooses actions and explains the choice. All players created from strings do both."""

    def explain(self, state: State) -> list[Candidate]:
        """Returns every legal action with the player's evaluation, best first."""
        ...


def not_picklable(player: Player) -> NoReturn:
    """Raises TypeError when a player with a search in memory is pickled or copied.

    Assign it in the class body: `__reduce__ = not_picklable`.
    """
    kind = type(player).__name__
    raise TypeError(f"{kind} cannot be pickled or copied; call make_player with the same player string instead")
