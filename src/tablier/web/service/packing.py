"""Packs the actions of a table into a few bytes, and unpacks them.

A packed game is compressed by zlib, whose checksum detects damage. Inside are a byte that gives the size of a number
(1, 2, 4 or 8 bytes) and the actions as little-endian numbers of that size.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Sequence

MOST = 1_000_000
"""The largest unpacked game, in bytes; it bounds the memory that a damaged file can ask for."""
_CODES = {array(code).itemsize: code for code in "BHILQ"}


def pack(actions: Sequence[int]) -> bytes:
    """Packs actions, which must not be negative: about a byte each, and much less if they repeat."""
    size = next(size for size in (1, 2, 4, 8) if max(actions, default=0) < 1 << 8 * size)
    numbers = array(_CODES[size], actions)
    if sys.byteorder == "big":
        numbers.byteswap()
    return zlib.compress(bytes([size]) + numbers.tobytes(), 9)


def unpack(data: bytes) -> list[int]:
    """Unpacks actions; raises ValueError if the data is damaged."""
    stream = zlib.decompressobj()
    try:
        content = stream.decompress(data, MOST)
    except (zlib.error, TypeError) as error:
        raise ValueError(f"the packed actions are damaged: {error}") from None
    size = content[0] if content else 0
    if not stream.eof or size not in (1, 2, 4, 8) or (len(content) - 1) % size:
        raise ValueError("the packed actions are damaged")
    numbers = array(_CODES[size], content[1:])
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tolist()
