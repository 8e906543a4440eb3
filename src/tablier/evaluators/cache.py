"""An evaluator that remembers."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray

from tablier.evaluators.protocol import Evaluation, Evaluator, Leaves, checked


class CachedEvaluator:
    """Asks another evaluator only about positions it was not asked about lately.

    The least recently used are forgotten beyond `capacity`. Answers of evaluators that draw random numbers are
    remembered like all others.
    """

    def __init__(self, evaluator: Evaluator, capacity: int = 100_000) -> None:
        if capacity < 1:
            raise ValueError(f"a cache holds at least 1 position, not {capacity}")
        self._evaluator = evaluator
        self._capacity = capacity
        self._known: OrderedDict[bytes, tuple[NDArray[np.float32] | None, NDArray[np.float32]]] = OrderedDict()
        self.hits = 0
        self.misses = 0

    def evaluate(self, leaves: Leaves) -> Evaluation:
        """Known answers from memory, the others from the evaluator in one batch."""
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
