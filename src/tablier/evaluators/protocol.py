"""The protocol between search and whoever knows what positions are worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tablier._core import Game
from tablier._core import search as _search

NAMES = ("features", "legal_mask", "player", "states", "slots")


@dataclass(frozen=True)
class Leaves:
    """Positions that wait for an evaluation, a row each."""

    features: NDArray[np.float32]
    """[n, *features_shape], seen by `player`."""
    legal_mask: NDArray[np.bool_]
    """[n, actions]; empty rows where the dice are to be thrown."""
    player: NDArray[np.int32]
    """[n], who is to decide or, where the dice are to be thrown, who decided last."""
    states: NDArray[np.uint64]
    """[n, words], the positions themselves."""
    slots: NDArray[np.int32]
    """[n], which search of a pool asks."""
    decisions: int | None = None
    """If known, how many rows need a policy, the first so many; others are asked for it if a search goes on there."""

    @classmethod
    def empty(cls, game: Game, n: int) -> Leaves:
        """Room for n leaves."""
        return cls(
            features=np.zeros((n, *game.features_shape()), np.float32),
            legal_mask=np.zeros((n, game.num_distinct_actions()), np.bool_),
            player=np.zeros(n, np.int32),
            states=np.zeros((n, game.state_size()), np.uint64),
            slots=np.zeros(n, np.int32),
        )

    @classmethod
    def of(cls, game: Game, states: NDArray[np.uint64], player: NDArray[np.int32]) -> Leaves:
        """These positions, each seen by its player."""
        leaves = cls.empty(game, len(states))
        leaves.states[:] = states
        leaves.player[:] = player
        _search.show(game, leaves.states, leaves.player, leaves.features, leaves.legal_mask)
        return leaves

    def arrays(self, names: Sequence[str] = NAMES) -> dict[str, Any]:
        """The arrays by name, or some of them."""
        return {name: getattr(self, name) for name in names}

    def first(self, n: int, decisions: int | None = None) -> Leaves:
        """The first n rows, without a copy."""
        return replace(self[slice(n)] if n < len(self) else self, decisions=decisions)

    def __getitem__(self, rows: slice | NDArray[np.generic]) -> Leaves:
        return Leaves(**{name: array[rows] for name, array in self.arrays().items()})

    def __len__(self) -> int:
        return len(self.player)


Evaluation = tuple[NDArray[np.float32] | None, NDArray[np.float32]]
"""Logits [n, actions] (None: all alike; those of illegal actions are not looked at; where `Leaves.decisions` is known
those rows are enough), and values [n, players]: the returns that every player, by seat, will still collect."""


class Evaluator(Protocol):
    """Says what positions are worth. One with an attribute `looks_at`, names of arrays, may be given only those."""

    def evaluate(self, leaves: Leaves) -> Evaluation:
        """Logits and values of the leaves."""
        ...


def checked(evaluator: Evaluator, leaves: Leaves) -> Evaluation:
    """What the evaluator answers, if it has the right types and shapes; else an error that names the evaluator."""
    answer = evaluator.evaluate(leaves)
    name = type(evaluator).__name__
    if not (isinstance(answer, tuple) and len(answer) == 2):
        raise TypeError(f"{name}.evaluate() must return (logits or None, values), not {type(answer).__name__}")
    logits, values = answer
    if logits is not None:
        few = isinstance(logits, np.ndarray) and logits.ndim == 2 and len(logits) == leaves.decisions
        rows = leaves.decisions if few and leaves.decisions is not None else len(leaves)
        logits = _array(logits, f"the logits of {name}", (rows, leaves.legal_mask.shape[1]))
    values = _array(values, f"the values of {name}", (len(leaves), None))
    return logits, values


def _array(given: object, what: str, shape: tuple[int, int | None]) -> NDArray[np.float32]:
    if not isinstance(given, np.ndarray) or given.dtype.kind != "f":
        kind = given.dtype if isinstance(given, np.ndarray) else type(given).__name__
        raise TypeError(f"{what} must be an array of float32, not {kind}")
    if given.ndim != 2 or given.shape[0] != shape[0] or shape[1] not in (None, given.shape[1]):
        expected = f"({shape[0]}, {shape[1] or 'players'})"
        raise ValueError(f"{what} have shape {given.shape}; expected {expected}")
    return np.ascontiguousarray(given, np.float32)
