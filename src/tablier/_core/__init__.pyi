"""
The compiled part of tablier: games, kernels, and nothing that a user imports directly.
"""

from typing import Any, SupportsIndex

import numpy
import numpy.typing

from tablier._core import search as search, trictrac as trictrac
import tablier.batch
import tablier.game_type
import tablier.playouts
import tablier.python_game


class Game:
    """A game with its options chosen. Made by tablier.load_game()."""

    @property
    def name(self) -> str:
        """How load_game() finds it."""

    @property
    def title(self) -> str:
        """How people call it."""

    def help(self) -> str:
        """The rules and the actions, in words."""

    def options(self) -> dict[str, int | bool | str]:
        """The rule options in force."""

    def new_initial_state(self) -> State: ...

    def new_initial_states(self) -> list[State]:
        """The initial state in a list, as OpenSpiel has it."""

    def num_players(self) -> int: ...

    def num_distinct_actions(self) -> int:
        """How many actions players have; they are 0, 1, ..."""

    def max_chance_outcomes(self) -> int:
        """The most outcomes of one roll; 0 for a game without dice."""

    def max_actions(self) -> int:
        """The larger of num_distinct_actions() and max_chance_outcomes()."""

    def max_game_length(self) -> int:
        """The most decisions and rolls of a game; 0 where there is no bound."""

    def min_utility(self) -> float: ...

    def max_utility(self) -> float: ...

    def state_size(self) -> int:
        """Size of a state in 64-bit words."""

    def observation_shape(self) -> tuple[int, ...]: ...

    def features_shape(self) -> tuple[int, ...]: ...

    def observation_dtype(self) -> str: ...

    def has_mirror(self) -> bool:
        """Whether State.mirrored() can exchange the two seats."""

    def get_type(self) -> tablier.game_type.GameType:
        """Facts in OpenSpiel's words; the enums compare equal to pyspiel's."""

    def deserialize(self, data: bytes) -> State:
        """
        The state that State.serialize() wrote. Raises ValueError for anything else.
        """

    def _random_playouts(self, n: SupportsIndex, seed: SupportsIndex, threads: SupportsIndex, max_steps: SupportsIndex) -> dict[str, Any]: ...

    def _behaviour(self, games: int, seed: int) -> int: ...

    def random_playouts(self, n: SupportsIndex, seed: SupportsIndex = 0, threads: SupportsIndex = 1, max_steps: SupportsIndex = 1000000) -> tablier.playouts.Playouts:
        """Plays n games by random actions; game i depends on (seed, i) alone."""

    def _zero_sum(self) -> bool: ...

    def _colour_entries(self) -> tuple[int, int]: ...

    def _terminal_rewards(self) -> bool: ...

    def _option_docs(self) -> list[tuple[str, int | bool | str, str, str, int, int, list[str]]]: ...

    def _retired_options(self) -> dict[str, int | bool | str]:
        """
        Options of earlier versions, which load_game() passes over, each with a value that was accepted.
        """

    def __eq__(self, other: object) -> bool: ...

    def __hash__(self) -> int: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

    def __repr__(self) -> str: ...

def native_games() -> list[str]: ...

def load_native(name: str, options: dict[str, Any]) -> Game: ...

def load_python(definition: tablier.python_game.PythonGame, options: dict[str, Any]) -> Game: ...

def load_plugin_game(address: int, options: dict[str, Any]) -> Game: ...

class State:
    """A position of a game. Holds no history; copying it copies a few words."""

    def get_game(self) -> Game: ...

    def num_players(self) -> int: ...

    def num_distinct_actions(self) -> int: ...

    def current_player(self) -> int:
        """The player to decide; -1 at a chance node, -4 when the game is over."""

    def is_chance_node(self) -> bool: ...

    def is_player_node(self) -> bool: ...

    def is_simultaneous_node(self) -> bool: ...

    def is_terminal(self) -> bool: ...

    def legal_actions(self, player: SupportsIndex | None = None) -> list[int]:
        """
        Ascending. At a chance node the outcomes; for a player who is not to move, none.
        """

    def legal_actions_mask(self, player: SupportsIndex | None = None, out: numpy.typing.NDArray[numpy.bool_] | None = None) -> numpy.typing.NDArray[numpy.bool_]:
        """The legal actions as booleans."""

    def apply_action(self, action: SupportsIndex) -> None:
        """
        Plays an action or a chance outcome. One that is not legal raises ValueError and changes nothing.
        """

    def child(self, action: SupportsIndex) -> State:
        """A copy after the action."""

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) of every roll."""

    def returns(self) -> list[float]:
        """What each player has collected since the start."""

    def rewards(self) -> list[float]:
        """What the last action brought each player."""

    def player_return(self, player: SupportsIndex) -> float: ...

    def player_reward(self, player: SupportsIndex) -> float: ...

    def action_to_string(self, player_or_action: SupportsIndex, action: SupportsIndex | None = None) -> str:
        """
        An action in words: action_to_string(action), or OpenSpiel's action_to_string(player, action).
        """

    def observation(self, player: SupportsIndex | None = None, out: numpy.typing.NDArray[Any] | None = None) -> numpy.typing.NDArray[Any]:
        """
        The position in bytes as `player` sees it (by default the player to move). Defined at every node.
        """

    def features(self, player: SupportsIndex | None = None, out: numpy.typing.NDArray[numpy.float32] | None = None) -> numpy.typing.NDArray[numpy.float32]:
        """
        The position as network input, as `player` sees it (by default the player to move).
        """

    def mirrored(self) -> State:
        """
        The same position with the two seats exchanged, in games that have a mirror.
        """

    def has_mirror(self) -> bool:
        """Whether this position has a mirror image."""

    def svg(self, **kwargs: Any) -> str:
        """A picture of the state, in games that have one."""

    def _repr_svg_(self) -> str | None: ...

    def _chance_classes(self) -> list[tuple[int, int]]:
        """
        The throws as search sees them: an outcome of each class, and how many outcomes it stands for.
        """

    def _canonical(self) -> State:
        """The state, had the outcome been thrown that stands for its class."""

    def _estimate(self) -> list[float] | None:
        """
        The game's guess of what each player will still collect; None in a game that makes none.
        """

    def _indistinguishable(self, player: SupportsIndex) -> list[State]:
        """
        States that `player` cannot tell from this one, as far as the game lists them.
        """

    def serialize(self) -> bytes:
        """Bytes from which Game.deserialize() makes an equal state."""

    def clone(self) -> State: ...

    def __copy__(self) -> State: ...

    def __deepcopy__(self, memo: object) -> State: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

    def __eq__(self, other: object) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

class BatchEnv:
    """
    n games at once. Every game is always at a decision: dice are rolled inside, and a finished game is
    replaced at once by a new one. Results do not depend on the number of threads.
    """

    def __init__(self, game: Game, n: SupportsIndex, seed: SupportsIndex = 0, threads: SupportsIndex = 1) -> None: ...

    @property
    def game(self) -> Game: ...

    @property
    def threads(self) -> int: ...

    def __len__(self) -> int: ...

    def reset(self, seed: SupportsIndex | None = None) -> None:
        """
        Starts all games anew with the dice of `seed`, by default those of the last reset.
        """

    def step(self, actions: numpy.typing.NDArray[numpy.int32] | numpy.typing.NDArray[numpy.int64], *, features: numpy.typing.NDArray[numpy.float32] | None = None, legal_mask: numpy.typing.NDArray[numpy.bool_] | None = None, current_player: numpy.typing.NDArray[numpy.int32] | None = None, rewards: numpy.typing.NDArray[numpy.float32] | None = None, done: numpy.typing.NDArray[numpy.bool_] | None = None) -> None:
        """
        Plays one action in every game and writes what follows into the given arrays: `rewards` and `done` of this
        step, and the next decision's `features`, `legal_mask` and `current_player`. An illegal action raises
        ValueError and no game is stepped.
        """

    def observe(self, *, features: numpy.typing.NDArray[numpy.float32] | None = None, legal_mask: numpy.typing.NDArray[numpy.bool_] | None = None, current_player: numpy.typing.NDArray[numpy.int32] | None = None) -> None:
        """Writes the present decision of every game into the given arrays."""

    def afterstates(self, *, offsets: numpy.typing.NDArray[numpy.int64], actions: numpy.typing.NDArray[numpy.int32], player: numpy.typing.NDArray[numpy.int32], features: numpy.typing.NDArray[numpy.float32], rewards: numpy.typing.NDArray[numpy.float32]) -> int:
        """
        Writes what every action of every game leads to, before the dice: the rows of game i are offsets[i] to
        offsets[i + 1]. `player` is who sees the position, the next to decide or, before dice, who moved; -1 where
        the game is over. `rewards` are those of the action itself. Returns how many rows there are; if they are
        more than the arrays have, only the offsets were written.
        """

    def arrays(self) -> tablier.batch.Arrays:
        """New arrays of the right shapes and types."""

    def state(self, i: SupportsIndex) -> State:
        """A copy of game i."""

    def set_state(self, i: SupportsIndex, state: State) -> None:
        """Puts a copy of the state into game i."""

    def words(self, states: numpy.typing.NDArray[numpy.uint64]) -> None:
        """Writes the words of all games into the array [n, state_size]."""

    def save(self) -> bytes:
        """All games and their dice as bytes."""

    def restore(self, data: bytes) -> None:
        """Puts back what save() wrote for the same game, options and n."""

def open_plugin(path: str) -> tuple[str, int]: ...
