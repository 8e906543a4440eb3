"""A player that follows the policy of a network without search."""

from __future__ import annotations

import numpy as np

from tablier._core import Game, State
from tablier.candidate import Candidate
from tablier.evaluators import OnnxEvaluator
from tablier.evaluators.protocol import Leaves
from tablier.messages import MessageError
from tablier.players.protocol import not_picklable
from tablier.players.settings import Seed, Temperature


class PolicyPlayer:
    """Plays the most probable action of a network's policy or, with a temperature, samples from it.

    Args:
        game: the game to play.
        net: path of an ONNX network with a policy.
        temperature: divides the logits before sampling; 0 plays the most probable action.
        seed: seed of the sampling.

    Raises:
        MessageError (a ValueError): no network is given, or it cannot be used.
    """

    __reduce__ = not_picklable

    def __init__(self, game: Game, net: str = "", temperature: Temperature = 0.0, seed: Seed = 0) -> None:
        if not net:
            raise MessageError.of("player.needs_network", player="policy")
        self._evaluator = OnnxEvaluator(game, net)
        self._temperature = temperature
        self._draw = np.random.default_rng(seed)

    def choose(self, state: State) -> int:
        """Returns the most probable action or a sampled one. Raises MessageError if the network has no policy."""
        shares, _ = self._shares(state)
        if not self._temperature:
            return max(shares, key=lambda action: shares[action])
        return int(self._draw.choice(list(shares), p=list(shares.values())))

    def explain(self, state: State) -> list[Candidate]:
        """Returns every action with its probability, most probable first. The value is that of the position."""
        shares, value = self._shares(state)
        chance = self._evaluator.searched.win_chance(value, state)
        ranked = sorted(shares, key=lambda action: -shares[action])
        return [
            Candidate(action, state.action_to_string(action), value, prior=shares[action], win_chance=chance)
            for action in ranked
        ]

    def _shares(self, state: State) -> tuple[dict[int, float], float]:
        """Returns the probability of each legal action, and the value of the position."""
        searched, player, legal = self._evaluator.searched, state.current_player(), state.legal_actions()
        leaves = Leaves.of(searched.game, searched.row(state), np.array([player], np.int32))
        logits, values = self._evaluator.evaluate(leaves)
        if logits is None:
            raise MessageError.of("network.no_policy")
        entries = logits[0, legal].astype(np.float64) / (self._temperature or 1.0)
        entries = np.exp(entries - entries.max())
        shares = dict(zip(legal, (entries / entries.sum()).tolist(), strict=True))
        return shares, searched.worth(values[0].tolist(), player)
