"""Tools for Trictrac: legal plays and scores of any position, position ids, game records and pictures.

>>> from tablier import trictrac
>>> board = [3, 2, 3, 3, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, -2, 0, -2, 0, 0, 0, -3, -3, -5]
>>> score = trictrac.score_throw(board, (3, 2))
>>> score.player_points
12
>>> print(score.jans[0].why())
The throw fills the small jan, in 3 ways.
>>> print(score.jans[0].why("fr"))
Le coup remplit le petit jan de 3 façons.
>>> trictrac.plays(board, (3, 2))[0].moves
((3, 6), (4, 6))
"""

from tablier.games.trictrac.hole_table import hole_chance
from tablier.games.trictrac.jans import Jan, ThrowScore, Way, score_throw, throw_jans
from tablier.games.trictrac.marking import Account, School, Score
from tablier.games.trictrac.plays import Play, plays
from tablier.games.trictrac.position import STAGES, START, Position
from tablier.games.trictrac.record import Record, RecordError, replay
from tablier.games.trictrac.stakes import resignation_stake

__all__ = [
    "STAGES",
    "START",
    "Account",
    "Jan",
    "Play",
    "Position",
    "Record",
    "RecordError",
    "School",
    "Score",
    "ThrowScore",
    "Way",
    "hole_chance",
    "plays",
    "replay",
    "resignation_stake",
    "score_throw",
    "throw_jans",
]
