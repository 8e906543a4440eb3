"""Names of the two sides, and texts for their scores."""

from __future__ import annotations

from tablier.messages import Message, Text, listed


def side_name(side: int) -> Message:
    """Returns the name of White (0) or Black (1)."""
    return Message(f"trictrac.side.{side}")


def points_of(amount: int) -> Message:
    """Returns a number of points, such as "4 points"."""
    return Message("trictrac.points", n=amount)


def holes_of(amount: int) -> Message:
    """Returns a number of holes, such as "1 hole"."""
    return Message("trictrac.holes", n=amount)


def score_text(holes: int, points: int, bredouille: bool, to_play: bool = False, tokens: int | None = None) -> Text:
    """Returns the score of a side, such as "1 hole, 8 points, bredouille"."""
    parts = [holes_of(holes), points_of(points)]
    parts += [Message("trictrac.bredouille")] if bredouille else []
    parts += [Message("trictrac.tokens", n=tokens)] if tokens is not None else []
    return listed(*parts, *([Message("trictrac.to_play")] if to_play else []))
