"""Tablier's games in Gymnasium: one learner against a built-in player, and many games at once."""

import copy
import importlib
import pickle
import sys
import warnings
from itertools import pairwise

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import tablier.adapters.gymnasium as adapter

IDS = ["tablier/Pig-v0", "tablier/TicTacToe-v0", "tablier/Trictrac-v0", "tablier/TrictracAEcrire-v0"]
OPPONENTS = ["random", "greedy", "self"]


class First:
    """Takes the first legal action and records whose turn it was."""

    def __init__(self):
        self.seats = []

    def choose(self, state):
        self.seats.append(state.current_player())
        return state.legal_actions()[0]


def episode(env, seed=None, rng=None):
    """Plays a game with random actions; returns every (observation, reward, info)."""
    rng = rng or np.random.default_rng(0)
    observation, info = env.reset(seed=seed)
    steps, over = [(observation, 0.0, info)], False
    while not over:
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, terminated, truncated, info = env.step(action)
        steps.append((observation, reward, info))
        over = terminated or truncated
    return steps


# --- registration and Gymnasium's own checks


def test_every_game_is_registered():
    assert set(IDS) <= set(gymnasium.registry)


@pytest.mark.parametrize("opponent", ["random", "self"])
@pytest.mark.parametrize("id", IDS)
def test_gymnasium_accepts_it(id, opponent):
    with warnings.catch_warnings():
        warnings.filterwarnings("error", category=UserWarning)
        check_env(gymnasium.make(id, opponent=opponent).unwrapped)


@pytest.mark.parametrize("id", IDS)
def test_gymnasium_accepts_the_small_observation(id):
    with warnings.catch_warnings():
        warnings.filterwarnings("error", category=UserWarning)
        check_env(gymnasium.make(id, observation="observation").unwrapped)


def test_gymnasium_accepts_a_game_in_python(race):
    env = adapter.make_env(race, length=20)
    assert env.spec.id == "tablier/Race-v0"
    assert env.unwrapped.game.options() == {"length": 20}
    check_env(env.unwrapped)
    assert abs(episode(env, seed=1)[-1][1]) == 1


@pytest.mark.parametrize("id", IDS)
def test_the_spaces_are_the_games(id):
    env = gymnasium.make(id)
    game = env.unwrapped.game
    assert env.action_space == gymnasium.spaces.Discrete(game.num_distinct_actions())
    assert env.observation_space.shape == game.features_shape()
    assert env.observation_space.dtype == np.float32
    assert env.observation_space.is_bounded()
    small = gymnasium.make(id, observation="observation").observation_space
    assert small.shape == game.observation_shape()
    assert small.dtype == game.observation_dtype()


def test_the_observation_is_the_view_that_was_asked_for():
    env = gymnasium.make("tablier/Trictrac-v0", observation="observation", seat=1)
    observation, _ = env.reset(seed=1)
    assert np.array_equal(observation, env.unwrapped.state.observation(1))
    with pytest.raises(ValueError, match="features, observation"):
        gymnasium.make("tablier/Trictrac-v0", observation="pixels")


def test_the_first_loop_everyone_writes_plays_a_game():
    env = gymnasium.make("tablier/Trictrac-v0")
    env.reset(seed=1)
    over = False
    while not over:
        mask, action = env.unwrapped.action_masks(), env.action_space.sample()
        assert mask[action]
        _, _, terminated, truncated, _ = env.step(action)
        over = terminated or truncated


# --- seeding


@pytest.mark.parametrize("opponent", OPPONENTS)
def test_a_seed_decides_dice_and_opponent(opponent):
    env = gymnasium.make("tablier/Trictrac-v0", opponent=opponent, seat="random", utility="score", holes_to_win=2)
    again = gymnasium.make("tablier/Trictrac-v0", opponent=opponent, seat="random", utility="score", holes_to_win=2)
    episode(again, seed=8)
    first, second = episode(env, seed=7), episode(again, seed=7)
    assert len(first) == len(second)
    for (a, reward_a, _), (b, reward_b, _) in zip(first, second, strict=True):
        assert np.array_equal(a, b)
        assert reward_a == reward_b


def test_a_reset_without_a_seed_goes_on_with_the_dice():
    env = gymnasium.make("tablier/Trictrac-v0")
    first = env.reset(seed=7)[0]
    assert any(not np.array_equal(first, env.reset()[0]) for _ in range(5))
    assert np.array_equal(first, env.reset(seed=7)[0])


# --- masks, observations, illegal actions


@pytest.mark.parametrize("id", IDS)
def test_masks_are_the_legal_actions(id):
    env = gymnasium.make(id)
    _, info = env.reset(seed=3)
    for _ in range(30):
        state = env.unwrapped.state
        assert info["action_mask"].dtype == np.int8
        assert np.flatnonzero(info["action_mask"]).tolist() == state.legal_actions()
        masks = env.get_wrapper_attr("action_masks")()
        assert masks.dtype == np.bool_
        assert np.array_equal(masks, info["action_mask"])
        observation, _, terminated, _, info = env.step(env.action_space.sample(mask=info["action_mask"]))
        assert np.array_equal(observation, env.unwrapped.state.features(0))
        if terminated:
            assert not info["action_mask"].any()
            _, info = env.reset()


@pytest.mark.parametrize("action", [0, 1, 514, -1])
def test_an_illegal_action_is_named_and_changes_nothing(action):
    env = gymnasium.make("tablier/Trictrac-v0", disable_env_checker=True)
    env.reset(seed=1)
    before, dice = env.unwrapped.state, env.unwrapped.np_random.bit_generator.state
    with pytest.raises(ValueError, match=str(action)):
        env.step(action)
    assert env.unwrapped.state == before
    assert env.unwrapped.np_random.bit_generator.state == dice


@pytest.mark.parametrize("action", [0, 300, np.int64(513)])
def test_an_illegal_action_can_be_replaced(action):
    env = gymnasium.make("tablier/Trictrac-v0", illegal="replace", disable_env_checker=True)
    _, info = env.reset(seed=1)
    legal = np.flatnonzero(info["action_mask"])
    assert action not in legal
    *_, info = env.step(action)
    assert info["played"] in legal
    _, info = env.reset(seed=1)
    *_, info = env.step(legal[-1])
    assert info["played"] == legal[-1]
    with pytest.raises(ValueError, match="514"):
        env.step(514)
    with pytest.raises(TypeError):
        env.step("0")


def test_infos_are_arrays():
    """TorchRL reads the dtype of every value."""
    env = gymnasium.make("tablier/Trictrac-v0")
    _, first = env.reset(seed=1)
    *_, later = env.step(np.flatnonzero(first["action_mask"])[0])
    assert {key: value.dtype for key, value in later.items()} == {
        "action_mask": np.int8,
        "player": np.int64,
        "rewards": np.float64,
        "played": np.int64,
    }
    assert first.keys() == later.keys() - {"played"}


def test_an_opponent_that_errs_leaves_the_position():
    class Cheat:
        def choose(self, state):
            return 513

    env = gymnasium.make("tablier/TicTacToe-v0", opponent=Cheat())
    env.reset()
    with pytest.raises(ValueError, match="513"):
        env.step(4)
    assert env.unwrapped.state.legal_actions() == list(range(9))


def test_a_game_that_is_over_or_not_begun_wants_a_reset():
    env = adapter.TablierEnv("tic_tac_toe")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    episode(env)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


# --- opponents and seats


def test_the_opponent_may_begin():
    env = gymnasium.make("tablier/TicTacToe-v0", seat=1, opponent=First())
    _, info = env.reset()
    assert info["player"] == 1
    assert np.flatnonzero(info["action_mask"]).tolist() == list(range(1, 9))


@pytest.mark.parametrize("seat", [0, 1])
def test_the_opponent_has_the_other_seat(seat):
    player = First()
    steps = episode(gymnasium.make("tablier/Trictrac-v0", seat=seat, opponent=player), seed=2)
    assert set(player.seats) == {1 - seat}
    assert {info["player"] for _, _, info in steps} == {seat}


def test_a_random_seat_is_both():
    env = gymnasium.make("tablier/Pig-v0", seat="random")
    env.reset(seed=0)
    assert {env.reset()[1]["player"] for _ in range(30)} == {0, 1}


def test_a_learner_may_move_twice():
    player = First()
    env = gymnasium.make("tablier/Pig-v0", opponent=player)
    env.reset(seed=3)
    for _ in range(20):  # keeps rolling; the opponent, who always rolls too, only moves after a 1
        player.seats.clear()
        env.step(0)
        assert bool(player.seats) == (env.unwrapped.state.features(0)[2] == 0)


def test_self_play_decides_for_both():
    steps = episode(gymnasium.make("tablier/Trictrac-v0", opponent="self", utility="score"), seed=5)
    players = [info["player"] for _, _, info in steps]
    assert set(players) == {0, 1}
    assert any(a == b for a, b in pairwise(players))
    for (_, _, before), (_, reward, after) in pairwise(steps):
        assert reward == after["rewards"][before["player"]]


def test_the_opponents_differ_in_strength():
    def won(opponent):
        env = gymnasium.make("tablier/Trictrac-v0", opponent=opponent, seat="random", disable_env_checker=True)
        rng = np.random.default_rng(1)
        return sum(episode(env, seed=seed, rng=rng)[-1][1] > 0 for seed in range(60))

    assert won("greedy") < won("random") - 5


# --- rewards and truncation


def test_trictrac_pays_the_win_at_the_end():
    rewards = [reward for _, reward, _ in episode(gymnasium.make("tablier/Trictrac-v0"), seed=1)]
    assert not any(rewards[:-1])
    assert abs(rewards[-1]) == 1


@pytest.mark.parametrize("seat", [0, 1])
def test_scores_are_paid_as_they_are_marked_and_add_up(seat):
    env = gymnasium.make("tablier/Trictrac-v0", utility="score", seat=seat)
    for seed in range(5):
        steps = episode(env, seed=seed)
        rewards = [reward for _, reward, _ in steps]
        assert any(rewards[1:-1])
        returns = env.unwrapped.state.returns()
        assert sum(rewards) == returns[seat]
        assert sum(info["rewards"][1 - seat] for _, _, info in steps) == returns[1 - seat]


def test_long_games_are_truncated():
    env = gymnasium.make("tablier/Trictrac-v0", max_episode_steps=4)
    assert gymnasium.spec("tablier/Trictrac-v0").max_episode_steps == 2000
    _, info = env.reset(seed=1)
    for number in range(1, 5):
        _, _, terminated, truncated, info = env.step(np.flatnonzero(info["action_mask"])[0])
        assert not terminated
        assert truncated == (number == 4)


def test_a_game_that_ends_before_the_learner_decides_is_dealt_anew():
    env = adapter.make_env("pig", win_score=2, seat=1, opponent=First())
    for seed in range(20):
        env.reset(seed=seed)
        assert env.unwrapped.state.current_player() == 1


# --- rendering, copies


def test_render_modes():
    env = gymnasium.make("tablier/Trictrac-v0", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == str(env.unwrapped.state)
    env = gymnasium.make("tablier/Trictrac-v0", render_mode="svg")
    env.reset(seed=1)
    assert env.render().startswith("<svg")
    env = gymnasium.make("tablier/Trictrac-v0")
    env.reset()
    assert env.unwrapped.render() is None


@pytest.mark.parametrize("id", IDS)
def test_every_game_has_a_picture_of_pixels(id):
    env = gymnasium.make(id, render_mode="rgb_array")
    _, info = env.reset(seed=1)
    before = env.render()
    for _ in range(3):
        _, _, _, _, info = env.step(np.flatnonzero(info["action_mask"])[0])
    after = env.render()
    assert before.dtype == np.uint8
    assert before.shape == after.shape
    assert before.shape[2] == 3
    assert (before != after).any()


def test_a_copy_is_a_game_of_its_own():
    env = gymnasium.make("tablier/Trictrac-v0")
    env.reset(seed=1)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        before = env.unwrapped.state
        assert twin.unwrapped.state == before
        twin.step(before.legal_actions()[0])
        assert env.unwrapped.state == before


# --- bad input


@pytest.mark.parametrize("opponent", ["nobody", "", "random:speed=3", "random:seed=x"])
def test_an_unknown_opponent_is_refused_with_the_list(opponent):
    with pytest.raises(ValueError, match="'random', 'self' or an object"):
        gymnasium.make("tablier/Trictrac-v0", opponent=opponent)


def test_an_opponent_that_cannot_choose_is_refused():
    with pytest.raises(TypeError, match="'random', 'self' or an object"):
        gymnasium.make("tablier/Trictrac-v0", opponent=3)


@pytest.mark.parametrize("seat", [2, -1, "white", None, True, 0.0])
def test_an_unknown_seat_is_refused_with_the_list(seat):
    with pytest.raises(ValueError, match="seat must be one of 0, 1, 'random'"):
        gymnasium.make("tablier/Trictrac-v0", seat=seat)


def test_an_unknown_render_mode_is_refused_with_the_list():
    with pytest.raises(ValueError, match="'ansi', 'svg', 'rgb_array'"), pytest.warns(UserWarning, match="render_mode"):
        gymnasium.make("tablier/Trictrac-v0", render_mode="film")
    with gymnasium.make("tablier/TicTacToe-v0", render_mode="svg") as env:
        env.reset(seed=1)
        assert env.render().startswith("<svg")


def test_an_unknown_way_with_illegal_actions_is_refused_with_the_list():
    with pytest.raises(ValueError, match="illegal must be one of 'raise', 'replace', not 'ignore'"):
        gymnasium.make("tablier/Trictrac-v0", illegal="ignore")


@pytest.mark.parametrize("make", [gymnasium.make, gymnasium.make_vec])
def test_an_unknown_keyword_is_a_type_error(make):
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'.*accepted: win_score"):
        make("tablier/Pig-v0", frameskip=4)


def test_options_are_checked_by_the_game():
    with pytest.raises(ValueError, match="holes_to_win"):
        gymnasium.make("tablier/Trictrac-v0", holes_to_win=0)


@pytest.mark.parametrize("module", ["gymnasium", "gymnasium_vector"])
def test_without_gymnasium_the_extra_is_named(monkeypatch, module):
    for name in ("gymnasium", "gymnasium_vector", "gymnasium_parts"):
        monkeypatch.delitem(sys.modules, f"tablier.adapters.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(ImportError, match=r"pip install 'tablier\[gymnasium\]'"):
        importlib.import_module(f"tablier.adapters.{module}")


def test_without_pillow_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(ImportError, match=r"pip install 'tablier\[gymnasium\]'"):
        gymnasium.make("tablier/Trictrac-v0", render_mode="rgb_array")
