"""Targets, computed by hand."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

import tablier
from tablier.learn import ALGORITHMS
from tablier.learn.algorithms.alphazero import AlphaZeroConfig
from tablier.learn.algorithms.td import TDConfig
from tablier.learn.data.targets import (
    default_discount,
    exact_returns,
    lambda_returns,
    masked_cross_entropy,
    outcome,
    value_scale,
)
from tablier.learn.runs.config import make_game
from tablier.learn.runs.files import RunError


def column(*values):
    return np.float32(values).reshape(-1, 1)


def test_td_lambda_returns_by_hand():
    """Three positions; the decisions after them are valued at 0.2 and 0.4, and the third ends the game with 1."""
    returns = lambda_returns(
        before=column(0, 0, 0),
        after=column(0, 0, 1),
        estimate=column(0.2, 0.4, 9),
        lam=column(0.5, 0.5, 0.5),
        over=np.array([[False], [False], [True]]),
    )
    # G2 = 1; G1 = 0.5 * 0.4 + 0.5 * 1 = 0.7; G0 = 0.5 * 0.2 + 0.5 * 0.7 = 0.45
    assert returns.ravel().tolist() == pytest.approx([0.45, 0.7, 1])


def test_rewards_of_actions_and_dice_are_counted_once():
    returns = lambda_returns(
        before=column(5, 7),
        after=column(1, 2),
        estimate=column(10, 20),
        lam=column(1, 1),
        over=np.zeros((2, 1), bool),
    )
    # G1 = 2 + 20; G0 = 1 + (7 + 22)
    assert returns.ravel().tolist() == [30, 22]


def test_discounted_returns_by_hand():
    """The reward of the dice counts in full, everything from the next decision on by half."""
    arrays = {"before": column(5, 8), "after": column(1, 2), "lam": column(1, 1), "over": np.zeros((2, 1), bool)}
    # G1 = 2 + 20 / 2; G0 = 1 + (8 + 12) / 2
    assert lambda_returns(estimate=column(10, 20), discount=0.5, **arrays).ravel().tolist() == [11, 12]


def test_exact_returns_by_hand():
    """The average over all rolls, which is discounted already, is corrected by what a later estimate was wrong by."""
    arrays = {"before": column(5, 8), "expected": column(7, 9), "estimate": column(10, 20)}
    arrays["over"] = np.zeros((2, 1), bool)
    assert exact_returns(lam=column(0, 0), discount=0.5, **arrays).ravel().tolist() == [7, 9]
    # G1 = 9; G0 = 7 + (8 + 9 - 10) / 2
    assert exact_returns(lam=column(1, 1), discount=0.5, **arrays).ravel().tolist() == [10.5, 9]
    # G0 = 7 + 0.5 * (8 + 9 - 10) / 2
    assert exact_returns(lam=column(0.5, 0), discount=0.5, **arrays).ravel().tolist() == [8.75, 9]


def test_nothing_corrects_the_value_before_an_end():
    arrays = {"before": column(0, 8), "expected": column(7, 9), "estimate": column(10, 20), "lam": column(1, 1)}
    assert exact_returns(over=np.array([[True], [False]]), **arrays).ravel().tolist() == [7, 9]


@pytest.mark.parametrize("lam", [0.0, 0.4, 1.0])
def test_exact_returns_are_lambda_returns_averaged_over_the_dice(lam):
    """A game of two coins: the first leads to a decision worth an estimated 1 or 5, the second pays 0 or 6."""
    estimates, payments = (1, 5), (0, 6)
    plain, exact = [], []
    for first in estimates:
        for paid in payments:
            path = {"before": column(0, 0), "estimate": column(first, 0), "lam": column(lam, lam)}
            path["over"] = np.array([[False], [True]])
            plain.append(lambda_returns(after=column(0, paid), **path)[0, 0])
            exact.append(exact_returns(expected=column(np.mean(estimates), np.mean(payments)), **path)[0, 0])
    assert np.mean(exact) == pytest.approx(np.mean(plain))
    assert np.std(exact) <= np.std(plain)


def test_lambda_0_cuts_the_return_and_an_end_cuts_everything():
    returns = lambda_returns(
        before=np.zeros((2, 2), np.float32),
        after=np.float32([[0, -1], [1, 0]]),
        estimate=np.float32([[0.25, 0.5], [0, 0.75]]),
        lam=np.float32([[0, 1], [1, 1]]),
        over=np.array([[False, True], [True, False]]),
    )
    assert returns.tolist() == [[0.25, -1], [1, 0.75]]


def test_value_targets_by_name():
    margin = np.float32([30, -400])  # future margin, in a game that ended 10 ahead
    assert outcome(margin, 10, "win", 144).tolist() == [144, 144]
    assert outcome(margin, 10, "margin", 144).tolist() == [15, -144]
    assert outcome(margin, 10, "mix", 144, mix=0.25).tolist() == [0.75 * 144 + 0.25 * 15, 0.5 * 144]
    assert outcome(margin, 0, "win", 1).tolist() == [0, 0]


def test_the_scale_of_values():
    assert value_scale(tablier.load_game("pig"), "win") == 1
    assert value_scale(tablier.load_game("trictrac", utility="win"), "win") == 1
    assert value_scale(tablier.load_game("trictrac"), "margin") == 144
    assert value_scale(tablier.load_game("trictrac"), "margin", discount=0.95) == pytest.approx(30)
    assert value_scale(tablier.load_game("trictrac", holes_to_win=1), "margin", discount=0.95) == 12
    staked = tablier.load_game("trictrac", utility="win", stake_rule="quadruple")
    assert value_scale(staked, "win") == 4  # the stakes, not the points
    with pytest.raises(RunError, match="pays before its end"):
        value_scale(tablier.load_game("trictrac"), "win")


def test_bounds_that_say_little_give_way_to_what_games_bring():
    """Trictrac à écrire declares ten million tokens; random games pay about 70, the most one-sided of 256 about 200."""
    game = tablier.load_game("trictrac_a_ecrire")
    assert game.max_utility() == 1e7
    scale = value_scale(game, "auto")
    assert 200 < scale < 1000
    assert value_scale(tablier.load_game("trictrac_a_ecrire"), "margin") == scale


def test_a_game_of_draws_keeps_its_bounds(monkeypatch):
    game = tablier.load_game("trictrac_a_ecrire")
    draws = SimpleNamespace(returns=np.zeros((256, 2)))
    monkeypatch.setattr(type(game), "random_playouts", lambda *_, **__: draws)
    assert value_scale(game, "margin") == 1e7


@pytest.mark.parametrize("made", [TDConfig, AlphaZeroConfig])
def test_every_game_can_be_learned_without_naming_a_target(made):
    for name in ("pig", "tic_tac_toe", "trictrac", "trictrac_a_ecrire"):
        config = made(game=name, width=8, games=4)
        algorithm = ALGORITHMS["td" if made is TDConfig else "alphazero"]
        assert algorithm.learner(algorithm.game_of(config), config).game.name == name


@pytest.mark.parametrize(("target", "utility"), [("margin", "score"), ("auto", "win"), ("win", "win")])
def test_trictrac_pays_what_the_target_asks_for(target, utility):
    assert make_game(TDConfig(), target).options()["utility"] == utility


def test_points_that_are_won_early_are_discounted():
    assert default_discount(tablier.load_game("trictrac")) == 0.96
    for name, options in (("trictrac", {"utility": "win"}), ("pig", {}), ("trictrac_a_ecrire", {})):
        assert default_discount(tablier.load_game(name, **options)) == 1


def test_td_learns_the_margin_unless_told_otherwise():
    assert TDConfig().target == "margin"


def test_masked_cross_entropy_by_hand():
    logits = torch.tensor([[0.0, 0.0, 100.0], [1.0, 2.0, 3.0]])
    legal = torch.tensor([[True, True, False], [False, False, False]])
    policy = torch.tensor([[0.25, 0.75, 0.0], [0.0, 0.0, 0.0]])
    logits.requires_grad_()
    losses = masked_cross_entropy(logits, legal, policy)
    assert losses.tolist() == pytest.approx([np.log(2), 0])
    losses.sum().backward()
    # softmax minus policy where legal, zero elsewhere
    assert logits.grad.tolist() == [pytest.approx([0.25, -0.25, 0]), [0, 0, 0]]
