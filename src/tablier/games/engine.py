"""What a home offers to players that are other programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from tablier._core import State


class Engine(Protocol):
    """Another program that plays the game."""

    def choose(self, state: State) -> int:
        """Returns the action that the program plays."""
        ...

    def values(self, state: State) -> Mapping[int, float]:
        """Returns the expected return of the player to move after each legal action."""
        ...
