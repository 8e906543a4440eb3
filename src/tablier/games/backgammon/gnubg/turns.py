"""Positions of backgammon as GNU Backgammon sees them: whole turns instead of actions.

There a doublet is one play of four moves, here it is two actions. Plays are matched by the position after them.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from tablier._core import Game, State, backgammon
from tablier.games.backgammon.gnubg import Gnubg, senseless
from tablier.games.backgammon.whole_turns import Words, best_by_action, dice_of, is_second_half, words_of

EQUITY = 5
"""The column of the equity in an evaluation."""
CANDIDATES, WINDOW = 8, 0.16
"""A deeper evaluation looks at this many of the best plays, if they are within this many points of the best: GNU
Backgammon's own filter for two plies."""


def best_turns(engine: Gnubg, game: Game, words: Words, plies: int = 0) -> NDArray[np.int32]:
    """Returns the actions of the best turns, [n, 2]; the second action is -1 if there is only one.

    Args:
        engine: the running program.
        game: the game of the states.
        words: decisions that are not in the second half of a doublet, because the program knows whole turns only.
        plies: depth of search.

    Raises:
        MessageError: the program plays a turn that is not legal here.
    """
    first, actions, after = backgammon.turns(game, words)
    reached = engine.play(backgammon.sides(game, words), dice_of(words), plies)
    sides = backgammon.sides(game, after).reshape(len(after), -1)
    result = np.empty((len(words), 2), np.int32)
    for i, board in enumerate(reached.reshape(len(words), -1)):
        same = np.flatnonzero((sides[first[i] : first[i + 1]] == board).all(axis=1))
        if not len(same):
            raise senseless("it plays a turn that is not legal")
        result[i] = actions[first[i] + same[0]]
    return result


def equities(engine: Gnubg, game: Game, after: Words, plies: int = 0) -> NDArray[np.float64]:
    """Returns the equity of the player who has just moved, for states after whole turns."""
    return -engine.evaluate(backgammon.sides(game, after), plies)[:, EQUITY].astype(np.float64)


def graded_turns(
    engine: Gnubg, game: Game, words: Words, plies: int = 0, chosen: NDArray[np.bool_] | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int32], Words, NDArray[np.float64], NDArray[np.bool_]]:
    """Lists all turns of decisions with their equities.

    Args:
        engine: the running program.
        game: the game of the states.
        words: the decisions.
        plies: depth at which the best turns are evaluated; all are evaluated at 0 plies first.
        chosen: turns that are evaluated at this depth too, in the order of `backgammon.turns`.

    Returns:
        first, actions, after: the turns (`_core.backgammon.turns`).
        values: the equity of each turn for the player who moves.
        deep: whether it was evaluated at `plies`.
    """
    first, actions, after = backgammon.turns(game, words)
    values = equities(engine, game, after)
    deep = np.ones(len(values), np.bool_)
    if plies > 0:
        deep[:] = False if chosen is None else chosen
        for begin, end in itertools.pairwise(first):
            best = begin + np.argsort(-values[begin:end], kind="stable")[:CANDIDATES]
            deep[best[values[best] >= values[best[0]] - WINDOW]] = True
        values[deep] = equities(engine, game, after[deep], plies)
    return first, actions, after, values, deep


def losses(
    engine: Gnubg, game: Game, words: Words, ends: Words, plies: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Returns how much turns lose compared with the best ones, in points.

    Args:
        engine: the running program.
        game: the game of the states.
        words: the decisions at the start of the turns.
        ends: the states after the turns that were played.
        plies: depth of the evaluations.

    Returns:
        losses, [n]: at least 0.
        choices, [n]: number of turns to choose from.
    """
    first, _, after = backgammon.turns(game, words)
    counts = np.diff(first)
    played = (after == np.repeat(ends, counts, axis=0)).all(axis=1)
    _, _, _, values, deep = graded_turns(engine, game, words, plies, played)
    result = np.empty(len(words))
    for i, (begin, end) in enumerate(itertools.pairwise(first)):
        here, known = values[begin:end], deep[begin:end]
        result[i] = here[known].max() - here[played[begin:end]][0]
    return result, counts


def luck_of_throws(engine: Gnubg, game: Game, words: Words, opening: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Returns what throws have gained the players who threw them, in points, by evaluations at 0 plies.

    The luck of a throw is the equity after its best play minus the mean over all throws. So it averages to zero. In the
    opening, that mean is zero for either player.

    Args:
        engine: the running program.
        game: the game of the states.
        words: the states after the throws, at the start of a turn.
        opening: [n], whether the throw opened the game.
    """
    sides = backgammon.sides(game, words)
    best = -engine.evaluate(engine.play(sides, dice_of(words)))[:, EQUITY].astype(np.float64)
    mean = np.zeros(len(words))
    mean[~opening] = engine.evaluate(sides[~opening], plies=1, prune=False)[:, EQUITY]
    return best - mean


class GnubgEngine:
    """What the player `gnubg` asks (`tablier.games.engine.Engine`).

    Args:
        engine: the running program.
        game: the game to play.
        plies: depth of search.
    """

    def __init__(self, engine: Gnubg, game: Game, plies: int) -> None:
        self._engine, self._game, self._plies = engine, game, plies
        self._planned: tuple[State, int] | None = None

    def choose(self, state: State) -> int:
        """Returns the program's action. The second half of a doublet is played as planned in the first."""
        if self._planned is not None and self._planned[0] == state:
            return self._planned[1]
        words = words_of([state])
        if is_second_half(words)[0]:
            values = self.values(state)
            return max(values, key=lambda action: values[action])
        one, two = best_turns(self._engine, self._game, words, self._plies)[0].tolist()
        self._planned = (state.child(one), two) if two >= 0 else None
        return int(one)

    def values(self, state: State) -> dict[int, float]:
        """Returns the equity after each legal action, with the best continuation of a doublet."""
        _, _, after, values, deep = graded_turns(self._engine, self._game, words_of([state]), self._plies)
        # A turn that the filter left out is no better than those it let through.
        return best_by_action(state, after, np.where(deep, values, np.minimum(values, values[deep].min())))
