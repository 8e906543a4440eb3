"""TD(lambda): the positions it evaluates, and that it learns."""

import numpy as np
import pytest
from killing import train

import tablier
from tablier._core import search
from tablier.arena import play_match
from tablier.learn.algorithms.td import TD, TDConfig, game_of


@pytest.mark.parametrize("name", ["pig", "tic_tac_toe", "trictrac", "race"])
def test_afterstates_are_what_actions_lead_to(name, race):
    game = race if name == "race" else tablier.load_game(name)
    env = tablier.BatchEnv(game, 5, seed=2)
    rows = 5 * game.num_distinct_actions()
    arrays = {
        "offsets": np.zeros(6, np.int64),
        "actions": np.zeros(rows, np.int32),
        "player": np.zeros(rows, np.int32),
        "features": np.zeros((rows, *game.features_shape()), np.float32),
        "rewards": np.zeros((rows, 2), np.float32),
    }
    for _ in range(20):
        n = env.afterstates(**arrays)
        assert n == arrays["offsets"][-1]
        for i in range(5):
            state = env.state(i)
            begin, end = arrays["offsets"][i : i + 2]
            assert arrays["actions"][begin:end].tolist() == state.legal_actions()
            for row in range(begin, end):
                child = state.child(int(arrays["actions"][row]))
                viewer = child.current_player() if not child.is_chance_node() else state.current_player()
                assert arrays["player"][row] == max(viewer, -1)
                if viewer >= 0:
                    assert (arrays["features"][row] == child.features(viewer)).all()
                assert arrays["rewards"][row].tolist() == pytest.approx(
                    np.subtract(child.returns(), state.returns()).tolist()
                )
        env.step(arrays["actions"][arrays["offsets"][:-1]])


def test_too_little_room_is_told():
    env = tablier.BatchEnv(tablier.load_game("tic_tac_toe"), 2)
    arrays = [
        np.zeros(1, np.int32),
        np.zeros(1, np.int32),
        np.zeros((1, 2, 3, 3), np.float32),
        np.zeros((1, 2), np.float32),
    ]
    names = ("actions", "player", "features", "rewards")
    offsets = np.zeros(3, np.int64)
    assert env.afterstates(offsets=offsets, **dict(zip(names, arrays, strict=True))) == 18
    assert offsets.tolist() == [0, 9, 18]
    with pytest.raises(TypeError, match="offsets"):
        env.afterstates(offsets=offsets[:2], **dict(zip(names, arrays, strict=True)))


def test_after_plays_actions_in_place():
    game = tablier.load_game("pig")
    state = game.new_initial_state()
    states = np.repeat(search.words(state)[None], 2, axis=0)
    players = np.zeros(2, np.int32)
    search.after(game, states, np.int32([0, 1]), players)
    assert (states[0] == search.words(state.child(0))).all()
    assert players.tolist() == [0, 1]  # before a roll the view is the roller's, after holding the other player's
    with pytest.raises(ValueError, match="row 0: action 1 is not legal"):
        search.after(game, states, np.int32([1, 1]), players)


@pytest.mark.parametrize("net", ["core", "mlp"])
def test_it_takes_the_move_that_wins(net):
    """An untrained network still sees the end of the game."""
    config = TDConfig(game="tic_tac_toe", games=1, moves=1, net=net)
    td = TD(game_of(config), config)
    state = td.game.new_initial_state()
    for action in (0, 3, 1, 4):
        state.apply_action(action)
    td._games.env.set_state(0, state)
    examples = td._play(np.random.default_rng(0))
    td.close()
    assert examples.games == 1  # only one move ends the game
    assert len(examples.targets) == 0


@pytest.mark.parametrize("net", ["core", "mlp"])
def test_victories_are_taught_as_one(net):
    """For which seat gets which target, see test_seats.py."""
    config = TDConfig(game="tic_tac_toe", games=64, moves=50, epsilon=0.2, td_lambda=1.0, net=net)
    td = TD(game_of(config), config)
    examples = td._play(np.random.default_rng(0))
    features, targets = examples.features, examples.targets
    td.close()
    assert features.shape == (len(targets), 18)
    assert set(np.round(targets, 5)) > {-1.0, 1.0}
    assert abs(targets).max() <= 1 + 1e-6


@pytest.mark.parametrize(("target", "scale"), [("win", 1), ("margin", 12)])
def test_trictrac_is_taught_victories_or_points(target, scale):
    config = TDConfig(target=target, options="holes_to_win=1", games=32, moves=60, width=16)
    td = TD(game_of(config), config)
    targets = td._play(np.random.default_rng(0)).targets
    assert 0 < abs(targets).max() <= 3 * scale  # estimates are within the scale; points of one hole may exceed it
    assert np.isfinite(td.step(1)["loss"])
    td.close()
    assert td.counters["games"] > 0


def test_pig_improves(tmp_path):
    settings = {"game": "pig", "steps": 60, "games": 128, "moves": 32, "epsilon": 0.05, "batch": 256, "width": 32}
    train(tmp_path / "run", "td", {**settings, "tensorboard": False, "checkpoint_every": 30, "lr": 3e-3})
    player = f"expectimax:plies=1,net={tmp_path}/run/best.onnx"
    match = play_match(tablier.load_game("pig"), player, "random", 200)
    assert match.rate > 0.95


def test_trictrac_a_ecrire_improves(tmp_path):
    """Its values are tokens: hundreds, although its bounds are millions."""
    settings = {"game": "trictrac_a_ecrire", "options": "marques=2", "steps": 10, "games": 64, "batch": 256, "lr": 3e-3}
    train(tmp_path / "run", "td", {**settings, "width": 32, "tensorboard": False})
    game = tablier.load_game("trictrac_a_ecrire", marques=2)
    assert play_match(game, f"expectimax:plies=1,net={tmp_path}/run/best.onnx", "random", 40).rate > 0.85


def test_a_game_in_python_is_learned(race, tmp_path):
    settings = {"game": "race", "steps": 3, "games": 8, "moves": 8, "epsilon": 0.1, "width": 16, "tensorboard": False}
    assert train(tmp_path / "run", "td", settings) == 3
    assert play_match(race, f"expectimax:plies=1,net={tmp_path}/run/best.onnx", "random", 4).games == 4
