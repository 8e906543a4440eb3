"""What records of all games share: text of a sane size, JSON that says nothing twice, and the header."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from tablier.messages import MessageError

HEADER_LENGTH = 500
"""Characters of a header's text."""


def readable(text: str | bytes, most: int) -> str:
    """The text, if it is at most so long: whatever comes later takes time in proportion."""
    if not isinstance(text, str | bytes):
        raise MessageError.of("record.not_text", kind=type(text).__name__)
    if len(text) > most:
        raise MessageError.of("record.too_long", most=most, length=len(text))
    try:
        return text if isinstance(text, str) else text.decode()
    except UnicodeDecodeError as error:
        raise MessageError.of("record.not_utf8", reason=str(error)) from None


def parsed_json(text: str) -> Any:
    """What a JSON text holds; a key may stand only once in an object."""

    def no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise MessageError.of("record.key_twice")
        return dict(pairs)

    try:
        return json.loads(text, object_pairs_hook=no_duplicates)
    except MessageError:
        raise
    except (ValueError, RecursionError) as error:
        raise MessageError.of("record.not_json", reason=str(error)) from None


def checked_header(header: Any) -> dict[str, str]:
    """A header, if it is keys and texts of one line."""
    if not isinstance(header, Mapping):
        raise MessageError.of("record.header")
    for key, value in header.items():
        if not isinstance(key, str) or not re.fullmatch("[A-Za-z][A-Za-z0-9_]{0,39}", key) or key in ("Game", "Option"):
            raise MessageError.of("record.header_key", key=f"{key!r:.60}")
        if not isinstance(value, str) or not value.isprintable() or len(value) > HEADER_LENGTH:
            raise MessageError.of("record.header_value", key=key, most=HEADER_LENGTH)
    return dict(header)
