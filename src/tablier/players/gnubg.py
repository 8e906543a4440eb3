"""GNU Backgammon as a player."""

from __future__ import annotations

from tablier._core import Game, State
from tablier.candidate import Candidate
from tablier.games import home_of
from tablier.messages import MessageError
from tablier.players.protocol import not_picklable
from tablier.players.settings import EnginePlies

NAME = "gnubg"


class GnubgPlayer:
    """Plays what GNU Backgammon plays for money without the cube. It runs as a process of its own."""

    __reduce__ = not_picklable

    def __init__(self, game: Game, plies: EnginePlies = 0) -> None:
        """Creates the player.

        Args:
            game: the game to play.
            plies: depth of search as that program counts: 0 evaluates the positions after each play.

        Raises:
            MessageError (a ValueError): the program does not know this game or is not installed.
        """
        engine = home_of(game).engine(NAME, plies)
        if engine is None:
            raise MessageError.of("player.no_engine", player=NAME, game=game.name)
        self._engine = engine

    def choose(self, state: State) -> int:
        """Returns the program's action."""
        legal = state.legal_actions()
        return legal[0] if len(legal) == 1 else self._engine.choose(state)

    def explain(self, state: State) -> list[Candidate]:
        """Returns every action with its value, best first."""
        ranked = sorted(self._engine.values(state).items(), key=lambda item: -item[1])
        return [Candidate(action, state.action_to_string(action), value) for action, value in ranked]
