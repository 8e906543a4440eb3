"""TorchRL's environments drive Tablier's games. The full examples run from the command line; here they are short."""

import re
import subprocess
import sys
from pathlib import Path

import gymnasium
import pytest
import torch

import tablier.adapters.gymnasium
import tablier.adapters.open_spiel  # noqa: F401
from tablier.adapters.pettingzoo import env as pettingzoo_env

EXAMPLES = Path(__file__).parent.parent / "examples"
pytestmark = pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested using version:UserWarning")


@pytest.fixture(scope="module")
def envs():
    """The module torchrl.envs. Only the process that runs these tests imports it, which takes seconds."""
    import torchrl.envs

    return torchrl.envs


def test_gym_env_plays_trictrac(envs):
    from torchrl.data import Binary
    from torchrl.envs.gym_like import default_info_dict_reader

    env = envs.GymEnv("tablier/Trictrac-v0", holes_to_win=1, categorical_action_encoding=True)
    env.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec=[Binary(514, dtype=torch.int8)]))
    env = envs.TransformedEnv(env, envs.ActionMask())
    envs.check_env_specs(env, seed=1)
    game = env.rollout(1000)
    assert game["next", "terminated"][-1]
    assert abs(game["next", "reward"].sum()) == 1


def test_gym_wrapper_plays_the_native_vector_environment(envs):
    games = gymnasium.make_vec("tablier/TicTacToe-v0", num_envs=4, illegal="replace")
    env = envs.GymWrapper(games, categorical_action_encoding=True).append_transform(envs.ActionMask())
    envs.check_env_specs(env, seed=1)
    data = env.rollout(40, break_when_any_done=False)
    assert data["next", "done"].sum() >= 4
    assert data["action_mask"].gather(-1, data["action"].unsqueeze(-1)).all()
    assert (data["next", "played"] == data["action"]).all()


def test_petting_zoo_wrapper_plays_trictrac(envs):
    env = envs.PettingZooWrapper(pettingzoo_env("trictrac", holes_to_win=1, utility="win"), use_mask=True)
    envs.check_env_specs(env, seed=1)
    game = env.rollout(1000)
    results = [float(game["next", agent, "reward"].sum()) for agent in ("player_0", "player_1")]
    assert sorted(results) == [-1, 1]


def test_open_spiel_env_plays_trictrac(envs):
    env = envs.OpenSpielEnv("python_trictrac(utility=win,holes_to_win=1)", categorical_actions=True)
    envs.check_env_specs(env, seed=1)
    game = env.rollout(1000)
    assert game["next", "terminated"][-1]
    assert sorted(game["next", "agents", "reward"][-1].flatten().tolist()) == [-1, 1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("torchrl_gymnasium.py", "--frames", "200", "--games", "4"), r"after 200 decisions: won \d of 4 games"),
        (("torchrl_pettingzoo.py", "--games", "16", "--test-games", "4"), r"after 16 games: won \d of 4 games"),
        (("torchrl_open_spiel.py", "--games", "4", "--steps", "50"), r"error on fresh games: \d\.\d\d before"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
@pytest.mark.slow
def test_an_example_runs(arguments, words):
    name, *rest = arguments
    run = subprocess.run([sys.executable, str(EXAMPLES / name), *rest], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert re.search(words, run.stdout)
