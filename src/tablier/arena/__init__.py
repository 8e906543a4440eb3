"""Players against players: matches on paired dice, with intervals that say what the result is worth."""

from __future__ import annotations

from tablier.arena.match import MatchResult, play_game, play_match, random_opening, wilson

__all__ = ["MatchResult", "play_game", "play_match", "random_opening", "wilson"]
