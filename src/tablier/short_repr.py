"""A `repr` for dataclasses that hold arrays: it fits on a few lines however much they hold."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

LONGEST = 3
"""Sequences longer than this are shown by their length."""


def short_repr(instance: Any) -> str:
    """Shows arrays as dtype and shape, long sequences as a count, everything else in full.

    Assign it in the class body: `__repr__ = short_repr`.

    Examples:
        >>> from dataclasses import dataclass
        >>> @dataclass
        ... class Games:
        ...     returns: np.ndarray
        ...     rolls: int
        ...     __repr__ = short_repr
        >>> Games(np.zeros((1000, 2)), 61_403)
        Games(returns=float64[1000, 2], rolls=61403)
    """
    shown = ", ".join(f"{field.name}={_shown(getattr(instance, field.name))}" for field in fields(instance))
    return f"{type(instance).__name__}({shown})"


def _shown(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, list | tuple) and len(value) > LONGEST:
        return f"<{len(value)} items>"
    return repr(value)
