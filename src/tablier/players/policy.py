"""A network's policy without any search."""

from __future__ import annotations

import numpy as np

from tablier._core import Game, State
from tablier.candidate import Candidate
from tablier.evaluators import OnnxEvaluator
from tablier.evaluators.protocol import Leaves
from tablier.messages import MessageError
from tablier.players.settings import Seed, Temperature


class PolicyPlayer:
    """Takes the action that a network prefers or, with a temperature, draws by its policy."""

    def __init__(self, game: Game, net: str = "", temperature: Temperature = 0.0, seed: Seed = 0) -> None:
        if not net:
            raise MessageError.of("player.needs_network", player="policy")
        self._evaluator = OnnxEvaluator(game, net)
        self._temperature = temperature
        self._draw = np.random.default_rng(seed)

    def choose(self, state: State) -> int:
        """The preferred action, or one drawn."""
        shares, _ = self._shares(state)
        if not self._temperature:
            return max(shares, key=lambda action: shares[action])
        return int(self._draw.choice(list(shares), p=list(shares.values())))

    def explain(self, state: State) -> list[Candidate]:
        """Every action with its share, the preferred one first; the value is that of the position."""
        shares, value = self._shares(state)
        chance = self._evaluator.searched.win_chance(value)
        ranked = sorted(shares, key=lambda action: -shares[action])
        return [
            Candidate(action, state.action_to_string(action), value, prior=shares[action], win_chance=chance)
            for action in ranked
        ]

    def _shares(self, state: State) -> tuple[dict[int, float], float]:
        """What the network gives to each legal action, and what it holds the position to be worth."""
        searched, player, legal = self._evaluator.searched, state.current_player(), state.legal_actions()
        leaves = Leaves.of(searched.game, searched.row(state), np.array([player], np.int32))
        logits, values = self._evaluator.evaluate(leaves)
        if logits is None:
            raise MessageError.of("network.no_policy")
        entries = logits[0, legal].astype(np.float64) / (self._temperature or 1.0)
        entries = np.exp(entries - entries.max())
        shares = dict(zip(legal, (entries / entries.sum()).tolist(), strict=True))
        return shares, searched.worth(values[0].tolist(), player)
