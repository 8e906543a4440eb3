"""The networks that ship with Tablier, each with a card that says how it was made and how strong it is.

A network has up to three files: `<name>.safetensors` (a core network, whose format includes a checksum), `<name>.json`
(its card) and, if players of graded strength are made from it, `<name>.levels.json`. The network named after a game is
that game's champion.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
FACTS = ("game", "purpose", "command", "minutes", "seed", "data", "ladder", "referee", "weaknesses")
"""What every card says."""


def names() -> list[str]:
    """Returns the names of all shipped networks."""
    return sorted(path.stem for path in FOLDER.glob("*.safetensors"))


def network(name: str) -> Path | None:
    """Returns the file of a network; None if there is none with this name."""
    return _file(name, "safetensors")


def levels(name: str) -> Path | None:
    """Returns the table of levels of a network; None if it has none."""
    return _file(name, "levels.json")


def card(name: str) -> dict[str, Any]:
    """Returns the card of a network.

    Raises:
        KeyError: there is no network with this name.

    Examples:
        >>> all(set(FACTS) <= set(card(name)) for name in names())
        True
    """
    path = _file(name, "json")
    if path is None:
        raise KeyError(name)
    facts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return facts


def checksum(path: Path) -> str:
    """Returns the checksum in the header of a core network file, eight hexadecimal digits. It is not verified."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))
    return str(header["__metadata__"]["crc32"])


def _file(name: str, ending: str) -> Path | None:
    path = FOLDER / f"{name}.{ending}"
    return path if path.is_file() else None
