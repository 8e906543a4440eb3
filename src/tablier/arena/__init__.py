"""Matches and tournaments on paired dice, with confidence intervals, ratings and sequential tests.

`match.py` plays a match between two players. A tournament is a file (`store.py`). An executor (`workers.py`) plays its
jobs (`jobs.py`), `standings.py` rates its players (with `bradley_terry.py`, which needs SciPy), and `sprt.py` tests
whether one of two players is better.
"""

from __future__ import annotations

from tablier.arena.chart import draw_ladder
from tablier.arena.jobs import Entrant, GameResult, Job, Setup, play_job
from tablier.arena.match import Pool, play_game, play_match, random_opening
from tablier.arena.match_result import MatchResult, wilson
from tablier.arena.means import Mean, PairedMean
from tablier.arena.sprt import SequentialTest, Verdict
from tablier.arena.standings import Ladder, Meeting, Standing, make_ladder
from tablier.arena.store import ArenaFile, StoredGame
from tablier.arena.tournament import Progress, gauntlet, round_robin, run_test, run_tournament
from tablier.arena.workers import Executor, LocalWorkers, in_this_process

__all__ = [
    "ArenaFile",
    "Entrant",
    "Executor",
    "GameResult",
    "Job",
    "Ladder",
    "LocalWorkers",
    "MatchResult",
    "Mean",
    "Meeting",
    "PairedMean",
    "Pool",
    "Progress",
    "SequentialTest",
    "Setup",
    "Standing",
    "StoredGame",
    "Verdict",
    "draw_ladder",
    "gauntlet",
    "in_this_process",
    "make_ladder",
    "play_game",
    "play_job",
    "play_match",
    "random_opening",
    "round_robin",
    "run_test",
    "run_tournament",
    "wilson",
]
