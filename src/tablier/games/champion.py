"""What a home offers to the player `champion` and to the levels made from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tablier._core import State


@dataclass(frozen=True)
class Champion:
    """What the strongest player of a game plays by: exact values, or a network to search with."""

    values: Callable[[State], Mapping[int, float]] | None = None
    """Returns the exact expected return of the player to move after each legal action."""
    network: Path | None = None
    """The network file, if the values are not known exactly."""
    levels: Path | None = None
    """The table of the levels made from the network (`tablier.players.level`), if there is one."""
    near: float = math.inf
    """Actions that the network values lower than the best one by more than this are not searched any deeper."""
