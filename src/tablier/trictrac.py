"""Everything about Trictrac beyond the game itself: the door to `tablier.games.trictrac`."""

from tablier.games.trictrac import *  # noqa: F403
from tablier.games.trictrac import __all__ as __all__
