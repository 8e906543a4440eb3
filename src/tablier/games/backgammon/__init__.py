"""Tools for backgammon: positions with their ids, notation, game records and pictures.

>>> from tablier import backgammon
>>> state = backgammon.Position.from_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10").state()
>>> [state.action_to_string(action) for action in backgammon.read_moves(state, "8/5 6/5")]
['8/5 6/5']
>>> backgammon.Position.of(state).position_id()
'4HPwATDgc/ABMA'
"""

from tablier.games.backgammon.ids import Match
from tablier.games.backgammon.notation import moves_text
from tablier.games.backgammon.position import START, Position
from tablier.games.backgammon.record import dump_match, load_match
from tablier.games.backgammon.turns import GameRecord
from tablier.games.backgammon.typed import read as read_moves

__all__ = ["START", "GameRecord", "Match", "Position", "dump_match", "load_match", "moves_text", "read_moves"]
