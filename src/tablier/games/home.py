"""The interface between a game and the rest of Tablier: pictures, texts, typed moves, records, search settings.

A game's home is a subclass of `Home`. Every method has a default that works for any game, so a home overrides only what
the game does better; a game without a home uses this class unchanged. No code outside a game's folder refers to the
game by name.

`Home` has four parts: texts and typed moves (home_texts.py), pictures and the page (home_page.py), search, learning and
error ratings (home_search.py), and records, which are here.

Code contains no user-facing text: methods return a `Text` (`tablier.messages`), and the `messages` folder of the home
holds the translations. Message keys start with the home's key: `pig.title.pig`, `pig.die`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tablier._core import Game, State
from tablier.games.home_page import HomePage, Segment
from tablier.games.home_search import MOVE, Bound, HomeSearch
from tablier.games.home_texts import Facts

__all__ = ["MOVE", "Bound", "Facts", "Home", "Segment"]


class Home(HomePage, HomeSearch):
    """How a game is shown to people, and what search and learning need to know about it.

    A home belongs to one loaded game with its options. Subclass it, override what the game does better than the
    defaults, and pass the subclass to `tablier.register(..., home=...)`.
    """

    # --- records and positions ---

    def seat_keys(self) -> tuple[str, ...]:
        """Returns the header keys of a game record that name the players, one per seat."""
        return tuple(f"Player{seat}" for seat in range(self.game.num_players()))

    def write_record(self, actions: Sequence[int], header: Mapping[str, str], as_json: bool) -> str | None:
        """Writes a game record in the game's notation.

        Args:
            actions: all actions from the initial state, chance outcomes included.
            header: free text by key, such as the players' names.
            as_json: whether to write the JSON variant of the notation.

        Returns:
            The record; None if the game has no notation and `tablier.records` should write plain JSON.
        """
        return None

    @classmethod
    def read_record(cls, text: str) -> tuple[Game, tuple[int, ...], dict[str, str]] | None:
        """Reads a game record that `write_record` wrote.

        Returns:
            The game, its actions and its header; None if the game has no notation.

        Raises:
            ValueError: the text is not a valid record.
        """
        return None

    foreign_formats: ClassVar[Sequence[str]] = ()
    """Formats of other programs that `write_foreign` writes, named by the suffix of their files."""

    def write_foreign(self, form: str, actions: Sequence[int], header: Mapping[str, str]) -> str:
        """Writes a game record in one of the `foreign_formats`; arguments as in `write_record`."""
        raise NotImplementedError

    @classmethod
    def recognises(cls, text: str) -> bool:
        """Whether a text looks like a record in a foreign format of this game, which `read_record` reads."""
        return False

    def read_position(self, text: str) -> State | None:
        """Returns the state with this position id; None if `text` does not look like an id of this game."""
        return None

    def position_id(self, state: State) -> str | None:
        """Returns the position id of a state, which `read_position` reads; None if it has none.

        An id need not store all of a state.
        """
        return None

    def moves_in_record(self, actions: Sequence[int]) -> list[int]:
        """Returns for each action the number it has in a game record; empty if records do not number moves."""
        return []
