"""Players that evaluate every action: one roll ahead, by the heuristic, or several plies deep."""

from __future__ import annotations

import math
import random
from dataclasses import replace

from tablier._core import Game, State
from tablier._core import search as _search
from tablier.candidate import Candidate
from tablier.evaluators import ExpectimaxEvaluator, SearchedGame, make_evaluator
from tablier.players.points import points_to_come
from tablier.players.protocol import Player, not_picklable
from tablier.players.settings import Kept, Margin, Milliseconds, Plies, Seed
from tablier.search import ExpectimaxConfig


class GreedyPlayer:
    """Plays the action that gains the most points immediately and, on average, on the next roll.

    The gain is the player's own minus the opponents' mean, so in Trictrac it also minimises what the opponent's next
    throw is worth. Ties are broken by the game's heuristic if there is one, otherwise at random.
    """

    __reduce__ = not_picklable

    def __init__(self, game: Game, seed: Seed = 0) -> None:
        self._random = random.Random(seed)
        self._gains = points_to_come(game)
        self._ties = HeuristicPlayer(game) if _search.has_heuristic(game) else None

    def choose(self, state: State) -> int:
        """Returns the action with the largest gain."""
        gains = self._gains(state)
        best = max(gains.values())
        equal = [action for action, gain in gains.items() if gain > best - 1e-6]
        if len(equal) > 1 and self._ties:
            return next(one.action for one in self._ties.ranking(state) if one.action in equal)
        return self._random.choice(equal)

    def explain(self, state: State) -> list[Candidate]:
        """Returns every action with its gain as value and points, best first."""
        gains = sorted(self._gains(state).items(), key=lambda item: -item[1])
        return [Candidate(action, state.action_to_string(action), gain, points=gain) for action, gain in gains]


class ExpectimaxPlayer:
    """Searches every action, roll and reply `plies` decisions deep, with an evaluator at the leaves."""

    __reduce__ = not_picklable

    def __init__(
        self,
        game: Game,
        plies: Plies = ExpectimaxConfig.plies,
        keep: Kept = ExpectimaxConfig.keep,
        margin: Margin = ExpectimaxConfig.margin,
        eval: str = "",
        net: str = "",
        ms: Milliseconds = 0,
        by: str = "",
        *,
        at_most: float = math.inf,
    ) -> None:
        """Creates the player.

        Args:
            game: the game to play.
            plies: search depth in decisions.
            keep: number of best actions per decision to search deeper.
            margin: actions within this value of the best one are also searched deeper.
            eval: name of an evaluator (see `make_evaluator`).
            net: path of a network, instead of `eval`.
            ms: time limit per decision in milliseconds; 0 for none.
            by: "win" to maximise the chance to win with a network that was trained on margins (see `make_evaluator`).
            at_most: time limit per decision in seconds that the settings cannot exceed.

        Raises:
            MessageError (a ValueError): the evaluator or network cannot be used.
        """
        evaluator, self._searched = make_evaluator(game, eval, net, by=by)
        config = ExpectimaxConfig(plies, keep, margin, self._searched.objective)
        self._search = ExpectimaxEvaluator(self._searched.game, evaluator, config)
        self._seconds = min(ms / 1000 or math.inf, at_most)
        self._points = points_to_come(game)

    def choose(self, state: State) -> int:
        """Returns the best action found by the search."""
        legal = state.legal_actions()
        return legal[0] if len(legal) == 1 else self.ranking(state)[0].action

    def ranking(self, state: State) -> list[Candidate]:
        """Returns every action with its value, best first, without computing `points`."""
        player = state.current_player()
        self._search.look(self._searched.row(state), seconds=self._seconds)
        result = []
        for action, value, _ in self._search.ranking():
            worth = self._searched.worth(value, player)
            chance = self._searched.win_chance(worth, state)
            result.append(Candidate(action, state.action_to_string(action), worth, win_chance=chance))
        return result

    @property
    def batch_search(self) -> tuple[ExpectimaxEvaluator, SearchedGame]:
        """The search and the game that it searches, for callers that value many positions at once."""
        return self._search, self._searched

    def explain(self, state: State) -> list[Candidate]:
        """Returns every action with its value and points, best first."""
        points = self._points(state)
        return [replace(one, points=points[one.action]) for one in self.ranking(state)]


class HeuristicPlayer(ExpectimaxPlayer):
    """Plays the action whose resulting position the game's heuristic values highest."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, plies=1, eval="heuristic")


def quick_player(game: Game) -> Player:
    """Returns the best fast player: `HeuristicPlayer` if the game has a heuristic, otherwise `GreedyPlayer`."""
    return HeuristicPlayer(game) if _search.has_heuristic(game) else GreedyPlayer(game)
