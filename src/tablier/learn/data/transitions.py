"""Training data of DQN and SAC: transitions from one decision to the next."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray

from tablier._core import Game
from tablier._core import search as _search
from tablier.learn.data.decisions import Decisions
from tablier.learn.data.replay import Rows, legal_mask, wrong_states


@dataclass(frozen=True)
class Transitions(Rows):
    """Transitions as arrays; states are 64-bit words."""

    states: NDArray[np.uint64]
    players: NDArray[np.int32]
    actions: NDArray[np.int32]
    rewards: NDArray[np.float32]
    """From the point of view of the player who acted."""
    turns: NDArray[np.int8]
    """Who decides next: 1 the same player, -1 the opponent, 0 nobody, because the game is over."""
    next_states: NDArray[np.uint64]
    next_players: NDArray[np.int32]

    @classmethod
    def empty(cls, game: Game) -> Self:
        """Returns an empty set of transitions."""
        states, players = np.zeros((0, game.state_size()), np.uint64), np.zeros(0, np.int32)
        return cls(states, players, players, np.zeros(0, np.float32), np.zeros(0, np.int8), states, players)

    def fault(self, game: Game) -> str:
        """Describes what is wrong with rows from a file; empty if nothing is wrong."""
        if any(len(getattr(self, one.name)) != len(self) for one in fields(self)):
            return "array lengths do not match"
        right = (self.actions >= 0) & (self.actions < game.num_distinct_actions()) & (abs(self.turns) <= 1)
        for players in (self.players, self.next_players):
            right &= (players == 0) | (players == 1)
        if not right.all():
            return "an action, player or turn is out of range"
        if not np.isfinite(self.rewards).all():
            return "a reward is not finite"
        if reason := wrong_states(game, self.states) or wrong_states(game, self.next_states):
            return reason
        legal = legal_mask(game, self.states)[np.arange(len(self)), self.actions]
        if not legal.all() or not legal_mask(game, self.next_states).any(axis=1).all():
            return "an action is not legal"
        return ""

    def show(self, game: Game, rows: NDArray[np.int64]) -> Steps:
        """Returns these rows as a minibatch of tensors."""

        def seen(states: NDArray[np.uint64], players: NDArray[np.int32]) -> tuple[torch.Tensor, torch.Tensor]:
            features = np.zeros((len(rows), *game.features_shape()), np.float32)
            legal = np.zeros((len(rows), game.num_distinct_actions()), np.bool_)
            words, eyes = np.ascontiguousarray(states[rows]), np.ascontiguousarray(players[rows])
            _search.show(game, words, eyes, features, legal)
            return torch.from_numpy(features.reshape(len(rows), -1)), torch.from_numpy(legal)

        return Steps(
            *seen(self.states, self.players),
            torch.from_numpy(self.actions[rows].astype(np.int64)),
            torch.from_numpy(self.rewards[rows]),
            torch.from_numpy(self.turns[rows].astype(np.float32)),
            *seen(self.next_states, self.next_players),
        )


@dataclass(frozen=True)
class Steps:
    """A minibatch of transitions; the first axis of every tensor is the transition."""

    features: torch.Tensor
    legal: torch.Tensor
    action: torch.Tensor
    reward: torch.Tensor
    turn: torch.Tensor
    next_features: torch.Tensor
    next_legal: torch.Tensor


def transitions_of(played: Decisions) -> Transitions:
    """Returns decisions as transitions, those of the same move of all games next to each other."""

    def rows(array: NDArray[Any]) -> NDArray[Any]:
        return array.reshape(-1, *array.shape[2:])

    return Transitions(
        rows(played.states[:-1]),
        rows(played.players[:-1]),
        rows(played.actions),
        rows(played.rewards),
        rows(played.turns),
        rows(played.states[1:]),
        rows(played.players[1:]),
    )
