"""The result of a match, which adds up from the results of its parts."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from tablier.analysis import ErrorRating
from tablier.arena.means import PairedMean

NOTHING = PairedMean()
"""A mean without games."""
UNRATED = (ErrorRating(), ErrorRating())
"""The error ratings of a match without a judge."""


@dataclass(frozen=True)
class MatchResult:
    """The result of a match from the first player's point of view. Results of the same two players can be added.

    Examples:
        >>> result = MatchResult("greedy", "random", games=100, wins=60)
        >>> print(result)
        greedy - random: 60 of 100 won: 60.0% (50.2% to 69.1%)
    """

    first: str
    """The first player."""
    second: str
    """The second player."""
    games: int = 0
    """Number of games played."""
    wins: int = 0
    """Games won by the first player."""
    draws: int = 0
    """Games drawn."""
    margin: float = 0.0
    """Sum over the games of the first player's return minus the second's."""
    points: PairedMean = NOTHING
    """The same per game, with its interval: `points.mean` and `points.interval()`."""
    adjusted: PairedMean = NOTHING
    """Luck-adjusted win rate; its `games` is 0 unless the match had a judge."""
    adjusted_points: PairedMean = NOTHING
    """Luck-adjusted points per game; its `games` is 0 unless the match had a judge that measures points."""
    ratings: tuple[ErrorRating, ErrorRating] = UNRATED
    """Error rating of each player; its `decisions` is 0 unless the match had a judge."""
    decisions: tuple[int, int] = (0, 0)
    """Number of decisions of each player."""
    seconds: tuple[float, float] = (0.0, 0.0)
    """Thinking time of each player, in seconds."""

    @property
    def rate(self) -> float:
        """Win rate; a draw counts half. 0.5 if no game was played."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """95% confidence interval of `rate` (Wilson score interval)."""
        return wilson(self.wins + self.draws / 2, self.games)

    @property
    def ms_per_move(self) -> tuple[float, float]:
        """Mean thinking time per decision of each player, in milliseconds."""
        first, second = (1000 * s / max(1, n) for s, n in zip(self.seconds, self.decisions, strict=True))
        return first, second

    def __add__(self, other: MatchResult) -> MatchResult:
        return replace(
            self,
            games=self.games + other.games,
            wins=self.wins + other.wins,
            draws=self.draws + other.draws,
            margin=self.margin + other.margin,
            points=self.points + other.points,
            adjusted=self.adjusted + other.adjusted,
            adjusted_points=self.adjusted_points + other.adjusted_points,
            ratings=(self.ratings[0] + other.ratings[0], self.ratings[1] + other.ratings[1]),
            decisions=(self.decisions[0] + other.decisions[0], self.decisions[1] + other.decisions[1]),
            seconds=(self.seconds[0] + other.seconds[0], self.seconds[1] + other.seconds[1]),
        )

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.first} - {self.second}: {self.wins} of {self.games} won"
            f"{f', {self.draws} drawn' if self.draws else ''}: {self.rate:.1%} ({low:.1%} to {high:.1%})"
        )


def wilson(wins: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """Returns the Wilson score interval of a win probability.

    Args:
        wins: number of games won; draws may count half.
        games: number of games played.
        z: quantile of the normal distribution; 1.96 gives a 95% interval.

    Returns:
        The lower and the upper bound; (0, 1) if no game was played.

    Examples:
        >>> [round(end, 3) for end in wilson(60, 100)]
        [0.502, 0.691]
    """
    if games == 0:
        return 0.0, 1.0
    p, n = wins / games, games
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)
