"""Games from files and modules that somebody names: for commands (`--import`), and for the processes they begin.

Only what is named by hand is read. A run notes where its game came from, but what a folder says is never imported.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path

from tablier.registry import load_plugin

PLUGINS = (".so", ".dylib", ".dll")
_read: list[str] = []


def import_games(sources: Iterable[str]) -> None:
    """Reads files in Python (.py), plugins (.so) and modules by name, but none of them twice.

    A file or a module registers its games itself (`tablier.register`). A match in several processes reads the same
    there. Raises ValueError or FileNotFoundError in a few words.
    """
    for source in sources:
        path = Path(source)
        is_file = path.suffix in (".py", *PLUGINS)
        name = str(path.resolve()) if is_file else source
        if name in _read:
            continue
        if is_file and not path.is_file():
            raise FileNotFoundError(f"there is no file {source}")
        try:
            if not is_file:
                importlib.import_module(source)
            elif path.suffix == ".py":
                _run(Path(name))
            else:
                load_plugin(name)
        except (Exception, SystemExit) as error:
            raise ValueError(f"{source} cannot be imported: {_told(error)}") from error
        _read.append(name)


def imported_games() -> list[str]:
    """What was read, for other processes to read the same."""
    return list(_read)


def _run(path: Path) -> None:
    """Runs a file as a module, which may import others from its folder."""
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    name = f"tablier_import_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = module = importlib.util.module_from_spec(spec)  # dataclasses look their module up
    spec.loader.exec_module(module)


def _told(error: BaseException) -> str:
    """What went wrong and, in somebody's own code, where."""
    ours = (str(Path(__file__).parent), str(Path(importlib.__file__).parent), "<")
    theirs = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(ours)]
    where = f" ({Path(theirs[-1].filename).name}, line {theirs[-1].lineno})" if theirs else ""
    kind = "" if isinstance(error, ValueError | ImportError) else f"{type(error).__name__}: "
    return f"{kind}{error}{where}"
