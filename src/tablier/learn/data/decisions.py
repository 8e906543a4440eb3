"""Decisions of a policy network in many games at once, here or on workers: the acting half of PPO, DQN and SAC.

What is played in a game depends only on the game, its number, the network and the number of the step. So it does not
matter how the games are split.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tablier._core import BatchEnv, Game
from tablier.learn.data.batched_games import TABLE, Games, GamesConfig, game_of
from tablier.learn.data.place import Ledger, Receipt, Spread
from tablier.learn.data.replay import legal_mask
from tablier.learn.data.sampling import Chances, greedy, sample
from tablier.learn.data.saved_games import SavedGames
from tablier.learn.data.spread_games import Arrays, Piece, SpreadBatch, StreamGames, Task, expect
from tablier.learn.networks.inference import asking

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Acting:
    """How a network chooses its actions."""

    epsilon: float | None = None
    """Probability of a random action, otherwise the best one is taken; None: actions are sampled by probability."""
    values: bool = False
    """Whether to record values for every decision, the one after the last included."""


@dataclass(frozen=True)
class Decisions:
    """The decisions of a step. The first axis of every array is the move, the second the game.

    Rewards and values are those of the player who decides.
    """

    states: NDArray[np.uint64]
    """[moves + 1, games, words]: the positions, as 64-bit words, the one after the last decision included."""
    players: NDArray[np.int32]
    """[moves + 1, games]: who decides."""
    actions: NDArray[np.int32]
    """[moves, games]: the actions."""
    log_shares: Floats
    """[moves, games]: their log-probabilities; 0 if actions are not sampled."""
    values: Floats
    """[moves + 1, games]: the network's values; 0 if they are not recorded."""
    rewards: Floats
    """[moves, games]: half the change of the margin."""
    turns: NDArray[np.int8]
    """[moves, games]: who decides next: 1 the same player, -1 the opponent, 0 nobody, because the game is over."""
    evaluations: int
    """Number of positions that the network evaluated."""

    @property
    def games(self) -> int:
        """Number of games that ended."""
        return int((self.turns == 0).sum())


def new_arrays(game: Game, n: int, moves: int) -> Arrays:
    """Returns the arrays of `Decisions`, with room for n games."""
    return {
        "states": np.zeros((moves + 1, n, game.state_size()), np.uint64),
        "players": np.zeros((moves + 1, n), np.int32),
        "actions": np.zeros((moves, n), np.int32),
        "log_shares": np.zeros((moves, n), np.float32),
        "values": np.zeros((moves + 1, n), np.float32),
        "rewards": np.zeros((moves, n), np.float32),
        "turns": np.zeros((moves, n), np.int8),
    }


def chances(seed: int, step: int, moves: int, first: int, n: int) -> Chances:
    """Returns two random numbers from 0 to 1 per decision, [moves, n, 2], for the games from number `first` on."""
    bits = np.random.PCG64([seed, step, 2])
    bits.advance(2 * moves * first)
    return np.random.Generator(bits).random((n, moves, 2)).swapaxes(0, 1)


def decide(games: Games, moves: int, model: bytes, step: int, acting: Acting, draws: Chances) -> Decisions:
    """Plays `moves` decisions in each game.

    Args:
        games: the games, which continue from their current states.
        moves: decisions per game.
        model: a policy-value network, as an ONNX model.
        step: number of the training step.
        acting: how to choose actions.
        draws: random numbers, from `chances`.
    """
    ask = asking(model, b"")
    games.begin(step)
    found = new_arrays(games.env.game, len(games.env), moves)
    for t in range(moves + 1):
        found["states"][t], found["players"][t] = games.words(), games.mover
        if t == moves and not acting.values:
            break
        logits, values = ask(games.features)
        assert logits is not None
        if acting.values:
            found["values"][t] = values[:, 0]
        if t == moves:
            break
        if acting.epsilon is None:
            actions, found["log_shares"][t] = sample(logits, games.legal, draws[t, :, 0])
        else:
            actions = greedy(logits, games.legal, acting.epsilon, draws[t])
        outcome = games.step(actions)
        found["actions"][t], found["rewards"][t], found["turns"][t] = actions, outcome.reward, outcome.turn
    return Decisions(**found, evaluations=(moves + acting.values) * len(games.env))


class LocalDecisions:
    """Games of a run that are played in this process."""

    def __init__(self, game: Game, config: GamesConfig) -> None:
        self._games, self._config = Games(game, config), config
        self.env = self._games.env

    def play(self, model: bytes, step: int, acting: Acting, /) -> tuple[Decisions, list[Receipt]]:
        """Plays the decisions of a step."""
        moves, n = self._config.moves, len(self.env)
        return decide(self._games, moves, model, step, acting, chances(self._config.seed, step, moves, 0, n)), []


def play_piece(config: GamesConfig, first: int, n: int, saved: bytes, model: bytes, step: int, acting: Acting) -> Piece:
    """Plays decisions in n games, on a worker."""
    games = Games(game_of(config), config, n, first)
    games.env.restore(saved)
    draws = chances(config.seed, step, config.moves, first, n)
    played = decide(games, config.moves, model, step, acting, draws)
    arrays = dict(vars(played))
    evaluations = arrays.pop("evaluations")
    by_game = {name: np.ascontiguousarray(array.swapaxes(0, 1)) for name, array in arrays.items()}
    return Piece(by_game, games.env.save(), played.games, evaluations)


def opened(game: Game, moves: int, piece: Piece, n: int) -> Arrays:
    """Checks the arrays of a piece of n games; raises ValueError if they are unusable."""
    model = {name: array.swapaxes(0, 1) for name, array in new_arrays(game, 1, moves).items()}
    expect(piece.arrays, model, n)
    states, players, actions, turns = (piece.arrays[name] for name in ("states", "players", "actions", "turns"))
    if not np.isin(players, (0, 1)).all() or not np.isin(turns, (-1, 0, 1)).all():
        raise ValueError("a player or turn is out of range")
    try:
        legal = legal_mask(game, states.reshape(-1, states.shape[2])).reshape(n, moves + 1, -1)
    except ValueError:
        raise ValueError("its positions are damaged") from None
    within = (actions >= 0) & (actions < legal.shape[2])
    taken = np.take_along_axis(legal[:, :-1], np.where(within, actions, 0)[:, :, None], 2)
    if not (within & taken[:, :, 0]).all() or not legal.any(axis=2).all():
        raise ValueError("an action is not legal")
    if piece.games != (turns == 0).sum():
        raise ValueError(f"it reports {piece.games} games, but another number ended")
    return piece.arrays


def joined(arrays: Arrays, evaluations: int) -> Decisions:
    """Returns the decisions in arrays whose first axis is the game."""
    by_move = {name: np.ascontiguousarray(array.swapaxes(0, 1)) for name, array in arrays.items()}
    return Decisions(**by_move, evaluations=evaluations)


class _Batch(Protocol):
    """Games side by side, here or elsewhere."""

    env: BatchEnv

    def play(self, model: bytes, step: int, acting: Acting, /) -> tuple[Decisions, list[Receipt]]:
        """Plays the decisions of a step. Returns them and, if they were played elsewhere, receipts of the results."""


class StepGames(SavedGames):
    """Games that are played when the learner asks for them, with its newest weights."""

    def __init__(self, batch: _Batch) -> None:
        super().__init__(batch.env)
        self._batch = batch
        self._ledger = Ledger()
        self._receipts: list[Receipt] = []
        self._waited = 0.0

    def next(self, model: bytes, step: int, acting: Acting) -> Decisions:
        """Plays the decisions of a step.

        Args:
            model: the network, as an ONNX model.
            step: number of the step.
            acting: how to choose actions.
        """
        start = time.monotonic()
        played, self._receipts = self._batch.play(model, step, acting)
        self._waited = time.monotonic() - start
        return played

    def account(self, counters: dict[str, float]) -> dict[str, float]:
        """Adds the games of workers elsewhere to the counters of the run; returns metrics about them."""
        if not self._receipts:
            return {}
        self._ledger.enter(counters, self._receipts)
        return {"staleness": 0.0, "waited": self._waited}


Source: TypeAlias = StepGames | StreamGames[Decisions]
"""A source of decisions: `next` plays, `account` counts, `tensors` and `put` save and restore."""


def new_games(game: Game, config: GamesConfig, spread: Spread | None = None) -> Source:
    """Returns the games of a run.

    Args:
        game: the game, from `game_of(config)`.
        config: the settings of the run.
        spread: where to play; None for this process.
    """
    local = LocalDecisions(game, config)
    if spread is None:
        return StepGames(local)
    grain = TABLE if config.against else 1
    task: Task[Decisions] = Task(play_piece, config, partial(opened, game, config.moves), joined, grain)
    if spread.synchronous:
        return StepGames(SpreadBatch(spread, local.env, task))
    return StreamGames(spread, local.env, task, config.seed)
