"""Measures quantization: the error on positions from random play, and how often the best move stays the same."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tablier._core import BatchEnv, Game, nets
from tablier._core import search as _search
from tablier.learn.data.sampling import best_of
from tablier.learn.networks.core_net import CoreNet, scales_of, to_core
from tablier.registry import load_game

POSITIONS = 10_000
"""Afterstates that are compared."""


def error_of(net: CoreNet, game: Game) -> dict[str, float]:
    """Compares a network with its exported integers.

    Args:
        net: the network.
        game: the game it was trained for.

    Returns:
        The number of positions, the mean and the largest absolute error of the value, both relative to the standard
        deviation of the values, and the fraction of decisions with the same best move.
    """
    states, players, signs, starts = decisions(game)
    if not len(starts):
        return {"positions": 0}
    features = np.zeros((len(states), *game.features_shape()), np.float32)
    _search.show(game, states, players, features, None)
    with torch.no_grad():
        exact = net(torch.from_numpy(features.reshape(len(states), -1)))[1].squeeze(1).numpy().astype(np.float64)
    file = to_core(net, game)
    rounded = nets.Network(file).compute(game, states, players)[0][:, 0] * scales_of(file)[0]
    spread = float(exact.std()) or 1.0
    same = best_of(signs * exact, starts)[0] == best_of(signs * rounded, starts)[0]
    errors = np.abs(rounded - exact) / spread
    facts = {"positions": len(states), "mean_error": errors.mean(), "largest_error": errors.max(), "same": same.mean()}
    return {name: float(f"{value:.3g}") for name, value in facts.items()}


def decisions(game: Game) -> tuple[Any, Any, Any, NDArray[np.int64]]:
    """Collects the afterstates of decisions in random play, except decisions that can end the game.

    Returns:
        The afterstates; the player who sees each; 1 if that is the player who decides, otherwise -1; and the row where
        each decision begins.
    """
    return _decisions(game.name, tuple(game.options().items()))


@lru_cache(maxsize=4)
def _decisions(name: str, options: tuple[tuple[str, Any], ...]) -> tuple[Any, Any, Any, NDArray[np.int64]]:
    game = load_game(name, **dict(options))
    env, draw = BatchEnv(game, 64, seed=0), np.random.default_rng(0)
    states: list[NDArray[np.uint64]] = []
    players: list[int] = []
    signs: list[int] = []
    starts: list[int] = []
    for _ in range(1000):
        for i in range(len(env)):
            state = env.state(i)
            mover = state.current_player()
            after = [state.child(action) for action in state.legal_actions()]
            if any(one.is_terminal() for one in after):
                continue
            starts.append(len(states))
            for one in after:
                viewer = mover if one.is_chance_node() else one.current_player()
                states.append(_search.words(one))
                players.append(viewer)
                signs.append(1 if viewer == mover else -1)
        if len(states) >= POSITIONS:
            break
        env.step(np.array([draw.choice(env.state(i).legal_actions()) for i in range(len(env))], np.int32))
    words = np.array(states, np.uint64).reshape(len(states), -1)
    return words, np.array(players, np.int32), np.array(signs), np.array(starts)
