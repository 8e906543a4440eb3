"""Dice board games: exact, fast and built for reinforcement learning.

Examples:
    >>> import tablier
    >>> game = tablier.load_game("pig", win_score=20)
    >>> state = game.new_initial_state()
    >>> state.apply_action(0)  # roll
    >>> state.is_chance_node()
    True
    >>> state.apply_action(4)  # the die shows 5
    >>> print(state)
    scores 0 0, turn total 5, player 0 to decide
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tablier._core import BatchEnv, Game, State
from tablier.python_game import CHANCE, TERMINAL, Option, PythonGame
from tablier.registry import get_include, load_game, load_plugin, register, registered_games

if TYPE_CHECKING:
    from tablier import analysis as analysis
    from tablier import arena as arena
    from tablier import evaluators as evaluators
    from tablier import games as games
    from tablier import players as players
    from tablier import records as records
    from tablier import search as search
    from tablier import testing as testing
    from tablier import trictrac as trictrac

__version__ = "0.2.0"

_MODULES = ["analysis", "arena", "evaluators", "games", "players", "records", "search", "testing", "trictrac"]
"""Imported when they are first used, so that `import tablier` stays fast."""

__all__ = [
    "CHANCE",
    "TERMINAL",
    "BatchEnv",
    "Game",
    "Option",
    "PythonGame",
    "State",
    "get_include",
    "load_game",
    "load_plugin",
    "register",
    "registered_games",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"tablier.{name}")
    raise AttributeError(f"module 'tablier' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
