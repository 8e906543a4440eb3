"""Searches in C++; tablier.search is the door."""

from typing import Any

import numpy
import numpy.typing

import tablier._core
import tablier.evaluators.native
import tablier.search


class Setting:
    """A setting of a search: its default, its range, what it means."""

    @property
    def name(self) -> str: ...

    @property
    def doc(self) -> str: ...

    @property
    def default(self) -> int | float | bool | str: ...

    @property
    def least(self) -> int | float | None:
        """None for flags and choices."""

    @property
    def most(self) -> int | float | None:
        """None for flags and choices."""

    @property
    def choices(self) -> tuple[str, ...]:
        """Empty unless it is one of several words."""

def search_settings() -> list[Setting]:
    """Those of tablier.search.SearchConfig."""

def expectimax_settings() -> list[Setting]:
    """Those of tablier.search.ExpectimaxConfig."""

class Candidate:
    """An action of a searched position."""

    @property
    def action(self) -> int: ...

    @property
    def visits(self) -> int: ...

    @property
    def prior(self) -> float: ...

    @property
    def policy(self) -> float:
        """Its probability in the policy that the search improved."""

    @property
    def returns(self) -> tuple[float, ...]:
        """
        What every player will still collect; the root's value if it was not visited.
        """

    @property
    def solved(self) -> bool:
        """Whether the value is exact."""

class RootView:
    """What a search has found out about its position."""

    @property
    def candidates(self) -> list[Candidate]:
        """In the order of actions."""

    @property
    def best(self) -> int:
        """The action to play; -1 if there is none."""

    @property
    def value(self) -> tuple[float, ...]:
        """What every player will still collect."""

    @property
    def simulations(self) -> int: ...

    @property
    def reused(self) -> int:
        """Visits that an earlier search had made."""

    @property
    def nodes(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    @property
    def solved(self) -> bool: ...

    @property
    def full(self) -> bool:
        """Whether the tree reached its bound."""

class Pool:
    """Many searches side by side, or games that play themselves."""

    def __init__(self, game: tablier._core.Game, config: tablier.search.SearchConfig, n: int, seed: int = 0, threads: int = 1) -> None: ...

    def __len__(self) -> int: ...

    @property
    def solved(self) -> bool:
        """Whether all that is still searched is solved."""

    @property
    def busy(self) -> bool:
        """Whether some search is not finished."""

    def set_root(self, i: int, state: tablier._core.State, reuse: bool = True) -> None:
        """
        Search i begins with this position, keeping what its tree knows about it.
        """

    def play_games(self, first: int, count: int, max_moves: int = 0) -> None:
        """
        Games first .. first + count - 1 are played by searching for both sides; max_moves cuts them.
        """

    def play_on(self, states: numpy.typing.NDArray[numpy.uint64], ages: numpy.typing.NDArray[numpy.int64], first: int, moves: int) -> None:
        """
        Every game goes on from states [n, words] by so many decisions, with the dice of games first .. first + n
        - 1; new games follow those that end, and what is not over then is cut. `ages` are decisions taken so far.
        """

    def where(self, states: numpy.typing.NDArray[numpy.uint64], ages: numpy.typing.NDArray[numpy.int64]) -> None:
        """Writes where the games are now."""

    def collect(self, *, features: numpy.typing.NDArray[numpy.float32] | None = None, legal_mask: numpy.typing.NDArray[numpy.bool_] | None = None, player: numpy.typing.NDArray[numpy.int32] | None = None, states: numpy.typing.NDArray[numpy.uint64] | None = None, slots: numpy.typing.NDArray[numpy.int32] | None = None) -> int:
        """
        Goes on until every search waits for a leaf or is finished, and writes leaves into the first rows of the
        arrays. Returns how many; 0 only when no search waits.
        """

    @property
    def decisions(self) -> int:
        """
        How many of the rows that collect() wrote need a policy; they are the first ones.
        """

    def resume(self, logits: numpy.typing.NDArray[numpy.float32] | None, values: numpy.typing.NDArray[numpy.float32]) -> None:
        """
        The evaluations of the rows that collect() wrote; logits may end where no policy is needed.
        """

    def run(self, seconds: float = 1e18) -> bool:
        """
        Searches with the config's own evaluator. True when all is finished, False when the time was over first.
        """

    def stop(self) -> None:
        """Ends all searches with what they have."""

    def look(self, i: int, temperature: float = 0.0) -> RootView:
        """What search i has found out."""

    def tree(self, i: int, limit: int = 1000) -> list[tuple[int, int, int, int, float, list[float], bool]]:
        """
        Nodes of a tree, parents first: parent's row, action, player, visits, prior, values since the beginning of
        the game, solved.
        """

    def take_finished(self) -> list[dict[str, Any]]:
        """Games that ended since the last call, by number."""

class Expectimax:
    """Full-width search, all leaves of a ply in one batch."""

    def __init__(self, game: tablier._core.Game, config: tablier.search.ExpectimaxConfig, threads: int = 1) -> None: ...

    def begin(self, states: numpy.typing.NDArray[numpy.uint64], player: numpy.typing.NDArray[numpy.int32] | None = None) -> None:
        """
        The positions to search; `player` says from whose side those before the dice are seen.
        """

    def deepen(self, seconds: float = 1e18) -> bool:
        """
        Makes the leaves of the next ply. False if there is none, or no time for it.
        """

    def drop(self) -> None:
        """Forgets the leaves of the last ply: what was found before stands."""

    def __len__(self) -> int: ...

    def show(self, begin: int, features: numpy.typing.NDArray[numpy.float32] | None, legal_mask: numpy.typing.NDArray[numpy.bool_] | None, states: numpy.typing.NDArray[numpy.uint64] | None, player: numpy.typing.NDArray[numpy.int32] | None) -> None:
        """Writes leaves from number `begin` on into the arrays."""

    def give(self, values: numpy.typing.NDArray[numpy.float32]) -> None: ...

    def give_native(self, evaluator: tablier.evaluators.native.NativeEvaluator, seed: int = 0, seconds: float = 1e18) -> bool:
        """
        The leaves' values by an evaluator that runs in C++. False if the time was over: the ply is dropped.
        """

    def ranking(self, root: int = 0) -> list[tuple[int, list[float], int]]:
        """
        Actions of a root, the best first: action, values to come, plies looked at.
        """

    def values(self) -> numpy.typing.NDArray[numpy.float32]:
        """Values to come of the roots."""

def open_loop(game: tablier._core.Game, config: tablier.search.SearchConfig, state: tablier._core.State, seed: int = 0, seconds: float = 1e18) -> RootView: ...

def words(state: tablier._core.State) -> numpy.typing.NDArray[numpy.uint64]:
    """The words of a state."""

def has_heuristic(game: tablier._core.Game) -> bool: ...

def first_invalid(game: tablier._core.Game, states: numpy.typing.NDArray[numpy.uint64]) -> int:
    """The first of n states that no game under these rules can reach, or -1."""

def evaluate(game: tablier._core.Game, evaluator: tablier.evaluators.native.NativeEvaluator, states: numpy.typing.NDArray[numpy.uint64], seed: int = 0, threads: int = 1) -> numpy.typing.NDArray[numpy.float32]:
    """Returns to come of n states by an evaluator that runs in C++."""

def show(game: tablier._core.Game, states: numpy.typing.NDArray[numpy.uint64], players: numpy.typing.NDArray[numpy.int32], features: numpy.typing.NDArray[numpy.float32] | None = None, legal_mask: numpy.typing.NDArray[numpy.bool_] | None = None, threads: int = 1) -> None:
    """Writes what the players see of n states."""

def after(game: tablier._core.Game, states: numpy.typing.NDArray[numpy.uint64], actions: numpy.typing.NDArray[numpy.int32], players: numpy.typing.NDArray[numpy.int32], rewards: numpy.typing.NDArray[numpy.float32] | None = None) -> None:
    """
    Plays one action in each of n states, in place, no dice. `players` are then those who see them: the next to
    decide or, before dice, who moved; -1 where the game is over; `rewards` what the actions brought.
    """
