"""Bradley-Terry ratings with intervals: a player's expected score follows from the difference in rating.

Ratings are in Elo points. A lead of 100 points means an expected score of 64%, one of 400 points 91% (10 to 1). Each
player gets up to half an extra win and half an extra loss when ratings are computed, shared among the opponents it has
met, so that the rating of a player who won every game is finite. Intervals come from the profile likelihood of the
games alone, so such a player's interval has no upper end. Needs SciPy (`pip install 'tablier[arena]'`).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import brentq
from scipy.sparse.csgraph import connected_components
from scipy.special import expit
from scipy.stats import chi2

ELO = 400 / math.log(10)
"""Elo points per unit of the logistic scale."""
PRIOR = 0.5
"""The most wins added for a player, over all opponents that it has met, when ratings are computed."""
TINY = 1e-6
"""Wins added for both players of each pair for intervals: just enough to keep the equations solvable."""
FARTHEST = 40.0
"""How far the ends of an interval are searched for, on the logistic scale: about 7,000 Elo points."""
TOLERANCE, RIDGE, LONGEST, MOST_STEPS = 1e-6, 1e-9, 5.0, 100
"""Newton's method: gradient at which it stops, ridge added to the curvature, longest step, maximum number of steps."""


class BradleyTerry:
    """Ratings fitted to the scores of all pairs of players.

    Args:
        scores: [n, n], `scores[i, j]` is what i scored against j: wins plus half the draws.
        anchor: the player whose rating is 0.

    Raises:
        ValueError: the matrix is not square, has negative or infinite entries, or no chain of games links some players
            to the anchor.

    Examples:
        >>> import numpy as np
        >>> fit = BradleyTerry(np.array([[0.0, 20.0], [60.0, 0.0]]), anchor=0)
        >>> round(fit.ratings[1])
        188
        >>> [round(end) for end in fit.interval(1)]
        [106, 283]
    """

    def __init__(self, scores: NDArray[np.float64], anchor: int = 0) -> None:
        n = len(scores)
        if scores.shape != (n, n) or not np.isfinite(scores).all() or (scores < 0).any():
            raise ValueError("scores must be a square matrix of finite numbers of at least 0")
        met = (scores + scores.T) > 0
        if connected_components(met, directed=False)[0] > 1:
            raise ValueError("some players are linked by no chain of games")
        met &= ~np.eye(n, dtype=bool)
        games = np.where(met, scores, 0.0)
        self._anchor = anchor
        opponents = np.maximum(1, met.sum(axis=1))
        prior = PRIOR * met / np.maximum(opponents[:, None], opponents[None, :])
        self._rated = _solve(games + prior, np.zeros(n), np.array([anchor]))
        self._wins = games + TINY * met
        self._best = _solve(self._wins, self._rated, np.array([anchor]))
        self._highest = _likelihood(self._wins, self._best)

    @property
    def ratings(self) -> NDArray[np.float64]:
        """[n]: the ratings, with 0 for the anchor."""
        rated: NDArray[np.float64] = ELO * (self._rated - self._rated[self._anchor])
        return rated

    def interval(self, player: int, other: int | None = None, level: float = 0.95) -> tuple[float, float]:
        """Returns the confidence interval of a player's lead over another, by default over the anchor.

        An end beyond the search range is infinite.
        """
        base = self._anchor if other is None else other
        if player == base:
            return 0.0, 0.0
        drop = chi2.ppf(level, 1) / 2
        start = self._best - self._best[base]
        fixed = np.array([base, player])

        def excess(difference: float) -> float:
            moved = start.copy()
            moved[player] = difference
            return float(self._highest - _likelihood(self._wins, _solve(self._wins, moved, fixed)) - drop)

        middle, ends = float(start[player]), []
        for way in (-1.0, 1.0):
            step = 0.1
            while excess(middle + way * step) < 0 and step < FARTHEST:
                step *= 2
            inside = 0.0 if step == 0.1 else step / 2
            found = brentq(excess, middle + way * inside, middle + way * step, xtol=1e-4) if step < FARTHEST else None
            ends.append(way * math.inf if found is None else ELO * found)
        return ends[0], ends[1]


def _likelihood(wins: NDArray[np.float64], strengths: NDArray[np.float64]) -> float:
    difference = strengths[:, None] - strengths[None, :]
    return float(-(wins * np.logaddexp(0.0, -difference)).sum())


def _solve(wins: NDArray[np.float64], start: NDArray[np.float64], fixed: NDArray[np.intp]) -> NDArray[np.float64]:
    """Maximises the likelihood over all players but the fixed ones, by Newton's method with step halving."""
    strengths, games = start.copy(), wins + wins.T
    free = np.setdiff1d(np.arange(len(start)), fixed)
    value = _likelihood(wins, strengths)
    for _ in range(MOST_STEPS if len(free) else 0):
        share = expit(strengths[:, None] - strengths[None, :])
        gradient = (wins - games * share).sum(axis=1)[free]
        if np.abs(gradient).max() < TOLERANCE:
            break
        weight = games * share * (1 - share)
        curvature = (np.diag(weight.sum(axis=1)) - weight)[np.ix_(free, free)] + RIDGE * np.eye(len(free))
        step, scale = cho_solve(cho_factor(curvature), gradient), 1.0
        step *= min(1.0, LONGEST / np.abs(step).max())
        while scale > 1e-6:
            moved = strengths.copy()
            moved[free] += scale * step
            if (reached := _likelihood(wins, moved)) >= value:
                break
            scale /= 2
        else:
            break
        strengths, value = moved, reached
    return strengths
