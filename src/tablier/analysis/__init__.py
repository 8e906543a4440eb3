"""Analysis of played games: what each decision cost, how well each player decided, and what the dice gave them.

`decisions.py` ranks the candidates of each decision, `ratings.py` sums up the costs per player, `judges.py` and
`luck.py` measure luck. `rollouts.py` plays positions on to find out what they are worth, `choices.py` compares to hold
and to leave, and `referee.py` scores players on decisions that were rolled out.
"""

from __future__ import annotations

from tablier.analysis.choices import Choice, compare_sides, offers_choice
from tablier.analysis.decisions import (
    Decision,
    candidates,
    decisions,
    default_analyst,
    is_judged,
    make_analyst,
    mistakes,
    steady_analyst,
)
from tablier.analysis.judges import Judge, make_judge, make_points_judge, make_quick_judge
from tablier.analysis.luck import GameLuck, ThrowLuck, luck_of_game
from tablier.analysis.ratings import BANDS, ErrorRating, Tally, band_name, band_of, error_ratings
from tablier.analysis.rollouts import make_policy, roll_out, roll_out_candidates
from tablier.evaluators.rollout_table import Policy, Rollout, RolloutSettings

__all__ = [
    "BANDS",
    "Choice",
    "Decision",
    "ErrorRating",
    "GameLuck",
    "Judge",
    "Policy",
    "Rollout",
    "RolloutSettings",
    "Tally",
    "ThrowLuck",
    "band_name",
    "band_of",
    "candidates",
    "compare_sides",
    "decisions",
    "default_analyst",
    "error_ratings",
    "is_judged",
    "luck_of_game",
    "make_analyst",
    "make_judge",
    "make_points_judge",
    "make_policy",
    "make_quick_judge",
    "mistakes",
    "offers_choice",
    "roll_out",
    "roll_out_candidates",
    "steady_analyst",
]
