"""Random players of PettingZoo environments, for tests."""

import random

import numpy as np
import pytest

from tablier import _core

games = pytest.mark.parametrize("name", [*_core.native_games(), "race"])
alternating = pytest.mark.parametrize(
    "name", [name for name in (*_core.native_games(), "race") if name != "backgammon"]
)
"""Games in which agents can take turns one by one. In backgammon, a doublet is two turns of one agent."""


def act(e, rng):
    """Steps once with a random legal action; returns the agent and the reward from last()."""
    agent = e.agent_selection
    observation, reward, termination, truncation, _ = e.last()
    if termination or truncation:
        e.step(None)
    else:
        e.step(rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    return agent, reward


def play(e, steps, seed=1):
    e.reset(seed=seed)
    rng = random.Random(seed)
    for _ in range(steps):
        act(e, rng)
    return e
