"""Games played side by side for PPO, DQN and SAC, in self-play or against a fixed player.

Every game waits for a decision of the learner. Rewards are from the point of view of the player who acted: half the
change of their margin over the opponent. `turn` is the sign of the next decision's value: 1 if the same player decides
again, -1 if the opponent does, 0 if the game is over.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tablier._core import BatchEnv, Game, State
from tablier.learn.data.targets import half_margin, value_scale
from tablier.learn.runs.config import Config, make_game, setting
from tablier.players import Player, make_player

Floats = NDArray[np.float32]
TABLE = 32
"""Games that share an opponent and their dice. They are always played together, so that the result of a step does not
depend on where its games are played."""


@dataclass(frozen=True)
class GamesConfig(Config):
    """Settings of PPO, DQN and SAC, in addition to those of `Config`."""

    target: str = setting("margin", "reward: the win, or points", choices=("win", "margin"))
    against: str = setting("", "train against this player; empty: self-play")
    games: int = setting(256, "parallel games", low=1, high=10**6)
    moves: int = setting(32, "decisions per game in each step", low=1, high=10**5)
    discount: float = setting(0.98, "discount factor per decision (gamma)", high=1)
    unit: float = setting(48.0, "points per unit of value, for rewards in points; 0: the most a game can pay", high=1e6)


def game_of(config: GamesConfig) -> Game:
    """Loads the game with the rewards and features used in training."""
    return make_game(config, config.target)


def unit_of(game: Game, config: GamesConfig) -> float:
    """Returns the number of points that make one unit of value."""
    scale = value_scale(game, config.target)
    return scale if scale == 1 or not config.unit else min(config.unit, scale)


@dataclass(frozen=True)
class Outcome:
    """The outcome of one decision per game, as arrays [n]."""

    reward: Floats
    """Half the change of the margin, from the point of view of the player who acted."""
    turn: NDArray[np.int8]
    """Sign of the next decision's value: 1, -1 or, if the game is over, 0."""


class Games:
    """Games side by side; `features`, `legal` and `mover` describe the current decisions.

    Args:
        game: the game.
        config: the settings of the run.
        n: number of games; 0 for all games of the run.
        first: number of the first game, a multiple of `TABLE` if there is an opponent.
    """

    def __init__(self, game: Game, config: GamesConfig, n: int = 0, first: int = 0) -> None:
        n = n or config.games
        self.env = BatchEnv(game, n, seed=config.seed, threads=config.threads)
        self._game, self._against, self._seed = game, config.against, config.seed
        self._seats = np.arange(first, first + n) % 2
        self._tables = range(first // TABLE, -(-(first + n) // TABLE))
        self._seen = self.env.arrays()
        self._opponents: list[tuple[Player, np.random.Generator]] = []
        if config.against:
            make_player(config.against, game)  # fail now, not in the first step

    def begin(self, step: int) -> None:
        """Starts a step. Its course depends only on the state of the games and the number of the step."""
        self._seen = self.env.arrays()
        if self._against:
            self._opponents = [
                (
                    make_player(self._against, self._game, seed=step + (table << 32)),
                    np.random.default_rng([self._seed, step, 1, table]),
                )
                for table in self._tables
            ]
            self._reply(np.zeros(len(self.env), np.float32), np.zeros(len(self.env), np.bool_))

    @property
    def features(self) -> Floats:
        """Features [n, width] from the point of view of the player who decides."""
        return self._seen.features.reshape(len(self.env), -1)

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Mask of legal actions [n, actions]."""
        return self._seen.legal_mask

    @property
    def mover(self) -> NDArray[np.int32]:
        """The player who decides in each game [n]."""
        return self._seen.current_player

    def words(self) -> NDArray[np.uint64]:
        """Returns the states as 64-bit words [n, words per state]."""
        states = np.zeros((len(self.env), self._game.state_size()), np.uint64)
        self.env.words(states)
        return states

    def step(self, actions: NDArray[np.int64]) -> Outcome:
        """Plays one action in each game, then the opponent's replies."""
        sign = 1 - 2 * self.mover
        self.env.step(actions, **vars(self._seen))
        margin = half_margin(self._seen.rewards)
        over = self._seen.done.copy()
        if self._opponents:
            self._reply(margin, over)
        same = self.mover == (1 - sign) // 2
        return Outcome((margin * sign).astype(np.float32), np.where(over, 0, np.where(same, 1, -1)).astype(np.int8))

    def _reply(self, margin: Floats, over: NDArray[np.bool_]) -> None:
        """Plays the opponent's moves; adds their rewards to `margin` and marks finished games in `over`."""
        for i in np.flatnonzero(self.mover != self._seats):
            opponent, draw = self._opponents[i // TABLE]
            state = self.env.state(int(i))
            before = state.returns()
            while state.is_terminal() or state.current_player() != self._seats[i]:
                if state.is_terminal():
                    margin[i] += _half_margin(state, before) * (not over[i])
                    over[i] = True
                    state, before = self._game.new_initial_state(), [0.0, 0.0]
                elif state.is_chance_node():
                    outcomes = state.legal_actions()
                    state.apply_action(outcomes[draw.integers(len(outcomes))])
                else:
                    state.apply_action(opponent.choose(state))
            if not over[i]:
                margin[i] += _half_margin(state, before)
            self.env.set_state(int(i), state)
        self.env.observe(
            features=self._seen.features, legal_mask=self._seen.legal_mask, current_player=self._seen.current_player
        )


def _half_margin(state: State, before: list[float]) -> float:
    now = state.returns()
    return ((now[0] - before[0]) - (now[1] - before[1])) / 2
