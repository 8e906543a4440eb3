"""Backgammon's tools beyond the game itself: a short import path for `tablier.games.backgammon`."""

from tablier.games.backgammon import *  # noqa: F403
from tablier.games.backgammon import __all__ as __all__
