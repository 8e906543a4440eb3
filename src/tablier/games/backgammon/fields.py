"""Checks the fields of positions and matches; raises MessageError."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from tablier.messages import MessageError

Pair = tuple[int, int]


def sequence(name: str, values: Any, length: int) -> list[Any]:
    """Checks the length of a sequence."""
    found = list(values) if isinstance(values, Sequence) or hasattr(values, "__iter__") else []
    if isinstance(values, str) or len(found) != length:
        raise MessageError.of("backgammon.position.length", name=name, n=length)
    return found


def number(name: str, value: Any, least: int, most: int) -> int:
    """Checks a whole number."""
    try:
        found = operator.index(value)
    except TypeError:
        found = least - 1
    if not least <= found <= most:
        shown = f"{value!r:.40}"
        raise MessageError.of("backgammon.position.number", name=name, least=least, most=most, value=shown)
    return found


def pair(name: str, values: Any, most: int, least: int = 0) -> Pair:
    """Checks two whole numbers."""
    one, two = (number(name, value, least, most) for value in sequence(name, values, 2))
    return one, two
