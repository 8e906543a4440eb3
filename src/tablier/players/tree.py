"""Players that grow a tree: MCTS, and Gumbel's root for few simulations."""

from __future__ import annotations

import math
from dataclasses import replace

from tablier._core import Game, State
from tablier.candidate import Candidate
from tablier.evaluators import make_evaluator
from tablier.players.points import points_to_come
from tablier.players.settings import (
    Exploration,
    Megabytes,
    Milliseconds,
    PriorScale,
    Rollouts,
    Seed,
    Simulations,
    Switch,
    Temperature,
)
from tablier.search import SETTINGS, Result, Search, SearchConfig, range_of


class MctsPlayer:
    """Searches `sims` simulations, or `ms` milliseconds, or what ends first of both."""

    root = "puct"
    few = SearchConfig.n_simulations
    """Simulations where neither they nor the time are set."""

    def __init__(
        self,
        game: Game,
        sims: Simulations = 0,
        ms: Milliseconds = 0,
        eval: str = "",
        net: str = "",
        rollouts: Rollouts = SearchConfig.rollouts,
        c: Exploration = SearchConfig.c_puct,
        temperature: Temperature = SearchConfig.temperature,
        sweep: Switch = int(SearchConfig.sweep),
        prior: PriorScale = SearchConfig.prior_scale,
        memory: Megabytes = SearchConfig.memory_mb,
        seed: Seed = 0,
        *,
        at_most: float = math.inf,
    ) -> None:
        """`at_most` bounds the seconds of every decision, whatever the settings say."""
        evaluator, self._searched = make_evaluator(game, eval, net, rollouts=rollouts, seed=seed)
        config = SearchConfig(
            n_simulations=sims
            or (int(range_of(SETTINGS["n_simulations"])[1]) if ms and self.root == "puct" else self.few),
            c_puct=c,
            temperature=temperature,
            sweep=bool(sweep),
            prior_scale=prior,
            root=self.root,
            objective=self._searched.objective,
            memory_mb=memory,
        )
        self._search = Search(self._searched.game, evaluator, config, seed=seed)
        seconds = min(ms / 1000 or math.inf, at_most)
        self._seconds = seconds if seconds < math.inf else None
        self._points = points_to_come(game)

    def choose(self, state: State) -> int:
        """The action that the search prefers."""
        legal = state.legal_actions()
        return legal[0] if len(legal) == 1 else self.search(state).best

    def search(self, state: State) -> Result:
        """All that the search found."""
        return self._search.run(self._searched.of(state), self._seconds)

    def explain(self, state: State) -> list[Candidate]:
        """Every action with visits, prior and value, the chosen one first."""
        found = self.search(state)
        points = self._points(state)

        def order(one: Candidate) -> tuple[bool, int, float]:
            return one.action != found.best, -(one.visits or 0), -(one.prior or 0.0)

        return [
            replace(
                one,
                text=state.action_to_string(one.action),
                win_chance=self._searched.win_chance(one.value),
                points=points[one.action],
            )
            for one in sorted(found.candidates, key=order)
        ]


class GumbelPlayer(MctsPlayer):
    """The same with a root that shares few simulations out by sequential halving."""

    root = "gumbel"
    few = 32
