"""Chooses actions for many games at once. Only legal entries are touched, in Trictrac about nine of 514."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]


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


def sample(logits: Floats, legal: NDArray[np.bool_], draw: np.random.Generator) -> tuple[Rows, Floats]:
    """Samples an action per row from the softmax over the legal logits. Returns actions and log-probabilities."""
    rows, columns, starts = segments(legal)
    entries = logits[rows, columns]
    shifted = entries - np.maximum.reduceat(entries, starts)[rows]
    total = np.add.reduceat(np.exp(shifted), starts)
    chosen, _ = best_of(shifted + draw.gumbel(size=len(shifted)), starts)
    return columns[chosen], (shifted[chosen] - np.log(total)).astype(np.float32)


def greedy(worth: Floats, legal: NDArray[np.bool_], epsilon: float, draw: np.random.Generator) -> Rows:
    """Returns the best legal action per row or, with probability epsilon, a random legal one."""
    rows, columns, starts = segments(legal)
    chosen, _ = best_of(worth[rows, columns], starts)
    if epsilon:
        counts = np.diff(np.append(starts, len(rows)))
        any_of_them = starts + draw.integers(counts)
        chosen = np.where(draw.random(len(legal)) < epsilon, any_of_them, chosen)
    return columns[chosen]
