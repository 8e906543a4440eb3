"""Checks shared by the records of all games: size and encoding of the text, duplicate JSON keys, and the header."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from tablier.messages import MessageError

HEADER_LENGTH = 500
"""Maximum length of a header value, in characters."""


def readable(text: str | bytes, most: int) -> str:
    """Decodes a record and limits its length, since parsing takes time in proportion to it.

    Args:
        text: the record, as str or as UTF-8 bytes.
        most: maximum length, in characters or bytes.

    Raises:
        MessageError (a ValueError): the record is not text, not UTF-8 or too long.
    """
    if not isinstance(text, str | bytes):
        raise MessageError.of("record.not_text", kind=type(text).__name__)
    if len(text) > most:
        raise MessageError.of("record.too_long", most=most, length=len(text))
    try:
        return text if isinstance(text, str) else text.decode()
    except UnicodeDecodeError as error:
        raise MessageError.of("record.not_utf8", reason=str(error)) from None


def parsed_json(text: str) -> Any:
    """Parses JSON. Raises MessageError for invalid JSON and for duplicate keys in an object."""

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
    """Returns a copy of a header. Raises MessageError unless it maps valid keys to single-line texts."""
    if not isinstance(header, Mapping):
        raise MessageError.of("record.header")
    for key, value in header.items():
        if not isinstance(key, str) or not re.fullmatch("[A-Za-z][A-Za-z0-9_]{0,39}", key) or key in ("Game", "Option"):
            raise MessageError.of("record.header_key", key=f"{key!r:.60}")
        if not isinstance(value, str) or not value.isprintable() or len(value) > HEADER_LENGTH:
            raise MessageError.of("record.header_value", key=key, most=HEADER_LENGTH)
    return dict(header)
