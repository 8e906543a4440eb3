"""The metrics of training runs: rows of numbers, one line of JSON each. Readable without the packages for training."""

from __future__ import annotations

import json
import math
from typing import Any


def is_row(row: Any) -> bool:
    """Returns whether a JSON value is a row of metrics: the step, the seconds so far, and other named numbers."""
    return (
        isinstance(row, dict)
        and type(row.get("step")) is int
        and is_number(row.get("seconds"))
        and all(value is None or is_number(value) for value in row.values())
        and all(name.isprintable() for name in row)
    )


def is_number(value: Any) -> bool:
    """Returns whether a JSON value is a finite number, and not too large for 64 bits."""
    return (type(value) is int and abs(value) < 2**63) or (type(value) is float and math.isfinite(value))


def read_rows(data: bytes) -> tuple[list[dict[str, Any]], list[int]]:
    """Reads the lines of a metrics file.

    A last line without an end was cut off when the process was killed, and is ignored.

    Args:
        data: the bytes of the file.

    Returns:
        The rows, and the numbers of the lines (from 1) that are not rows.
    """
    rows, damaged = [], []
    for number, line in enumerate(data.split(b"\n")[:-1], 1):
        row = parsed(line)
        if is_row(row):
            rows.append(row)
        else:
            damaged.append(number)
    return rows, damaged


def parsed(line: bytes) -> Any:
    """Returns the JSON value of a line, or None if it is not JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
