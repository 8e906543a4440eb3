"""The protocol between search and evaluators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tablier._core import Game
from tablier._core import search as _search

NAMES = ("features", "legal_mask", "player", "states", "slots")
"""The arrays of `Leaves`."""


@dataclass(frozen=True)
class Leaves:
    """A batch of n positions to evaluate, one per row."""

    features: NDArray[np.float32]
    """[n, *features_shape]: features from the point of view of `player`."""
    legal_mask: NDArray[np.bool_]
    """[n, actions]: legal actions; all False at chance nodes."""
    player: NDArray[np.int32]
    """[n]: the player to move or, at chance nodes, the player who moved last."""
    states: NDArray[np.uint64]
    """[n, words]: the positions themselves."""
    slots: NDArray[np.int32]
    """[n]: the search of the pool that requested the evaluation."""
    decisions: int | None = None
    """The number of leading rows that need a policy, if known. The search asks for the policy of other rows later, if
    it needs one."""

    @classmethod
    def empty(cls, game: Game, n: int) -> Leaves:
        """Allocates zero-filled arrays for n leaves."""
        return cls(
            features=np.zeros((n, *game.features_shape()), np.float32),
            legal_mask=np.zeros((n, game.num_distinct_actions()), np.bool_),
            player=np.zeros(n, np.int32),
            states=np.zeros((n, game.state_size()), np.uint64),
            slots=np.zeros(n, np.int32),
        )

    @classmethod
    def of(cls, game: Game, states: NDArray[np.uint64], player: NDArray[np.int32]) -> Leaves:
        """Encodes positions for evaluation.

        Args:
            game: the game of the positions.
            states: [n, words], the positions.
            player: [n], the player from whose point of view each position is encoded.
        """
        leaves = cls.empty(game, len(states))
        leaves.states[:] = states
        leaves.player[:] = player
        _search.show(game, leaves.states, leaves.player, leaves.features, leaves.legal_mask)
        return leaves

    def arrays(self, names: Sequence[str] = NAMES) -> dict[str, Any]:
        """Returns the arrays with these names, as a dict."""
        return {name: getattr(self, name) for name in names}

    def first(self, n: int, decisions: int | None = None) -> Leaves:
        """Returns a view of the first rows, without copying.

        Args:
            n: number of rows.
            decisions: the `decisions` of the result: how many leading rows need a policy; None for all.
        """
        return replace(self[slice(n)] if n < len(self) else self, decisions=decisions)

    def __getitem__(self, rows: slice | NDArray[np.generic]) -> Leaves:
        return Leaves(**{name: array[rows] for name, array in self.arrays().items()})

    def __len__(self) -> int:
        return len(self.player)


Evaluation = tuple[NDArray[np.float32] | None, NDArray[np.float32]]
"""The result of an evaluation, (logits, values).

Logits are [n, actions], or [`Leaves.decisions`, actions] if that is set, or None for a uniform policy; those of illegal
actions are ignored. Values are [n, players]: each player's expected return from the position on, by seat."""


class Evaluator(Protocol):
    """Estimates the policy and value of positions.

    An evaluator can name the arrays of `Leaves` that it needs in an attribute `looks_at`; the others may then be left
    unfilled.
    """

    def evaluate(self, leaves: Leaves) -> Evaluation:
        """Returns the logits and values of the leaves."""
        ...


def checked(evaluator: Evaluator, leaves: Leaves) -> Evaluation:
    """Evaluates leaves and checks the types and shapes of the result.

    Args:
        evaluator: the evaluator to call.
        leaves: the positions to evaluate.

    Returns:
        The logits and values as contiguous float32 arrays.

    Raises:
        TypeError: the result is not a pair, or not made of float arrays.
        ValueError: an array has the wrong shape.
    """
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
