"""Training targets: value targets, lambda-returns and the policy loss.

A value is half a player's margin over the opponent, from that player's point of view. This is what a network for two
players outputs. If a game pays only +1 and -1, the value is the result.
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
"""Random games to estimate the range of values in a game with loose bounds."""


DISCOUNT_HELP = "discount per decision; 0: 0.96 if the game pays points as they are won, otherwise 1"


def default_discount(game: Game) -> float:
    """Returns the discount per decision that suits a game: less than 1 if it pays points as they are won."""
    return 0.96 if _pays_points(game) else 1.0


def _pays_points(game: Game) -> bool:
    return not game._terminal_rewards() and "holes_to_win" in game.options()


def value_scale(game: Game, target: str, discount: float = 1.0) -> float:
    """Returns the largest value of a target, which scales the network's output.

    It is 1 if the game pays only +1 and -1. If the game pays points and has the option `holes_to_win`, it is 12 points
    per hole needed, but at most 1.5 points per decision until a reward is discounted to 1/e. Otherwise it is the bound
    of the returns, but at most twice the largest value in 256 random games with a fixed seed: the scored game of
    Trictrac is bounded by ten million tokens but pays about a hundred.

    Raises:
        RunError: the target is `win`, but the game pays before its end.
    """
    if game._zero_sum() and game.max_utility() == 1:
        return 1.0
    if target == "win" and not game._terminal_rewards():
        raise RunError(f"{game.name} pays before its end, so the target cannot be win; use --target margin")
    if _pays_points(game):
        most = 12.0 * int(game.options()["holes_to_win"])
        return most if discount == 1 else min(most, 1.5 / (1 - discount))
    bound = max(abs(game.min_utility()), abs(game.max_utility()), 1.0)
    returns = game.random_playouts(MEASURED, max_steps=20_000).returns
    largest = float(abs(returns[:, 0] - returns[:, 1]).max()) / 2
    return min(bound, 2 * largest) if largest else bound


def half_margin(rewards: Floats) -> Floats:
    """Returns half the margin of player 0 [n] for rewards [n, 2]."""
    return ((rewards[:, 0] - rewards[:, 1]) * np.float32(0.5)).astype(np.float32, copy=False)


def outcome(margin: Floats, final: float, target: str, scale: float, mix: float = 0.5) -> Floats:
    """Returns the value targets of the positions of a game, from -scale to scale.

    Args:
        margin: the margin still to come at each position; half of it is the target `margin`.
        final: the final margin; its sign times `scale` is the target `win`.
        target: `win`, `margin` or `mix`, a weighted average of both.
        scale: the largest value.
        mix: weight of the margin in `mix`.

    >>> outcome(np.float32([24, 6]), 30.0, "mix", 12.0)
    array([12. ,  7.5], dtype=float32)
    """
    won = np.full_like(margin, scale * np.sign(final))
    points = np.clip(margin / 2, -scale, scale)
    share = {"win": 0.0, "margin": 1.0, "mix": mix}[target]
    return ((1 - share) * won + share * points).astype(np.float32)


def lambda_returns(
    before: Floats, after: Floats, estimate: Floats, lam: Floats, over: NDArray[np.bool_], discount: float = 1.0
) -> NDArray[np.float32]:
    """Returns the lambda-returns of the afterstates of decisions t = 0, 1, ..., all from one player's point of view.

    All arrays have the same shape, usually [moves, games]; the first axis is t. With L for `lam`:

        G[t] = after[t] + discount * ((1 - L[t]) * estimate[t] + L[t] * (before[t + 1] + G[t + 1]))

    The last row bootstraps from its estimate alone.

    Args:
        before: rewards of the action of decision t, before its afterstate.
        after: rewards between the afterstate of decision t and decision t + 1.
        estimate: estimated value of decision t + 1.
        lam: lambda at decision t.
        over: whether the game ended, so that there is no decision t + 1.
        discount: discount factor per decision.
    """
    result = np.zeros_like(after)
    follows = estimate[-1]
    for t in range(len(after) - 1, -1, -1):
        to_come = (1 - lam[t]) * estimate[t] + lam[t] * follows
        result[t] = after[t] + np.where(over[t], 0, discount * to_come)
        follows = before[t] + result[t]
    return result


def exact_returns(
    before: Floats,
    expected: Floats,
    estimate: Floats,
    lam: Floats,
    over: NDArray[np.bool_],
    discount: float = 1.0,
) -> NDArray[np.float32]:
    """Returns lambda-returns without the luck of the dice.

    They bootstrap from the average over all rolls, and correct it by how wrong later estimates on the path turn out to
    be. With L for `lam`:

        G[t] = expected[t] + L[t] * discount * (before[t + 1] + G[t + 1] - estimate[t])

    On average over the dice these are the returns of `lambda_returns`. The last row is `expected` alone.

    Args:
        before: rewards of the action of decision t, before its afterstate.
        expected: value of the afterstate of decision t, averaged over all rolls, with the same discount.
        estimate: estimated value of decision t + 1.
        lam: lambda at decision t.
        over: whether the game ended, so that there is no decision t + 1.
        discount: discount factor per decision.
    """
    result = np.zeros_like(expected)
    follows = estimate[-1]
    for t in range(len(expected) - 1, -1, -1):
        result[t] = expected[t] + np.where(over[t], 0, lam[t] * discount * (follows - estimate[t]))
        follows = before[t] + result[t]
    return result


def masked_cross_entropy(logits: torch.Tensor, legal: torch.Tensor, policy: torch.Tensor) -> torch.Tensor:
    """Returns the cross entropy [n] of policies and the softmax over legal logits; 0 where no action is legal."""
    masked = torch.where(legal.any(dim=1, keepdim=True), legal, True)
    return -(policy * log_shares(logits, masked).masked_fill(~legal, 0.0)).sum(dim=1)


def log_shares(logits: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """Returns the log-softmax [n, actions] over legal logits; -inf for illegal actions."""
    return torch.log_softmax(logits.masked_fill(~legal, -torch.inf), dim=1)
