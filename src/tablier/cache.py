"""The folder for files that can be made again: compiled plug-ins, tables."""

from __future__ import annotations

import os
from pathlib import Path

from tablier.paths import home_folder


def cache_folder(name: str) -> Path:
    """Returns the folder `name` in `$TABLIER_CACHE`, by default in `$XDG_CACHE_HOME/tablier` or `~/.cache/tablier`.

    The folder need not exist.

    Raises:
        MessageError (a ValueError): no variable names a folder, and the user has no home folder.
    """
    own, shared = os.environ.get("TABLIER_CACHE"), os.environ.get("XDG_CACHE_HOME")
    base = Path(own) if own else (Path(shared) if shared else home_folder("home.cache") / ".cache") / "tablier"
    return base.absolute() / name
