"""The strongest player of a game: plays by exact values if they are known, otherwise by search with a network."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

from tablier._core import Game, State
from tablier.candidate import Candidate
from tablier.evaluators import SearchedGame, make_evaluator
from tablier.games import home_of
from tablier.games.champion import Champion
from tablier.messages import MessageError
from tablier.players.deepening import ROLLED, TIMED, DeepeningSearch, fixed
from tablier.players.points import points_to_come
from tablier.players.protocol import not_picklable
from tablier.players.settings import Kept, RolledOut, Thinking, ThinkingPlies

NAME = "champion"


def champion_of(game: Game) -> Champion:
    """Returns what the champion of a game plays by; raises MessageError if the game has none."""
    found = home_of(game).champion()
    if found is None:
        raise MessageError.of("champion.none", game=game.name)
    return found


def shipped_network(player: str, game: Game) -> Path | None:
    """Returns the file of the network that a player string uses without naming it; None if it uses none."""
    found = home_of(game).champion() if player.partition(":")[0] in (NAME, "level") else None
    return found.network if found else None


class NetworkPlayer:
    """Plays by a `DeepeningSearch` with a network.

    Args:
        game: the game to play.
        champion: has the network.
        seconds: time limit per decision.
        plies: depth of a search without a time limit; 0 for the stages of a timed search.
        keep: with `plies`, number of best actions that are searched more than two plies deep.
        games: games that are rolled out for each action that the search cannot tell from the best.
    """

    def __init__(
        self, game: Game, champion: Champion, seconds: float, plies: int = 0, keep: int = 1, games: int = 0
    ) -> None:
        evaluator, self.searched = make_evaluator(game, net=str(champion.network))
        stages = fixed(plies, keep) if plies else TIMED
        rollouts = replace(ROLLED, games=games) if games else None
        near = math.inf if plies == 2 else champion.near  # two plies are for every action: analysts compare all
        self._search = DeepeningSearch(evaluator, self.searched, stages, rollouts, near)
        self._seconds = seconds

    def ranking(self, state: State) -> list[Candidate]:
        """Returns every legal action with its value and win chance, best first."""
        return [
            Candidate(action, state.action_to_string(action), value, win_chance=self.searched.win_chance(value, state))
            for action, value in self._search.ranking(state, self._seconds)
        ]


class ExactPlayer:
    """Plays by exact values."""

    def __init__(self, game: Game, champion: Champion) -> None:
        assert champion.values is not None
        self._values, self.searched = champion.values, SearchedGame(game)

    def ranking(self, state: State) -> list[Candidate]:
        """Returns every legal action with its exact value and win chance, best first."""
        ranked = sorted(self._values(state).items(), key=lambda item: -item[1])
        return [
            Candidate(
                action,
                state.action_to_string(action),
                value,
                win_chance=self.searched.win_chance(value, state),
                solved=True,
            )
            for action, value in ranked
        ]


class ChampionPlayer:
    """Plays the best action that it finds in its time."""

    __reduce__ = not_picklable

    def __init__(
        self,
        game: Game,
        ms: Thinking = 300,
        plies: ThinkingPlies = 0,
        keep: Kept = 8,
        games: RolledOut = 0,
        *,
        at_most: float = math.inf,
    ) -> None:
        """Creates the player.

        Args:
            game: the game to play.
            ms: time limit per decision in milliseconds. One ply is always completed.
            plies: search depth in decisions instead of a time limit, which makes the player deterministic; 0 searches
                as deep as the time allows.
            keep: with `plies`, number of best actions that are searched more than two plies deep.
            games: games that are rolled out for each action that the search cannot tell from the best.
            at_most: time limit per decision in seconds that the settings cannot exceed.

        Raises:
            MessageError (a ValueError): the game has no champion, or its network cannot be used.
        """
        champion = champion_of(game)
        seconds = min(1e18 if plies else ms / 1000, at_most)
        self._player: NetworkPlayer | ExactPlayer = (
            ExactPlayer(game, champion)
            if champion.values
            else NetworkPlayer(game, champion, seconds, plies, keep, games)
        )
        self._points = points_to_come(game)

    def choose(self, state: State) -> int:
        """Returns the best action."""
        legal = state.legal_actions()
        return legal[0] if len(legal) == 1 else self._player.ranking(state)[0].action

    def explain(self, state: State) -> list[Candidate]:
        """Returns every action with its value, win chance and points, best first."""
        points = self._points(state)
        return [replace(one, points=points[one.action]) for one in self._player.ranking(state)]
