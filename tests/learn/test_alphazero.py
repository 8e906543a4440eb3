"""AlphaZero: its targets, that it learns, and that killing it changes nothing."""

import threading
from dataclasses import replace

import numpy as np
import pytest
import torch
from killing import train, train_killed
from perfect import GAME, Perfect
from test_run import course, weights

import tablier
from tablier.arena import MatchResult, play_game, play_match
from tablier.evaluators import Leaves, OnnxEvaluator, UniformEvaluator
from tablier.learn import strength
from tablier.learn.algorithms import alphazero
from tablier.learn.algorithms.alphazero import AlphaZero, AlphaZeroConfig, batch_losses, game_of, positions, resolved
from tablier.learn.data.positions import Positions
from tablier.learn.data.selfplay import Groups
from tablier.learn.data.targets import value_scale
from tablier.learn.networks.inference import frozen
from tablier.learn.networks.nets import Net, make_net
from tablier.learn.runs import loop
from tablier.learn.runs.files import RunError
from tablier.learn.runs.run import metrics
from tablier.search import PlayedGame, SearchConfig, SelfPlay

SMALL = {"game": "tic_tac_toe", "steps": 6, "games": 8, "sims": 8, "width": 16, "batch": 32, "tensorboard": False}


def played(game, count=3, **settings):
    pool = SelfPlay(game, UniformEvaluator(game), SearchConfig(n_simulations=16, **settings).self_play(game), seed=1)
    return list(pool.play(count))


def test_the_policy_target_is_the_searchs():
    (game,) = played(GAME, 1)
    rows = positions(GAME, game, AlphaZeroConfig(game="tic_tac_toe", td_lambda=1.0), 1.0)
    batch = rows.show(GAME, np.arange(len(rows)))
    assert len(rows) == len(game.actions)
    for t in range(len(rows)):
        begin, end = game.offsets[t : t + 2]
        assert batch.policy[t].sum() == pytest.approx(1)
        assert batch.policy[t, game.policy_actions[begin:end]].tolist() == game.policy[begin:end].tolist()
        assert not batch.policy[t][~batch.legal[t]].any()
    sign = 1 - 2 * game.players
    assert batch.values.tolist() == (game.returns[0] * sign).tolist()


def test_results_and_expectations_are_mixed_by_hand():
    """Decisions of players 0, 1, 0; the search values are 0.5, none (only one action), -0.5; player 0 wins."""
    state = tablier._core.search.words(GAME.new_initial_state())
    game = PlayedGame(
        number=0,
        cut=False,
        states=np.stack([state] * 3),
        players=np.int32([0, 1, 0]),
        actions=np.int32([0, 1, 2]),
        values=np.float32([[0.5, -0.5], [np.nan, np.nan], [-0.5, 0.5]]),
        collected=np.zeros((3, 2), np.float32),
        offsets=np.int32([0, 1, 2, 3]),
        policy_actions=np.int32([0, 1, 2]),
        policy=np.ones(3, np.float32),
        returns=[1.0, -1.0],
    )
    rows = positions(GAME, game, AlphaZeroConfig(game="tic_tac_toe", td_lambda=0.5), 1.0)
    # G2 = 1; G1 = 0.5 * -0.5 + 0.5 * 1 = 0.25; G0 = G1, since decision 1 has no search value; player 1 sees -G1
    assert rows.values.tolist() == [0.25, -0.25, 1]
    cut = positions(GAME, replace(game, cut=True), AlphaZeroConfig(game="tic_tac_toe", td_lambda=0.5), 1.0)
    assert cut.values.tolist() == [-0.5, 0.5]  # bootstrapped from the last search


def test_positions_before_the_dice_are_taught_their_values():
    game = tablier.load_game("pig")
    (one,) = played(game, 1)
    rows = positions(game, one, AlphaZeroConfig(game="pig", td_lambda=1.0), 1.0)
    n = len(one.actions)
    assert len(rows) == 2 * n - 1  # the last action ends the game, so no position follows it
    batch = rows.show(game, np.arange(n, 2 * n - 1))
    assert not batch.policy.any()
    holds = one.actions[: n - 1] == 1
    expected = one.returns[0] * (1 - 2 * one.players[: n - 1]) * np.where(holds, -1, 1)
    assert batch.values.tolist() == expected.tolist()


@pytest.mark.parametrize("target", ["win", "margin", "mix"])
def test_every_target_of_trictrac(target):
    config = AlphaZeroConfig(target=target, options="holes_to_win=1")
    game = game_of(config)
    scale = 1.0 if target == "win" else 12.0
    for one in played(game, 2, objective="own" if target == "win" else "margin"):
        rows = positions(game, one, config, scale)
        assert np.isfinite(rows.values).all()
        assert abs(rows.values).max() <= scale
        assert abs(rows.values).max() > 0


def test_stakes_are_taught_as_they_are_paid():
    """A game pays up to 4 at its end. The target of a cut game is the search's estimate, not the likely win."""
    config = AlphaZeroConfig(options="holes_to_win=1,stake_rule=quadruple", target="win", td_lambda=1.0)
    game = game_of(config)
    scale = value_scale(game, config.target)
    assert scale == 4
    (one,) = played(game, 1)
    ended = positions(game, one, config, scale)
    n = len(one.actions)
    assert ended.values[:n].tolist() == (one.returns[0] * (1 - 2 * one.players)).tolist()
    last = int(np.flatnonzero(np.isfinite(one.values[:, 0]))[-1])
    guess = one.values[last, 0]
    assert 0 < abs(guess) < 4
    cut = positions(game, replace(one, cut=True), config, scale)
    assert cut.values[:last].tolist() == pytest.approx((guess * (1 - 2 * one.players[:last])).tolist())


def test_both_seats_come_to_agree_under_the_mirror(tmp_path):
    """A position and its mirror differ in who is White: a network trained on both gives them nearly the same value."""
    settings = {"games": 64, "steps": 12, "sims": 8, "width": 32, "batch": 256, "lr": 3e-3, "tensorboard": False}
    settings |= {"options": "holes_to_win=1", "target": "win", "prior": "policy"}
    train(tmp_path / "run", "alphazero", settings)
    game = game_of(AlphaZeroConfig(options="holes_to_win=1", target="win"))
    network = OnnxEvaluator(game, tmp_path / "run" / "best.onnx")
    env = tablier.BatchEnv(game, 200, seed=3)
    for _ in range(12):
        env.step(env.arrays().legal_mask.argmax(axis=1))
    values = []
    for mirrored in (False, True):
        states = [env.state(i).mirrored() if mirrored else env.state(i) for i in range(200)]
        words = np.stack([tablier._core.search.words(state) for state in states])
        players = np.int32([state.current_player() for state in states])
        values.append(network.evaluate(Leaves.of(game, words, players))[1])
    agreed = np.corrcoef(values[0][:, 0], values[1][:, 1])[0, 1]  # the seats are swapped
    assert values[0][:, 0].std() > 0.05
    assert agreed > 0.97
    assert abs(values[0][:, 0] - values[1][:, 1]).mean() < 0.1


def test_with_priors_from_afterstates_only_afterstates_are_learned():
    game = tablier.load_game("trictrac", holes_to_win=1)
    config = resolved(game, AlphaZeroConfig(options="holes_to_win=1"))
    assert (config.net, config.prior, config.discount) == ("core", "afterstates", 0.96)
    (one,) = played(game, 1, objective="margin")
    rows = positions(game, one, config, 12.0)
    assert len(rows.actions) == 0
    assert 0 <= len(one.actions) - len(rows) <= 1  # an action that ends the game has no afterstate


@pytest.mark.parametrize(
    ("game", "net", "prior"), [("tic_tac_toe", "resnet", "policy"), ("pig", "core", "afterstates")]
)
def test_what_is_left_open_suits_the_game(game, net, prior):
    config = resolved(tablier.load_game(game), AlphaZeroConfig(game=game))
    assert (config.net, config.prior, config.discount) == (net, prior, 1)


@pytest.mark.parametrize("settings", [{"game": "tic_tac_toe"}, {"game": "pig", "net": "mlp"}], ids=str)
def test_priors_from_afterstates_need_dice_and_a_core_network(settings):
    config = AlphaZeroConfig(**settings, prior="afterstates")
    with pytest.raises(RunError, match="prior=afterstates needs a game with dice and net=core"):
        AlphaZero(game_of(config), config)


def test_it_overfits_its_own_positions():
    rows = Positions.joined(positions(GAME, one, AlphaZeroConfig(game="tic_tac_toe"), 1.0) for one in played(GAME, 4))
    torch.manual_seed(0)
    net = Net(18, 9, width=64, blocks=2)
    optimizer = torch.optim.AdamW(net.parameters(), 3e-3)
    batch = rows.show(GAME, np.unique(rows.states, axis=0, return_index=True)[1])
    losses = []
    for _ in range(200):
        value, policy = batch_losses(net, batch)
        optimizer.zero_grad()
        (value + policy).backward()
        optimizer.step()
        losses.append((value.item(), policy.item()))
    shares = batch.policy[batch.policy > 0]
    entropy = -(shares * np.log(shares)).sum() / len(batch.values)
    assert losses[-1][0] < 0.01
    assert losses[-1][1] < entropy + 0.05


@pytest.mark.slow
def test_tic_tac_toe_is_learned(tmp_path):
    """Takes half a minute here; tools/learning.py plays a thousand games."""
    settings = {
        "game": "tic_tac_toe",
        "steps": 250,
        "games": 32,
        "width": 64,
        "batch": 128,
        "samples_per_insert": 4.0,
        "lr": 3e-3,
    }
    settings |= {"lr_half_life": 70, "td_lambda": 1.0, "noise": 0.5, "temperature_moves": 1000}
    settings |= {"tensorboard": False, "checkpoint_every": 100}
    train(tmp_path / "run", "alphazero", settings)
    match = play_match(GAME, f"gumbel:sims=32,net={tmp_path}/run/best.onnx", Perfect(), 100)
    assert match.wins + match.draws == 100


@pytest.mark.slow
def test_a_killed_run_ends_with_the_same_weights(tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    settings = {**SMALL, "steps": 12, "replay": 300}
    train(whole, "alphazero", settings)
    assert train_killed(killed, "alphazero", settings, seed=2) >= 4
    assert weights(killed) == weights(whole)
    assert course(killed) == course(whole)


def test_a_gate_lets_only_winners_through(tmp_path):
    settings = {**SMALL, "gating": True, "gate_games": 4, "gate_rate": 1.0, "steps": 2}
    train(tmp_path / "shut", "alphazero", settings)
    assert [row["gates"] for row in metrics(tmp_path / "shut")] == [0, 0]
    train(tmp_path / "open", "alphazero", {**settings, "gate_rate": 0.0})
    assert metrics(tmp_path / "open")[-1]["gates"] >= 1
    assert train(tmp_path / "open", "alphazero", {"steps": 3}, resume=True) == 3
    assert weights(tmp_path / "shut") != weights(tmp_path / "open")


@pytest.mark.parametrize(
    ("wins", "rate", "passes"), [(55, 0.55, False), (56, 0.55, True), (100, 1.0, True), (99, 1.0, False)]
)
def test_more_than_the_share_is_asked_for_and_to_win_all_is_enough(monkeypatch, wins, rate, passes):
    config = AlphaZeroConfig(**{**SMALL, "gating": True, "gate_rate": rate})
    learner = AlphaZero(game_of(config), config)
    monkeypatch.setattr(alphazero, "play_match", lambda *_, **__: MatchResult("a", "b", games=100, wins=wins))
    learner.step(1)
    assert learner.counters["gates"] == passes


def test_gates_and_measures_play_different_games(monkeypatch, tmp_path):
    """Networks play deterministically, so each pair of a match gets another opening, and each gate new ones."""
    matches, seeds = [], []

    def note(*args, **settings):
        actions = []
        result = play_game(*args, **settings, watch=lambda state, action: actions.append(action))
        matches[-1].append(tuple(actions))
        return result

    def begin(*args, **settings):
        matches.append([])
        seeds.append(settings["seed"])
        return play_match(*args, **settings)

    monkeypatch.setattr("tablier.arena.match.play_game", note)
    for module in (alphazero, strength, loop):
        monkeypatch.setattr(module, "play_match", begin)
    settings = {**SMALL, "gating": True, "gate_games": 10, "steps": 2, "eval_every": 2, "eval_games": 10}
    train(tmp_path / "run", "alphazero", {**settings, "opponent": "greedy", "checkpoint_every": 1})
    next(strength.measure(tmp_path / "run", ["step-1"], 10, last=True))
    assert [len(games) for games in matches] == [10] * 4  # two gates, the run's own match, the strength measurement
    assert all(len(set(games)) > 3 for games in matches)  # five pairs of possibly identical networks
    assert set(matches[0]) != set(matches[1])
    assert seeds[0] != seeds[1]


def test_games_in_python_are_learned_too(race, tmp_path):
    assert train(tmp_path / "run", "alphazero", {**SMALL, "game": "race", "steps": 2}) == 2


SOME_MOVES = {
    "game": "pig",
    "steps": 6,
    "games": 6,
    "moves": 5,
    "sims": 4,
    "width": 16,
    "batch": 32,
    "tensorboard": False,
}


def test_games_that_go_on_are_resumed_where_they_were(tmp_path):
    settings = {**SOME_MOVES, "checkpoint_every": 2}
    train(tmp_path / "whole", "alphazero", settings)
    assert train_killed(tmp_path / "killed", "alphazero", settings, seed=1)
    assert weights(tmp_path / "killed") == weights(tmp_path / "whole")
    assert course(tmp_path / "killed") == course(tmp_path / "whole")


def test_threads_do_not_change_what_is_learned(tmp_path):
    for threads in (1, 2, 4, 9):  # the last is more than there are games
        train(tmp_path / str(threads), "alphazero", {**SOME_MOVES, "threads": threads})
        assert weights(tmp_path / str(threads)) == weights(tmp_path / "1")
        assert course(tmp_path / str(threads)) == course(tmp_path / "1")


def test_another_number_of_threads_may_go_on_with_a_run(tmp_path):
    train(tmp_path / "whole", "alphazero", {**SOME_MOVES, "threads": 2})
    train(tmp_path / "parts", "alphazero", {**SOME_MOVES, "threads": 4, "steps": 3})
    train(tmp_path / "parts", "alphazero", {"threads": 1, "steps": 6}, resume=True)
    assert weights(tmp_path / "parts") == weights(tmp_path / "whole")


def test_every_thread_has_games_to_play():
    """Four threads play at once: each waits until all have called the network."""
    meeting = threading.Barrier(4, timeout=120)
    met = threading.local()

    def ask(features, decisions):
        if not hasattr(met, "all"):
            met.all = meeting.wait()
        return np.zeros((decisions, 9), np.float32), np.zeros((len(features), 1), np.float32)

    class Asked:
        def here(self):
            return ask

    groups = Groups(GAME, 10, seed=0, threads=4)
    played, _ = groups.play(Asked(), SearchConfig(n_simulations=2).self_play(GAME), step=1)()
    assert [one.number for one in played] == list(range(10))


@pytest.mark.parametrize("rows", [1, 2, 7, 64, 255])
def test_what_a_network_says_does_not_depend_on_the_batch(rows):
    config = AlphaZeroConfig()
    net = make_net(game_of(config), config, policy=True)
    torch.nn.init.normal_(net.value.weight)
    ask = frozen(net, game_of(config))
    features = np.random.default_rng(0).random((256, net.entry.in_features), np.float32)
    for whole, part in zip(ask(features), ask(features[:rows]), strict=True):
        assert (whole[:rows] == part).all()


def test_who_won_is_not_known_of_part_of_a_game(tmp_path):
    with pytest.raises(RunError, match="the target mix needs the winner of each game: use whole games, --moves 0"):
        train(tmp_path / "run", "alphazero", {**SOME_MOVES, "game": "trictrac", "target": "mix"})
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", ["moves", "max_moves"])
def test_games_cut_after_one_decision_are_refused(name):
    with pytest.raises(RunError, match=f"{name} must be at least 2, not 1"):
        AlphaZeroConfig(game="pig", **{name: 1})


def test_two_moves_are_enough_to_learn_from():
    config = AlphaZeroConfig(**{**SOME_MOVES, "moves": 2})
    learner = AlphaZero(game_of(config), config)
    learner.step(1)
    assert learner.counters["positions"] > 0
