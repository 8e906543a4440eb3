"""Trictrac in C++ inside an unmodified OpenSpiel. Importing this module registers the game `trictrac`.

    import pyspiel
    import tablier.adapters.open_spiel_native

    game = pyspiel.load_game("trictrac(holes_to_win=3)")

OpenSpiel's C++ algorithms (`MCTSBot`, rollouts, expectiminimax) use it at full speed, without the interpreter. The
first import compiles the game, which needs a C++20 compiler and pip and takes about a minute; later imports load it
from the cache. To compile it in advance:

    python -m tablier.adapters.open_spiel_native

`trictrac` is zero-sum with one reward at the end (`utility=win`), because OpenSpiel's search refuses rewards before the
end. `trictrac(utility=score)` is the same game as `python_trictrac`. docs/open-spiel.md lists the parameters.
"""

from __future__ import annotations

import ctypes
import importlib.metadata
import re
import sys
from pathlib import Path

from tablier.adapters.open_spiel_plugin import Compiler, Plugin, PluginError, Report

try:
    import pyspiel
except ImportError as error:
    raise ImportError("tablier.adapters.open_spiel_native needs OpenSpiel: pip install 'tablier[openspiel]'") from error

NAME = "trictrac"
"""The name of the game in OpenSpiel."""


def installed() -> Plugin:
    """Returns the plug-in for the OpenSpiel that is installed. Whether it is built is another question.

    Raises:
        PluginError: there is no compiler, or OpenSpiel was not installed by pip.
    """
    try:
        version = importlib.metadata.version("open_spiel")
    except importlib.metadata.PackageNotFoundError:
        raise PluginError("the version of OpenSpiel is unknown, because pip did not install it") from None
    return Plugin(version, Path(pyspiel.__file__).resolve(), Compiler.find())


def register(report: Report | None = None) -> None:
    """Adds `trictrac` to OpenSpiel, and compiles it first if the cache does not hold it.

    Does nothing if the game is already registered.

    Args:
        report: called with a line of progress before each slow step; by default, lines go to the standard error.

    Raises:
        PluginError: the game cannot be compiled or loaded. Nothing is registered then.
    """
    if NAME in pyspiel.registered_names():
        return
    path = installed().build(report or show_progress)
    try:
        ctypes.CDLL(str(path))  # constructors register the game if all symbols resolve
    except OSError as error:
        missing = re.search(r"undefined symbol: (\w+)", str(error))
        problem = f"lacks the symbol {missing[1]}" if missing else f"does not load it ({error})"
        raise PluginError(f"the installed pyspiel {problem}; it differs from OpenSpiel's own wheels") from None


def show_progress(line: str) -> None:
    """Prints a line of progress to the standard error."""
    print(f"tablier: {line}", file=sys.stderr, flush=True)


def main() -> int:
    """Registers the game and reports where it is."""
    try:
        plugin = installed()
        was_built = plugin.is_built()
        register()
    except PluginError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"open_spiel {plugin.version} has the game {pyspiel.load_game(NAME)}")
    print(f"compiler   {plugin.compiler.version}")
    print(f"plug-in    {plugin.path} ({'from the cache' if was_built else 'built now'})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
register()
