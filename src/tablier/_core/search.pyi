"""
Searches in C++. Use `tablier.search` and `tablier.evaluators` instead.
"""

from typing import Any

import numpy
import numpy.typing

import tablier._core
import tablier._core.nets
import tablier.evaluators.native
import tablier.search


class Setting:
    """A search setting: its meaning, default and accepted values."""

    @property
    def name(self) -> str:
        """The name of the field in the config."""

    @property
    def doc(self) -> str:
        """What the setting does, in English."""

    @property
    def default(self) -> int | float | bool | str:
        """The default value."""

    @property
    def least(self) -> int | float | None:
        """The smallest accepted value; None for flags and choices."""

    @property
    def most(self) -> int | float | None:
        """The largest accepted value; None for flags and choices."""

    @property
    def choices(self) -> tuple[str, ...]:
        """The accepted values of a choice; empty for other settings."""

def search_settings() -> list[Setting]:
    """Returns the settings of `tablier.search.SearchConfig`."""

def expectimax_settings() -> list[Setting]:
    """Returns the settings of `tablier.search.ExpectimaxConfig`."""

class Candidate:
    """
    A legal action of a searched position, and what the search found about it.
    """

    @property
    def action(self) -> int:
        """The action number."""

    @property
    def visits(self) -> int:
        """The number of simulations through this action."""

    @property
    def prior(self) -> float:
        """The prior probability."""

    @property
    def policy(self) -> float:
        """The probability in the policy improved by the search."""

    @property
    def returns(self) -> tuple[float, ...]:
        """
        The expected future reward of each player after this action; the root's value if it was not visited.
        """

    @property
    def solved(self) -> bool:
        """Whether the value is exact."""

class RootView:
    """The result of a search."""

    @property
    def candidates(self) -> list[Candidate]:
        """The legal actions, in ascending order."""

    @property
    def best(self) -> int:
        """The action to play; -1 if there is none."""

    @property
    def value(self) -> tuple[float, ...]:
        """The expected future reward of each player."""

    @property
    def simulations(self) -> int:
        """The number of simulations of this search."""

    @property
    def reused(self) -> int:
        """The number of visits reused from an earlier search."""

    @property
    def nodes(self) -> int:
        """The number of nodes in the tree."""

    @property
    def bytes(self) -> int:
        """The memory used by the tree, in bytes."""

    @property
    def solved(self) -> bool:
        """Whether the value is exact."""

    @property
    def full(self) -> bool:
        """
        Whether the search ended early because the tree reached its memory limit.
        """

class Pool:
    """
    Runs many searches at once, for given positions or for games of self-play.

    Call `collect()` and `resume()` in a loop to evaluate leaves outside, or `run()` to use the
    evaluator of the config. Results depend neither on the number of threads nor on how leaves are
    split into batches. One thread may use a pool at a time; a second one gets RuntimeError.

    Args:
        game: The game to search.
        config: The settings of every search.
        n: Number of searches or concurrent games, from 1 to 1,000,000.
        seed: Seed of noise and dice, from 0 to 2**64 - 1.
        threads: Number of threads, from 1 to 1024.
        network: The network, if the evaluator is one.
        link: The numbers that turn its margins into win chances (`Home.win_link`).

    Raises:
        TypeError: If an argument or a setting has the wrong type.
        ValueError: If an argument or a setting is out of range, or the network does not fit the game.
    """

    def __init__(self, game: tablier._core.Game, config: tablier.search.SearchConfig, n: int, seed: int = 0, threads: int = 1, network: tablier._core.nets.Network | None = None, link: numpy.typing.NDArray[numpy.float64] | None = None) -> None: ...

    def __len__(self) -> int: ...

    @property
    def solved(self) -> bool:
        """Whether the root of every unfinished search is solved."""

    @property
    def busy(self) -> bool:
        """Whether any search is unfinished."""

    def set_root(self, i: int, state: tablier._core.State, reuse: bool = True) -> None:
        """
        Starts search i at a position.

        Args:
            i: Number of the search, from 0 to n - 1.
            state: The position to search.
            reuse: Whether to keep the part of the tree below this position, if the tree contains it.

        Raises:
            ValueError: If `i` is out of range or the state belongs to a different game.
        """

    def play_games(self, first: int, count: int, max_moves: int = 0) -> None:
        """
        Starts self-play: every decision of every player is searched.

        Args:
            first: Number of the first game; games first .. first + count - 1 are played.
            count: Number of games.
            max_moves: Decisions after which a game is cut; 0 for no limit.
        """

    def play_on(self, states: numpy.typing.NDArray[numpy.uint64], ages: numpy.typing.NDArray[numpy.int64], first: int, moves: int) -> None:
        """
        Continues n games of self-play by a fixed number of decisions each.

        A game that ends is followed by a new one; games that are not over at the end are cut.

        Args:
            states: [n, state_size] where each game continues.
            ages: [n] decisions already taken in each game.
            first: Number of the first game; slot i uses the random numbers of game first + i.
            moves: Decisions to take in each slot.

        Raises:
            TypeError: If an array is missing or has the wrong shape or dtype.
            ValueError: If a state is not valid in this game, or an age is negative.
        """

    def where(self, states: numpy.typing.NDArray[numpy.uint64], ages: numpy.typing.NDArray[numpy.int64]) -> None:
        """
        Writes the current position of every game.

        Args:
            states: [n, state_size] positions.
            ages: [n] decisions taken so far in each game.
        """

    def collect(self, *, features: numpy.typing.NDArray[numpy.float32] | None = None, legal_mask: numpy.typing.NDArray[numpy.bool_] | None = None, player: numpy.typing.NDArray[numpy.int32] | None = None, states: numpy.typing.NDArray[numpy.uint64] | None = None, slots: numpy.typing.NDArray[numpy.int32] | None = None) -> int:
        """
        Advances every search until it waits for a leaf or is finished, and writes out waiting leaves.

        Every array is optional, but at least one is needed, and all must have the same number of rows.
        Rows that need a policy come first (`decisions`).

        Args:
            features: [rows, *features_shape], as `player` sees the leaf.
            legal_mask: [rows, num_distinct_actions] legal actions; all False at chance nodes.
            player: [rows] player who sees the leaf.
            states: [rows, state_size] position of the leaf.
            slots: [rows] search that the leaf belongs to.

        Returns:
            The number of leaves written; 0 only when no search is waiting.

        Raises:
            TypeError: If an array has the wrong shape or dtype.
            ValueError: If no array is given.
            RuntimeError: If the leaves of the last call have not been resumed.
        """

    @property
    def decisions(self) -> int:
        """
        The number of rows from the last `collect()` that need a policy; these rows come first.
        """

    def resume(self, logits: numpy.typing.NDArray[numpy.float32] | None, values: numpy.typing.NDArray[numpy.float32]) -> None:
        """
        Passes on the evaluations of the leaves from the last `collect()`.

        Args:
            logits: [rows, num_distinct_actions] policy logits, or only the first `decisions` rows; None
                for a uniform policy.
            values: [rows, num_players] expected future reward of each player.

        Raises:
            TypeError: If an array has the wrong shape or dtype.
            ValueError: If a value or the logit of a legal action is not finite.
        """

    def run(self, seconds: float = 1e18) -> bool:
        """
        Searches with the native evaluator of the config.

        Args:
            seconds: Time limit.

        Returns:
            True if all searches finished, False if the time was up first or all remaining roots are solved.
        """

    def stop(self) -> None:
        """Ends all searches; their results so far remain."""

    def look(self, i: int, temperature: float = 0.0) -> RootView:
        """
        Returns the result of search i so far.

        Args:
            i: Number of the search, from 0 to n - 1.
            temperature: 0 selects the best action as `best`; above 0 it is drawn in proportion to
                visits ** (1 / temperature).

        Raises:
            ValueError: If nothing has been searched yet.
        """

    def tree(self, i: int, limit: int = 1000) -> list[tuple[int, int, int, int, float, list[float], bool]]:
        """
        Returns the top of the tree of search i, parents before children.

        Args:
            i: Number of the search, from 0 to n - 1.
            limit: Maximum number of nodes.

        Returns:
            For each node: row of its parent (-1 for the root), action, player, visits, prior, values
            (total reward of each player since the start of the game), and whether it is solved.
        """

    def take_finished(self) -> list[dict[str, Any]]:
        """
        Returns the games of self-play that ended since the last call, sorted by number.

        Returns:
            A dict for each game. Arrays have one row per decision: `states`, `players`, `actions`,
            `values` (expected future rewards; NaN for a forced move) and `collected` (rewards so far).
            The policy of row t is entries offsets[t] to offsets[t + 1] - 1 of `policy_actions` and
            `policy`. `number`, `returns` and `cut` describe the whole game.
        """

class Expectimax:
    """
    Searches all actions and rolls to a fixed depth, one batch of leaves per ply.

    Call `begin()`, then for each ply `deepen()` and `give()`, or `deepen_native()`, then `values()` or
    `ranking()`. One thread may use the object at a time; a second one gets RuntimeError.

    Args:
        game: The game to search.
        config: The settings.
        threads: Number of threads, from 1 to 1024.

    Raises:
        TypeError: If an argument or a setting has the wrong type.
        ValueError: If an argument or a setting is out of range.
    """

    def __init__(self, game: tablier._core.Game, config: tablier.search.ExpectimaxConfig, threads: int = 1) -> None: ...

    def begin(self, states: numpy.typing.NDArray[numpy.uint64], player: numpy.typing.NDArray[numpy.int32] | None = None) -> None:
        """
        Starts a search of n positions.

        Args:
            states: [n, state_size] positions.
            player: [n] player who sees a position before a roll, or None.

        Raises:
            TypeError: If an array has the wrong shape or dtype.
            ValueError: If a state is not valid in this game or a player does not exist.
        """

    def deepen(self, seconds: float = 1e18) -> bool:
        """
        Creates the leaves of the next ply.

        Args:
            seconds: Time limit.

        Returns:
            False if there is no further ply, or no time for it.

        Raises:
            ValueError: If the ply would have too many leaves.
        """

    def drop(self) -> None:
        """
        Discards the leaves of the last ply; the results of the earlier plies remain.
        """

    def __len__(self) -> int: ...

    def show(self, begin: int, features: numpy.typing.NDArray[numpy.float32] | None, legal_mask: numpy.typing.NDArray[numpy.bool_] | None, states: numpy.typing.NDArray[numpy.uint64] | None, player: numpy.typing.NDArray[numpy.int32] | None) -> None:
        """
        Writes leaves into arrays with the same number of rows. Each array may be None.

        Args:
            begin: Number of the first leaf.
            features: [rows, *features_shape], as `player` sees the leaf.
            legal_mask: [rows, num_distinct_actions] legal actions.
            states: [rows, state_size] position of the leaf.
            player: [rows] player who sees the leaf.

        Raises:
            TypeError: If an array has the wrong shape or dtype.
            ValueError: If there are not enough leaves.
        """

    def give(self, values: numpy.typing.NDArray[numpy.float32]) -> None:
        """
        Sets the values of all leaves of the last ply.

        Args:
            values: [leaves, num_players] expected future reward of each player.

        Raises:
            TypeError: If the array has the wrong shape or dtype.
            ValueError: If a value is not finite.
        """

    def deepen_native(self, evaluator: tablier.evaluators.native.NativeEvaluator, seed: int = 0, seconds: float = 1e18) -> bool:
        """
        Searches one ply deeper with a native evaluator: `deepen()` and `give()` in one call.

        Args:
            evaluator: An evaluator that runs in C++.
            seed: Seed of rollouts, from 0 to 2**64 - 1.
            seconds: Time limit.

        Returns:
            False if there is no further ply, or no time for it; the ply is then discarded.

        Raises:
            ValueError: If the evaluator does not run in C++, or the ply would have too many leaves.
        """

    def ranking(self, root: int = 0) -> list[tuple[int, list[float], int]]:
        """
        Returns (action, expected future reward of each player, plies searched) for a root, best action first.
        """

    def values(self) -> numpy.typing.NDArray[numpy.float32]:
        """
        Returns a float32 array [n, num_players]: the expected future reward of each player at each root.
        """

def rollouts(game: tablier._core.Game, evaluator: tablier.evaluators.native.NativeEvaluator, states: numpy.typing.NDArray[numpy.uint64], players: numpy.typing.NDArray[numpy.int32], games: int, first: int = 0, decisions: int = 0, luck: bool = True, objective: str = 'own', seed: int = 0, threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.uint8]]:
    """
    Continues games from positions, by a policy that plays the action with the best afterstate.

    Args:
        game: The game of the states.
        evaluator: An evaluator that runs in C++ and values afterstates.
        states: [n, state_size] positions.
        players: [n] player who moved before a roll; ignored at a decision.
        games: Games per position, from 1 to 1,000,000.
        first: Number of the first game. Games with the same number have the same dice in all positions.
        decisions: Decisions after which a game is valued instead of continued; 0 plays it out.
        luck: Whether to measure luck, which takes most of the time.
        objective: What players maximise, `own` or `margin`.
        seed: Seed of the dice, from 0 to 2**64 - 1.
        threads: Number of threads, from 1 to 1024. The result does not depend on it.

    Returns:
        The future rewards [n, games, players], their luck of the same shape (zeros without `luck`), and
        whether each game was played to its end, [n, games].

    Raises:
        TypeError: If an array has the wrong shape or dtype.
        ValueError: If a state is not valid in this game, or the evaluator cannot be the policy.
    """

def open_loop(game: tablier._core.Game, config: tablier.search.SearchConfig, state: tablier._core.State, seed: int = 0, seconds: float = 1e18) -> RootView:
    """
    Runs an open-loop search, in which one plan covers all rolls. Used for comparison.

    Args:
        game: The game of the state.
        config: The settings; the evaluator must run in C++.
        state: The position to search.
        seed: Seed of the dice and rollouts, from 0 to 2**64 - 1.
        seconds: Time limit.

    Raises:
        ValueError: If the state belongs to a different game, or the evaluator does not run in C++.
    """

def words(state: tablier._core.State) -> numpy.typing.NDArray[numpy.uint64]:
    """Returns the words of a state as an array of shape [state_size]."""

def has_heuristic(game: tablier._core.Game) -> bool:
    """Returns whether the game has a heuristic."""

def first_invalid(game: tablier._core.Game, states: numpy.typing.NDArray[numpy.uint64]) -> int:
    """
    Returns the row of the first state in [n, state_size] that is not valid in this game, or -1.
    """

def win_chance(state: tablier._core.State, player: int, margin: float, link: numpy.typing.NDArray[numpy.float64]) -> float:
    """
    Returns the probability that a player wins, given the margin of points that they can expect from a state on.

    Args:
        state: A state that is not terminal.
        player: The player.
        margin: What the player can expect to gain on the opponent, in points.
        link: The numbers of the game (`Home.win_link`).

    Raises:
        TypeError: If `link` has the wrong shape or dtype.
        ValueError: If the game has no such numbers or is over, or `player` is out of range.
    """

def evaluate(game: tablier._core.Game, evaluator: tablier.evaluators.native.NativeEvaluator, states: numpy.typing.NDArray[numpy.uint64], seed: int = 0, threads: int = 1, players: numpy.typing.NDArray[numpy.int32] | None = None) -> numpy.typing.NDArray[numpy.float32]:
    """
    Evaluates states with a native evaluator.

    Args:
        game: The game of the states.
        evaluator: An evaluator that runs in C++.
        states: [n, state_size] positions.
        seed: Seed of rollouts, from 0 to 2**64 - 1.
        threads: Number of threads, from 1 to 1024.
        players: [n] player who sees a position before a roll, for networks; None means player 0.

    Returns:
        A float32 array [n, num_players]: the expected future reward of each player.

    Raises:
        TypeError: If `states` has the wrong shape or dtype.
        ValueError: If a state is not valid in this game, or the evaluator does not run in C++.
    """

def show(game: tablier._core.Game, states: numpy.typing.NDArray[numpy.uint64], players: numpy.typing.NDArray[numpy.int32], features: numpy.typing.NDArray[numpy.float32] | None = None, legal_mask: numpy.typing.NDArray[numpy.bool_] | None = None, threads: int = 1) -> None:
    """
    Writes the network input of states.

    Args:
        game: The game of the states.
        states: [n, state_size] positions.
        players: [n] player who sees each position.
        features: [n, *features_shape] output, or None.
        legal_mask: [n, num_distinct_actions] output, or None; all False where no player is to move.
        threads: Number of threads, from 1 to 1024.

    Raises:
        TypeError: If an array has the wrong shape or dtype.
        ValueError: If a state is not valid in this game or a player does not exist.
    """

def after(game: tablier._core.Game, states: numpy.typing.NDArray[numpy.uint64], actions: numpy.typing.NDArray[numpy.int32], players: numpy.typing.NDArray[numpy.int32], rewards: numpy.typing.NDArray[numpy.float32] | None = None) -> None:
    """
    Replaces each state by its afterstate: plays one action and no dice.

    Args:
        game: The game of the states.
        states: [n, state_size] positions, changed in place.
        actions: [n] action to play in each.
        players: [n] output: the next player to decide or, before a roll, the player who moved; -1 if
            the game is over.
        rewards: [n, num_players] output, or None: rewards of the action.

    Raises:
        TypeError: If an array has the wrong shape or dtype.
        ValueError: If a state is not valid in this game or an action is not legal. The states are
            unchanged.
    """
