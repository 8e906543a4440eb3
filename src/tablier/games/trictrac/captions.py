"""Texts for a picture: the score of each side, and a description of the position for screen readers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablier.games.trictrac.sides import score_text, side_name
from tablier.messages import Message, Text, listed

MEN = 15


@dataclass(frozen=True)
class Standing:
    """The score of White and Black, and who is to play."""

    points: tuple[int, int]
    holes: tuple[int, int]
    points_run: tuple[bool, bool]
    player: int | None

    def bredouille(self, side: int) -> bool:
        """Whether a side has points in bredouille, so that its next hole counts double."""
        return self.points_run[side] and self.points[side] > 0

    def text(self, side: int) -> Text:
        """Returns the score of a side, such as "1 hole, 8 points, bredouille, to play"."""
        return score_text(self.holes[side], self.points[side], self.bredouille(side), self.player == side)


def borne_off(men: Sequence[int], side: int) -> int:
    """Returns the number of a side's men that are off the board."""
    return MEN - sum(abs(count) for count in men if (count < 0) == side)


def position_text(
    men: Sequence[int], dice: tuple[int, int], standing: Standing, pavillon: int | None, swapped: bool
) -> list[Text]:
    """Describes the men, the score and the dice."""
    texts: list[Text] = []
    for side in (0, 1):
        fields = [field for field, count in enumerate(men, 1) if count and (count < 0) == side]
        places: list[Text] = [Message("trictrac.picture.men", n=abs(men[field - 1]), field=field) for field in fields]
        if off := borne_off(men, side):
            places.append(Message("trictrac.picture.off", n=off))
        score = standing.text(side)
        texts.append(Message("trictrac.picture.side", who=side_name(side), men=listed(*places), score=score))
    if pavillon is not None:
        texts.append(Message("trictrac.picture.pavillon", who=side_name(pavillon)))
    if dice[0]:
        texts.append(Message("trictrac.picture.dice", first=dice[0], second=dice[1]))
    if swapped:
        texts.append(Message("trictrac.picture.swapped"))
    return texts
