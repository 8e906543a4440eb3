"""Positions written as text, as in `path.json`.

A drawing `"1:13 4:1 6:1 | 24:15"` lists the men by field: before the bar those of the player who throws, after it those
of the opponent, all in the thrower's numbering. Men that are not listed are borne off.
"""

from __future__ import annotations


def board(drawing: str) -> list[int]:
    """Parses a drawing into 24 signed counts, the thrower's men positive.

    >>> board("1:13 4:1 6:1 | 24:15")[:6]
    [13, 0, 0, 1, 0, 1]

    Raises:
        ValueError: the text is not a drawing.
    """
    mine, bar, theirs = drawing.partition("|")
    if not bar:
        raise ValueError(f"a drawing lists the men of both players, separated by |, not {drawing!r}")
    found = [0] * 24
    for side, sign in ((mine, 1), (theirs, -1)):
        for item in side.split():
            place, _, count = item.partition(":")
            if not (place.isdecimal() and count.isdecimal() and 1 <= int(place) <= 24) or found[int(place) - 1]:
                raise ValueError(f"{item!r} is not a field and a number of men, or lists a field twice")
            found[int(place) - 1] = sign * int(count)
    return found
