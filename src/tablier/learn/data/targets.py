"""What networks are taught: values by name, TD(lambda) returns, policies.

Values are seen by one player and are half of his margin over the other, the unit in which a network for two players
answers: where a game is won or lost (+1, -1) that is the result itself.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from tablier._core import Game
from tablier.learn.runs.files import RunError

Floats = NDArray[np.float32]
TARGETS = ("auto", "win", "margin", "mix")
MEASURED = 256
"""Random games that tell how much a game brings, where its bounds say little."""


def value_scale(game: Game, target: str) -> float:
    """The largest value of a game's target; Trictrac by score counts the holes that win.

    Another game that pays more than 1 has its bounds, but at most twice what the most one-sided of some random games
    brought: Trictrac à écrire can bring ten million tokens and brings a hundred. These games are always the same.
    """
    if game._zero_sum() and game.max_utility() == 1:
        return 1.0
    if target == "win" and not game._terminal_rewards():
        raise RunError(f"{game.name} pays before its end: choose the target margin")
    holes = None if game._terminal_rewards() else game.options().get("holes_to_win")
    if holes:
        return 12.0 * int(holes)
    bound = max(abs(game.min_utility()), abs(game.max_utility()), 1.0)
    returns = game.random_playouts(MEASURED, max_steps=20_000).returns
    largest = float(abs(returns[:, 0] - returns[:, 1]).max()) / 2
    return min(bound, 2 * largest) if largest else bound


def half_margin(rewards: Floats) -> Floats:
    """Of rewards [n, 2] what player 0 is ahead by, halved."""
    return ((rewards[:, 0] - rewards[:, 1]) * np.float32(0.5)).astype(np.float32, copy=False)


def outcome(margin: Floats, final: float, target: str, scale: float, mix: float = 0.5) -> Floats:
    """The value target of positions: half the `margin` still to come of a game that ended `final` ahead.

    `win` is the sign of the result, `margin` what is to come, `mix` so much of the margin and the rest of the win, all
    within -scale to scale.

    >>> outcome(np.float32([24, 6]), 30.0, "mix", 12.0)
    array([12. ,  7.5], dtype=float32)
    """
    won = np.full_like(margin, scale * np.sign(final))
    points = np.clip(margin / 2, -scale, scale)
    share = {"win": 0.0, "margin": 1.0, "mix": mix}[target]
    return ((1 - share) * won + share * points).astype(np.float32)


def lambda_returns(
    before: Floats, after: Floats, estimate: Floats, trace: Floats, over: NDArray[np.bool_], discount: float = 1.0
) -> NDArray[np.float32]:
    """TD(lambda) returns of positions after decisions t = 0, 1, ..., along the first axis; all in one player's eyes.

    `before[t]` is what the action of decision t brings by itself, `after[t]` what comes between its position and
    decision t + 1, `over[t]` says that there is none, `estimate[t]` is what decision t + 1 is held to be worth, and
    `trace[t]` how much of what really followed counts instead:

        G[t] = after[t] + discount * ((1 - trace[t]) * estimate[t] + trace[t] * (before[t + 1] + G[t + 1]))

    Beyond the last row nothing is known, and its estimate counts in full.
    """
    result = np.zeros_like(after)
    follows = estimate[-1]
    for t in range(len(after) - 1, -1, -1):
        to_come = (1 - trace[t]) * estimate[t] + trace[t] * follows
        result[t] = after[t] + np.where(over[t], 0, discount * to_come)
        follows = before[t] + result[t]
    return result


def masked_cross_entropy(logits: torch.Tensor, legal: torch.Tensor, policy: torch.Tensor) -> torch.Tensor:
    """Cross entropy of each row's policy and the softmax over its legal actions; 0 where none is legal."""
    masked = torch.where(legal.any(dim=1, keepdim=True), legal, True)
    return -(policy * log_shares(logits, masked).masked_fill(~legal, 0.0)).sum(dim=1)


def log_shares(logits: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """Logarithms of the softmax over each row's legal actions; -inf elsewhere."""
    return torch.log_softmax(logits.masked_fill(~legal, -torch.inf), dim=1)
