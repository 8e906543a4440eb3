"""Positions for each reason to refuse one, and typed moves that chance seldom meets."""

from tablier.backgammon import Position

WRONG_IDS = {
    ("trictrac", ()): [
        *("/8EygAH/4KQABIFbhu", "/4aUgAH/gi0AArQeV8", "//4AAAH//AAAAtQhAG", "//BYAAH/4kEAAIAAgG"),
        *("//gCgAH/4DEAAlVdkm", "/8FGgAH/UOEABABAl6", "//wQAAH/+AABAiYBgG"),
    ],
    ("trictrac", ("schools",)): ["/gargAH/EK4ABVgW00", "/xKqgAH/EqYAAmoVg0"],
    ("trictrac", ("jan_de_rencontre",)): ["//4AAAH//AAABjYBAE"],
    ("backgammon", ()): [
        *("/////////////w", "AAAAAAAAAAAAAA", "AAAAAAAAAAAAAB", "4HPwATDgc/ABMA:MAFgADAAAAAA"),
        "XGID=-b------------------------:0:0:1:31:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10",
    ],
}
"""For games with some options, position ids that are refused there."""

WRONG_POSITIONS = [{"off": (1, 0)}, {"board": (0,) * 24, "off": (1, 1)}, {"board": (0,) * 24, "winner": 1}]
"""Fields of positions of backgammon that no men fit."""
LAST_MAN = Position(board=(0, 0, 0, 0, 0, 1, *[0] * 16, -1, 0), off=(14, 14), dice=(6, 6))
TWO_BLOTS = Position(board=(0, 0, 0, 0, 0, -1, -1, 1, *[0] * 16), off=(14, 13), dice=(2, 1))
TYPED = [(TWO_BLOTS, "8/5"), (LAST_MAN, "5/off"), (LAST_MAN, "7/1")]
"""A play that may mean two, each of which hits; and illegal ones, where the first half of a doublet ends the game."""
