"""Imports games from files and modules, for the option `--import` and for worker processes.

Only sources that the user names are imported. A run folder records where its game came from, but that source is never
imported automatically.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path

from tablier.paths import resolved
from tablier.registry import load_plugin

PLUGINS = (".so", ".dylib", ".dll")
_read: list[str] = []


def import_games(sources: Iterable[str]) -> None:
    """Imports Python files (.py), plugins (.so, .dylib, .dll) and modules by name, each only once.

    A Python file or module must register its games itself with `tablier.register`. Matches in several processes
    import the same sources in each process.

    Args:
        sources: paths and module names.

    Raises:
        OSError: a file does not exist, or links lead to each other.
        ValueError: a source cannot be imported; the message says why and, for user code, on which line.
    """
    for source in sources:
        path = Path(source)
        is_file = path.suffix in (".py", *PLUGINS)
        name = str(resolved(path)) if is_file else source
        if name in _read:
            continue
        if is_file and not path.is_file():
            raise FileNotFoundError(f"file not found: {source}")
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
    """Returns the sources imported so far, for other processes to import too."""
    return list(_read)


def _run(path: Path) -> None:
    """Runs a file as a module that can import other files from its folder."""
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    name = f"tablier_import_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = module = importlib.util.module_from_spec(spec)  # dataclasses look up their module
    spec.loader.exec_module(module)


def _told(error: BaseException) -> str:
    """Describes an error and, if user code raised it, where."""
    ours = (str(Path(__file__).parent), str(Path(importlib.__file__).parent), "<")
    theirs = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(ours)]
    where = f" ({Path(theirs[-1].filename).name}, line {theirs[-1].lineno})" if theirs else ""
    kind = "" if isinstance(error, ValueError | ImportError) else f"{type(error).__name__}: "
    return f"{kind}{error}{where}"
