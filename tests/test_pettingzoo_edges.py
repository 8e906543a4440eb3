"""PettingZoo environments: ends of games, copies, bad input and rendering."""

import contextlib
import copy
import pickle
import random
import subprocess
import sys

import numpy as np
import pytest
from aec import act, games, play
from pettingzoo.utils import wrappers

import tablier
from tablier import raster
from tablier.adapters.pettingzoo import env, raw_env

pytestmark = pytest.mark.usefixtures("race")


# --- ends


@games
def test_a_game_ends_for_all(name):
    e = play(env(name), 0)
    rng = random.Random(2)
    while not e.unwrapped.game_state.is_terminal():
        act(e, rng)
    assert e.terminations == {"player_0": True, "player_1": True}
    assert e.truncations == {"player_0": False, "player_1": False}
    assert [act(e, rng)[0] for _ in range(2)] == ["player_0", "player_1"]
    assert e.agents == []


@pytest.mark.parametrize("name", ["backgammon", "trictrac"])
def test_truncation_after_max_cycles(name):
    e, rng = env(name, max_cycles=7), random.Random(1)
    e.reset(seed=1)
    decisions = 0
    while not any(e.truncations.values()):
        act(e, rng)
        decisions += 1
    assert decisions == 14
    assert e.truncations == {"player_0": True, "player_1": True}
    assert not any(e.terminations.values())
    mover = e.agent_selection
    masks = [int(e.observe(agent)["action_mask"].any()) for agent in e.possible_agents]
    assert masks == [int(agent == mover) for agent in e.possible_agents]
    legal = int(np.flatnonzero(e.last()[0]["action_mask"])[0])
    with pytest.raises(ValueError, match="the only valid action is None"):
        e.step(legal)
    while e.agents:
        act(e, rng)
        assert [int(e.observe(agent)["action_mask"].any()) for agent in e.possible_agents] == masks
    e.step(legal)  # the wrapper only warns
    e.reset()
    assert not any(e.truncations.values())


# --- copies


@pytest.mark.parametrize("make", [env, raw_env])
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
@games
def test_a_copy_has_its_own_board_and_the_same_dice(name, duplicate, make):
    e = make(name)
    play(e, 3)
    before = str(e.unwrapped.game_state), copy.deepcopy(e.rewards), e.agent_selection
    mask = e.last()[0]["action_mask"]
    twin = duplicate(e)
    assert type(twin) is type(e)
    assert twin.unwrapped is not e.unwrapped
    rng = random.Random(9)
    while twin.agents:
        act(twin, rng)
    assert (str(e.unwrapped.game_state), e.rewards, e.agent_selection) == before
    assert np.array_equal(e.last()[0]["action_mask"], mask)
    rng = random.Random(9)
    while e.agents:
        act(e, rng)
    assert e.unwrapped.game_state == twin.unwrapped.game_state


# --- bad input


def illegal(e):
    return int(np.flatnonzero(e.last()[0]["action_mask"] == 0)[0])


@pytest.mark.parametrize("name", ["trictrac", "tic_tac_toe"])
def test_an_illegal_action_ends_the_wrapped_game(name):
    """The same as with PettingZoo's wrappers, without the shortcut in env()."""
    plain = wrappers.TerminateIllegalWrapper(raw_env(name), illegal_reward=-1)
    plain = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(plain))
    ends = []
    for e in (env(name), plain):
        play(e, 3)
        loser = e.agent_selection
        e.step(illegal(e))
        assert e.rewards[loser] == -1
        assert all(e.terminations.values())
        end = [(e.terminations, e.truncations, e.rewards)]
        while e.agents:
            end.append((e.agent_selection, *e.last()[1:4]))
            e.step(None)
        ends.append(end)
        play(e, 3)
        assert not any(e.terminations.values())
    assert ends[0] == ends[1]


def test_a_look_at_the_board_does_not_confuse_the_wrappers():
    """The wrapper checks against the last mask it saw, which an extra observation could make stale."""
    e = play(env("tic_tac_toe"), 0)
    e.env.observe("player_0")
    e.step(4)
    e.step(np.int16(0))
    e.step(4)
    assert e.rewards["player_0"] == -1


def test_env_is_wrapped_as_usual():
    e = env("pig")
    chain = [type(e).__mro__[1], type(e.env), type(e.env.env), type(e.unwrapped)]
    names = ("OrderEnforcingWrapper", "AssertOutOfBoundsWrapper", "TerminateIllegalWrapper")
    assert chain == [*(getattr(wrappers, name) for name in names), raw_env]
    assert str(e) == str(e.unwrapped) == e.metadata["name"] == "tablier_pig_v0"
    assert e.metadata["is_parallelizable"] is False
    for use in (lambda: e.agents, lambda: e.agent_selection, lambda: e.rewards, lambda: e.infos):
        with pytest.raises(AttributeError, match="cannot be accessed before reset"):
            use()
    for use in (lambda: e.step(0), lambda: e.observe("player_0"), e.render):
        with pytest.raises(Exception, match="reset"):
            use()
    e.reset()
    with pytest.raises(AssertionError, match="not in action space"):
        e.step(2)
    with pytest.raises(AssertionError, match="not in action space"):
        e.step(None)


@games
def test_raw_env_refuses_an_illegal_action_and_stays_as_it_was(name):
    e = play(raw_env(name), 3)
    wrong = illegal(e) if name in ("trictrac", "tic_tac_toe") else e.game.num_distinct_actions()
    before = (e.game_state, copy.deepcopy(e.rewards), dict(e._cumulative_rewards), e.agent_selection)
    for action in (wrong, -1, 10**6, np.int64(wrong)):
        with pytest.raises(ValueError, match=f"action {action} is not legal"):
            e.step(action)
    for action in (None, "0", 0.0):
        with pytest.raises(TypeError, match="must be an integer"):
            e.step(action)
    assert (e.game_state, e.rewards, e._cumulative_rewards, e.agent_selection) == before


def test_raw_env_without_reset_or_after_the_end():
    e = raw_env("pig")
    with pytest.raises(ValueError, match="call reset"):
        e.step(0)
    with pytest.raises(ValueError, match="there is no agent 'white'; the agents are player_0, player_1"):
        e.observe("white")
    with pytest.raises(ValueError, match="seed"):
        e.reset(seed=-1)


def test_a_game_without_a_picture_has_no_svg(race):
    for make in (env, raw_env):
        with pytest.raises(ValueError, match="no render_mode 'svg'; it has None, human, ansi, rgb_array$"):
            make(game=race, render_mode="svg")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"game": "chess"}, "no game is called 'chess'"),
        ({"game": "pig", "observation": "pixels"}, "features, observation, not 'pixels'"),
        ({"game": "trictrac", "render_mode": "rgb"}, "no render_mode 'rgb'; it has None, human, ansi, svg, rgb_array"),
        ({"game": "pig", "render_mode": "film"}, "no render_mode 'film'; it has None, human, ansi, svg, rgb_array"),
        ({"game": "pig", "max_cycles": 0}, "max_cycles must be an integer of at least 1"),
        ({"game": "pig", "max_cycles": 2.5}, "max_cycles must be an integer of at least 1"),
        ({"game": tablier.load_game("pig"), "win_score": 5}, "not both"),
    ],
)
def test_what_no_environment_can_be_made_of(arguments, words):
    for make in (env, raw_env):
        with pytest.raises(ValueError, match=words):
            make(**arguments)


@pytest.mark.parametrize("make", [env, raw_env])
def test_an_unknown_keyword_is_a_type_error(make):
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'.*accepted: win_score"):
        make("pig", colour=1)


def test_a_missing_package_is_named():
    code = "import sys; sys.modules['pettingzoo'] = None; import tablier.adapters.pettingzoo"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stderr.splitlines()[-1].startswith("ImportError: ")
    assert "pip install 'tablier[pettingzoo]'" in run.stderr


# --- rendering


def test_render(capsys):
    texts = {}
    for mode in (None, "human", "ansi", "svg", "rgb_array"):
        e = env("trictrac", render_mode=mode)
        e.reset(seed=1)
        capsys.readouterr()
        e.step(int(np.flatnonzero(e.last()[0]["action_mask"])[0]))
        with pytest.warns(UserWarning, match="render_mode") if mode is None else contextlib.nullcontext():
            texts[mode] = e.render(), capsys.readouterr().out
        board = str(e.unwrapped.game_state)
    assert texts[None] == (None, "")
    assert texts["human"] == (None, 2 * (board + "\n"))  # once by the step, once by render()
    assert texts["ansi"] == (board, "")
    assert texts["svg"][0].startswith("<svg")
    assert np.array_equal(texts["rgb_array"][0], raster.rgb_array(e.unwrapped.game_state))


@games
def test_every_game_has_a_picture_of_pixels(name):
    e = env(name, render_mode="rgb_array")
    assert "rgb_array" in e.metadata["render_modes"]
    frames = []
    for steps in (0, 3):
        play(e, steps)
        frames.append(e.render())
    assert frames[0].dtype == np.uint8
    assert frames[0].shape == frames[1].shape == (*frames[0].shape[:2], 3)
    assert (frames[0] != frames[1]).any()


def test_a_game_that_was_loaded_before():
    game = tablier.load_game("pig", win_score=30)
    assert env(game).unwrapped.game is game
    assert env("pig", win_score=30).unwrapped.game == game
