"""A network's policy without any search."""

from __future__ import annotations

import numpy as np

from tablier._core import Game, State
from tablier.evaluators import OnnxEvaluator
from tablier.evaluators.protocol import Leaves
from tablier.players.opinion import Opinion


class PolicyPlayer:
    """Takes the action that a network prefers or, with a temperature, draws by its policy."""

    def __init__(self, game: Game, net: str = "", temperature: float = 0.0, seed: int = 0) -> None:
        if not net:
            raise ValueError("the player 'policy' needs a network: policy:net=FILE")
        self._evaluator = OnnxEvaluator(game, net)
        self._temperature = temperature
        self._draw = np.random.default_rng(seed)

    def choose(self, state: State) -> int:
        """The preferred action, or one drawn."""
        shares, _ = self._shares(state)
        if not self._temperature:
            return max(shares, key=lambda action: shares[action])
        return int(self._draw.choice(list(shares), p=list(shares.values())))

    def explain(self, state: State) -> list[Opinion]:
        """Every action with its share, the preferred one first; the value is that of the position."""
        shares, value = self._shares(state)
        chance = self._evaluator.form.win_chance(value)
        ranked = sorted(shares, key=lambda action: -shares[action])
        return [
            Opinion(action, state.action_to_string(action), value, prior=shares[action], win_chance=chance)
            for action in ranked
        ]

    def _shares(self, state: State) -> tuple[dict[int, float], float]:
        """What the network gives to each legal action, and what it holds the position to be worth."""
        form, player, legal = self._evaluator.form, state.current_player(), state.legal_actions()
        leaves = Leaves.of(form.game, form.row(state), np.array([player], np.int32))
        logits, values = self._evaluator.evaluate(leaves)
        if logits is None:
            raise ValueError("this network has no policy; play it as expectimax:net=FILE")
        entries = logits[0, legal].astype(np.float64) / (self._temperature or 1.0)
        entries = np.exp(entries - entries.max())
        shares = dict(zip(legal, (entries / entries.sum()).tolist(), strict=True))
        return shares, form.worth(values[0].tolist(), player)
