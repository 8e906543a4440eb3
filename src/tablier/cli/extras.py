"""Optional dependencies of commands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Turns an ImportError inside this context into a ValueError that says which extra to install."""
    try:
        yield
    except ImportError as error:
        raise ValueError(f"this command needs {error.name}: pip install 'tablier[{name}]'") from None
