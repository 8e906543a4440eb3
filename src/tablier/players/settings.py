"""The settings of players. Each is declared once, by the annotation and the default of a constructor's parameter.

What a player's string may hold, what a server offers and what errors say all follow from that (`settings_of`).
Parameters by keyword only are no settings.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from tablier.messages import Message
from tablier.search import EXPECTIMAX_SETTINGS, SETTINGS, range_of

Value = int | float | str


@dataclass(frozen=True)
class Bounds:
    """The numbers that a setting takes."""

    least: float
    most: float
    shared: float
    """The most on a server that many people share."""


def _as_searched(name: str, shared: float) -> Bounds:
    """What the setting of a search takes."""
    return Bounds(*range_of({**EXPECTIMAX_SETTINGS, **SETTINGS}[name]), shared=shared)


Simulations = Annotated[int, replace(_as_searched("n_simulations", shared=20_000), least=0)]
Milliseconds = Annotated[int, Bounds(0, 10**9, shared=60_000)]
Rollouts = Annotated[int, _as_searched("rollouts", shared=20)]
Exploration = Annotated[float, _as_searched("c_puct", shared=100)]
Temperature = Annotated[float, _as_searched("temperature", shared=10)]
Switch = Annotated[int, Bounds(0, 1, shared=1)]
PriorScale = Annotated[float, _as_searched("prior_scale", shared=100)]
Megabytes = Annotated[int, _as_searched("memory_mb", shared=64)]
Plies = Annotated[int, _as_searched("plies", shared=3)]
Kept = Annotated[int, _as_searched("keep", shared=8)]
Margin = Annotated[float, _as_searched("margin", shared=0.05)]
Seed = Annotated[int, Bounds(0, 2**64 - 1, shared=2**53)]


@dataclass(frozen=True)
class Setting:
    """A setting of a player's string: a number within bounds, or a text."""

    name: str
    default: Value
    bounds: Bounds | None
    shared: bool = False
    """Whether the bounds are those of a shared server."""

    def on_shared_server(self, most: float = math.inf) -> Setting:
        """The same within what a shared server allows, and at most `most`."""
        if self.bounds is None or isinstance(self.default, str):
            return self
        most = min(most, self.bounds.shared)
        return replace(self, default=min(self.default, most), bounds=replace(self.bounds, most=most), shared=True)

    @property
    def meaning(self) -> Message:
        """What it sets."""
        return Message(f"setting.{self.name}")


def settings_of(make: Callable[..., Any]) -> Mapping[str, Setting]:
    """The settings of a kind of player, by name; `make` is its class."""
    found = {}
    for parameter in inspect.signature(make, eval_str=True).parameters.values():
        if parameter.name != "game" and parameter.kind is not parameter.KEYWORD_ONLY:
            bounds = getattr(parameter.annotation, "__metadata__", (None,))[0]
            found[parameter.name] = Setting(parameter.name, parameter.default, bounds)
    return found
