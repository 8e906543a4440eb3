"""A cache around an evaluator."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray

from tablier.evaluators.protocol import Evaluation, Evaluator, Leaves, checked


class CachedEvaluator:
    """Caches the results of another evaluator and evicts the least recently used positions.

    Results of evaluators that draw random numbers are cached too, so each position keeps its first estimate.

    Args:
        evaluator: the evaluator to cache.
        capacity: maximum number of positions in the cache.

    Attributes:
        hits: number of rows served from the cache, or from another row of the same batch.
        misses: number of rows passed to the evaluator.

    Raises:
        ValueError: `capacity` is less than 1.
    """

    def __init__(self, evaluator: Evaluator, capacity: int = 100_000) -> None:
        if capacity < 1:
            raise ValueError(f"capacity must be at least 1, not {capacity}")
        self._evaluator = evaluator
        self._capacity = capacity
        self._known: OrderedDict[bytes, tuple[NDArray[np.float32] | None, NDArray[np.float32]]] = OrderedDict()
        self.hits = 0
        self.misses = 0

    def evaluate(self, leaves: Leaves) -> Evaluation:
        """Returns cached results, and evaluates all other leaves in one batch."""
        keys = [state.tobytes() + player.tobytes() for state, player in zip(leaves.states, leaves.player, strict=True)]
        fresh: dict[bytes, int] = {}
        for row, key in enumerate(keys):
            if key in self._known:
                self._known.move_to_end(key)
            else:
                fresh.setdefault(key, row)
        self.hits += len(keys) - len(fresh)
        self.misses += len(fresh)
        answers = {key: self._known[key] for key in keys if key in self._known}
        if fresh:
            logits, values = checked(self._evaluator, leaves[np.fromiter(fresh.values(), np.int64)])
            for i, key in enumerate(fresh):
                answers[key] = (None if logits is None else logits[i].copy(), values[i].copy())
            self._known.update((key, answers[key]) for key in fresh)
            while len(self._known) > self._capacity:
                self._known.popitem(last=False)
        values = np.stack([answers[key][1] for key in keys])
        policies = [answers[key][0] for key in keys]
        return (None if policies[0] is None else np.stack(policies)), values  # type: ignore[arg-type]
