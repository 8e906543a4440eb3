"""The compiled part of backgammon."""

from collections.abc import Sequence

import numpy
import numpy.typing

import tablier._core


class Parts:
    """
    A state of backgammon as plain values. Pairs are in the order player 0, player 1.
    """

    def __init__(self) -> None: ...

    def __eq__(self, arg: object, /) -> bool: ...

    @property
    def board(self) -> tuple[int, ...]:
        """
        24 signed counts, points 1 to 24 in player 0's numbering; player 0's men are positive.
        """

    @board.setter
    def board(self, arg: Sequence[int], /) -> None: ...

    @property
    def player(self) -> int:
        """Player who throws, moves or has won."""

    @player.setter
    def player(self, arg: int, /) -> None: ...

    @property
    def moves_left(self) -> int:
        """Moves left: 2, or 4 at the start of a doublet; 0 before a throw."""

    @moves_left.setter
    def moves_left(self, arg: int, /) -> None: ...

    @property
    def opening(self) -> bool:
        """Whether the next throw decides who starts."""

    @opening.setter
    def opening(self, arg: bool, /) -> None: ...

    @property
    def winner(self) -> int | None:
        """Winner of the game, or None."""

    @winner.setter
    def winner(self, arg: int | None, /) -> None: ...

    @property
    def points(self) -> int:
        """What the winner wins. Read from a state only."""

    @property
    def bar(self) -> tuple[int, int]:
        """Men on the bar."""

    @bar.setter
    def bar(self, arg: tuple[int, int], /) -> None: ...

    @property
    def off(self) -> tuple[int, int]:
        """Men borne off."""

    @off.setter
    def off(self, arg: tuple[int, int], /) -> None: ...

    @property
    def dice(self) -> tuple[int, int]:
        """The dice as thrown; (0, 0) before the throw."""

    @dice.setter
    def dice(self, arg: tuple[int, int], /) -> None: ...

def parts(state: tablier._core.State) -> Parts:
    """
    Returns the parts of a state; raises ValueError if it is not a state of backgammon.
    """

def compose(game: tablier._core.Game, parts: Parts) -> tablier._core.State:
    """
    Builds a state from its parts.

    Args:
        game: A game of backgammon, which sets the rules.
        parts: The fields of the state.

    Raises:
        ValueError: If no game can reach this state. The message gives the reason.
    """

def moves(state: tablier._core.State, action: int) -> list[tuple[int, int, bool]]:
    """
    Returns the moves of a legal action in playing order, as (from, to, hits).

    Points are in the mover's numbering; 25 is the bar, 0 is off the board. A pass has no moves.

    Raises:
        ValueError: If the action is not a legal move in this state.
    """

def spell(state: tablier._core.State, men: Sequence[tuple[int, int]]) -> int:
    """
    Returns the action that moves men in this order; `men` are pairs (from, die) as in `moves()`.

    Raises:
        ValueError: If this is not a legal move in this state.
    """

def turns(game: tablier._core.Game, states: numpy.typing.NDArray[numpy.uint64]) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.uint64]]:
    """
    Lists the whole turns of decisions, one per resulting position; a doublet is one turn of two actions.

    Args:
        game: A game of backgammon.
        states: The states, [n, state_size].

    Returns:
        first, [n + 1]: the turns of state i are first[i] to first[i + 1] - 1; none if no player is to move.
        actions, [m, 2]: the actions of each turn; the second is -1 if there is only one.
        after, [m, state_size]: the states after the turns.
    """

def sides(game: tablier._core.Game, states: numpy.typing.NDArray[numpy.uint64]) -> numpy.typing.NDArray[numpy.uint8]:
    """
    Returns the men of the opponent and of the player to act, [n, 2, 25]: points 1 to 24 in each player's own
    numbering, and the bar.
    """

def known_equity(state: tablier._core.State) -> float | None:
    """
    Returns the points that player 0 can expect if both players have all men home, otherwise None.
    """

def bear_off_throws(men: Sequence[int], first: bool = False) -> numpy.typing.NDArray[numpy.float32]:
    """
    Returns the probabilities of bearing off in 1, 2, ... throws, played for the lowest mean.

    Args:
        men: Men on the points 1 to 6.
        first: Count the throws up to the first of fifteen men instead of the last man.
    """

def bear_off_win(mine: Sequence[int], theirs: Sequence[int]) -> float:
    """
    Returns the chance to win of the player on throw, by men on the points 1 to 6. Exact with up to six men each.
    """

def hyper_count(men: int) -> int:
    """Returns the number of positions of one player with 1 to 3 men."""

def hyper_sweep(table: numpy.typing.NDArray[numpy.float32], men: int, points: int, begin: int, end: int) -> float:
    """
    Improves some columns of a table of equities once, in place, and returns the largest change.

    Args:
        table: [count, count]; entry [x, y] is the equity of a player on throw with position y against x.
        men: Number of men of each player, 1 to 3.
        points: What the largest win counts, 1 to 3.
        begin: The first column.
        end: One past the last column.
    """
