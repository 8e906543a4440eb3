"""Players that grow a tree: MCTS, and Gumbel's root for few simulations."""

from __future__ import annotations

from tablier._core import Game, State
from tablier.evaluators import make_evaluator
from tablier.players.opinion import Opinion, points_to_come
from tablier.search import MOST_SIMULATIONS, Result, Search, SearchConfig


class MctsPlayer:
    """Searches `sims` simulations, or `ms` milliseconds, or what ends first of both."""

    root = "puct"
    few = 200

    def __init__(
        self,
        game: Game,
        sims: int = 0,
        ms: int = 0,
        eval: str = "",
        net: str = "",
        rollouts: int = 1,
        c: float = 1.5,
        temperature: float = 0.0,
        sweep: int = 0,
        prior: float = 5.0,
        memory: int = 256,
        seed: int = 0,
    ) -> None:
        evaluator, form = make_evaluator(game, eval, net, rollouts=rollouts, seed=seed)
        config = SearchConfig(
            n_simulations=sims or (MOST_SIMULATIONS if ms and self.root == "puct" else self.few),
            c_puct=c,
            temperature=temperature,
            sweep=bool(sweep),
            prior_scale=prior,
            root=self.root,
            objective=form.objective,
            memory_mb=memory,
        )
        self._form = form
        self._search = Search(form.game, evaluator, config, seed=seed)
        self._seconds = ms / 1000 if ms else None
        self._points = points_to_come(game)

    def choose(self, state: State) -> int:
        """The action that the search prefers."""
        legal = state.legal_actions()
        return legal[0] if len(legal) == 1 else self.search(state).best

    def search(self, state: State) -> Result:
        """All that the search found."""
        return self._search.run(self._form.of(state), self._seconds)

    def explain(self, state: State) -> list[Opinion]:
        """Every action with visits, prior and value, the chosen one first."""
        player = state.current_player()
        found = self.search(state)
        points = self._points(state)
        result = []
        for one in sorted(found.candidates, key=lambda one: (one.action != found.best, -one.visits, -one.prior)):
            worth = self._form.worth(one.value, player)
            text = state.action_to_string(one.action)
            chance = self._form.win_chance(worth)
            result.append(Opinion(one.action, text, worth, one.visits, one.prior, chance, points[one.action]))
        return result


class GumbelPlayer(MctsPlayer):
    """The same with a root that shares few simulations out by sequential halving."""

    root = "gumbel"
    few = 32
