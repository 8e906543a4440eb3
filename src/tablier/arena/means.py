"""Means per game with confidence intervals, for games played in pairs on the same dice."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import NormalDist


@dataclass(frozen=True)
class PairedMean:
    """The mean of a quantity over games. The games of a pair share their dice, so each pair is one observation.

    Two means can be added if no pair of games is split between them.

    Examples:
        >>> sums = PairedMean.of({0: [3.0, -1.0], 1: [2.0, 2.0], 2: [4.0, 0.0], 3: [1.0, -1.0]})
        >>> sums.mean
        1.25
        >>> [round(end, 2) for end in sums.interval()]
        [-0.27, 2.77]
    """

    games: int = 0
    """Number of games."""
    pairs: int = 0
    """Number of pairs; the last one may have only one game."""
    total: float = 0.0
    """Sum of the quantity over all games."""
    squares: float = 0.0
    """Sum of the squares of the pairs' sums."""
    products: float = 0.0
    """Sum of each pair's sum times its number of games."""
    sizes: int = 0
    """Sum of the squares of the pairs' numbers of games."""

    @classmethod
    def of(cls, pairs: Mapping[int, Iterable[float]]) -> PairedMean:
        """Creates the mean from the values in each pair of games."""
        result = cls()
        for values in pairs.values():
            listed = list(values)
            s, n = sum(listed), len(listed)
            result += cls(n, 1, s, s * s, n * s, n * n)
        return result

    @property
    def mean(self) -> float:
        """Mean over games; 0 without games."""
        return self.total / self.games if self.games else 0.0

    @property
    def standard_error(self) -> float:
        """Standard error of the mean; infinite with fewer than two pairs."""
        if self.pairs < 2:
            return math.inf
        mean = self.mean
        spread = self.squares - 2 * mean * self.products + mean * mean * self.sizes
        return math.sqrt(max(0.0, spread) * self.pairs / (self.pairs - 1)) / self.games

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Confidence interval of the mean by Student's t distribution; infinite with fewer than two pairs."""
        return Mean(self.games, self.mean, self.standard_error, self.pairs - 1).interval(level)

    def __add__(self, other: PairedMean) -> PairedMean:
        return PairedMean(
            self.games + other.games,
            self.pairs + other.pairs,
            self.total + other.total,
            self.squares + other.squares,
            self.products + other.products,
            self.sizes + other.sizes,
        )


@dataclass(frozen=True)
class Mean:
    """A mean with its standard error."""

    games: int
    """Number of games."""
    mean: float
    """Mean over games."""
    standard_error: float
    """Standard error of the mean; infinite if it is unknown."""
    degrees: int
    """Degrees of freedom of the standard error."""

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Confidence interval by Student's t distribution; infinite if the standard error is."""
        if math.isinf(self.standard_error):
            return -math.inf, math.inf
        half = self.standard_error * student_quantile(0.5 + level / 2, self.degrees)
        return self.mean - half, self.mean + half


def mean_over(groups: Iterable[PairedMean]) -> Mean:
    """Combines the games against several opponents. The standard error ignores differences between the opponents.

    Examples:
        >>> weak = PairedMean.of({0: [9.0, 9.0], 1: [11.0, 11.0]})
        >>> strong = PairedMean.of({0: [-11.0, -11.0], 1: [-9.0, -9.0]})
        >>> found = mean_over([weak, strong])
        >>> found.mean, round(found.standard_error, 3)
        (0.0, 0.707)
    """
    listed = [group for group in groups if group.games]
    games = sum(group.games for group in listed)
    if not games:
        return Mean(0, 0.0, math.inf, 0)
    error = math.sqrt(sum((group.games * group.standard_error) ** 2 for group in listed)) / games
    return Mean(games, sum(group.total for group in listed) / games, error, sum(group.pairs - 1 for group in listed))


def student_quantile(p: float, degrees: int) -> float:
    """Returns the quantile of Student's t distribution for a probability p of at least 0.5.

    It is exact for one and two degrees of freedom. Otherwise it comes from a series that is accurate to three digits at
    the 95% level. SciPy is not used here, because `tablier match` must work with NumPy alone.

    Examples:
        >>> [round(student_quantile(0.975, n), 2) for n in (1, 2, 3, 10, 1000)]
        [12.71, 4.3, 3.18, 2.23, 1.96]
    """
    if degrees == 1:
        return math.tan(math.pi * (p - 0.5))
    if degrees == 2:
        return (2 * p - 1) * math.sqrt(2 / (4 * p * (1 - p)))
    z, n = NormalDist().inv_cdf(p), degrees
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / n**power for power, term in enumerate(terms, 1)))
