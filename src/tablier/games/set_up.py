"""What a person can change when they set up a position by hand on the analysis board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tablier.messages import Text

Pair = tuple[int, int]


@dataclass(frozen=True)
class SetUpField:
    """A value to choose beside the men: who is to throw, points, holes."""

    name: str
    label: Text
    value: int
    """The present value."""
    choices: Mapping[int, Text]
    """The possible values and their names."""
    seat: int | None = None
    """The seat that the value belongs to; None if it belongs to both."""


@dataclass(frozen=True)
class SetUp:
    """A position as a person sets it up: the men on the board and a few values."""

    men: Sequence[int]
    """24 signed counts from White's side: White's men are positive, Black's negative."""
    bar: Pair | None
    """White's and Black's men on the bar; None in a game without a bar."""
    most: int
    """The number of men of each player. Those that are not on the board are borne off."""
    fields: Sequence[SetUpField]

    def values(self) -> dict[str, int]:
        """Returns the values of the fields by name."""
        return {field.name: field.value for field in self.fields}
