"""Matches between players on paired dice, with confidence intervals for the results."""

from __future__ import annotations

from tablier.arena.match import MatchResult, play_game, play_match, random_opening, wilson

__all__ = ["MatchResult", "play_game", "play_match", "random_opening", "wilson"]
