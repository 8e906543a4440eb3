"""The base class for games written in Python.

A Python game follows the same contract as a C++ game and works with every tool (states, batch stepping, playouts,
search, the conformance kit), only slower, because each step calls into Python. docs/adding-a-game.md has a complete
example.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

if TYPE_CHECKING:  # NumPy takes longer to import than all of tablier, so it is imported with the first array
    from numpy.typing import NDArray

CHANCE = -1
"""The value of `current_player` at a chance node, where the dice are to be rolled."""
TERMINAL = -4
"""The value of `current_player` when the game is over."""

Words: TypeAlias = tuple[int, ...]
"""A state: a tuple of `state_words` signed 64-bit integers."""


@dataclass(frozen=True)
class Option:
    """A rule option. The type of `default` decides its kind: a bounded int, a bool flag, or a str from `choices`.

    Examples:
        >>> Option(100, min=1, max=1000, doc="points needed to win").default
        100
    """

    default: int | bool | str
    """The value if the caller gives none."""
    min: int = 0
    """Smallest value of an integer option."""
    max: int = 1_000_000
    """Largest value of an integer option."""
    choices: tuple[str, ...] = ()
    """Accepted values of a text option."""
    doc: str = ""
    """What the option does, for people."""

    def row(self, name: str) -> tuple[str, int, int, int, int, list[str], str]:
        """Returns the option in the layout the C++ core reads: name, kind, default, min, max, choices, doc.

        Args:
            name: the keyword under which `load_game` accepts the option.

        Raises:
            TypeError: a field has the wrong type.
            ValueError: the name is not usable as a keyword, the default is not an accepted value, or a choice cannot be
                written in a list of options.
        """
        if not name.isidentifier() or name == "name":
            raise ValueError(f"an option's name must be usable as a keyword of load_game(); {name!r} is not")
        if not isinstance(self.doc, str) or not all(isinstance(choice, str) for choice in self.choices):
            raise TypeError(f"option '{name}': doc and choices must be str")
        for choice in self.choices:
            if not choice or not choice.isprintable() or choice != choice.strip() or "," in choice:
                raise ValueError(f"option '{name}': a choice must be printable and without commas; {choice!r} is not")
        if isinstance(self.default, bool):
            return name, 1, int(self.default), 0, 1, [], self.doc
        if isinstance(self.default, str):
            if self.default not in self.choices:
                raise ValueError(f"option '{name}': the default {self.default!r} is not one of {self.choices}")
            return name, 2, self.choices.index(self.default), 0, 0, list(self.choices), self.doc
        if not all(isinstance(bound, int) and abs(bound) < 2**63 for bound in (self.default, self.min, self.max)):
            raise TypeError(f"option '{name}': default, min and max must be 64-bit integers")
        if not self.min <= self.default <= self.max:
            raise ValueError(f"option '{name}': the default {self.default} is not between {self.min} and {self.max}")
        return name, 0, self.default, self.min, self.max, [], self.doc


class PythonGame(ABC):
    """Base class of a game in Python: set the class attributes, write the methods, then call `tablier.register`.

    Methods receive the state as a tuple of integers and must not change it; `apply` returns a new tuple. The state
    holds everything the rules need and no history. Methods never draw random numbers: at a chance node the caller
    samples one of `legal_actions` uniformly.
    """

    name: ClassVar[str]
    """The name for `load_game`: lower-case letters, digits and underscores."""
    title: ClassVar[str]
    """The name shown to people."""
    help: ClassVar[str] = ""
    """The rules and the actions, for people who want to play."""
    num_players: ClassVar[int] = 2
    """Number of players."""
    num_actions: ClassVar[int]
    """Number of player actions; actions are 0 .. num_actions - 1."""
    max_chance_outcomes: ClassVar[int] = 0
    """Number of outcomes of a roll; outcomes are 0 .. max_chance_outcomes - 1. 0 for a game without dice."""
    max_game_length: ClassVar[int] = 0
    """Maximum number of decisions and rolls in a game; 0 if unbounded."""
    state_words: ClassVar[int]
    """Number of integers in a state (at most 64)."""
    observation_shape: ClassVar[Sequence[int]]
    """Shape of `observation`."""
    features_shape: ClassVar[Sequence[int]]
    """Shape of `features`."""
    min_utility: ClassVar[float] = -1.0
    """Lower bound of the returns."""
    max_utility: ClassVar[float] = 1.0
    """Upper bound of the returns."""
    zero_sum: ClassVar[bool] = True
    """Whether the returns of all players always sum to 0."""
    terminal_rewards: ClassVar[bool] = True
    """Whether rewards come only at the end. False if `returns` changes during the game."""
    string_buffer_size: ClassVar[int] = 4096
    """Buffer size in bytes, larger than the text of any state or action."""
    options: ClassVar[Mapping[str, Option]] = {}
    """Rule options by name."""
    home: ClassVar[type[Any] | None] = None
    """A subclass of `tablier.games.Home` with the game's drawing, notation and messages, or None for plain text."""

    @abstractmethod
    def initial(self, **options: Any) -> Words:
        """Returns the initial state under these rule options."""

    @abstractmethod
    def current_player(self, state: Words) -> int:
        """Returns the player to move, `CHANCE` or `TERMINAL`."""

    @abstractmethod
    def legal_actions(self, state: Words) -> Sequence[int]:
        """Returns the legal actions, or the equally likely outcomes of the roll, in ascending order."""

    @abstractmethod
    def apply(self, state: Words, action: int) -> Words:
        """Returns the state after an action or a chance outcome.

        Args:
            state: the state before it, which must not be changed.
            action: one of `legal_actions(state)`; the caller checks this.
        """

    @abstractmethod
    def returns(self, state: Words) -> Sequence[float]:
        """Returns the total reward of each player since the start."""

    @abstractmethod
    def observation(self, state: Words, player: int) -> Any:
        """Returns what a player sees, as integers from 0 to 255 in `observation_shape`.

        Args:
            state: any state, terminal states and chance nodes included.
            player: the observing player, from 0.
        """

    @abstractmethod
    def features(self, state: Words, player: int) -> Any:
        """Returns what a player sees as network input, as numbers in `features_shape`.

        Args:
            state: any state, terminal states and chance nodes included.
            player: the observing player, from 0.
        """

    @abstractmethod
    def to_string(self, state: Words) -> str:
        """Returns the state as text. Different states must have different texts."""

    def action_to_string(self, state: Words, action: int) -> str:
        """Returns an action, or the outcome of a roll, as text.

        Args:
            state: the state in which it is played or rolled.
            action: an action, legal or not; at a chance node, an outcome.
        """
        return f"{'roll' if self.current_player(state) == CHANCE else 'action'} {action}"

    def invalid(self, state: Words) -> str | None:
        """Returns why no game can reach this state, or None if it is valid. Called for states from outside."""
        return None

    def mirror(self, state: Words) -> Words | None:
        """Returns the position with the two seats swapped in a symmetric game, or None if there is no mirror image."""
        return None

    def chance_classes(self, state: Words) -> Sequence[tuple[int, int]]:
        """Groups equivalent outcomes of a roll, as pairs (representative outcome, size of the class).

        The sizes sum to the number of outcomes. By default every outcome is its own class. Search visits only the
        representatives. A game that overrides this must also override `canonical`.
        """
        return [(outcome, 1) for outcome in self.legal_actions(state)]

    def canonical(self, state: Words) -> Words:
        """Returns the state as if the representative of its class in `chance_classes` had been rolled.

        The result has the same player to move and the same returns, and leads to the same positions. The default
        returns the state unchanged.
        """
        return state

    def estimate(self, state: Words) -> Sequence[float] | None:
        """Returns a quick estimate of each player's future return, which enables the player "heuristic".

        A game without a heuristic does not override this method.
        """
        return None

    def indistinguishable(self, state: Words, player: int) -> Iterable[Words]:
        """Returns states that `player` cannot distinguish from this one, in a game with hidden information.

        Only the conformance kit calls it, to check that `observation`, `features` and the legal actions of `player` are
        the same in all of them.

        Args:
            state: a state.
            player: the observing player, from 0.
        """
        return ()

    def _observation_bytes(self, state: Words, player: int) -> bytes:
        import numpy as np

        values = np.asarray(self.observation(state, player))
        if values.dtype.kind not in "biu" or (values.size and (values.min() < 0 or values.max() > 255)):
            raise TypeError(f"{self.name}.observation() must return integers from 0 to 255")
        return self._shaped(values, self.observation_shape, "observation").astype(np.uint8).tobytes()

    def _features_bytes(self, state: Words, player: int) -> bytes:
        import numpy as np

        values = np.asarray(self.features(state, player), dtype=np.float32)
        return self._shaped(values, self.features_shape, "features").tobytes()

    def _shaped(self, values: NDArray[Any], shape: Sequence[int], method: str) -> NDArray[Any]:
        if values.shape != tuple(shape):
            raise TypeError(f"{self.name}.{method}() must return an array of shape {tuple(shape)}, not {values.shape}")
        return values

    def _option_rows(self) -> list[tuple[str, int, int, int, int, list[str], str]]:
        if len(self.options) > 64:
            raise ValueError(f"{self.name} has {len(self.options)} options; at most 64 are allowed")
        return [option.row(name) for name, option in self.options.items()]
