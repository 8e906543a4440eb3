"""Choosing among legal actions for many games at once. Only those are looked at: of Trictrac's 514 about nine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]


def best_of(worth: NDArray[np.floating], starts: Rows) -> tuple[Rows, NDArray[np.floating]]:
    """The first of the largest entries of each stretch that begins at `starts`, and what it is worth.

    >>> best_of(np.array([1.0, 3, 3, 2, 5]), np.array([0, 3]))
    (array([1, 4]), array([3., 5.]))
    """
    counts = np.diff(np.append(starts, len(worth)))
    highest = np.maximum.reduceat(worth, starts)
    if np.isnan(highest).any():
        raise FloatingPointError("the network's answers are no numbers")
    tops = np.flatnonzero(worth == np.repeat(highest, counts))
    return tops[np.searchsorted(tops, starts)], highest


def stretches(legal: NDArray[np.bool_]) -> tuple[Rows, Rows, Rows]:
    """Rows and columns of the legal entries, and where each row's begin."""
    rows, columns = np.nonzero(legal)
    return rows, columns, np.searchsorted(rows, np.arange(len(legal)))


def sample(logits: Floats, legal: NDArray[np.bool_], draw: np.random.Generator) -> tuple[Rows, Floats]:
    """An action of every row by the softmax over its legal ones, and the logarithm of its probability."""
    rows, columns, starts = stretches(legal)
    entries = logits[rows, columns]
    shifted = entries - np.maximum.reduceat(entries, starts)[rows]
    total = np.add.reduceat(np.exp(shifted), starts)
    chosen, _ = best_of(shifted + draw.gumbel(size=len(shifted)), starts)
    return columns[chosen], (shifted[chosen] - np.log(total)).astype(np.float32)


def greedy(worth: Floats, legal: NDArray[np.bool_], explore: float, draw: np.random.Generator) -> Rows:
    """The best legal action of every row or, with a probability, any."""
    rows, columns, starts = stretches(legal)
    chosen, _ = best_of(worth[rows, columns], starts)
    if explore:
        counts = np.diff(np.append(starts, len(rows)))
        any_of_them = starts + draw.integers(counts)
        chosen = np.where(draw.random(len(legal)) < explore, any_of_them, chosen)
    return columns[chosen]
