"""Reinforcement learning by self-play: TD(lambda), AlphaZero, PPO, DQN and discrete SAC (docs/learning.md).

Needs `pip install 'tablier[train]'`. A run is a folder, and a killed run can be resumed:

    from tablier.learn import open_run, run_training

    with open_run("runs/first", "td", {"minutes": 10.0, "steps": 10**6}) as run:
        run_training(run)

`ALGORITHMS` is the only place that lists the algorithms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablier._core import Game
from tablier.learn import offpolicy
from tablier.learn.algorithms import alphazero as az
from tablier.learn.algorithms import dqn, ppo, sac, td
from tablier.learn.data.batched_games import game_of
from tablier.learn.data.place import Spread
from tablier.learn.learner import Learner
from tablier.learn.runs.config import Config
from tablier.learn.runs.files import RunError
from tablier.learn.runs.loop import train
from tablier.learn.runs.run import Run, create_run, read_config, resume_run
from tablier.players import make_player


@dataclass(frozen=True)
class Algorithm:
    """The parts of a learning algorithm."""

    title: str
    """A short description."""
    config: type[Config]
    """The class of its settings."""
    presets: dict[str, dict[str, Any]]
    """Named sets of settings: `quick`, `default` and `strong`."""
    game_of: Callable[[Any], Game]
    """Loads the game of a config, with the rewards and features that the algorithm trains on."""
    learner: Any
    """A `Learner` class, called with the game, the config and, in training, the folder of the run and where to play."""


ALGORITHMS = {
    "alphazero": Algorithm("search-guided self-play", az.AlphaZeroConfig, az.PRESETS, az.game_of, az.AlphaZero),
    "dqn": Algorithm("double Q-learning with replay", dqn.DQNConfig, offpolicy.PRESETS, game_of, dqn.DQN),
    "ppo": Algorithm("proximal policy optimization", ppo.PPOConfig, ppo.PRESETS, game_of, ppo.PPO),
    "sac": Algorithm("discrete soft actor-critic", sac.SACConfig, offpolicy.PRESETS, game_of, sac.SAC),
    "td": Algorithm("TD(lambda) on afterstates", td.TDConfig, td.PRESETS, td.game_of, td.TD),
}
"""All algorithms by name."""


def find_algorithm(name: str) -> Algorithm:
    """Returns an algorithm by name; raises RunError if there is none."""
    if name not in ALGORITHMS:
        raise RunError(f"unknown algorithm '{name}'; choose from {', '.join(ALGORITHMS)}")
    return ALGORITHMS[name]


def open_run(
    folder: str | Path, algorithm: str, settings: dict[str, Any], resume: bool = False, spread: Spread | None = None
) -> Run:
    """Creates a run in a new folder, or opens an existing one to resume it.

    The run holds a lock on its folder until it is closed, so use it as a context manager. Invalid settings and unknown
    opponents are rejected before anything is written.

    Args:
        folder: the folder of the run. It must not contain a run unless `resume` is set.
        algorithm: a key of `ALGORITHMS`: `td`, `alphazero`, `ppo`, `dqn` or `sac`.
        settings: values that differ from the defaults of the algorithm's config. With `resume`, settings to change;
            only those that do not affect the result of a step can change, such as `steps`, `minutes` and `threads`.
            They are saved once `run_training` has restored the run. Setting names of earlier versions are accepted.
        resume: open the run in the folder instead of creating one.
        spread: where to play the games, such as on a cluster; None for this process.

    Returns:
        The open run. `run_training` trains it.

    Raises:
        RunError (a ValueError): the algorithm or a setting is unknown or invalid, the folder already contains a run
            (or, with `resume`, contains none), or the run is damaged or in use by another process.
        ValueError: the opponent in evaluation or training is not a valid player of the game.

    Example:
        with open_run("runs/first", "td", {"minutes": 10.0, "steps": 10**6, "width": 256}) as run:
            run_training(run)
        with open_run("runs/first", "td", {"minutes": 20.0}, resume=True) as run:
            run_training(run)
    """
    found = find_algorithm(algorithm)
    place = Path(folder)

    def make(config: Config) -> Learner:
        game = found.game_of(config)
        if config.eval_every:
            make_player(config.opponent, game)  # fail now, not at the first evaluation
        learner: Learner = found.learner(game, config, place, spread)
        return learner

    if resume:
        return resume_run(place, algorithm, {name: one.config for name, one in ALGORITHMS.items()}, settings, make)
    return create_run(place, algorithm, found.config.of(settings), make)


def run_training(run: Run, show: bool = True) -> int:
    """Trains a run until its `steps` or `minutes` are reached, starting from its last checkpoint.

    Checkpoints, metrics and `best.onnx` are written to the folder of the run as training proceeds. With the same seed,
    a run that is interrupted and resumed ends with the same weights as one that is not.

    Args:
        run: a run opened by `open_run`.
        show: show progress on stderr: a bar in a terminal, a line every 20 seconds elsewhere.

    Returns:
        The number of the last completed step, counted from the start of the run.

    Raises:
        RunError: the loss is not finite, the disk is full, or no checkpoint can be read.
        KeyboardInterrupt: Ctrl-C was pressed. All completed steps are saved first.
    """
    return train(run, run.learner, show)


def load_config(folder: str | Path) -> tuple[str, Config]:
    """Reads the algorithm and the config of a run, without locking it.

    Raises:
        RunError: the folder contains no run, or its `config.json` is invalid.
    """
    return read_config(Path(folder), {name: one.config for name, one in ALGORITHMS.items()})
