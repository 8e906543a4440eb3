"""The settings of players. Each is declared once, by the annotation and default of a constructor parameter.

Player strings, the settings that a server offers and error messages all follow from these declarations (`settings_of`).
Keyword-only parameters are not settings.

Why not pydantic: only the web extra depends on it, and its errors are not catalogue messages.
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
    """The range of a numeric setting."""

    least: float
    """Smallest accepted value."""
    most: float
    """Largest accepted value."""
    shared: float
    """Largest accepted value on a server with many users."""


def _as_searched(name: str, shared: float) -> Bounds:
    """Returns the range of a search setting."""
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
Thinking = Annotated[int, Bounds(1, 10**9, shared=60_000)]
ThinkingPlies = Annotated[int, replace(_as_searched("plies", shared=3), least=0)]
RolledOut = Annotated[int, Bounds(0, 10**6, shared=1_000)]
EnginePlies = Annotated[int, Bounds(0, 3, shared=0)]
LevelNumber = Annotated[int, Bounds(1, 8, shared=8)]
Seed = Annotated[int, Bounds(0, 2**64 - 1, shared=2**53)]


@dataclass(frozen=True)
class Setting:
    """A setting in a player string: a number in a range, or text."""

    name: str
    """The key in the string."""
    default: Value
    """The value if the string does not set it."""
    bounds: Bounds | None
    """The range of a number; None for text."""
    shared: bool = False
    """Whether the range is that of a shared server."""

    def on_shared_server(self, most: float = math.inf) -> Setting:
        """Returns the setting restricted to what a shared server accepts, and to at most `most`."""
        if self.bounds is None or isinstance(self.default, str):
            return self
        most = min(most, self.bounds.shared)
        return replace(self, default=min(self.default, most), bounds=replace(self.bounds, most=most), shared=True)

    @property
    def meaning(self) -> Message:
        """A description of the setting, as a message."""
        return Message(f"setting.{self.name}")


def settings_of(make: Callable[..., Any]) -> Mapping[str, Setting]:
    """Returns the settings of a player class by name, read from the signature of its constructor."""
    found = {}
    for parameter in inspect.signature(make, eval_str=True).parameters.values():
        if parameter.name != "game" and parameter.kind is not parameter.KEYWORD_ONLY:
            bounds = getattr(parameter.annotation, "__metadata__", (None,))[0]
            found[parameter.name] = Setting(parameter.name, parameter.default, bounds)
    return found
