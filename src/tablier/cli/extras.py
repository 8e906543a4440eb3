"""What a command needs beyond the bare package."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Imports inside of this belong to an extra: where it is not installed a line says how to get it."""
    try:
        yield
    except ImportError as error:
        raise ValueError(f"this needs more packages ({error.name}): pip install 'tablier[{name}]'") from None
