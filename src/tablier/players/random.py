"""The player that takes any legal action."""

from __future__ import annotations

import random

from tablier._core import Game, State
from tablier.candidate import Candidate
from tablier.players.settings import Seed


class RandomPlayer:
    """Each legal action with the same probability."""

    def __init__(self, game: Game, seed: Seed = 0) -> None:
        self._random = random.Random(seed)

    def choose(self, state: State) -> int:
        """Any of the legal actions."""
        return self._random.choice(state.legal_actions())

    def explain(self, state: State) -> list[Candidate]:
        """All actions are alike."""
        legal = state.legal_actions()
        return [Candidate(action, state.action_to_string(action), 0.0, prior=1 / len(legal)) for action in legal]
