"""The rules of Trictrac once more, in slow and obvious Python, to compare the engine with.

Made from rules.md alone, sharing nothing with the engine: everything is enumerated, nothing is clever. plays.py has
the plays of a throw, scoring.py what it scores, game.py marking and the order of a game, positions.py boards in which
the rare rules are thick.
"""

from .game import GameOracle, consolation, is_refait, mark, marque_payment
from .plays import (
    DEFAULT,
    JANS,
    START,
    Options,
    any_jan_full,
    base_play_records,
    base_plays,
    legal_plays,
    mirror,
    own,
    own_total,
    unplayed_numbers,
)
from .scoring import TARIFF, Score, score_throw

__all__ = [
    "DEFAULT",
    "JANS",
    "START",
    "TARIFF",
    "GameOracle",
    "Options",
    "Score",
    "any_jan_full",
    "base_play_records",
    "base_plays",
    "consolation",
    "is_refait",
    "legal_plays",
    "mark",
    "marque_payment",
    "mirror",
    "own",
    "own_total",
    "score_throw",
    "unplayed_numbers",
]
