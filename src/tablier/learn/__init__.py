"""Learning by self-play: one file an algorithm, and the parts that all share (docs/learning.md).

Needs `pip install 'tablier[train]'`. A run is a folder (`tablier.learn.runs`). An algorithm is a config, its presets,
the game in the form that it learns, and a learner. The table below is the only place that lists them.
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
from tablier.learn.learner import Learner
from tablier.learn.runs.config import Config
from tablier.learn.runs.loop import train
from tablier.learn.runs.run import Run, begin, go_on, read_config
from tablier.players import make_player


@dataclass(frozen=True)
class Algorithm:
    """How an algorithm is begun."""

    title: str
    config: type[Config]
    presets: dict[str, dict[str, Any]]
    game_of: Callable[[Any], Game]
    learner: Any
    """A class that makes a `Learner` of a game, a config and, while training, the run's folder."""


ALGORITHMS = {
    "alphazero": Algorithm("search and learn in turns", az.AlphaZeroConfig, az.PRESETS, az.game_of, az.AlphaZero),
    "dqn": Algorithm("Q-learning from a replay", dqn.DQNConfig, offpolicy.PRESETS, game_of, dqn.DQN),
    "ppo": Algorithm("policy gradients in small steps", ppo.PPOConfig, ppo.PRESETS, game_of, ppo.PPO),
    "sac": Algorithm("soft actor and critics from a replay", sac.SACConfig, offpolicy.PRESETS, game_of, sac.SAC),
    "td": Algorithm("TD(lambda) on positions after a move", td.TDConfig, td.PRESETS, td.game_of, td.TD),
}
"""Names to algorithms."""


def open_run(folder: str | Path, algorithm: str, settings: dict[str, Any], resume: bool = False) -> Run:
    """A new run with these settings, or the one in the folder."""
    made = ALGORITHMS[algorithm]
    place = Path(folder)

    def make(config: Config) -> Learner:
        game = made.game_of(config)
        if config.eval_every:
            make_player(config.opponent, game)  # a wrong name is told at once
        learner: Learner = made.learner(game, config, place)
        return learner

    if resume:
        return go_on(place, algorithm, {name: one.config for name, one in ALGORITHMS.items()}, settings, make)
    return begin(place, algorithm, made.config.of(settings), make)


def run_training(run: Run, show: bool = True) -> int:
    """Trains a run to its end; returns its last step."""
    return train(run, run.learner, show)


def load_config(folder: str | Path) -> tuple[str, Config]:
    """The algorithm and the config of a run."""
    return read_config(Path(folder), {name: one.config for name, one in ALGORITHMS.items()})
