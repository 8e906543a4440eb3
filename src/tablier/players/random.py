"""A player that plays at random."""

from __future__ import annotations

import random

from tablier._core import Game, State
from tablier.candidate import Candidate
from tablier.players.settings import Seed


class RandomPlayer:
    """Plays each legal action with the same probability."""

    def __init__(self, game: Game, seed: Seed = 0) -> None:
        self._random = random.Random(seed)

    def choose(self, state: State) -> int:
        """Returns a random legal action."""
        return self._random.choice(state.legal_actions())

    def explain(self, state: State) -> list[Candidate]:
        """Returns the legal actions, all with the value 0 and the same probability."""
        legal = state.legal_actions()
        return [Candidate(action, state.action_to_string(action), 0.0, prior=1 / len(legal)) for action in legal]
