"""PettingZoo's own checks, and its contract during a game: masks, rewards, turns."""

import random
import types

import numpy as np
import pytest
from aec import act, alternating, games, play
from gymnasium.spaces import Discrete
from pettingzoo import ParallelEnv
from pettingzoo.test import api_test, max_cycles_test, performance_benchmark, seed_test

from tablier.adapters.pettingzoo import env, raw_env

pytestmark = [
    pytest.mark.usefixtures("race"),
    # from api_test: a Dict of observation and mask "probably should be a box", a finished agent has no legal action
    pytest.mark.filterwarnings("ignore:.*(not a NumPy array|should be gymnasium|all zeros):UserWarning"),
]


# --- PettingZoo's own checks


@games
@pytest.mark.parametrize("make", [env, raw_env])
def test_api(name, make, capsys):
    api_test(make(name), num_cycles=300)
    assert capsys.readouterr().out == "Starting API test\nPassed API test\n"


@games
def test_seed(name):
    seed_test(lambda: env(name), num_cycles=200)


def test_the_seed_decides_the_dice():
    boards = {str(play(env("trictrac"), 40, seed).unwrapped.game_state) for seed in (1, 1, 2, 3)}
    assert len(boards) == 3


def test_without_a_seed_the_next_game_is_another():
    e = env("pig")
    e.reset(seed=1)
    rolls = []
    for _ in range(8):
        e.step(0)
        rolls.append(str(e.unwrapped.game_state))
        e.reset()
    assert len(set(rolls)) > 2


class InTurns(Discrete):
    """Samples legal moves that make the agents alternate, since max_cycles_test samples without a mask."""

    def __init__(self, e):
        super().__init__(e.unwrapped.game.num_distinct_actions())
        self.e = e

    def sample(self, *args, **kwargs):
        legal = self.e.unwrapped.game_state.legal_actions()
        if self.e.unwrapped.game.name == "tic_tac_toe":  # eight moves without a line
            return next(square for square in (0, 1, 2, 4, 3, 5, 7, 6) if square in legal)
        return legal[-1]  # pig: hold


class Rounds(ParallelEnv):
    """One step is one move per agent, chosen at its turn: it cannot be chosen before the dice are rolled."""

    def __init__(self, e):
        self.e = e

    def reset(self):
        self.e.reset()
        self.agents = self.e.agents
        return {}, {}

    def action_space(self, agent):
        return self.e.action_space(agent)

    def step(self, actions):
        for agent in actions:
            assert agent == self.e.agent_selection
            self.e.step(self.action_space(agent).sample())
        return {}, self.e.rewards, self.e.terminations, self.e.truncations, self.e.infos


@alternating
def test_max_cycles(name):
    """The check expects simultaneous moves, where a cycle is one move of every agent; Rounds provides that."""

    def make(max_cycles):
        options = {"first_throw": "white"} if name.startswith("trictrac") else {}
        e = env(name, max_cycles=max_cycles, **options)
        for agent in e.possible_agents:
            e.unwrapped._spaces["action", agent] = InTurns(e)
        return e

    max_cycles_test(types.SimpleNamespace(env=make, parallel_env=lambda max_cycles: Rounds(make(max_cycles))))


@games
def test_performance(name, monkeypatch, capsys):
    """It runs for five seconds of its clock, which is sped up here."""
    clock = iter(range(10**6))
    monkeypatch.setattr("time.time", lambda: next(clock) / 40)
    performance_benchmark(env(name))
    assert "turns per second" in capsys.readouterr().out


def test_its_speed_is_measured_beside_tictactoe(monkeypatch):
    """`tablier bench adapters` reports the actual speed; the intervals here are too short to be meaningful."""
    import pygame  # noqa: F401  (tictactoe_v3 needs it; without it there would be no comparison and no ratio)

    from tablier.bench import adapters, timing

    monkeypatch.setattr(adapters, "rates", lambda jobs: timing.rates(jobs, rounds=1, seconds=0.001))
    for row in adapters.pettingzoo_rows():
        assert list(row.rivals) == ["tictactoe_v3"]
        assert row.ratio > 0


# --- masks, rewards, turns


@games
def test_masks_are_the_legal_actions(name):
    e, rng = raw_env(name), random.Random(4)
    e.reset(seed=4)
    while e.agents:
        state = e.game_state
        for seat, agent in enumerate(e.agents if len(e.agents) == 2 else []):
            seen = e.observe(agent)
            assert np.flatnonzero(seen["action_mask"]).tolist() == state.legal_actions(seat)
            assert np.array_equal(seen["action_mask"], e.infos[agent]["action_mask"])
            assert np.array_equal(seen["observation"], state.features(seat))
            assert e.observation_space(agent).contains(seen)
            assert (seen["observation"].dtype, seen["action_mask"].dtype) == (np.float32, np.int8)
        act(e, rng)


@games
@pytest.mark.parametrize("make", [env, raw_env])
def test_rewards_add_up_to_returns(name, make):
    e, rng = make(name), random.Random(5)
    for game in range(5):
        e.reset(seed=game)
        told = dict.fromkeys(e.agents, 0.0)
        while e.agents:
            returns = e.unwrapped.game_state.returns()
            agent, reward = act(e, rng)
            told[agent] += reward
        assert list(told.values()) == returns


def test_rewards_come_in_the_middle_of_a_game_and_to_both():
    e, rng = env("trictrac"), random.Random(1)
    e.reset(seed=1)
    for_mover = for_other = 0
    for _ in range(400):
        agent = e.agent_selection
        act(e, rng)
        if any(e.terminations.values()):
            break
        for_mover += e.rewards[agent] != 0
        for_other += any(reward for who, reward in e.rewards.items() if who != agent)
    assert for_mover
    assert for_other


def test_the_same_agent_may_move_twice():
    e = env("pig")
    e.reset(seed=3)
    before = e.agent_selection
    for _ in range(20):
        e.step(0)
        if e.agent_selection == before:
            return
        before = e.agent_selection
    pytest.fail("nobody kept the dice")


@pytest.mark.parametrize("view", ["features", "observation"])
def test_observations_are_the_view_that_was_asked_for(view):
    e = play(env("trictrac", observation=view), 5)
    for seat, agent in enumerate(e.possible_agents):
        seen, space = e.observe(agent)["observation"], e.observation_space(agent)["observation"]
        assert np.array_equal(seen, getattr(e.unwrapped.game_state, view)(seat))
        assert space.is_bounded()
        assert seen in space


def test_what_is_handed_out_belongs_to_the_caller():
    e = env("trictrac")
    e.reset(seed=1)
    (first, *_, info), (second, *_) = e.last(), e.last()
    kept = first["observation"].copy()
    first["action_mask"][:] = 0
    info["action_mask"][:] = 0
    assert second["action_mask"].any()
    action = int(np.flatnonzero(second["action_mask"])[0])
    e.step(action)
    assert not any(e.terminations.values())
    e.last()
    assert np.array_equal(first["observation"], kept)
