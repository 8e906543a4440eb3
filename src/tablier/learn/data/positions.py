"""Training data of AlphaZero: positions with a value target and, at decisions, a policy target."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from tablier._core import Game
from tablier._core import search as _search
from tablier.learn.data.replay import Rows, legal_mask, wrong_states


@dataclass(frozen=True)
class Positions(Rows):
    """Positions as arrays. Row i has the policy entries offsets[i] to offsets[i + 1]; none if it has only a value."""

    states: NDArray[np.uint64]
    players: NDArray[np.int32]
    """The player from whose point of view the position is seen."""
    values: NDArray[np.float32]
    """Value target of that player."""
    offsets: NDArray[np.int64]
    actions: NDArray[np.int32]
    """Actions of the policy entries."""
    shares: NDArray[np.float32]
    """Probabilities of these actions."""

    @classmethod
    def empty(cls, game: Game) -> Self:
        """Returns an empty set of positions."""
        states = np.zeros((0, game.state_size()), np.uint64)
        players, values = np.zeros(0, np.int32), np.zeros(0, np.float32)
        return cls(states, players, values, np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float32))

    @classmethod
    def joined(cls, parts: Iterable[Self]) -> Self:
        """Concatenates parts, in order."""
        parts = list(parts)
        lengths = np.concatenate([np.diff(part.offsets) for part in parts])
        rest = {
            name: np.concatenate([getattr(part, name) for part in parts])
            for name in ("states", "players", "values", "actions", "shares")
        }
        return cls(offsets=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64), **rest)

    def last(self, n: int) -> Self:
        """Returns the last n rows."""
        cut = max(0, len(self) - n)
        begin = self.offsets[cut]
        return type(self)(
            self.states[cut:],
            self.players[cut:],
            self.values[cut:],
            self.offsets[cut:] - begin,
            self.actions[begin:],
            self.shares[begin:],
        )

    def fault(self, game: Game) -> str:
        """Describes what is wrong with rows from a file; empty if nothing is wrong."""
        lengths = np.diff(self.offsets)
        whole = len(self.states) == len(self.players) == len(self.values) == len(lengths)
        if not whole or (lengths < 0).any() or self.offsets[0] or self.offsets[-1] != len(self.actions):
            return "array lengths do not match"
        actions = game.num_distinct_actions()
        there = len(self.shares) == len(self.actions) and ((self.actions >= 0) & (self.actions < actions)).all()
        if not there or not ((self.players == 0) | (self.players == 1)).all():
            return "an action or player is out of range"
        if not (np.isfinite(self.values).all() and np.isfinite(self.shares).all()):
            return "a value is not finite"
        if reason := wrong_states(game, self.states):
            return reason
        legal = legal_mask(game, self.states)
        return "" if legal[np.repeat(np.arange(len(self)), lengths), self.actions].all() else "an action is not legal"

    def show(self, game: Game, rows: NDArray[np.int64]) -> Batch:
        """Returns these rows as a minibatch, each from the point of view of its player."""
        n = len(rows)
        features = np.zeros((n, *game.features_shape()), np.float32)
        legal = np.zeros((n, game.num_distinct_actions()), np.bool_)
        states, players = np.ascontiguousarray(self.states[rows]), np.ascontiguousarray(self.players[rows])
        _search.show(game, states, players, features, legal)
        policy = np.zeros(legal.shape, np.float32)
        counts = (self.offsets[rows + 1] - self.offsets[rows]).astype(np.int64)
        entries = np.repeat(self.offsets[rows] - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
        entries += np.arange(counts.sum())
        policy[np.repeat(np.arange(n), counts), self.actions[entries]] = self.shares[entries]
        return Batch(features, legal, policy, self.values[rows])


@dataclass(frozen=True)
class Batch:
    """A minibatch: inputs and targets."""

    features: NDArray[np.float32]
    legal: NDArray[np.bool_]
    policy: NDArray[np.float32]
    values: NDArray[np.float32]

    def mirror(self, game: Game, draw: np.random.Generator) -> None:
        """Swaps the seats in about half of the rows, if the game has a mirror."""
        colour = game._colour_entries()[1] if game.has_mirror() else -1
        if colour >= 0:
            flipped = draw.random(len(self.values)) < 0.5
            seen = self.features.reshape(len(self.values), -1)
            seen[flipped, colour] = 1 - seen[flipped, colour]
            images = [game.mirrored_action(action) for action in range(game.num_distinct_actions())]
            for by_action in (self.legal, self.policy):
                by_action[flipped] = by_action[flipped][:, images]
