"""Chooses actions for many games at once. Only legal entries are touched, in Trictrac about nine of 514."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]
Chances = NDArray[np.float64]


def best_of(worth: NDArray[np.floating], starts: Rows) -> tuple[Rows, NDArray[np.floating]]:
    """Returns the index and the value of the largest entry of each segment; the first one in case of a tie.

    Args:
        worth: all entries.
        starts: where each segment starts, ascending from 0.

    Raises:
        FloatingPointError: an entry is NaN.

    >>> best_of(np.array([1.0, 3, 3, 2, 5]), np.array([0, 3]))
    (array([1, 4]), array([3., 5.]))
    """
    counts = np.diff(np.append(starts, len(worth)))
    highest = np.maximum.reduceat(worth, starts)
    if np.isnan(highest).any():
        raise FloatingPointError("the network returned NaN")
    tops = np.flatnonzero(worth == np.repeat(highest, counts))
    return tops[np.searchsorted(tops, starts)], highest


def segments(legal: NDArray[np.bool_]) -> tuple[Rows, Rows, Rows]:
    """Returns the rows and columns of the legal entries, and where each row starts among them."""
    rows, columns = np.nonzero(legal)
    return rows, columns, np.searchsorted(rows, np.arange(len(legal)))


def sample(logits: Floats, legal: NDArray[np.bool_], chance: Chances) -> tuple[Rows, Floats]:
    """Samples an action per row from the softmax over the legal logits.

    The result for a row does not depend on the other rows.

    Args:
        logits: logits [n, actions].
        legal: mask of legal actions [n, actions].
        chance: a random number from 0 to 1 per row, [n].

    Returns:
        The actions and their log-probabilities.

    Raises:
        FloatingPointError: a logit is NaN.
    """
    rows, columns, starts = segments(legal)
    entries = logits[rows, columns]
    shifted = entries - np.maximum.reduceat(entries, starts)[rows]
    place = np.arange(len(rows)) - starts[rows]
    shares = np.zeros((len(legal), place.max() + 1))  # zeros at the end of a row change no sum
    shares[rows, place] = np.exp(shifted, dtype=np.float64)
    sums = shares.cumsum(axis=1)
    total = sums[:, -1]
    if not np.isfinite(total).all():
        raise FloatingPointError("the network returned NaN")
    counts = np.diff(np.append(starts, len(rows)))
    chosen = starts + np.minimum((sums <= (chance * total)[:, None]).sum(axis=1), counts - 1)
    return columns[chosen], (shifted[chosen] - np.log(total)).astype(np.float32)


def greedy(worth: Floats, legal: NDArray[np.bool_], epsilon: float, chances: Chances) -> Rows:
    """Returns the best legal action per row or, with probability epsilon, a random legal one.

    The result for a row does not depend on the other rows.

    Args:
        worth: values [n, actions].
        legal: mask of legal actions [n, actions].
        epsilon: probability of a random action.
        chances: two random numbers from 0 to 1 per row, [n, 2]: whether to play at random, and what.

    Raises:
        FloatingPointError: a value is NaN.
    """
    rows, columns, starts = segments(legal)
    chosen, _ = best_of(worth[rows, columns], starts)
    counts = np.diff(np.append(starts, len(rows)))
    any_of_them = starts + (chances[:, 1] * counts).astype(np.int64)
    return columns[np.where(chances[:, 0] < epsilon, any_of_them, chosen)]
