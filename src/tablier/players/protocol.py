"""The protocols of players."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

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
