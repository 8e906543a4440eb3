"""The player that looks one throw ahead."""

from __future__ import annotations

import random

from tablier import _core
from tablier._core import Game, State
from tablier.registry import load_game


class GreedyPlayer:
    """Takes the action that brings most at once, the throw that follows it included on average.

    What counts is its own gain less the others' mean gain, so in Trictrac it plays where the opponent's next throw is
    worth least. Ties are broken by chance.
    """

    def __init__(self, game: Game, seed: int = 0) -> None:
        self._random = random.Random(seed)
        options = game.options()
        # Where only the end is paid there is nothing to be greedy for: such a game is looked at by its score.
        self._by_score = options.get("utility") == "win"
        self._game = load_game(game.name, **{**options, "utility": "score"}) if self._by_score else game

    def choose(self, state: State) -> int:
        """The best of the legal actions by one throw."""
        if self._by_score:
            state = _core.trictrac.transfer(self._game, state)
        player = state.current_player()
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        values = [_gain(state.child(action), player) for action in legal]
        best = max(values)
        return self._random.choice([action for action, value in zip(legal, values, strict=True) if value == best])


def _gain(state: State, player: int) -> float:
    """What the last action, and the throw that may follow, bring the player, less the others' mean."""
    gain = _balance(state.rewards(), player)
    if not state.is_chance_node():
        return gain
    outcomes = state.legal_actions()
    return gain + sum(_balance(state.child(outcome).rewards(), player) for outcome in outcomes) / len(outcomes)


def _balance(rewards: list[float], player: int) -> float:
    return rewards[player] - (sum(rewards) - rewards[player]) / max(1, len(rewards) - 1)
