"""The sequential probability ratio test (SPRT): play until it is clear whether a player reaches a win rate.

The test compares two hypotheses about the win rate of the first player: it is at most `low`, or at least `high`. After
each pair of games it computes the log-likelihood ratio of the two. It stops when the ratio leaves Wald's bounds,
log(beta / (1 - alpha)) and log((1 - beta) / alpha).

For wins and losses the likelihoods are exact. Luck-adjusted scores are taken as normally distributed, with the variance
of the pairs so far; they need far fewer games.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

FEWEST = 64
"""Pairs that a test of luck-adjusted scores needs at least: with fewer, the variance is too uncertain."""
PRIOR_PAIRS, PRIOR_VARIANCE = 2.0, 0.125
"""The variance starts at that of two pairs of independent fair games."""


@dataclass(frozen=True)
class Verdict:
    """The state of a test."""

    ratio: float
    """The log-likelihood ratio; a positive one favours `high`."""
    pairs: int
    """Number of pairs of games up to the decision."""
    accepted: float | None
    """The win rate that was accepted, `low` or `high`; None if the test is still open."""


@dataclass(frozen=True)
class SequentialTest:
    """The hypotheses and the error rates of a test.

    Raises:
        ValueError: a win rate or an error rate is out of range.

    Examples:
        >>> test = SequentialTest(low=0.5, high=0.6)
        >>> test.verdict([(1, 0), (1, 1)] * 30).accepted
        0.6
        >>> test.verdict([(1, 0), (0, 1)] * 100).accepted
        0.5
    """

    low: float = 0.5
    """The lower win rate: the player is no better than this."""
    high: float = 0.53
    """The higher win rate: the player is at least this good."""
    alpha: float = 0.05
    """Largest probability of accepting `high` although the true win rate is `low`."""
    beta: float = 0.05
    """Largest probability of accepting `low` although the true win rate is `high`."""

    def __post_init__(self) -> None:
        if not 0 < self.low < self.high < 1:
            raise ValueError(f"the win rates must satisfy 0 < low < high < 1, not {self.low:g} and {self.high:g}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name} must be between 0 and 0.5, not {getattr(self, name):g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test accepts `low` and `high`."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def verdict(self, scores: Iterable[Sequence[float]]) -> Verdict:
        """Runs the test on wins and losses.

        Args:
            scores: for each pair of games, in order, the scores of the first player: 1, 0.5 or 0 for each game.
        """
        won, lost = math.log(self.high / self.low), math.log((1 - self.high) / (1 - self.low))
        pairs, ratio = 0, 0.0
        for pair in scores:
            pairs += 1
            ratio += sum(score * won + (1 - score) * lost for score in pair)
            if (accepted := self._accepted(ratio)) is not None:
                return Verdict(ratio, pairs, accepted)
        return Verdict(ratio, pairs, None)

    def adjusted_verdict(self, scores: Iterable[Sequence[float]]) -> Verdict:
        """Runs the test on luck-adjusted scores, which may lie outside the range from 0 to 1.

        Args:
            scores: for each pair of games, in order, the luck-adjusted scores of the first player.
        """
        n, mean, spread, ratio = 0, 0.0, PRIOR_PAIRS * PRIOR_VARIANCE, 0.0
        for pair in scores:
            n += 1
            score = sum(pair) / len(pair)
            step = score - mean
            mean += step / n
            spread += step * (score - mean)
            variance = spread / (n + PRIOR_PAIRS - 1)
            ratio = n * (self.high - self.low) * (mean - (self.high + self.low) / 2) / variance
            if n >= FEWEST and (accepted := self._accepted(ratio)) is not None:
                return Verdict(ratio, n, accepted)
        return Verdict(ratio, n, None)

    def _accepted(self, ratio: float) -> float | None:
        lower, upper = self.bounds
        return self.high if ratio >= upper else self.low if ratio <= lower else None
