"""Compiles and runs trictrac_test.cc against the installed OpenSpiel.

    python tests/open_spiel_plugin.py

The wheel exports OpenSpiel's own test kit, so the test becomes a shared library that the interpreter loads.
"""

import ctypes
import hashlib
import sys

import tablier.adapters.open_spiel_native as native
from tablier.adapters.open_spiel_plugin import SOURCES, source_tree


def built_test():
    """Returns the test as a shared library. It is compiled once for each version of its source and of the plug-in."""
    plugin = native.installed()
    source = SOURCES / "trictrac_test.cc"
    version = hashlib.sha256(source.read_bytes()).hexdigest()[:16]
    library = plugin.path.with_name(f"{plugin.path.stem}-test-{version}.so")
    with plugin.locked():
        if not library.exists():
            with source_tree(plugin.version, native.show_progress) as tree:
                plugin.compile([source], tree, library, "-fvisibility=default")  # main() is called
    return library


if __name__ == "__main__":
    sys.exit(ctypes.CDLL(str(built_test())).main(0, None))
