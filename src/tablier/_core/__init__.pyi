"""
The compiled core of tablier: games, batches and searches.

Import these names from `tablier` and its public modules, not from here.
"""

from typing import Any, SupportsIndex

import numpy
import numpy.typing

from tablier._core import (
    backgammon as backgammon,
    nets as nets,
    search as search,
    trictrac as trictrac
)
import tablier.batch
import tablier.game_type
import tablier.playouts
import tablier.python_game


class Game:
    """
    A game with fixed rule options, created by `tablier.load_game()`.

    A game is immutable. It describes the rules, creates states and runs random playouts. Two games
    are equal if they have the same name and the same options.
    """

    @property
    def name(self) -> str:
        """The name that `tablier.load_game()` accepts."""

    @property
    def title(self) -> str:
        """The name to show to people."""

    def help(self) -> str:
        """Returns the rules and the action numbers as English text."""

    def options(self) -> dict[str, int | bool | str]:
        """Returns the rule options in force, by name."""

    def new_initial_state(self) -> State:
        """Returns a new state at the start of the game."""

    def new_initial_states(self) -> list[State]:
        """Returns a list that contains the initial state, as in OpenSpiel."""

    def num_players(self) -> int:
        """Returns the number of players."""

    def num_distinct_actions(self) -> int:
        """Returns the number of player actions, which are numbered from 0."""

    def max_chance_outcomes(self) -> int:
        """
        Returns the maximum number of outcomes at a chance node; 0 for a game without chance.
        """

    def max_actions(self) -> int:
        """
        Returns the larger of `num_distinct_actions()` and `max_chance_outcomes()`.
        """

    def max_game_length(self) -> int:
        """
        Returns the maximum number of decisions and rolls in a game; 0 if there is no limit.
        """

    def min_utility(self) -> float:
        """Returns the lowest possible return of a player."""

    def max_utility(self) -> float:
        """Returns the highest possible return of a player."""

    def state_size(self) -> int:
        """Returns the size of a state in 64-bit words."""

    def observation_shape(self) -> tuple[int, ...]:
        """Returns the shape of `State.observation()`."""

    def features_shape(self) -> tuple[int, ...]:
        """Returns the shape of `State.features()`; the dtype is float32."""

    def observation_dtype(self) -> str:
        """Returns the dtype of `State.observation()`: 'uint8' or 'int8'."""

    def has_mirror(self) -> bool:
        """
        Returns whether the game has two players and supports `State.mirrored()`.
        """

    def mirrored_action(self, action: int) -> int:
        """
        Returns the action of a player that has the same effect in the mirror image.

        Most games number actions as the mover sees the board; there it is the action itself.

        Raises:
            ValueError: If the game has no mirror images, or no such action.
        """

    def get_type(self) -> tablier.game_type.GameType:
        """
        Returns the game type as OpenSpiel describes it; its enums compare equal to those of pyspiel.
        """

    def deserialize(self, data: bytes) -> State:
        """
        Restores a state of this game.

        Args:
            data: Bytes written by `State.serialize()`.

        Returns:
            A state equal to the one that was saved, with the same `rewards()`.

        Raises:
            ValueError: If `data` is damaged, or belongs to another game or to other options.
        """

    def _random_playouts(self, n: SupportsIndex, seed: SupportsIndex, threads: SupportsIndex, max_steps: SupportsIndex) -> dict[str, Any]: ...

    def _behaviour(self, games: int, seed: int) -> int: ...

    def random_playouts(self, n: SupportsIndex, seed: SupportsIndex = 0, threads: SupportsIndex = 1, max_steps: SupportsIndex = 1000000) -> tablier.playouts.Playouts:
        """
        Plays games with uniformly random actions and dice.

        Game i depends only on (seed, i), so the result does not depend on the number of threads.

        Args:
            n: Number of games, from 1 to 2**32.
            seed: Seed of the random numbers, from 0 to 2**64 - 1.
            threads: Number of threads, from 1 to 1024.
            max_steps: Maximum number of decisions and rolls in a game; longer games are cut.

        Returns:
            The returns and the length of each game, and totals over all games.

        Raises:
            TypeError: If an argument is not an integer.
            ValueError: If an argument is out of range.
        """

    def _zero_sum(self) -> bool: ...

    def _colour_entries(self) -> tuple[int, int]: ...

    def _terminal_rewards(self) -> bool: ...

    def _option_docs(self) -> list[tuple[str, int | bool | str, str, str, int, int, list[str]]]: ...

    def _retired_options(self) -> dict[str, int | bool | str]:
        """
        Returns the options of earlier versions, which load_game() accepts and ignores, each with a valid value.
        """

    def __eq__(self, other: object) -> bool: ...

    def __hash__(self) -> int: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

    def __repr__(self) -> str: ...

def native_games() -> list[str]:
    """Returns the names of the compiled games, sorted."""

def load_native(name: str, options: dict[str, Any]) -> Game:
    """
    Loads a compiled game.

    Raises:
        TypeError: If an option has a value of the wrong type.
        ValueError: If the name or an option is unknown, a value is not accepted, or options conflict.
    """

def load_python(definition: tablier.python_game.PythonGame, options: dict[str, Any]) -> Game:
    """Loads a game written in Python; raises like `load_native()`."""

class State:
    """
    A position in a game, with the method names of OpenSpiel's Python states.

    A state is a few 64-bit words without history, so copying one is cheap. Two states are equal if
    their games and positions are equal. Create one with `Game.new_initial_state()`.
    """

    def get_game(self) -> Game:
        """Returns the game of this state."""

    def num_players(self) -> int:
        """Returns the number of players."""

    def num_distinct_actions(self) -> int:
        """Returns the number of player actions, which are numbered from 0."""

    def current_player(self) -> int:
        """
        Returns the player to move; -1 at a chance node, -4 when the game is over.
        """

    def is_chance_node(self) -> bool:
        """Returns whether the next action is a chance outcome."""

    def is_player_node(self) -> bool:
        """Returns whether a player is to move."""

    def is_simultaneous_node(self) -> bool:
        """Returns False: players always move in turn."""

    def is_terminal(self) -> bool:
        """Returns whether the game is over."""

    def legal_actions(self, player: SupportsIndex | None = None) -> list[int]:
        """
        Returns the legal actions in ascending order.

        Args:
            player: None for whoever acts next, chance included. A player who is not to move has no actions.
        """

    def legal_actions_mask(self, player: SupportsIndex | None = None, out: numpy.typing.NDArray[numpy.bool_] | None = None) -> numpy.typing.NDArray[numpy.bool_]:
        """
        Returns the legal actions as a mask.

        Args:
            player: As in `legal_actions()`.
            out: Array to write to instead of a new one.

        Returns:
            A bool array with one entry per player action or, at a chance node, per chance outcome.

        Raises:
            TypeError: If `out` has the wrong shape, dtype or layout.
        """

    def apply_action(self, action: SupportsIndex) -> None:
        """
        Plays an action or applies a chance outcome, in place.

        Raises:
            TypeError: If the action is not an integer.
            ValueError: If the action is not legal. The state is unchanged.
        """

    def child(self, action: SupportsIndex) -> State:
        """
        Returns a copy of the state after the action; raises like `apply_action()`.
        """

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """
        Returns a list of (outcome, probability) pairs.

        Raises:
            ValueError: If the state is not a chance node.
        """

    def returns(self) -> list[float]:
        """Returns the total reward of each player since the start of the game."""

    def rewards(self) -> list[float]:
        """Returns the reward of each player from the last action."""

    def player_return(self, player: SupportsIndex) -> float:
        """Returns the total reward of one player since the start of the game."""

    def player_reward(self, player: SupportsIndex) -> float:
        """Returns the reward of one player from the last action."""

    def action_to_string(self, player_or_action: SupportsIndex, action: SupportsIndex | None = None) -> str:
        """
        Returns the text of an action, or of an outcome at a chance node.

        Call it as `action_to_string(action)` or, as in OpenSpiel, `action_to_string(player, action)`.

        Raises:
            ValueError: If the action number is out of range.
        """

    def observation(self, player: SupportsIndex | None = None, out: numpy.typing.NDArray[Any] | None = None) -> numpy.typing.NDArray[Any]:
        """
        Returns the position as bytes, as one player sees it. Works at every node.

        Args:
            player: The observing player; None for the player to move, or player 0 if there is none.
            out: Array to write to instead of a new one.

        Returns:
            An array of shape `Game.observation_shape()` and dtype `Game.observation_dtype()`.

        Raises:
            TypeError: If `out` has the wrong shape, dtype or layout.
            ValueError: If the player does not exist.
        """

    def features(self, player: SupportsIndex | None = None, out: numpy.typing.NDArray[numpy.float32] | None = None) -> numpy.typing.NDArray[numpy.float32]:
        """
        Returns the position as network input, as one player sees it. Works at every node.

        Args:
            player: The observing player; None for the player to move, or player 0 if there is none.
            out: Array to write to instead of a new one.

        Returns:
            A float32 array of shape `Game.features_shape()`.

        Raises:
            TypeError: If `out` has the wrong shape, dtype or layout.
            ValueError: If the player does not exist.
        """

    def mirrored(self) -> State:
        """
        Returns a copy with the two seats swapped.

        Raises:
            ValueError: If this position has no mirror image; see `has_mirror()`.
        """

    def has_mirror(self) -> bool:
        """Returns whether this position has a mirror image."""

    def svg(self, **kwargs: Any) -> str:
        """
        Returns an SVG picture of the state; see `tablier.drawing.svg()` for the arguments.
        """

    def _repr_svg_(self) -> str | None: ...

    def _chance_classes(self) -> list[tuple[int, int]]:
        """
        Returns (outcome, weight) for each class of equivalent outcomes, as search uses them.
        """

    def _canonical(self) -> State:
        """
        Returns the state with the last roll replaced by the representative of its class.
        """

    def _estimate(self) -> list[float] | None:
        """
        Returns the game's estimate of each player's future reward, or None if it has no estimate.
        """

    def _indistinguishable(self, player: SupportsIndex) -> list[State]:
        """
        Returns the states that the game lists as indistinguishable from this one for `player`.
        """

    def serialize(self) -> bytes:
        """Returns the state as bytes for `Game.deserialize()`."""

    def clone(self) -> State:
        """Returns a copy."""

    def __copy__(self) -> State: ...

    def __deepcopy__(self, memo: object) -> State: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

    def __eq__(self, other: object) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

class BatchEnv:
    """
    Steps n games at once and writes the results into arrays of the caller.

    Every game is always at a decision: dice are rolled inside, and a finished game is replaced by a
    new one at once. Game i draws its dice from stream (seed, i), so results do not depend on the
    number of threads. One thread may use a BatchEnv at a time; a second one gets RuntimeError.

    Args:
        game: The game to play.
        n: Number of games, from 1 to 100,000,000.
        seed: Seed of the dice, from 0 to 2**64 - 1.
        threads: Number of threads, from 1 to 1024.

    Raises:
        TypeError: If an argument has the wrong type.
        ValueError: If an argument is out of range.
        RuntimeError: If the game ends before any player can decide, or the threads cannot be started.
    """

    def __init__(self, game: Game, n: SupportsIndex, seed: SupportsIndex = 0, threads: SupportsIndex = 1) -> None: ...

    @property
    def game(self) -> Game:
        """The game that is played."""

    @property
    def threads(self) -> int:
        """The number of threads."""

    def __len__(self) -> int: ...

    def reset(self, seed: SupportsIndex | None = None) -> None:
        """
        Restarts all games with the dice of `seed`; None repeats the last seed.
        """

    def step(self, actions: numpy.typing.NDArray[numpy.int32] | numpy.typing.NDArray[numpy.int64], *, features: numpy.typing.NDArray[numpy.float32] | None = None, legal_mask: numpy.typing.NDArray[numpy.bool_] | None = None, current_player: numpy.typing.NDArray[numpy.int32] | None = None, rewards: numpy.typing.NDArray[numpy.float32] | None = None, done: numpy.typing.NDArray[numpy.bool_] | None = None) -> None:
        """
        Plays one action in every game, and then the dice up to the next decision.

        Each output array is optional and must be C-contiguous. `arrays()` creates a full set.

        Args:
            actions: [n] actions.
            features: [n, *features_shape] next decision, as the player to move sees it.
            legal_mask: [n, num_distinct_actions] legal actions of the next decision.
            current_player: [n] player to move next.
            rewards: [n, num_players] rewards of this step, dice included.
            done: [n] whether this step ended the game; the next decision then belongs to a new game.

        Raises:
            TypeError: If an array has the wrong shape, dtype or layout.
            ValueError: If an action is not legal. No game is stepped then.
        """

    def observe(self, *, features: numpy.typing.NDArray[numpy.float32] | None = None, legal_mask: numpy.typing.NDArray[numpy.bool_] | None = None, current_player: numpy.typing.NDArray[numpy.int32] | None = None) -> None:
        """
        Writes the current decision of every game into the given arrays.

        Args:
            features: [n, *features_shape], as the player to move sees it.
            legal_mask: [n, num_distinct_actions] legal actions.
            current_player: [n] player to move.

        Raises:
            TypeError: If an array has the wrong shape, dtype or layout.
        """

    def afterstates(self, *, offsets: numpy.typing.NDArray[numpy.int64], actions: numpy.typing.NDArray[numpy.int32], player: numpy.typing.NDArray[numpy.int32], features: numpy.typing.NDArray[numpy.float32], rewards: numpy.typing.NDArray[numpy.float32]) -> int:
        """
        Writes the afterstate of every legal action of every game: the position before the next roll.

        The rows of game i are offsets[i] to offsets[i + 1] - 1.

        Args:
            offsets: [n + 1] first row of each game, and the total.
            actions: [rows] action that leads to each afterstate.
            player: [rows] player who sees the afterstate: the next to decide or, before a roll, the
                player who moved; -1 if the game is over.
            features: [rows, *features_shape], as `player` sees it; zeros if the game is over.
            rewards: [rows, num_players] rewards of the action itself.

        Returns:
            The total number of rows. If it exceeds the length of `actions`, only `offsets` was written:
            call again with larger arrays.

        Raises:
            TypeError: If an array has the wrong shape, dtype or layout.
        """

    def play(self, network: nets.Network, *, features: numpy.typing.NDArray[numpy.float32] | None = None, codes: numpy.typing.NDArray[numpy.uint8] | None = None, viewer: numpy.typing.NDArray[numpy.int32], before: numpy.typing.NDArray[numpy.float32], after: numpy.typing.NDArray[numpy.float32], over: numpy.typing.NDArray[numpy.bool_], best: numpy.typing.NDArray[numpy.float32], explored: numpy.typing.NDArray[numpy.bool_], expected: numpy.typing.NDArray[numpy.float32] | None = None, epsilon: float = 0.0, discount: float = 1.0) -> int:
        """
        Lets a network play both sides of every game for `moves` moves, the second dimension of the arrays.

        Rewards and values are half the margin of player 0 over player 1.

        Args:
            network: Values the afterstates; the best move is played.
            features: [n, moves, *features_shape] afterstate, as `viewer` sees it, zeros if the game is over; or
                None to leave it out.
            codes: [n, moves, inputs] afterstate, as the network reads it, zeros if the game is over; or None to
                leave it out.
            viewer: [n, moves] next to decide or, before a roll, the mover; -1 if the game is over.
            before: [n, moves] reward of the move.
            after: [n, moves] reward of the dice that follow.
            over: [n, moves] whether the game ended; the next move then belongs to a new game.
            best: [n, moves + 1] value of the best move at each decision, the one after the last move included.
            explored: [n, moves + 1] whether a random move was played instead.
            expected: [n, moves] value of the afterstate, averaged over all rolls with the best reply to each, or
                None to leave it out, since it takes about twenty times as long.
            epsilon: Probability of a random move.
            discount: Factor of the value of the reply in `expected`.

        Returns:
            The number of positions evaluated.

        Raises:
            TypeError: If an array has the wrong shape, dtype or layout.
            ValueError: If the network does not fit the game, or the game is not for two players.
        """

    def arrays(self) -> tablier.batch.Arrays:
        """Returns new arrays for `step()`, filled with the current decisions."""

    def state(self, i: SupportsIndex) -> State:
        """
        Returns a copy of the state of game i; raises IndexError if there is no such game.
        """

    def set_state(self, i: SupportsIndex, state: State) -> None:
        """
        Sets game i to a copy of the state, and rolls the dice up to the next decision.

        Raises:
            IndexError: If there is no game i.
            ValueError: If the state belongs to a different game, or the game ends without a decision.
        """

    def words(self, states: numpy.typing.NDArray[numpy.uint64]) -> None:
        """Writes the states of all games into an array of shape [n, state_size]."""

    def save(self) -> bytes:
        """Returns all games and their random generators as bytes."""

    def restore(self, data: bytes) -> None:
        """
        Restores the games saved by `save()`.

        Args:
            data: Bytes from a BatchEnv with the same game, options and n.

        Raises:
            ValueError: If the data does not fit or is damaged. No game is changed then.
        """

class Plugin:
    """The game of an opened plugin."""

    @property
    def name(self) -> str:
        """The name of the game."""

    def load(self, options: dict[str, Any]) -> Game:
        """Loads the game; raises like `load_native()`."""

def open_plugin(path: bytes) -> Plugin:
    """
    Opens a shared library that contains a game.

    Args:
        path: Path of the library, as `os.fsencode` returns it.

    Raises:
        ValueError: If the library cannot be opened, or was not built for this version of tablier.
    """
