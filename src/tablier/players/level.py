"""Players of graded strength, made from the champion's network.

A level adds Gaussian noise to the value of each action, so weak levels mistake one good move for another more often
than a bad one for a good one, and never play at random. `tools/calibrate_levels.py` finds the noise of each level.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import NormalDist
from typing import Any

from tablier._core import Game, State
from tablier.candidate import Candidate
from tablier.games import home_of
from tablier.games.champion import Champion
from tablier.messages import MessageError
from tablier.players.champion import NetworkPlayer, champion_of
from tablier.players.points import points_to_come
from tablier.players.protocol import not_picklable
from tablier.players.settings import LevelNumber, Seed

LEVELS = 8
NORMAL = NormalDist()


@dataclass(frozen=True)
class Level:
    """How a level plays."""

    plies: int
    """Decisions it looks ahead."""
    noise: float
    """Standard deviation of the noise, in the unit of the network's values."""


def read_levels(path: Path) -> list[Level]:
    """Reads a table of levels, easiest first.

    Raises:
        ValueError: the file is not a table of `LEVELS` levels.
    """
    try:
        rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["levels"]
        found = [Level(int(row["plies"]), float(row["noise"])) for row in rows]
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError):
        raise ValueError(f"{path} is not a table of levels") from None
    if len(found) != LEVELS or not all(0 < one.plies <= 2 and 0 <= one.noise < math.inf for one in found):
        raise ValueError(f"{path} must have {LEVELS} levels of one or two plies with a noise of at least 0")
    return found


def has_levels(game: Game) -> bool:
    """Returns whether the player `level` can play a game."""
    champion = home_of(game).champion()
    return champion is not None and champion.levels is not None


class NoisyPlayer:
    """Plays the action with the best value after noise. The noise depends only on the seed and the state.

    Args:
        game: the game to play.
        champion: has the network.
        level: depth and noise.
        seed: seed of the noise.
    """

    __reduce__ = not_picklable

    def __init__(self, game: Game, champion: Champion, level: Level, seed: int = 0) -> None:
        self._player = NetworkPlayer(game, champion, 1e18, level.plies)
        self._noise, self._seed = level.noise, seed
        self._points = points_to_come(game)

    def choose(self, state: State) -> int:
        """Returns the action with the best value after noise."""
        legal = state.legal_actions()
        return legal[0] if len(legal) == 1 else self.ranking(state)[0].action

    def ranking(self, state: State) -> list[Candidate]:
        """Returns every action with its value after noise, best first, without computing `points`."""
        draw = random.Random(_number(state, self._seed))
        noise = {action: self._noise * _gauss(draw) for action in state.legal_actions()}
        searched, found = self._player.searched, []
        for one in self._player.ranking(state):
            value = one.value + noise[one.action]
            found.append(replace(one, value=value, win_chance=searched.win_chance(value, state)))
        return sorted(found, key=lambda one: -one.value)

    def explain(self, state: State) -> list[Candidate]:
        """Returns every action with its value after noise and its points, best first."""
        points = self._points(state)
        return [replace(one, points=points[one.action]) for one in self.ranking(state)]


class LevelPlayer(NoisyPlayer):
    """Plays at one of eight levels."""

    def __init__(self, game: Game, n: LevelNumber = 4, seed: Seed = 0) -> None:
        """Creates the player.

        Args:
            game: the game to play.
            n: the level, from 1 to 8.
            seed: seed of the noise.

        Raises:
            MessageError (a ValueError): the game has no levels, or the champion's network cannot be used.
        """
        champion = champion_of(game)
        if champion.levels is None:
            raise MessageError.of("champion.no_levels", game=game.name)
        super().__init__(game, champion, read_levels(champion.levels)[n - 1], seed)


def _number(state: State, seed: int) -> int:
    return int.from_bytes(hashlib.blake2b(state.serialize() + seed.to_bytes(8, "little"), digest_size=16).digest())


def _gauss(draw: random.Random) -> float:
    """Draws from the normal distribution by inversion, which is the same in every version of Python."""
    return NORMAL.inv_cdf(min(1 - 1e-12, max(1e-12, draw.random())))
