"""The actor that runs on every worker: it imports the user's games once, then calls functions and times them."""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tablier
from tablier import _core
from tablier.imports import PLUGINS, import_games


@dataclass(frozen=True)
class Source:
    """A file or a module to import on a worker."""

    name: str
    """The name of the file, or the module."""
    content: bytes | None
    """The content of the file; None for a module, which must be installed on the worker."""


def sources_of(imports: Sequence[str]) -> list[Source]:
    """Reads the files among the sources of `--import`, so that workers on other machines can import them."""
    paths = [(name, Path(name)) for name in imports]
    return [
        Source(path.name, path.read_bytes()) if path.suffix in (".py", *PLUGINS) else Source(name, None)
        for name, path in paths
    ]


@dataclass(frozen=True)
class Facts:
    """What a worker is: its software must agree with that of the driver."""

    version: str
    """Version of the package."""
    python: str
    """Version of Python, major and minor."""
    behaviour: str
    """Hash of the rules as the core plays them."""
    core: str
    """Hash of the compiled core."""
    host: str
    node: str
    """Address of the node and the first characters of its id."""
    pid: int
    cores: int


@functools.cache
def my_facts() -> tuple[str, str, str, str]:
    """Returns the version, the Python version, the behaviour and the core of this process."""
    from tablier.testing import signature

    behaviour = hashlib.sha256(repr(sorted(signature().items())).encode()).hexdigest()[:12]
    core = hashlib.sha256(Path(str(_core.__file__)).read_bytes()).hexdigest()[:12]
    return tablier.__version__, ".".join(platform.python_version_tuple()[:2]), behaviour, core


class Worker:
    """Runs functions for the pool, one at a time. It keeps no games: each call gets all that it needs."""

    def __init__(self, sources: list[Source], version: str) -> None:
        if version != tablier.__version__:  # its function calls may not exist here, so stop at once
            raise RuntimeError(
                f"a node has tablier {tablier.__version__}, not {version}; install the same version everywhere"
            )
        self._folder = tempfile.mkdtemp(prefix="tablier-") if any(one.content is not None for one in sources) else ""
        for source in sources:
            if source.content is None:
                import_games([source.name])
                continue
            path = Path(self._folder) / source.name
            path.write_bytes(source.content)
            import_games([str(path)])

    def facts(self) -> Facts:
        """Describes this worker."""
        import ray

        context = ray.get_runtime_context()
        node = f"{ray.util.get_node_ip_address()}-{context.get_node_id()[:6]}"
        return Facts(*my_facts(), socket.gethostname(), node, os.getpid(), os.cpu_count() or 1)

    def leave(self) -> None:
        """Removes the imported files. No work can follow."""
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)

    def run(self, work: Callable[..., Any], *args: Any) -> tuple[Any, float]:
        """Calls a function; returns its result and the seconds it took."""
        start = time.perf_counter()
        result = work(*args)
        return result, time.perf_counter() - start


def size_of(value: Any) -> int:
    """Estimates the bytes of a value on its way between machines: its arrays, bytes and texts."""
    if hasattr(value, "nbytes"):
        return int(value.nbytes)
    if isinstance(value, bytes | str):
        return len(value)
    if isinstance(value, dict):
        return sum(map(size_of, value.values()))
    if isinstance(value, list | tuple):
        return sum(map(size_of, value))
    return size_of(vars(value)) if hasattr(value, "__dict__") else sys.getsizeof(value)
