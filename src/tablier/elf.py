"""Recognises shared libraries that were cut off, because the system's loader ends the process when it opens one."""

from __future__ import annotations

import os
import struct
from pathlib import Path

HEADER = struct.Struct("<32x 2Q 6x 4H 2x")
"""Where the tables of parts and sections begin, and the size and number of the entries of each."""
PART = struct.Struct("<8x Q 16x Q 16x")
"""Where a part begins and how many bytes it has."""


def is_complete(path: Path) -> bool:
    """Returns whether a file has all that its headers describe; True if it is not a 64-bit little-endian ELF file."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        header = file.read(HEADER.size)
        if not header.startswith(b"\x7fELF\2\1"):
            return True
        if len(header) < HEADER.size:
            return False
        parts, sections, _, n_parts, section_size, n_sections = HEADER.unpack(header)
        if max(parts + PART.size * n_parts, sections + section_size * n_sections) > size:
            return False
        file.seek(parts)
        table = file.read(PART.size * n_parts)
    return all(start + length <= size for start, length in PART.iter_unpack(table))
