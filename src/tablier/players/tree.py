"""Tree search players: MCTS, and its Gumbel variant for few simulations."""

from __future__ import annotations

import math
from dataclasses import replace

from tablier._core import Game, State
from tablier.candidate import Candidate
from tablier.evaluators import make_evaluator
from tablier.players.points import points_to_come
from tablier.players.protocol import not_picklable
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
    """Plays the action found by a tree search of `sims` simulations or `ms` milliseconds, whichever ends first."""

    root = "puct"
    """Selection at the root (`SearchConfig.root`)."""
    few = SearchConfig.n_simulations
    """Default number of simulations."""

    __reduce__ = not_picklable

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
        """Creates the player.

        Args:
            game: the game to play.
            sims: number of simulations per decision; 0 means the default, or no limit if `ms` is set and the root is
                not a Gumbel root.
            ms: time limit per decision in milliseconds; 0 for none.
            eval: name of an evaluator (see `make_evaluator`).
            net: path of a network, instead of `eval`.
            rollouts: number of games per evaluation with the evaluator "rollout".
            c: exploration constant (`SearchConfig.c_puct`).
            temperature: actions are sampled by their visits to the power of 1 / temperature; 0 plays the best one.
            sweep: 1 to evaluate all rolls of a new chance node at once (`SearchConfig.sweep`).
            prior: how strongly the heuristic's priors prefer good actions (`SearchConfig.prior_scale`).
            memory: maximum size of the tree in megabytes.
            seed: seed of the search.
            at_most: time limit per decision in seconds that the settings cannot exceed.

        Raises:
            MessageError (a ValueError): the evaluator or network cannot be used.
        """
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
        """Returns the action selected by the search."""
        legal = state.legal_actions()
        return legal[0] if len(legal) == 1 else self.search(state).best

    def search(self, state: State) -> Result:
        """Searches a position and returns the full result."""
        return self._search.run(self._searched.of(state), self._seconds)

    def explain(self, state: State) -> list[Candidate]:
        """Returns every action with visits, prior, value and points: first the selected one, then by visits."""
        found = self.search(state)
        points = self._points(state)

        def order(one: Candidate) -> tuple[bool, int, float]:
            return one.action != found.best, -(one.visits or 0), -(one.prior or 0.0)

        return [
            replace(
                one,
                text=state.action_to_string(one.action),
                win_chance=self._searched.win_chance(one.value, state),
                points=points[one.action],
            )
            for one in sorted(found.candidates, key=order)
        ]


class GumbelPlayer(MctsPlayer):
    """An `MctsPlayer` for few simulations: the root allocates them by sequential halving."""

    root = "gumbel"
    few = 32
