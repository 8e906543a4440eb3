"""Trictrac's tools beyond the game itself: a short import path for `tablier.games.trictrac`."""

from tablier.games.trictrac import *  # noqa: F403
from tablier.games.trictrac import __all__ as __all__
