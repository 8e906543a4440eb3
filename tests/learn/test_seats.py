"""Both seats get the same targets: a position set up by hand, and its mirror with the seats swapped."""

import numpy as np
import pytest
import torch
from playing import play

from tablier.learn.algorithms.dqn import DQN, DQNConfig
from tablier.learn.algorithms.ppo import PPO, PPOConfig
from tablier.learn.algorithms.sac import SAC, SACConfig
from tablier.learn.algorithms.td import TD, TDConfig
from tablier.learn.data.batched_games import game_of
from tablier.learn.data.decisions import Acting
from tablier.learn.data.transitions import transitions_of
from tablier.learn.learner import PLAYS
from tablier.learn.networks.nets import to_onnx

# Fields are numbered row by row. One player has 0 and 1 and wins with 2; the other is to move and takes 8.
LOSING = {"first": (3, 0, 7, 1), "second": (0, 3, 1, 7, 5)}
# One player has 0, 2 and 6, which threatens three lines; the other is to move and cannot block two of them.
FORKED = {"first": (5, 0, 7, 2, 8, 6), "second": (0, 5, 2, 7, 6)}


def put(env, game, positions):
    for i, actions in enumerate(positions.values()):
        env.set_state(i, play(game, actions))


def without_opinion(net, value=0.0, **preferred):
    """Makes a network return the same for every position: this value, and these logits by action."""
    with torch.no_grad():
        for weight in net.parameters():
            weight.zero_()
        net.value.bias.fill_(float(np.arctanh(value)))
        for action, logit in preferred.items():
            net.policy.bias[int(action.removeprefix("on_"))] = logit


@pytest.mark.parametrize("net", ["core", "mlp"])
@pytest.mark.parametrize("lam", [0.0, 0.5, 1.0])
def test_td(lam, net):
    """Whatever the player to move does, the other wins next, and values that position from their own side."""
    config = TDConfig(game="tic_tac_toe", games=2, moves=2, td_lambda=lam, net=net)
    td = TD(game_of(config), config)
    put(td._games.env, td.game, FORKED)
    targets = td._play(np.random.default_rng(0)).targets
    td.close()
    assert targets.tolist() == [1, 1]  # terminal states have no targets


def test_ppo():
    config = PPOConfig(game="tic_tac_toe", games=2, moves=2, gae_lambda=0.5, discount=0.9, target="win")
    ppo = PPO(game_of(config), config)
    without_opinion(ppo._net, 0.5, on_8=90, on_2=60)
    put(ppo._games.env, ppo.game, LOSING)
    seen = ppo._play(1)
    assert seen.action.tolist() == [8, 8, 2, 2]
    losing = -0.9 * (0.5 * 0.5 + 0.5 * 1)  # half the value of the other's decision, half its actual reward
    assert seen.returns.tolist() == pytest.approx([losing, losing, 1, 1])
    assert seen.advantage.tolist() == pytest.approx([-1, -1, 1, 1], abs=1e-4)  # normalised


def taught(learner, config):
    """Returns the targets of the two decisions in both games, which another network of the same kind plays."""
    put(learner._games.env, learner.game, LOSING)
    acts = type(learner)(learner.game, config)._nets[PLAYS]
    without_opinion(acts, on_8=90, on_2=60)
    rows = transitions_of(learner._games.next(to_onnx(acts, learner.game), 1, Acting(epsilon=0.0)))
    assert rows.actions.tolist() == [8, 8, 2, 2]
    assert rows.players.tolist() == [0, 1, 1, 0]
    return learner.targets(rows.show(learner.game, np.arange(4))).tolist()


def test_dqn():
    config = DQNConfig(game="tic_tac_toe", games=2, moves=2, discount=0.9, target="win")
    dqn = DQN(game_of(config), config)
    for net in (dqn._net, dqn._target):
        without_opinion(net, 0.5)
    assert taught(dqn, config) == pytest.approx([-0.45, -0.45, 1, 1])


def test_sac():
    config = SACConfig(game="tic_tac_toe", games=2, moves=2, discount=0.9, target="win", temperature=0.1)
    sac = SAC(game_of(config), config)
    for net in (sac._actor, *sac._targets):
        without_opinion(net, 0.5)
    undecided = [0.5 + 0.1 * np.log(fields) for fields in (4, 3)]  # the number of empty fields
    assert taught(sac, config) == pytest.approx([-0.9 * undecided[0], -0.9 * undecided[1], 1, 1])
