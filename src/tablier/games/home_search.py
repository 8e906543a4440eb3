"""What search, learning and error ratings need to know about a game (`tablier.games.home`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tablier import models
from tablier._core import Game, State
from tablier.games.champion import Champion
from tablier.games.engine import Engine
from tablier.games.home_texts import HomeTexts
from tablier.messages import Text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tablier.players import Player

Bound = float | Sequence[float]
"""A bound on the entries of an array: one number for all entries, or one per entry."""
MOVE = "move"
"""The kind of most decisions (`HomeSearch.decision_kind`)."""


class HomeSearch(HomeTexts):
    """How a game is played well, and how play is judged."""

    # --- search and learning ---

    interface: ClassVar[Collection[str]] = ()
    """Options that affect rewards and encodings but not the rules of play."""

    def bounds(self, view: str) -> tuple[Bound, Bound] | None:
        """Returns the minimum and maximum of an array; None if the game declares none.

        Args:
            view: "features" or "observation".
        """
        return None

    def transfer(self, state: State) -> State:
        """Converts a state of the same game with other `interface` options to a state of this game."""
        return state

    def player(self, make: Callable[[Game], Player], within: Callable[[Game], Player]) -> Player:
        """Builds a player for this game; a home can wrap it, for example so that it marks points honestly.

        Args:
            make: builds the player for a game.
            within: builds a simple player for the decisions that the one from `make` cannot take.
        """
        return make(self.game)

    def champion(self) -> Champion | None:
        """Returns what the player `champion` plays by: by default the shipped network of the game, if there is one."""
        return self.shipped(self.game.name)

    @property
    def near(self) -> float:
        """Lead in value at one ply, in the unit of the shipped network, that a deeper search does not turn round."""
        return math.inf

    def shipped(self, name: str) -> Champion | None:
        """Returns the champion that plays by the shipped network of this name; None if there is none."""
        network = models.network(name)
        return Champion(network=network, levels=models.levels(name), near=self.near) if network else None

    def engine(self, name: str, plies: int) -> Engine | None:
        """Returns another program that plays this game; None if it does not know the game.

        Args:
            name: the name of the program.
            plies: its depth of search.

        Raises:
            MessageError: the program is not installed, or cannot play with these options.
        """
        return None

    def is_judged(self, state: State) -> bool:
        """Whether the decision is a matter of judgement rather than simply right or wrong."""
        return True

    def automatic(self, state: State) -> int | None:
        """Returns the action that a table plays for a player without asking them; None, the default, to ask them.

        For formalities that a game's actions include but people would not stop for.
        """
        return None

    luck_rollouts: ClassVar[int] = 0
    """Random games per position by which reviews measure luck without a heuristic and a champion; 0 for no luck,
    because random play says too little about the game."""

    def points_off(self, state: State, action: int) -> float:
        """Returns how many points an answer is off, in a decision that is simply right or wrong."""
        return 0.0

    def appraised(self, state: State) -> State | None:
        """Returns a state at a chance node as a state of the game in which evaluators value it best.

        None if the position does not exist there. By default it is the state itself.
        """
        return state

    def win_link(self, margins: Callable[[Sequence[State]], NDArray[np.float64]]) -> NDArray[np.float64] | None:
        """Returns the numbers that turn an evaluator's margins of points into win chances; None if there are none.

        `LinksMargins` in core/game.h reads them.

        Args:
            margins: returns the margin of points that the evaluator expects for player 0, given states before a roll.
        """
        return None

    # --- error ratings ---

    def decision_kind(self, state: State) -> str:
        """Returns the kind of a decision that `is_judged`, for error ratings: `move` by default.

        The message `<home>.kind.<kind>` names any other kind.
        """
        return MOVE

    def kind_name(self, kind: str) -> Text:
        """Returns the name of a kind of decision: the message `<home>.kind.<kind>`, or the kind itself."""
        return self._word(f"kind.{kind}") or kind

    def at_other_scores(self, state: State) -> list[tuple[tuple[int, int], State]]:
        """Returns the same decision at other scores, each with the scores of the mover and the opponent.

        For reports on a first choice (`branch`), whose answer depends on the score.
        """
        return []

    def referee(self) -> Path | None:
        """Returns the file of the game's referee (`tablier.analysis.referee`), or None."""
        return None

    def branch(self, state: State, action: int) -> int:
        """Returns which side of a first choice an action takes, if the decision is a choice and a move in one.

        The cost of taking the wrong side counts for `decision_kind`, the cost of the move within it for `move`. By
        default each action is its own side.
        """
        return action

    def branch_name(self, kind: str, side: int) -> Text | None:
        """Returns the name of a side of a first choice: the message `<home>.kind.<kind>.<side>`.

        None if a kind of decision is no such choice, or has no such side. Sides are numbered from 0.
        """
        return self._word(f"kind.{kind}.{side}")

    # --- statistics over many games ---

    def points_made(self, before: State, action: int, after: State) -> list[tuple[int, str, int]]:
        """Returns the points that an action or a throw gives, each with its seat and its kind; none by default.

        `points_name` names the kinds.
        """
        return []

    def points_missed(self, state: State, better: int, worse: int) -> dict[str, float]:
        """Returns by kind how many points more the next throw promises after the better of two actions; by default
        nothing."""
        return {}

    def points_name(self, kind: str) -> Text:
        """Returns the name of a kind of points: by default the kind itself."""
        return kind
