"""PPO, DQN and SAC: targets computed by hand; that they learn; that killing them changes nothing."""

import itertools

import numpy as np
import pytest
import torch
from killing import train, train_killed
from test_run import course, weights

import tablier
from tablier.arena import play_match
from tablier.learn import ALGORITHMS
from tablier.learn.algorithms.dqn import DQN, DQNConfig, q_values
from tablier.learn.algorithms.ppo import PPO, Experience, PPOConfig
from tablier.learn.algorithms.sac import SAC, SACConfig
from tablier.learn.data.batched_games import Games, GamesConfig, game_of, unit_of
from tablier.learn.data.decisions import Acting, new_games
from tablier.learn.data.sampling import greedy, sample
from tablier.learn.data.transitions import Steps, Transitions, transitions_of
from tablier.learn.networks.nets import make_net, to_onnx
from tablier.learn.runs.run import metrics

BATCHED = ("dqn", "ppo", "sac")
TINY = {"game": "tic_tac_toe", "games": 8, "moves": 4, "width": 16, "batch": 32, "tensorboard": False}


def games_of(**settings):
    config = GamesConfig(**settings)
    game = game_of(config)
    return game, Games(game, config)


def any_actions(games, seed):
    """Returns a random legal action for each game."""
    chances = np.random.default_rng(seed).random((len(games.env), 2))
    return greedy(games.legal.astype(np.float32), games.legal, 1.0, chances)


# --- games ------------------------------------------------------------------------------------------------------------


def test_rewards_and_turns_are_those_of_who_decided():
    _, games = games_of(game="tic_tac_toe", games=1, target="win")
    games.begin(1)
    seen = []
    for action in (0, 3, 1, 4, 2):  # the first player completes a row
        seen.append(games.step(np.array([action])))
    assert [float(one.reward[0]) for one in seen] == [0, 0, 0, 0, 1]
    assert [int(one.turn[0]) for one in seen] == [-1, -1, -1, -1, 0]
    _, games = games_of(game="pig", games=200, target="win")
    games.begin(1)
    rolled = games.step(np.zeros(200, np.int64)).turn  # a 1 passes the turn
    assert set(rolled) == {1, -1}
    assert 10 < (rolled == -1).sum() < 70


def test_against_a_fixed_player_every_decision_is_ones_own():
    _, games = games_of(game="tic_tac_toe", games=20, against="random:seed=3", target="win")
    games.begin(1)
    over, rewards = 0, []
    for _ in range(12):
        assert (games.mover == np.arange(20) % 2).all()
        outcome = games.step(any_actions(games, over))
        assert set(outcome.turn) <= {0, 1}
        assert not outcome.reward[outcome.turn == 1].any()
        over += int((outcome.turn == 0).sum())
        rewards += outcome.reward[outcome.turn == 0].tolist()
    assert over > 30
    assert {-1.0, 1.0} <= set(rewards)


def test_points_that_the_fixed_player_wins_are_ones_own_loss():
    game, games = games_of(options="holes_to_win=3", games=12, against="greedy")
    games.begin(1)
    total, finals = np.zeros(12), []
    for seed in itertools.count():
        if len(finals) >= 12:
            break
        outcome = games.step(any_actions(games, seed))
        total += outcome.reward
        finals += total[outcome.turn == 0].tolist()
        total[outcome.turn == 0] = 0
    assert np.mean(finals) < -10  # greedy wins nearly all of the three holes (36 points)
    assert unit_of(game, GamesConfig(options="holes_to_win=3")) == 36


def test_a_wrong_opponent_is_told_at_once():
    with pytest.raises(ValueError, match="no player is called 'nobody'"):
        games_of(game="pig", against="nobody")


def test_transitions_lead_from_decision_to_decision():
    config = GamesConfig(game="pig", games=30, moves=10, target="win")
    game = game_of(config)
    model = to_onnx(make_net(game, config, policy=True, scale=1.0), game)
    rows = transitions_of(new_games(game, config).next(model, 1, Acting()))
    assert len(rows) == 300
    assert (rows.next_states[:-30] == rows.states[30:]).all()
    assert (rows.next_players[:-30] == rows.players[30:]).all()
    same = rows.next_players == rows.players
    assert (rows.turns[rows.turns != 0] == np.where(same, 1, -1)[rows.turns != 0]).all()
    shown = rows.show(game, np.array([5, 7]))
    assert shown.features.shape == (2, 3)
    assert shown.action.tolist() == rows.actions[[5, 7]].tolist()
    assert rows.fault(game) == ""
    assert Transitions(**{**vars(rows), "actions": rows.actions + 2}).fault(game)
    assert Transitions(**{**vars(rows), "rewards": rows.rewards[1:]}).fault(game)


# --- choices ----------------------------------------------------------------------------------------------------------


def test_actions_are_drawn_by_the_softmax_over_legal_ones():
    logits = np.tile(np.float32([2, 0, 1, 50]), (40_000, 1))
    legal = np.tile([True, False, True, False], (40_000, 1))
    actions, log_shares = sample(logits, legal, np.random.default_rng(0).random(40_000))
    share = np.exp(2) / (np.exp(2) + np.exp(1))
    assert set(actions) == {0, 2}
    assert (actions == 0).mean() == pytest.approx(share, abs=0.01)
    assert np.exp(log_shares[actions == 0][0]) == pytest.approx(share)
    assert np.exp(log_shares[actions == 2][0]) == pytest.approx(1 - share)


def test_the_best_legal_action_or_any():
    worth = np.float32([[5, 1, 3], [0, 0, -1]])
    legal = np.array([[False, True, True], [False, False, True]])
    draw = np.random.default_rng(0)
    assert greedy(worth, legal, 0.0, draw.random((2, 2))).tolist() == [2, 2]
    seen = {tuple(greedy(worth, legal, 1.0, draw.random((2, 2)))) for _ in range(50)}
    assert seen == {(1, 2), (2, 2)}


def test_a_choice_does_not_depend_on_the_other_games():
    draw = np.random.default_rng(0)
    logits, legal = draw.normal(size=(60, 40)).astype(np.float32), draw.random((60, 40)) < 0.3
    legal[:, 0] = True
    chances = draw.random((60, 2))
    actions, log_shares = sample(logits, legal, chances[:, 0])
    best = greedy(logits, legal, 0.5, chances)
    for some in (slice(0, 7), slice(7, 60), slice(59, 60)):
        part = sample(logits[some], legal[some], chances[some, 0])
        assert (part[0] == actions[some]).all()
        assert (part[1] == log_shares[some]).all()
        assert (greedy(logits[some], legal[some], 0.5, chances[some]) == best[some]).all()


def test_a_network_that_returns_nan_is_an_error():
    with pytest.raises(FloatingPointError, match="NaN"):
        sample(np.float32([[np.nan, 1.0]]), np.array([[True, True]]), np.zeros(1))


# --- targets ----------------------------------------------------------------------------------------------------------


class Fixed(torch.nn.Module):
    """A network with fixed outputs."""

    scale = 1.0

    def __init__(self, logits, value):
        super().__init__()
        self._answer = torch.tensor([logits], dtype=torch.float32), torch.tensor([[value]], dtype=torch.float32)

    def forward(self, features):
        return tuple(one.expand(len(features), -1) for one in self._answer)


def one_step(reward, turn):
    """Action 1 of three; actions 0 and 1 are legal before and after."""
    legal = torch.tensor([[True, True, False]])
    features = torch.zeros(1, 4)
    return Steps(features, legal, torch.tensor([1]), torch.tensor([reward]), torch.tensor([turn]), features, legal)


def test_the_best_action_has_the_positions_value():
    q = q_values(Fixed([1.0, 0.75, 9.0], 0.5), torch.zeros(1, 4), torch.tensor([[True, True, False]]))
    assert q.tolist() == [[0.5, 0.25, -float("inf")]]


@pytest.mark.parametrize(("turn", "target"), [(1.0, 0.1 + 0.9 * 0.2), (-1.0, 0.1 - 0.9 * 0.2), (0.0, 0.1)])
def test_dqn_targets_by_hand(turn, target):
    """The online network prefers action 1, which the target network values at 0.2."""
    config = DQNConfig(game="tic_tac_toe", games=1, discount=0.9, target="win")
    dqn = DQN(game_of(config), config)
    dqn._net, dqn._target = Fixed([0.0, 1.0, 5.0], 0.7), Fixed([0.5, 0.2, 5.0], 0.5)
    steps = one_step(0.1, turn)
    assert dqn.targets(steps).tolist() == pytest.approx([target])
    assert dqn.loss(steps).item() == pytest.approx(0.5 * (0.7 - target) ** 2)


@pytest.mark.parametrize("turn", [1.0, -1.0, 0.0])
def test_sac_targets_by_hand(turn):
    """Both actions have probability 1/2; the minimum of the critics is 0.1 for the first and 0.3 for the second."""
    config = SACConfig(game="tic_tac_toe", games=1, discount=0.9, target="win", temperature=0.5)
    sac = SAC(game_of(config), config)
    sac._actor = Fixed([2.0, 2.0, 7.0], 0.0)
    sac._targets = Fixed([0.0, 0.2, 9.0], 0.3), Fixed([0.1, 0.0, 9.0], 0.4)
    soft = 0.5 * 0.1 + 0.5 * 0.3 + 0.5 * np.log(2)
    assert sac.targets(one_step(0.25, turn)).tolist() == pytest.approx([0.25 + 0.9 * turn * soft])
    sac._critics = sac._targets
    policy, value, undecided = sac.actor_losses(one_step(0.25, turn))
    assert policy.item() == pytest.approx(-soft)
    assert value.item() == pytest.approx(soft**2)
    assert undecided == pytest.approx(1)


def test_ppo_advantages_by_hand():
    """A game of tic-tac-toe where the network values every position at 0.5 for the player to move."""
    config = PPOConfig(game="tic_tac_toe", games=1, moves=2, discount=0.9, gae_lambda=0.5, target="win")
    ppo = PPO(game_of(config), config)
    with torch.no_grad():
        for weight in ppo._net.parameters():
            weight.zero_()
        ppo._net.value.bias.fill_(float(np.arctanh(0.5)))
    seen = ppo._play(1)
    # G1 = -0.9 * 0.5; G0 = -0.9 * (0.5 * 0.5 + 0.5 * G1): the next decision is the opponent's
    last = -0.9 * 0.5
    first = -0.9 * (0.5 * 0.5 + 0.5 * last)
    assert seen.returns.tolist() == pytest.approx([first, last], abs=1e-6)
    assert seen.log_share.exp().tolist() == pytest.approx([1 / 9, 1 / 8])
    assert seen.advantage.tolist() == pytest.approx([1, -1], abs=1e-4)  # normalised


def test_ppo_clips_and_never_counts_illegal_actions():
    config = PPOConfig(game="tic_tac_toe", games=1, clip=0.2, target="win")
    ppo = PPO(game_of(config), config)
    ppo._net = Fixed([np.log(3.0), 0.0, 50.0], 0.25)  # probabilities 3/4 and 1/4
    legal = torch.tensor([[True, True, False]] * 2)
    seen = Experience(
        torch.zeros(2, 4),
        legal,
        torch.tensor([0, 1]),
        torch.log(torch.tensor([0.5, 0.5])),
        torch.tensor([1.0, 1.0]),
        torch.tensor([1.0, 0.0]),
    )
    policy, value, entropy = ppo.losses(seen)
    assert policy.item() == pytest.approx(-(1.2 + 0.5) / 2)  # 1.5 is clipped, 0.5 is already the minimum
    assert value.item() == pytest.approx((0.75**2 + 0.25**2) / 2)
    assert entropy.item() == pytest.approx(-(0.75 * np.log(0.75) + 0.25 * np.log(0.25)))


def overfit(learner, loss):
    """Returns the fraction of the loss left after 400 updates on the same batch."""
    before = loss().item()
    for _ in range(400):
        learner._update(loss())
    return loss().item() / before


def test_networks_overfit_one_batch():
    # With this seed, an untrained network gives DQN no target beyond the range of its tanh.
    shared = {"game": "tic_tac_toe", "games": 8, "moves": 8, "lr": 3e-3, "target": "win", "width": 64, "seed": 2}
    ppo = PPO(game_of(PPOConfig(**shared)), PPOConfig(**shared))
    seen = ppo._play(1)
    seen = seen[torch.from_numpy(np.unique(seen.features.numpy(), axis=0, return_index=True)[1])]
    assert overfit(ppo, lambda: ppo.losses(seen)[1]) < 0.03
    dqn = DQN(game_of(DQNConfig(**shared)), DQNConfig(**shared))
    dqn.step(1)
    steps = dqn._replay.rows.show(dqn.game, np.arange(64))
    taught = dqn.targets(steps)
    dqn.targets = lambda _: taught
    assert overfit(dqn, lambda: dqn.loss(steps)) < 0.03
    sac = SAC(game_of(SACConfig(**shared)), SACConfig(**shared))
    sac.step(1)
    taken = sac._replay.rows.show(sac.game, np.arange(64))
    assert overfit(sac, lambda: sac.critic_loss(taken)) < 0.03  # the target networks and the policy stay fixed


def test_illegal_actions_are_never_taken():
    """BatchEnv rejects them; in a typical Trictrac position 505 of 514 actions are illegal."""
    for name in BATCHED:
        made = ALGORITHMS[name]
        config = made.config(games=8, moves=20, width=8, batch=64)
        learner = made.learner(made.game_of(config), config)
        assert np.isfinite(list(learner.step(1).values())).all()


# --- learning ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BATCHED)
@pytest.mark.slow
def test_killed_and_resumed_it_ends_with_the_same_weights(name, tmp_path):
    settings = {**TINY, "steps": 12, "checkpoint_every": 2}
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    train(whole, name, settings)
    assert train_killed(killed, name, settings, seed=1) >= 2
    assert weights(killed) == weights(whole)
    assert course(killed) == course(whole)


@pytest.mark.parametrize("name", BATCHED)
def test_against_a_fixed_player_too_it_ends_with_the_same_weights(name, tmp_path):
    settings = {**TINY, "against": "random", "checkpoint_every": 2}
    train(tmp_path / "whole", name, {**settings, "steps": 6})
    train(tmp_path / "parts", name, {**settings, "steps": 4})
    train(tmp_path / "parts", name, {"steps": 6}, resume=True)
    assert weights(tmp_path / "parts") == weights(tmp_path / "whole")


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("ppo", {"steps": 50, "moves": 16, "batch": 256, "against": "random"}),
        ("dqn", {"steps": 120, "epsilon_half_life": 20, "batch": 256}),
        ("sac", {"steps": 100, "batch": 256, "samples_per_insert": 4.0, "target_entropy": 0.2, "against": "random"}),
    ],
)
@pytest.mark.slow
def test_tic_tac_toe_is_learned(name, settings, tmp_path):
    base = {"game": "tic_tac_toe", "target": "win", "discount": 1.0, "games": 64, "width": 64, "checkpoint_every": 40}
    train(tmp_path / "run", name, {**base, "tensorboard": False, "lr": 2e-3, **settings})
    player = f"policy:net={tmp_path}/run/best.onnx"
    assert play_match(tablier.load_game("tic_tac_toe"), player, "random", 200).rate > 0.85
    assert metrics(tmp_path / "run")[-1]["games"] > 100


@pytest.mark.parametrize("name", BATCHED)
def test_a_game_in_python_is_learned(name, race, tmp_path):
    settings = {**TINY, "game": "race", "steps": 3, "target": "win"}
    assert train(tmp_path / "run", name, settings) == 3
    assert play_match(race, f"policy:net={tmp_path}/run/best.onnx", "random", 4).games == 4


# --- the player -------------------------------------------------------------------------------------------------------


def test_the_policy_player_prefers_the_largest_share(tmp_path):
    train(tmp_path / "run", "ppo", {**TINY, "steps": 2})
    game = tablier.load_game("tic_tac_toe")
    player = tablier.players.make_player(f"policy:net={tmp_path}/run/best.onnx", game)
    state = game.new_initial_state()
    opinions = player.explain(state)
    assert [one.prior for one in opinions] == sorted((one.prior for one in opinions), reverse=True)
    assert sum(one.prior for one in opinions) == pytest.approx(1)
    assert player.choose(state) == opinions[0].action
    drawn = tablier.players.make_player(f"policy:net={tmp_path}/run/best.onnx,temperature=1", game, seed=1)
    assert len({drawn.choose(state) for _ in range(100)}) > 3


def test_the_policy_player_needs_a_policy(tmp_path):
    game = tablier.load_game("pig")
    with pytest.raises(ValueError, match="needs a network: policy:net=FILE"):
        tablier.players.make_player("policy", game)
    train(tmp_path / "run", "td", {"game": "pig", "steps": 1, "games": 4, "moves": 4, "tensorboard": False})
    player = tablier.players.make_player(f"policy:net={tmp_path}/run/best.onnx", game)
    with pytest.raises(ValueError, match="this network has no policy; use it with expectimax:net=FILE"):
        player.choose(game.new_initial_state())
