"""What a player is."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from tablier._core import State
from tablier.candidate import Candidate


@runtime_checkable
class Chooser(Protocol):
    """Chooses for whoever is to move: enough to play a match."""

    def choose(self, state: State) -> int:
        """One of the state's legal actions."""
        ...


@runtime_checkable
class Player(Chooser, Protocol):
    """Chooses, and can say why. Every player that a string describes is one."""

    def explain(self, state: State) -> list[Candidate]:
        """Every legal action with what the player thinks of it, the best first."""
        ...
