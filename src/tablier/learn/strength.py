"""Measures the strength of a run: plays its checkpoints against other players."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tablier.arena import MatchResult, Pool, play_match
from tablier.learn import ALGORITHMS, load_config
from tablier.learn.runs.checkpoint import folder_of, load, steps_of
from tablier.learn.runs.config import Config
from tablier.learn.runs.files import DamagedError, RunError
from tablier.learn.runs.run import identity
from tablier.players import make_player
from tablier.registry import load_game, parse_options


@dataclass(frozen=True)
class Strength:
    """The result of a checkpoint against an opponent."""

    step: int
    opponent: str
    match: MatchResult

    def __str__(self) -> str:
        low, high = self.match.interval
        return f"{self.step:>8}  {self.opponent:<24} {self.match.rate:>6.1%}  ({low:.1%} to {high:.1%})"


HEADING = f"{'step':>8}  {'against':<24} {'wins':>6}  (95% interval)"


def check_opponents(config: Config, opponents: list[str]) -> None:
    """Raises ValueError if an opponent is not a valid player of the run's game."""
    table = load_game(config.game, **parse_options(config.options))
    for name in opponents:
        make_player(name, table)


def measure(
    folder: Path,
    opponents: list[str],
    games: int,
    *,
    last: bool = False,
    player: str = "",
    seed: int = 0,
    processes: int = 1,
    pool: Pool | None = None,
    progress: Callable[[MatchResult], None] = lambda _: None,
) -> Iterator[Strength]:
    """Plays the checkpoints of a run against each opponent, all with the same dice or openings.

    Args:
        folder: the folder of the run.
        opponents: player strings; `step-N` is the checkpoint of step N of the same run.
        games: games per match.
        last: play only the last checkpoint.
        player: player string for the checkpoints, with `{}` in place of the network file. By default that of the
            algorithm, such as `expectimax:plies=1,net={}`.
        seed: seed of the dice or openings.
        processes: number of worker processes.
        pool: plays the games elsewhere instead.
        progress: called with the result so far as a match proceeds.

    Yields:
        One result per checkpoint and opponent, in the order of steps.

    Raises:
        RunError: there is no checkpoint, no opponent, no such `step-N`, or no `{}` in `player`.
        ValueError: an opponent is not a valid player of the game.
    """
    algorithm, config = load_config(folder)
    made = ALGORITHMS[algorithm]
    game = made.game_of(config)
    learner = made.learner(game, config)
    steps = steps_of(folder)
    if not steps:
        raise RunError(f"{folder} has no checkpoint yet")
    plays = player or learner.player
    if "{}" not in plays:
        raise RunError(f"{plays!r} has no placeholder {{}} for the network file; try {learner.player}")
    if not opponents:
        raise RunError("no opponent given; name at least one")
    check_opponents(config, [name for name in opponents if not name.startswith("step-")])
    table = load_game(config.game, **parse_options(config.options))
    with tempfile.TemporaryDirectory() as place:

        def network(step: int) -> str:
            path = Path(place) / f"{step}.network"
            if not path.exists():
                learner.put(load(folder, step, identity(algorithm, game), training=False).weights)
                path.write_bytes(learner.network())
            return plays.replace("{}", str(path))

        others = {name: name for name in opponents}
        for name in opponents:
            if name.startswith("step-"):
                if not name[5:].isdecimal() or int(name[5:]) not in steps:
                    raise RunError(f"{folder} has no checkpoint {name}; its steps are {', '.join(map(str, steps))}")
                others[name] = network(int(name[5:]))
        for step in steps[-1:] if last else steps:
            try:
                network(step)
            except DamagedError:
                if step == steps[-1] or (folder_of(folder, step) / "state.json").exists():
                    raise
                print(
                    f"skipped step {step}: its checkpoint was deleted", file=sys.stderr
                )  # training in progress deletes some
                continue
            for name, other in others.items():
                match = play_match(
                    table,
                    network(step),
                    other,
                    games,
                    seed=seed,
                    processes=processes,
                    pool=pool,
                    openings=games,
                    progress=progress,
                )
                yield Strength(step, name, replace(match, first=f"step-{step}", second=name))
