"""Many games side by side, each at a decision of the one who learns: against himself, or against a fixed player.

What an action brings is told in the eyes of the one who took it, as half of his margin over the other. `turn` says how
the next decision's value is to be taken: 1 the same player decides again, -1 his adversary does, 0 the game is over.
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


@dataclass(frozen=True)
class GamesConfig(Config):
    """Settings of the algorithms that learn on a `BatchEnv`."""

    target: str = setting("margin", "what is paid: the victory, or points", choices=("win", "margin"))
    against: str = setting("", "learn against this player; empty: against oneself")
    games: int = setting(256, "games side by side", low=1, high=10**6)
    moves: int = setting(32, "decisions of every game in a step", low=1, high=10**5)
    discount: float = setting(0.98, "what comes a decision later counts so much", high=1)
    unit: float = setting(48.0, "points that count as one, if points are paid; 0: all that a game can bring", high=1e6)


def game_of(config: GamesConfig) -> Game:
    """The game in the form that is learned."""
    return make_game(config, config.target)


def unit_of(game: Game, config: GamesConfig) -> float:
    """What values are measured by."""
    scale = value_scale(game, config.target)
    return scale if scale == 1 or not config.unit else min(config.unit, scale)


@dataclass(frozen=True)
class Outcome:
    """What a decision of every game led to."""

    reward: Floats
    turn: NDArray[np.int8]


class Games:
    """The games of a run; `features`, `legal` and `mover` are those of the present decisions."""

    def __init__(self, game: Game, config: GamesConfig) -> None:
        self.env = BatchEnv(game, config.games, seed=config.seed, threads=config.threads)
        self._game, self._against, self._seed = game, config.against, config.seed
        self._seats = np.arange(config.games) % 2
        self._seen = self.env.arrays()
        self._adversary: Player | None = None
        self._draw = np.random.default_rng(0)
        if config.against:
            make_player(config.against, game)  # a wrong name is told at once

    def begin(self, step: int) -> None:
        """Takes up the games where they stand. What follows depends on them and on the step's number alone."""
        self._seen = self.env.arrays()
        if self._against:
            self._adversary = make_player(self._against, self._game, seed=step)
            self._draw = np.random.default_rng([self._seed, step, 1])
            self._reply(np.zeros(len(self.env), np.float32), np.zeros(len(self.env), np.bool_))

    @property
    def features(self) -> Floats:
        """[n, width], seen by who is to decide."""
        return self._seen.features.reshape(len(self.env), -1)

    @property
    def legal(self) -> NDArray[np.bool_]:
        """[n, actions]."""
        return self._seen.legal_mask

    @property
    def mover(self) -> NDArray[np.int32]:
        """[n], who is to decide."""
        return self._seen.current_player

    def words(self) -> NDArray[np.uint64]:
        """The states as words."""
        states = np.zeros((len(self.env), self._game.state_size()), np.uint64)
        self.env.words(states)
        return states

    def step(self, actions: NDArray[np.int64]) -> Outcome:
        """Plays an action in every game, and the adversary's replies."""
        sign = 1 - 2 * self.mover
        self.env.step(actions, **vars(self._seen))
        margin = half_margin(self._seen.rewards)
        over = self._seen.done.copy()
        if self._adversary:
            self._reply(margin, over)
        same = self.mover == (1 - sign) // 2
        return Outcome((margin * sign).astype(np.float32), np.where(over, 0, np.where(same, 1, -1)).astype(np.int8))

    def _reply(self, margin: Floats, over: NDArray[np.bool_]) -> None:
        """Lets the adversary play until it is not his turn; adds what that brought, and notes games that ended."""
        for i in np.flatnonzero(self.mover != self._seats):
            state = self.env.state(int(i))
            before = state.returns()
            while state.is_terminal() or state.current_player() != self._seats[i]:
                if state.is_terminal():
                    margin[i] += _half_margin(state, before) * (not over[i])
                    over[i] = True
                    state, before = self._game.new_initial_state(), [0.0, 0.0]
                elif state.is_chance_node():
                    outcomes = state.legal_actions()
                    state.apply_action(outcomes[self._draw.integers(len(outcomes))])
                else:
                    assert self._adversary is not None
                    state.apply_action(self._adversary.choose(state))
            if not over[i]:
                margin[i] += _half_margin(state, before)
            self.env.set_state(int(i), state)
        self.env.observe(
            features=self._seen.features, legal_mask=self._seen.legal_mask, current_player=self._seen.current_player
        )


def _half_margin(state: State, before: list[float]) -> float:
    now = state.returns()
    return ((now[0] - before[0]) - (now[1] - before[1])) / 2
