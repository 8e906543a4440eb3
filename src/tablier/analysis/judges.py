"""Judges measure how lucky a throw was: the value after the throw minus its expectation over all throws.

A judge need not be right to be fair. With any judge, the luck of a throw averages to zero over all throws, so
subtracting it never biases a result. The better the judge, the more variance it removes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tablier import _core
from tablier._core import Game, State
from tablier._core import search as _search
from tablier.analysis.decisions import make_analyst
from tablier.evaluators import (
    Evaluator,
    ExpectimaxEvaluator,
    HeuristicEvaluator,
    Leaves,
    RolloutEvaluator,
    SearchedGame,
)
from tablier.games import home_of
from tablier.messages import MessageError
from tablier.players import Chooser, Player
from tablier.players.lookahead import ExpectimaxPlayer
from tablier.search import ExpectimaxConfig

Unit = Literal["win", "value"]
"""Luck is a difference in win probability ("win") or in value ("value": points, if the game is played for points)."""
Throw = tuple[State, int]
"""A state at a chance node, and the outcome that came up."""
ROLLOUTS = 256
"""Random games per position that the default judge plays in a game without a heuristic."""


@runtime_checkable
class Judge(Protocol):
    """Measures luck, in win probability or in value."""

    name: str
    """The judge's name as shown to users, usually a player string."""
    unit: Unit
    """The unit of luck and of results."""

    def luck(self, throws: Sequence[Throw]) -> NDArray[np.float64]:
        """Returns the luck of each throw for each seat, an array [throws, players]."""
        ...

    def result(self, state: State) -> tuple[float, ...]:
        """Returns the result of a finished game for each seat, in the judge's unit."""
        ...


class EvaluatorJudge:
    """Judges all throws of a game in one batch, with an evaluator that looks one decision ahead.

    Args:
        game: the game to judge.
        evaluator: values the positions. Unless it is an `ExpectimaxEvaluator`, the search is one ply deep, because most
            evaluators ignore the dice that have been thrown.
        searched: the game with the rewards and encoding that the evaluator needs; by default the evaluator's own, or
            `game` with rewards for the win only.
        name: name of the judge.
    """

    def __init__(self, game: Game, evaluator: Evaluator, searched: SearchedGame | None = None, name: str = "") -> None:
        own = getattr(evaluator, "searched", None)
        self._searched: SearchedGame = searched or own or SearchedGame(game, utility="win")
        if not isinstance(evaluator, ExpectimaxEvaluator):
            config = ExpectimaxConfig(plies=1, objective=self._searched.objective)
            evaluator = ExpectimaxEvaluator(self._searched.game, evaluator, config)
        self._search = evaluator
        self._home = home_of(game)
        self.name = name or type(evaluator).__name__
        self.unit: Unit = "win" if self._searched.win_chance(0.0) is not None else "value"

    def luck(self, throws: Sequence[Throw]) -> NDArray[np.float64]:
        """Returns the luck of each throw for each seat; 0 for throws whose position the home does not appraise."""
        players = self._searched.game.num_players()
        result = np.zeros((len(throws), players))
        rows, rewards, known = [], [], []
        for number, (state, outcome) in enumerate(throws):
            if (plain := self._home.appraised(state)) is None:
                continue
            before = self._searched.of(plain)
            after = before.child(outcome)
            rows += [_core.search.words(before), _core.search.words(after)]
            rewards.append(np.subtract(after.returns(), before.returns()))
            known.append(number)
        if known:
            _, values = self._search.evaluate(_leaves(np.array(rows)))
            result[known] = self._worth(np.array(rewards, np.float64) + values[1::2].astype(np.float64) - values[::2])
        return result

    def result(self, state: State) -> tuple[float, ...]:
        """Returns 1, 0.5 or 0 in win probability, otherwise the worth of the returns."""
        if self.unit == "win":
            return _shares(state)
        return tuple(self._worth(np.array([state.returns()]))[0].tolist())

    def _worth(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Converts values by seat to the judge's unit."""
        if self._searched.objective == "margin":
            values = values - (values.sum(axis=1, keepdims=True) - values) / max(1, values.shape[1] - 1)
        return values / 2 if self.unit == "win" else values


class PlayerJudge:
    """Judges throws by the best candidate of a player that can `explain`, one position after another.

    Raises:
        MessageError (a ValueError): the game does not have two players.
    """

    def __init__(self, game: Game, player: Player, name: str = "") -> None:
        if game.num_players() != 2:
            raise MessageError.of("judge.players", game=game.name)
        self._home, self._player = home_of(game), player
        self.name = name or type(player).__name__
        searched = SearchedGame(game, utility="win")
        self.unit: Unit = "win" if searched.win_chance(0.0) is not None else "value"
        self._margins = searched.objective == "margin"

    def luck(self, throws: Sequence[Throw]) -> NDArray[np.float64]:
        """Returns the luck of each throw for each seat; 0 for throws whose position the home does not appraise."""
        result = np.zeros((len(throws), 2))
        for number, (state, outcome) in enumerate(throws):
            if (before := self._home.appraised(state)) is not None:
                drawn = before.child(outcome)._canonical()
                classes = self._classes(before)
                mean = _expectation(classes)
                first = next((value for after, _, value in classes if after == drawn), mean) - mean
                result[number] = first, -first
        return result

    def result(self, state: State) -> tuple[float, ...]:
        """Returns 1, 0.5 or 0 in win probability, otherwise what each player's values predict.

        That is the return or, unless the game is zero-sum, the return minus the opponent's.
        """
        if self.unit == "win":
            return _shares(state)
        first, second = state.returns()
        return (first - second, second - first) if self._margins else (first, second)

    def _classes(self, state: State) -> list[tuple[State, int, float]]:
        """Returns the distinct throws from a state: the state after each, its weight, and its value for seat 0.

        Each throw is valued once. So the throw that came up has the same value as in the expectation, even if the
        player's values vary. A throw that must be repeated, such as equal dice in an opening roll, is left out.
        """
        throws = ((state.child(outcome), weight) for outcome, weight in state._chance_classes())
        return [(after._canonical(), weight, self._after(state, after)) for after, weight in throws if after != state]

    def _after(self, before: State, after: State) -> float:
        """Returns the value for seat 0 of the state after a throw, including what the throw itself gained."""
        if after.is_terminal():
            future = _shares(after)[0] if self.unit == "win" else 0.0
        elif after.is_chance_node():
            future = _expectation(self._classes(after))
        else:
            best = self._player.explain(after)[0]
            if self.unit == "win":
                if best.win_chance is None:
                    raise MessageError.of("judge.no_chances", player=self.name)
                future = best.win_chance if after.current_player() == 0 else 1 - best.win_chance
            else:
                future = best.value if after.current_player() == 0 else -best.value
        if self.unit == "win":
            return future
        (now_first, now_second), (first, second) = after.returns(), before.returns()
        return future + (now_first - first) - self._margins * (now_second - second)


def make_judge(game: Game, judge: Judge | Evaluator | Chooser | str | None = None) -> Judge:
    """Creates a judge that measures luck.

    Args:
        game: the game to judge.
        judge: a player string or a player that can `explain`, an evaluator, or a judge, which is returned unchanged.
            None means the game's heuristic one decision ahead or, without a heuristic, random games.

    Raises:
        MessageError (a ValueError): the string is not a valid player, or the player cannot rate moves.

    Examples:
        >>> from tablier.registry import DEFAULT_GAME, load_game
        >>> make_judge(load_game(DEFAULT_GAME)).name
        'heuristic'
    """
    if isinstance(judge, Judge):
        return judge
    appraised = _appraised_game(game)
    if judge is None:
        searched = SearchedGame(appraised, utility="win")
        if _search.has_heuristic(searched.game):
            return EvaluatorJudge(game, HeuristicEvaluator(searched.game), searched, "heuristic")
        return EvaluatorJudge(
            game, RolloutEvaluator(searched.game, ROLLOUTS), searched, "expectimax:plies=1,eval=rollout"
        )
    if not isinstance(judge, str | Chooser):
        return EvaluatorJudge(game, judge, name=type(judge).__name__)
    name = judge if isinstance(judge, str) else type(judge).__name__
    player = make_analyst(appraised, judge)
    if isinstance(player, ExpectimaxPlayer):
        return EvaluatorJudge(game, *player.batch_search, name)
    return PlayerJudge(game, player, name)


def make_quick_judge(game: Game) -> Judge | None:
    """Creates a judge that measures the luck of a whole game in seconds.

    It uses the game's heuristic or its champion, one decision ahead. Without them it plays random games, if the game's
    home says that they tell good throws from bad ones (`Home.luck_rollouts`).

    Returns:
        The judge; None if the game has no chance, or nothing values its positions quickly.

    Examples:
        >>> from tablier.registry import load_game
        >>> make_quick_judge(load_game("pig")).name, make_quick_judge(load_game("tic_tac_toe"))
        ('champion:plies=1', None)
    """
    home = home_of(game)
    if not game.max_chance_outcomes():
        return None
    if _search.has_heuristic(_appraised_game(game)):
        return make_judge(game)
    if home.champion():
        return make_judge(game, "champion:plies=1")
    if not home.luck_rollouts:
        return None
    searched = SearchedGame(_appraised_game(game), utility="win")
    return EvaluatorJudge(game, RolloutEvaluator(searched.game, home.luck_rollouts), searched, "rollouts")


def make_points_judge(game: Game) -> Judge | None:
    """Creates a judge that measures luck in points. None if the game has no heuristic or is not played for points.

    Examples:
        >>> from tablier.registry import DEFAULT_GAME, load_game
        >>> make_points_judge(load_game(DEFAULT_GAME)).unit
        'value'
    """
    searched = SearchedGame(_appraised_game(game))
    if not _search.has_heuristic(searched.game) or searched.win_chance(0.0) is not None:
        return None
    return EvaluatorJudge(game, HeuristicEvaluator(searched.game), searched, "heuristic")


def _expectation(classes: Sequence[tuple[State, int, float]]) -> float:
    return sum(weight * value for _, weight, value in classes) / sum(weight for _, weight, _ in classes)


def _leaves(states: NDArray[np.uint64]) -> Leaves:
    """Wraps positions for an expectimax search, which encodes its own leaves, so features are left empty."""
    n = len(states)
    nobody = np.zeros(n, np.int32)
    return Leaves(np.zeros((n, 0), np.float32), np.zeros((n, 0), np.bool_), nobody, states, nobody)


def _appraised_game(game: Game) -> Game:
    """Returns the game in which positions are valued."""
    state = home_of(game).appraised(game.new_initial_state())
    return game if state is None else state.get_game()


def _shares(state: State) -> tuple[float, ...]:
    """Returns each seat's score: 1 for the winner, shared equally if several seats tie."""
    returns = state.returns()
    winners = returns.count(max(returns))
    return tuple(1 / winners if value == max(returns) else 0.0 for value in returns)
