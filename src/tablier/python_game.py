"""The base class of a game written in Python.

Such a game fills the same contract as one in C++ and gets every tool (states, batch stepping, playouts, search, the
conformance kit), only slower: each step calls into Python. See docs/adding-a-game.md for a whole example.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

if TYPE_CHECKING:  # importing NumPy takes longer than importing all of tablier: it comes with the first array
    from numpy.typing import NDArray

CHANCE = -1
"""What `current_player` answers where the dice are to be thrown."""
TERMINAL = -4
"""What `current_player` answers when the game is over."""

Words: TypeAlias = tuple[int, ...]
"""A state: a tuple of `state_words` integers of 64 bits (signed)."""


@dataclass(frozen=True)
class Option:
    """One rule option: an integer with bounds, a flag (a bool default), or one of `choices` (a str default)."""

    default: int | bool | str
    min: int = 0
    max: int = 1_000_000
    choices: tuple[str, ...] = ()
    doc: str = ""

    def row(self, name: str) -> tuple[str, int, int, int, int, list[str], str]:
        """The option as the compiled part reads it: name, kind, default, min, max, choices, doc."""
        if not name.isidentifier() or name == "name":
            raise ValueError(f"an option's name must be usable as a keyword of load_game(); {name!r} is not")
        if not isinstance(self.doc, str) or not all(isinstance(choice, str) for choice in self.choices):
            raise TypeError(f"option '{name}': doc and choices are str")
        if isinstance(self.default, bool):
            return name, 1, int(self.default), 0, 1, [], self.doc
        if isinstance(self.default, str):
            if self.default not in self.choices:
                raise ValueError(f"option '{name}': the default {self.default!r} is not one of {self.choices}")
            return name, 2, self.choices.index(self.default), 0, 0, list(self.choices), self.doc
        if not all(isinstance(bound, int) and abs(bound) < 2**63 for bound in (self.default, self.min, self.max)):
            raise TypeError(f"option '{name}': default, min and max are integers of 64 bits")
        if not self.min <= self.default <= self.max:
            raise ValueError(f"option '{name}': the default {self.default} is not from {self.min} to {self.max}")
        return name, 0, self.default, self.min, self.max, [], self.doc


class PythonGame(ABC):
    """Subclass it, set the facts, write the methods, and `tablier.register` the class.

    A method gets the state as a tuple of integers and never changes it; `apply` returns a new tuple. A state holds
    everything the rules need and no history, and no method draws random numbers: at a chance node whoever plays the
    game samples one of `legal_actions` uniformly.
    """

    name: ClassVar[str]
    """How `load_game` finds it: letters, digits and underscores."""
    title: ClassVar[str]
    """How people call it."""
    help: ClassVar[str] = ""
    """The rules and the actions, for a person who wants to play."""
    num_players: ClassVar[int] = 2
    num_actions: ClassVar[int]
    """Actions of players are 0 .. num_actions - 1."""
    max_chance_outcomes: ClassVar[int] = 0
    """Outcomes of a roll are 0 .. max_chance_outcomes - 1; 0 for a game without dice."""
    max_game_length: ClassVar[int] = 0
    """The most decisions and rolls of one game; 0 where there is no bound."""
    state_words: ClassVar[int]
    """How many integers a state has (at most 64)."""
    observation_shape: ClassVar[Sequence[int]]
    features_shape: ClassVar[Sequence[int]]
    min_utility: ClassVar[float] = -1.0
    max_utility: ClassVar[float] = 1.0
    zero_sum: ClassVar[bool] = True
    terminal_rewards: ClassVar[bool] = True
    """False for a game in which `returns` changes before the end."""
    string_buffer_size: ClassVar[int] = 4096
    """More bytes than any text of a state or an action has."""
    options: ClassVar[Mapping[str, Option]] = {}
    home: ClassVar[type[Any] | None] = None
    """How the game looks and speaks: a subclass of `tablier.games.Home`, or None for plain text."""

    @abstractmethod
    def initial(self, **options: Any) -> Words:
        """The state at the start, under these options."""

    @abstractmethod
    def current_player(self, state: Words) -> int:
        """The player to decide, `CHANCE` or `TERMINAL`."""

    @abstractmethod
    def legal_actions(self, state: Words) -> Sequence[int]:
        """What the player to decide may do, or the equally likely outcomes of the roll; ascending."""

    @abstractmethod
    def apply(self, state: Words, action: int) -> Words:
        """The state after a legal action."""

    @abstractmethod
    def returns(self, state: Words) -> Sequence[float]:
        """What each player has collected since the start."""

    @abstractmethod
    def observation(self, state: Words, player: int) -> Any:
        """What `player` sees, as integers 0 .. 255 of `observation_shape`."""

    @abstractmethod
    def features(self, state: Words, player: int) -> Any:
        """The same as network input, numbers of `features_shape`."""

    @abstractmethod
    def to_string(self, state: Words) -> str:
        """The state in text, different for different states."""

    def action_to_string(self, state: Words, action: int) -> str:
        """An action or the outcome of a roll in text."""
        return f"{'roll' if self.current_player(state) == CHANCE else 'action'} {action}"

    def invalid(self, state: Words) -> str | None:
        """Why no game can reach this state (asked for states that come from outside), or None."""
        return None

    def mirror(self, state: Words) -> Words | None:
        """The position with the two seats exchanged, in a game that is symmetric; None where that makes no sense."""
        return None

    def chance_classes(self, state: Words) -> Sequence[tuple[int, int]]:
        """Classes of outcomes that come to the same: of each class one outcome, and how many it stands for.

        The numbers sum to the number of outcomes. By default every outcome is a class of its own. Search looks at one
        outcome of each class. A game that overrides this also overrides `canonical`.
        """
        return [(outcome, 1) for outcome in self.legal_actions(state)]

    def canonical(self, state: Words) -> Words:
        """The state, had the outcome been thrown that stands for its class in `chance_classes`; by default the state.

        It has the same player to move, the same returns, and leads to the same positions.
        """
        return state

    def estimate(self, state: Words) -> Sequence[float] | None:
        """A quick guess of what each player will still collect from here; it makes the player "heuristic" available.

        A game that makes no guess, which is the default, leaves this method out.
        """
        return None

    def indistinguishable(self, state: Words, player: int) -> Iterable[Words]:
        """States that `player` cannot tell from this one, in a game with hidden information.

        Only the conformance kit asks: it checks that `observation`, `features` and the legal actions of `player` are
        the same in all of them.
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
            raise TypeError(f"{self.name}.{method}() must return as many values as its shape says, {tuple(shape)}")
        return values

    def _option_rows(self) -> list[tuple[str, int, int, int, int, list[str], str]]:
        if len(self.options) > 64:
            raise ValueError(f"{self.name} has {len(self.options)} options; 64 are the most")
        return [option.row(name) for name, option in self.options.items()]
