"""Many games at once in Gymnasium: the native vector environment."""

import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import tablier.adapters.gymnasium as adapter

IDS = ["tablier/Pig-v0", "tablier/TicTacToe-v0", "tablier/Trictrac-v0", "tablier/TrictracAEcrire-v0"]


def some(mask, rng):
    """Picks a random legal action for each row."""
    return (rng.random(mask.shape, dtype=np.float32) * mask).argmax(axis=1)


@pytest.mark.parametrize("id", IDS)
def test_the_contract_of_vector_environments(id):
    envs = gymnasium.make_vec(id, num_envs=5)
    assert isinstance(envs, adapter.TablierVectorEnv)
    assert envs.metadata["autoreset_mode"] is envs.autoreset_mode is AutoresetMode.SAME_STEP
    assert envs.single_observation_space.is_bounded()
    assert envs.num_envs == 5
    assert envs.action_space == gymnasium.vector.utils.batch_space(envs.single_action_space, 5)
    observations, infos = envs.reset(seed=1)
    rng = np.random.default_rng(0)
    for _ in range(50):
        assert observations in envs.observation_space
        actions = some(infos["action_mask"], rng)
        assert actions in envs.action_space
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert rewards.shape == terminations.shape == truncations.shape == (5,)
        assert rewards.dtype == np.float64
        assert terminations.dtype == truncations.dtype == np.bool_
        assert all(infos[f"_{key}"].shape == (5,) for key in infos if not key.startswith("_"))
    envs.close()


@pytest.mark.parametrize("id", IDS)
def test_what_it_writes_is_what_the_states_say(id):
    envs = gymnasium.make_vec(id, num_envs=4)
    observations, infos = envs.reset(seed=2)
    rng = np.random.default_rng(0)
    for _ in range(20):
        for i in range(4):
            state = envs.batch.state(i)
            assert infos["current_player"][i] == state.current_player()
            assert np.array_equal(observations[i], state.features())
            assert np.flatnonzero(infos["action_mask"][i]).tolist() == state.legal_actions()
        assert infos["action_mask"].dtype == np.int8
        assert np.array_equal(envs.action_masks(), infos["action_mask"])
        movers = infos["current_player"].copy()
        observations, rewards, _, _, infos = envs.step(some(infos["action_mask"], rng))
        assert np.array_equal(rewards, infos["rewards"][np.arange(4), movers])


def test_finished_games_are_replaced_in_the_same_step():
    envs = gymnasium.make_vec("tablier/TicTacToe-v0", num_envs=3)
    _, infos = envs.reset(seed=1)
    for actions in ([0, 0, 0], [3, 1, 3], [1, 2, 1], [4, 4, 4], [2, 3, 8]):
        observations, rewards, terminations, truncations, infos = envs.step(np.array(actions))
    assert terminations.tolist() == [True, False, False]
    assert not truncations.any()
    assert rewards.tolist() == [1, 0, 0]
    assert infos["final_info"]["rewards"][0].tolist() == [1, -1]
    assert infos["_final_info"].tolist() == infos["_final_obs"].tolist() == [True, False, False]
    assert infos["final_obs"][0].shape == (2, 3, 3)
    assert infos["final_obs"][1] is None
    assert not observations[0].any()
    assert infos["action_mask"][0].all()
    assert "final_obs" not in envs.step(np.array([0, 5, 7]))[4]


def test_truncation_gives_the_exact_final_observation():
    limited = gymnasium.make_vec("tablier/Trictrac-v0", num_envs=6, max_episode_steps=5)
    free = gymnasium.make_vec("tablier/Trictrac-v0", num_envs=6, max_episode_steps=None)
    _, infos = limited.reset(seed=3)
    free.reset(seed=3)
    rng = np.random.default_rng(0)
    for number in range(1, 6):
        actions = some(infos["action_mask"], rng)
        observations, _, terminations, truncations, infos = limited.step(actions)
        expected = free.step(actions)[0]
        assert truncations.all() == (number == 5)
        assert not terminations.any()
    assert np.array_equal(np.stack(infos["final_obs"]), expected)
    for i in range(6):
        assert np.array_equal(observations[i], limited.batch.state(i).features())
        assert not np.array_equal(observations[i], expected[i])
    for _ in range(4):
        _, _, _, truncations, infos = limited.step(some(infos["action_mask"], rng))
        assert not truncations.any()


def test_seeding():
    def games(seed):
        envs = gymnasium.make_vec("tablier/Trictrac-v0", num_envs=8, copy=True, max_episode_steps=6)
        rng, (observations, infos) = np.random.default_rng(0), envs.reset(seed=seed)
        seen = [observations]
        for _ in range(15):
            observations, _, _, _, infos = envs.step(some(infos["action_mask"], rng))
            seen.append(observations)
        seen.append(envs.reset()[0])
        return np.stack(seen)

    assert np.array_equal(games(1), games(1))
    assert not np.array_equal(games(1)[0], games(2)[0])
    assert not np.array_equal(games(1)[0], games(1)[-1])  # a reset without a seed draws new dice


def test_a_mask_names_the_games_that_start_again():
    envs, rng = gymnasium.make_vec("tablier/Trictrac-v0", num_envs=3), np.random.default_rng(1)
    with pytest.raises(gymnasium.error.ResetNeeded, match="without a mask"):
        envs.reset(options={"reset_mask": np.array([True, False, False])})
    _, infos = envs.reset(seed=1, options={})
    for _ in range(20):
        before, *_, infos = envs.step(some(infos["action_mask"], rng))
    after, infos = envs.reset(options={"reset_mask": np.array([True, False, False])})
    assert [np.array_equal(before[i], after[i]) for i in range(3)] == [False, True, True]
    assert envs.unwrapped._ages.tolist() == [0, 20, 20]
    envs.step(some(infos["action_mask"], rng))


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        (5, TypeError, "options must be a dict"),
        ({"reset_mask": "nonsense"}, ValueError, "a boolean array of shape"),
        ({"reset_mask": np.ones(2, np.bool_)}, ValueError, "a boolean array of shape"),
        ({"reset_mask": np.ones(3)}, ValueError, "a boolean array of shape"),
        ({"reset_mask": np.zeros(3, np.bool_)}, ValueError, "at least one True"),
    ],
)
def test_a_mask_that_makes_no_sense_changes_nothing(options, error, words):
    envs = gymnasium.make_vec("tablier/Trictrac-v0", num_envs=3)
    envs.reset(seed=1)
    before = envs.unwrapped.batch.save()
    with pytest.raises(error, match=words):
        envs.reset(options=options)
    assert envs.unwrapped.batch.save() == before


def test_threads_change_nothing():
    results = []
    for threads in (1, 2):
        envs = gymnasium.make_vec("tablier/Trictrac-v0", num_envs=300, threads=threads)
        _, infos = envs.reset(seed=1)
        rng = np.random.default_rng(0)
        for _ in range(10):
            observations, *_, infos = envs.step(some(infos["action_mask"], rng))
        results.append(observations)
    assert np.array_equal(*results)


def test_what_a_step_returned_outlives_the_next_one():
    envs = gymnasium.make_vec("tablier/Trictrac-v0", num_envs=4)
    rng, (first, infos) = np.random.default_rng(0), envs.reset(seed=1)
    kept = first.copy()
    second = envs.step(some(infos["action_mask"], rng))[0]
    assert np.array_equal(first, kept)
    assert not np.shares_memory(first, second)


def test_an_illegal_action_is_named_and_no_game_moves():
    envs = gymnasium.make_vec("tablier/TicTacToe-v0", num_envs=2)
    envs.reset(seed=1)
    envs.step(np.array([4, 4]))
    before = [envs.batch.state(i) for i in range(2)]
    with pytest.raises(ValueError, match="4"):
        envs.step(np.array([0, 4]))
    with pytest.raises(TypeError, match="integers"):
        envs.step(np.array([0.0, 1.0]))
    assert [envs.batch.state(i) for i in range(2)] == before
    _, _, _, _, infos = envs.step([0, 1])
    assert infos["action_mask"].sum(axis=1).tolist() == [7, 7]


def test_illegal_actions_can_be_replaced():
    envs = gymnasium.make_vec("tablier/TicTacToe-v0", num_envs=3, illegal="replace")
    envs.reset(seed=1)
    envs.step(np.array([4, 4, 4]))
    *_, infos = envs.step(np.array([4, 0, 4]))
    played = infos["played"].tolist()
    assert played[1] == 0
    assert 4 not in played
    assert [envs.batch.state(i).legal_actions() for i in range(3)] == [sorted({*range(9)} - {4, p}) for p in played]
    for wrong, words in (([9, 0, 4], "action 9"), ([4, 0, -1], "action -1"), ([0, 0], "shape")):
        with pytest.raises((TypeError, ValueError), match=words):
            envs.step(np.array(wrong))


def test_the_last_replaced_action_is_in_the_final_info():
    envs = gymnasium.make_vec("tablier/TicTacToe-v0", num_envs=2, illegal="replace")
    _, infos = envs.reset(seed=1)
    for actions in ([0, 0], [3, 1], [1, 2], [4, 4], [2, 3]):
        *_, terminations, _, infos = envs.step(np.array(actions))
    assert terminations.tolist() == [True, False]
    assert infos["final_info"]["played"].tolist() == [2, 0]
    assert infos["final_info"]["_played"].tolist() == [True, False]


def test_it_is_self_play_and_says_so():
    with pytest.raises(ValueError, match="opponent must be 'self', not 'random'.*vectorization_mode=\"sync\""):
        gymnasium.make_vec("tablier/Trictrac-v0", num_envs=2, opponent="random")
    with pytest.raises(ValueError, match="remove the keyword seat"):
        gymnasium.make_vec("tablier/Trictrac-v0", num_envs=2, seat=1)
    with pytest.raises(ValueError, match="'ansi', 'svg', 'rgb_array'"):
        gymnasium.make_vec("tablier/Trictrac-v0", num_envs=2, render_mode="film")
    with pytest.raises(ValueError, match="max_episode_steps must be at least 1"):
        gymnasium.make_vec("tablier/Trictrac-v0", num_envs=2, max_episode_steps=0)
    with pytest.raises(gymnasium.error.ResetNeeded):
        gymnasium.make_vec("tablier/Trictrac-v0", num_envs=2).step([0, 0])
    sync = gymnasium.make_vec("tablier/Trictrac-v0", num_envs=2, opponent="random", vectorization_mode="sync")
    assert sync.reset(seed=1)[1]["action_mask"].shape == (2, 514)


def test_render_shows_every_game():
    envs = gymnasium.make_vec("tablier/Trictrac-v0", num_envs=2, render_mode="ansi")
    envs.reset(seed=1)
    assert envs.render() == (str(envs.batch.state(0)), str(envs.batch.state(1)))


def test_gymnasiums_vector_wrappers_work():
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(gymnasium.make_vec("tablier/Pig-v0", 4, win_score=10))
    rng, (_, infos) = np.random.default_rng(0), envs.reset(seed=1)
    lengths = []
    for _ in range(60):
        *_, infos = envs.step(some(infos["action_mask"], rng))
        lengths += infos["episode"]["l"][infos["_episode"]].tolist() if "episode" in infos else []
    assert lengths
    assert min(lengths) > 0


def test_a_game_in_python(race):
    adapter.register("race")
    envs = gymnasium.make_vec("tablier/Race-v0", num_envs=2)
    observations, _ = envs.reset(seed=1)
    assert observations.shape == (2, 3)


def test_a_step_takes_as_many_calls_for_many_games_as_for_one():
    """The vector environment is fast because no game is stepped in Python; `tablier bench adapters` measures how fast.

    Counts every function call, Python and C, in the first steps, before any game ends.
    """

    def calls(num_envs):
        envs, rng, counted = gymnasium.make_vec("tablier/Trictrac-v0", num_envs=num_envs), np.random.default_rng(0), []
        _, infos = envs.reset(seed=1)
        for _ in range(5):
            actions = some(infos["action_mask"], rng)
            sys.setprofile(lambda frame, event, argument: counted.append(event in ("call", "c_call")))
            *_, infos = envs.step(actions)
            sys.setprofile(None)
        return sum(counted)

    assert 0 < calls(1) == calls(256)
