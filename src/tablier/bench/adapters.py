"""Benchmarks of the adapters, compared with the games of the adapted libraries."""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from tablier.bench.timing import Job, Row, one_core, rates


def measure(progress: Callable[[str], None] = lambda _: None) -> list[Row]:
    """Measures the adapters whose libraries are installed.

    Args:
        progress: called with a description of the next measurement, or of a skipped one.
    """
    rows = []
    for library, extra, make_rows in (
        ("pyspiel", "openspiel", open_spiel_rows),
        ("pyspiel", "openspiel", native_open_spiel_rows),
        ("pettingzoo", "pettingzoo", pettingzoo_rows),
        ("gymnasium", "gymnasium", gymnasium_rows),
    ):
        if importlib.util.find_spec(library) is None:
            progress(f"skipped, {library} is not installed: pip install 'tablier[{extra}]'")
            continue
        progress(f"through {library}")
        rows += make_rows()
    return rows


def open_spiel_rows() -> list[Row]:
    """Measures random games of `python_trictrac` in pyspiel, compared with OpenSpiel's `python_tic_tac_toe`."""
    import pyspiel
    from open_spiel.python.games import tic_tac_toe  # noqa: F401  (registers python_tic_tac_toe)

    import tablier.adapters.open_spiel  # noqa: F401

    ours, theirs = pyspiel.load_game("python_trictrac"), pyspiel.load_game("python_tic_tac_toe")
    rows = []
    for observe in (False, True):
        jobs: dict[str, Job] = {
            "tablier": _spiel_games(ours, observe, 5),
            "python_tic_tac_toe": _spiel_games(theirs, observe, 50),
        }
        with one_core():
            seen = rates(jobs)
        what = "decisions, observations included" if observe else "decisions"
        rows.append(Row(f"python_trictrac: {what}", "decisions", seen.pop("tablier"), seen, "rolls not counted"))
    return rows


def _spiel_games(game: Any, observe: bool, games: int) -> Job:
    choose = random.Random(1).choice

    def play() -> int:
        decisions = 0
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    action, _ = choose(state.chance_outcomes())
                else:
                    if observe:
                        state.observation_tensor(state.current_player())
                    action = choose(state.legal_actions())
                    decisions += 1
                state.apply_action(action)
        return decisions

    return play


def native_open_spiel_rows() -> list[Row]:
    """Measures the C++ game `trictrac` in pyspiel, compared with OpenSpiel's `backgammon` and with `python_trictrac`.

    Without a compiler or OpenSpiel's source package there are no rows, and a line on the standard error says why.
    """
    import pyspiel

    import tablier.adapters.open_spiel

    try:
        import tablier.adapters.open_spiel_native  # noqa: F401
    except ImportError as error:
        print(f"... skipped: {error}", file=sys.stderr)
        return []
    native, python = pyspiel.load_game("trictrac"), pyspiel.load_game("python_trictrac(utility=win)")
    backgammon = pyspiel.load_game("backgammon")
    rollouts = {
        "tablier": _spiel_search(native, 1, 500),
        "backgammon": _spiel_search(backgammon, 1, 20),
        "python_trictrac": _spiel_search(python, 1, 20),
    }
    searches = {"tablier": _spiel_search(native, 1000, 1), "backgammon": _spiel_search(backgammon, 100, 1)}
    steps = {"tablier": _spiel_steps(native, 10), "python_trictrac": _spiel_steps(python, 10)}
    rows = []
    for what, unit, jobs, note in (
        ("random playouts in C++", "games", rollouts, "the games of MCTSBot's random rollouts"),
        ("MCTSBot, 1 rollout", "simulations", searches, "100 simulations for backgammon, 1,000 for trictrac"),
        ("Python loop", "decisions", steps, "legal_actions, observation_tensor, apply_action; rolls not counted"),
    ):
        with one_core():
            seen = rates(jobs)
        rows.append(Row(f"trictrac, native: {what}", unit, seen.pop("tablier"), seen, note))
    return rows


def _spiel_search(game: Any, simulations: int, rollouts: int) -> Job:
    """Searches from the first decision and counts rollouts. OpenSpiel is fastest with one simulation of many."""
    import pyspiel

    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[1])
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, 1, False)

    def search() -> int:
        bot.mcts_search(state)
        return simulations * rollouts

    return search


def _spiel_steps(game: Any, games: int) -> Job:
    """Replays games drawn in advance, so that drawing takes no time."""
    choose, played = random.Random(1).choice, []
    for _ in range(games):
        state, actions = game.new_initial_state(), []
        while not state.is_terminal():
            actions.append((state.current_player(), choose(state.legal_actions())))
            state.apply_action(actions[-1][1])
        played.append(actions)

    def replay() -> int:
        decisions = 0
        for actions in played:
            state = game.new_initial_state()
            for player, action in actions:
                state.legal_actions()
                if player >= 0:
                    state.observation_tensor(player)
                    decisions += 1
                state.apply_action(action)
        return decisions

    return replay


def pettingzoo_rows() -> list[Row]:
    """Measures random games in the AEC interface, with the same loop for Trictrac and PettingZoo's tictactoe_v3.

    A step is one last() and one step(), including the final step of each agent. Both environments are measured with
    PettingZoo's wrappers (env) and without (raw_env).
    """
    from tablier.adapters import pettingzoo as ours

    jobs: dict[str, dict[str, Job]] = {
        "env": {"tablier": _aec_games(ours.env("trictrac"), 2)},
        "raw_env": {"tablier": _aec_games(ours.raw_env("trictrac"), 2)},
    }
    note = "one step is last() and step()"
    try:
        from pettingzoo.classic import tictactoe_v3
    except ImportError as error:
        note = f"no comparison with tictactoe_v3: {error}"
    else:
        jobs["env"]["tictactoe_v3"] = _aec_games(tictactoe_v3.env(), 50)
        jobs["raw_env"]["tictactoe_v3"] = _aec_games(tictactoe_v3.raw_env(), 50)
    rows = []
    for made_by, rivals in jobs.items():
        with one_core():
            seen = rates(rivals)
        rows.append(Row(f"trictrac: PettingZoo {made_by}", "steps", seen.pop("tablier"), seen, note))
    return rows


def _aec_games(env: Any, games: int) -> Job:
    rng = random.Random(1)
    env.reset(seed=1)

    def play() -> int:
        steps = 0
        for _ in range(games):
            env.reset()
            for _ in env.agent_iter():
                observation, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    action = None
                else:
                    action = rng.choice(np.flatnonzero(observation["action_mask"]).tolist())
                env.step(action)
                steps += 1
        return steps

    return play


def gymnasium_rows() -> list[Row]:
    """Measures the native VectorEnv, compared with Gymnasium's SyncVectorEnv of the same game."""
    import gymnasium

    import tablier.adapters.gymnasium  # noqa: F401

    name = "tablier/Trictrac-v0"
    native = gymnasium.make_vec(name, num_envs=1024)
    sync = gymnasium.make_vec(name, num_envs=16, vectorization_mode="sync", opponent="self")
    jobs: dict[str, Job] = {"tablier": _vector_steps(native), "SyncVectorEnv": _vector_steps(sync)}
    with one_core():
        seen = rates(jobs)
    return [Row("trictrac: VectorEnv", "decisions", seen.pop("tablier"), seen, "features and masks written")]


def _vector_steps(envs: Any, steps: int = 32) -> Job:
    """Replays actions drawn in advance, which the same seed makes legal again, so that drawing takes no time."""
    count: int = envs.num_envs
    rng, rows = np.random.default_rng(1), []
    _, infos = envs.reset(seed=1)
    for _ in range(steps):
        mask = np.stack(infos["action_mask"])
        rows.append((rng.random(mask.shape) * mask).argmax(axis=1))
        infos = envs.step(rows[-1])[-1]

    def play() -> int:
        envs.reset(seed=1)
        for row in rows:
            envs.step(row)
        return len(rows) * count

    return play
