"""Players that look at every action: one throw ahead, by the heuristic, or several plies deep."""

from __future__ import annotations

import math
import random
from dataclasses import replace

from tablier._core import Game, State
from tablier._core import search as _search
from tablier.candidate import Candidate
from tablier.evaluators import ExpectimaxEvaluator, make_evaluator
from tablier.players.points import points_to_come
from tablier.players.protocol import Player
from tablier.players.settings import Kept, Margin, Milliseconds, Plies, Seed
from tablier.search import ExpectimaxConfig


class GreedyPlayer:
    """Takes the action that brings most points at once, the throw that follows it included on average.

    What counts is its own gain less the others' mean gain, so in Trictrac it plays where the opponent's next throw is
    worth least. Ties are broken by the heuristic where the game has one, and then by chance.
    """

    def __init__(self, game: Game, seed: Seed = 0) -> None:
        self._random = random.Random(seed)
        self._gains = points_to_come(game)
        self._ties = HeuristicPlayer(game) if _search.has_heuristic(game) else None

    def choose(self, state: State) -> int:
        """The best of the legal actions by one throw."""
        gains = self._gains(state)
        best = max(gains.values())
        equal = [action for action, gain in gains.items() if gain > best - 1e-6]
        if len(equal) > 1 and self._ties:
            return next(one.action for one in self._ties.ranking(state) if one.action in equal)
        return self._random.choice(equal)

    def explain(self, state: State) -> list[Candidate]:
        """Every action and the points it is good for."""
        gains = sorted(self._gains(state).items(), key=lambda item: -item[1])
        return [Candidate(action, state.action_to_string(action), gain, points=gain) for action, gain in gains]


class ExpectimaxPlayer:
    """Looks at every action, every throw and every reply, `plies` decisions deep, the leaves judged by an evaluator."""

    def __init__(
        self,
        game: Game,
        plies: Plies = ExpectimaxConfig.plies,
        keep: Kept = ExpectimaxConfig.keep,
        margin: Margin = ExpectimaxConfig.margin,
        eval: str = "",
        net: str = "",
        ms: Milliseconds = 0,
        *,
        at_most: float = math.inf,
    ) -> None:
        """`at_most` bounds the seconds of every decision, whatever the settings say."""
        evaluator, self._searched = make_evaluator(game, eval, net)
        config = ExpectimaxConfig(plies, keep, margin, self._searched.objective)
        self._search = ExpectimaxEvaluator(self._searched.game, evaluator, config)
        self._seconds = min(ms / 1000 or math.inf, at_most)
        self._points = points_to_come(game)

    def choose(self, state: State) -> int:
        """The best action that the search finds."""
        legal = state.legal_actions()
        return legal[0] if len(legal) == 1 else self.ranking(state)[0].action

    def ranking(self, state: State) -> list[Candidate]:
        """Every action, the best first, without the points."""
        player = state.current_player()
        self._search.look(self._searched.row(state), seconds=self._seconds)
        result = []
        for action, value, _ in self._search.ranking():
            worth = self._searched.worth(value, player)
            chance = self._searched.win_chance(worth)
            result.append(Candidate(action, state.action_to_string(action), worth, win_chance=chance))
        return result

    def explain(self, state: State) -> list[Candidate]:
        """Every action with its value, the best first."""
        points = self._points(state)
        return [replace(one, points=points[one.action]) for one in self.ranking(state)]


class HeuristicPlayer(ExpectimaxPlayer):
    """Takes the action that leaves the position which the game's heuristic likes best."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, plies=1, eval="heuristic")


def quick_player(game: Game) -> Player:
    """The best player that does not search: the heuristic, or the greedy one where the game has none."""
    return HeuristicPlayer(game) if _search.has_heuristic(game) else GreedyPlayer(game)
