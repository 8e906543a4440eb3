"""The compiled part of Trictrac. Use `tablier.trictrac` instead."""

from collections.abc import Sequence
import enum
from typing import Any

import tablier._core


def plays(game: tablier._core.Game, board: Sequence[int], d1: int, d2: int) -> list[tuple[list[int], list[tuple[int, int]], int]]:
    """
    Returns every legal play of a throw under the rules of a game.

    Args:
        game: A game of Trictrac, which sets the rules.
        board: 24 signed counts, one per field in the mover's numbering; the mover's men are positive.
        d1: First die.
        d2: Second die.

    Returns:
        A list of (board after the play, moves, action), one for each final position. Moves are pairs
        (from, to) of field numbers; 25 means borne off.

    Raises:
        ValueError: If the board or the dice are impossible.
    """

def score(game: tablier._core.Game, board: Sequence[int], d1: int, d2: int, throw_index: int) -> tuple[int, int, dict[str, int]]:
    """
    Scores a throw under the rules of a game.

    Args:
        game: A game of Trictrac, which sets the rules.
        board: 24 signed counts, one per field in the mover's numbering; the mover's men are positive.
        d1: First die.
        d2: Second die.
        throw_index: Number of this throw among the mover's throws of the setting, from 1.

    Returns:
        The points of the mover, the points of the opponent, and the number of ways of each jan.

    Raises:
        ValueError: If the board or the dice are impossible.
    """

def throw_ways(state: tablier._core.State) -> dict[str, int]:
    """
    Returns the number of ways of each jan that the current throw scores; empty before a throw.
    """

def tariff() -> dict[str, tuple[int, int, bool]]:
    """
    Returns (points per way, points per way on a doublet, whether the opponent marks them) for each jan.
    """

def moves(state: tablier._core.State, action: int) -> list[tuple[int, int]]:
    """
    Returns the moves of an action as pairs (from, to) of the mover's field numbers; 25 means borne off.

    A man that plays both dice is one pair. The list is empty if no number can be played.

    Raises:
        ValueError: If the action is not a move in this state.
    """

def named_men(state: tablier._core.State, action: int) -> list[tuple[int, int]]:
    """
    Returns the men that a move names, in playing order, as pairs (field of the mover, die).

    Raises:
        ValueError: If the action is not a move or names a man that is not there.
    """

def spell(state: tablier._core.State, named_men: Sequence[tuple[int, int]]) -> int:
    """
    Returns the action that moves the given men in this order; the inverse of `named_men()`.

    Raises:
        ValueError: If there are not one or two men, a field has no man, or a die does not exist.
    """

class Stage(enum.IntEnum):
    """A stage of a turn."""

    ROLL_WAITING = 0

    ROLL_DICE = 1

    MARK_POINTS = 2

    HOLD_OR_GO = 3

    MOVE = 4

    MARK_THEIR_POINTS = 5

class SchoolStep(enum.IntEnum):
    """The decision about the points of a throw, when schools are played."""

    NONE = 0

    DECLARE = 1

    CLAIM_AGAINST_MOVER = 2

    CLAIM_AGAINST_OTHER = 3

    CLAIM_AFTER_GO = 4

    CLAIM_AFTER_WIN = 5

    DECIDE_FILLING = 6

class Jan(enum.IntEnum):
    """A way to score with a throw. Game records use these names."""

    hit_small = 0

    hit_big = 1

    false_small = 2

    false_big = 3

    corner = 4

    fill_small = 5

    fill_big = 6

    fill_return = 7

    conserve_small = 8

    conserve_big = 9

    conserve_return = 10

    six_tables = 11

    two_tables = 12

    contre_two_tables = 13

    mezeas = 14

    contre_mezeas = 15

    exit = 16

    helpless = 17

    pile_de_misere = 18

    margot = 19

    jan_de_rencontre = 20

ROLL: int = 0

LEAVE: int = 1

FIRST_MOVE: int = 2

DECLARE: int = 514

CLAIM: int = 578

CORRECT: int = 641

NO_CLAIM: int = 642

FILL: int = 643

NOTHING_CLAIMED: int = 255

CORRECTION_CLAIMED: int = 254

MOST_DECLARED: int = 126

MOST_THROWS: int = 9

MOST_TOKENS: int = 10000000

MOST_MARQUES: int = 240

def throw(outcome: int) -> tuple[int, int]:
    """
    Returns the two dice of a chance outcome; raises ValueError unless it is from 0 to 35.
    """

def outcome(d1: int, d2: int) -> int:
    """
    Returns the chance outcome of two dice; raises ValueError unless they are from 1 to 6.
    """

def is_move(action: int) -> bool:
    """Returns whether a player action is a move; a pass counts as one."""

def declaration(amount: int) -> int:
    """Returns the action that declares this amount of points."""

def claim(amount: int) -> int:
    """Returns the action that claims a school of this amount of points."""

def amount(action: int) -> int:
    """
    Returns the points that an action declares or claims; 0 for all other actions.
    """

class AccountParts:
    """The account of the scored game, one entry per player."""

    def __init__(self, tokens: Sequence[int], lost: Sequence[int], refaits: int, first: int) -> None: ...

    def __eq__(self, arg: object, /) -> bool: ...

    @property
    def tokens(self) -> tuple[int, ...]:
        """Tokens won or lost by each player."""

    @property
    def lost(self) -> tuple[int, ...]:
        """Marqués lost by each player."""

    @property
    def seats(self) -> tuple[int, ...]:
        """
        Seat of each player: White 0, Black 1, sitting out 2. Read from a state only.
        """

    @property
    def played(self) -> int:
        """Marqués played, without void ones. Read from a state only."""

    @property
    def refaits(self) -> int:
        """Consecutive void marqués."""

    @property
    def first(self) -> int:
        """Seat that threw first in this marqué."""

class Parts:
    """
    A state of Trictrac as plain values. Pairs are in the order White, Black unless noted.
    """

    def __init__(self) -> None: ...

    def __eq__(self, arg: object, /) -> bool: ...

    @property
    def board(self) -> tuple[int, ...]:
        """
        24 signed counts by field in White's numbering; White's men are positive.
        """

    @board.setter
    def board(self, arg: Sequence[int], /) -> None: ...

    def board_from(self, side: int) -> tuple[int, ...]:
        """
        Returns the board in the numbering of a side (White 0, Black 1), whose men are positive.
        """

    @property
    def first_throw(self) -> tuple[int, int] | None:
        """
        With option jan_de_rencontre: first throw of the game, kept until the second; else None.
        """

    @first_throw.setter
    def first_throw(self, arg: tuple[int, int] | None, /) -> None: ...

    @property
    def winner(self) -> int | None:
        """Winner of the game, or None."""

    @winner.setter
    def winner(self, arg: int | None, /) -> None: ...

    @property
    def stake(self) -> int | None:
        """What the winner wins. Read from a state only."""

    @property
    def account(self) -> AccountParts | None:
        """Account of the scored game; None in the ordinary game."""

    @account.setter
    def account(self, arg: AccountParts | None, /) -> None: ...

    @property
    def seats(self) -> tuple[int, ...]:
        """Seat of each player: White 0, Black 1, sitting out 2."""

    @property
    def dice(self) -> tuple[int, int]:
        """(0, 0) before the throw."""

    @dice.setter
    def dice(self, arg: tuple[int, int], /) -> None: ...

    @property
    def points(self) -> tuple[int, int]:
        """Points, from 0 to 10."""

    @points.setter
    def points(self, arg: tuple[int, int], /) -> None: ...

    @property
    def holes(self) -> tuple[int, int]:
        """Holes won."""

    @holes.setter
    def holes(self, arg: tuple[int, int], /) -> None: ...

    @property
    def throws(self) -> tuple[int, int]:
        """Throws in this setting, counted up to MOST_THROWS."""

    @throws.setter
    def throws(self, arg: tuple[int, int], /) -> None: ...

    @property
    def points_run(self) -> tuple[bool, bool]:
        """Whether the points are an unbroken run."""

    @points_run.setter
    def points_run(self, arg: tuple[bool, bool], /) -> None: ...

    @property
    def holes_run(self) -> tuple[bool, bool]:
        """Whether the holes are an unbroken run."""

    @holes_run.setter
    def holes_run(self, arg: tuple[bool, bool], /) -> None: ...

    @property
    def first_hole(self) -> tuple[bool, bool]:
        """Whether the player won the first hole of the game."""

    @first_hole.setter
    def first_hole(self, arg: tuple[bool, bool], /) -> None: ...

    @property
    def corner_just_taken(self) -> tuple[bool, bool]:
        """Whether the last play took the corner."""

    @corner_just_taken.setter
    def corner_just_taken(self, arg: tuple[bool, bool], /) -> None: ...

    @property
    def can_bredouille(self) -> tuple[bool, bool]:
        """
        Whether the next hole can be won in bredouille. Read from a state only.
        """

    @property
    def can_big_bredouille(self) -> tuple[bool, bool]:
        """Whether the game can be won in bredouille. Read from a state only."""

    @property
    def player(self) -> int:
        """Player who throws and moves."""

    @player.setter
    def player(self, arg: int, /) -> None: ...

    @property
    def stage(self) -> Stage:
        """Stage of the turn."""

    @stage.setter
    def stage(self, arg: Stage, /) -> None: ...

    @property
    def drawing(self) -> bool:
        """Whether the next roll is the draw for the first throw."""

    @drawing.setter
    def drawing(self, arg: bool, /) -> None: ...

    @property
    def swapped(self) -> bool:
        """Whether the colours have changed sides."""

    @swapped.setter
    def swapped(self, arg: bool, /) -> None: ...

    @property
    def due(self) -> tuple[int, int]:
        """Points that the throw gives to the mover and to the other player."""

    @due.setter
    def due(self, arg: tuple[int, int], /) -> None: ...

    @property
    def school(self) -> SchoolStep:
        """Decision about the points of the throw, with schools."""

    @school.setter
    def school(self, arg: SchoolStep, /) -> None: ...

    @property
    def declared(self) -> tuple[int, int]:
        """Points declared by the mover and by the other player."""

    @declared.setter
    def declared(self, arg: tuple[int, int], /) -> None: ...

    @property
    def claim(self) -> int:
        """
        Claim against the mover: an amount, NOTHING_CLAIMED or CORRECTION_CLAIMED.
        """

    @claim.setter
    def claim(self, arg: int, /) -> None: ...

    @property
    def fill_due(self) -> int:
        """Part of the mover's due points that is for filling or keeping."""

    @fill_due.setter
    def fill_due(self, arg: int, /) -> None: ...

    @property
    def failed(self) -> bool:
        """Whether the mover neglected to fill or keep."""

    @failed.setter
    def failed(self, arg: bool, /) -> None: ...

    @property
    def hole_settled(self) -> bool:
        """Whether the hole of this throw can no longer be claimed."""

    @hole_settled.setter
    def hole_settled(self, arg: bool, /) -> None: ...

    @property
    def left(self) -> tuple[int, int]:
        """
        Fields that men left by the first and by the second die, in a play that neglected to fill.
        """

    @left.setter
    def left(self, arg: tuple[int, int], /) -> None: ...

    @property
    def points_before(self) -> tuple[int, int]:
        """Points before the throw was marked, with schools."""

    @points_before.setter
    def points_before(self, arg: tuple[int, int], /) -> None: ...

    @property
    def holes_before(self) -> tuple[int, int]:
        """Holes before the throw was marked, with schools."""

    @holes_before.setter
    def holes_before(self, arg: tuple[int, int], /) -> None: ...

    @property
    def points_run_before(self) -> tuple[bool, bool]:
        """`points_run` before the throw was marked, with schools."""

    @points_run_before.setter
    def points_run_before(self, arg: tuple[bool, bool], /) -> None: ...

    @property
    def holes_run_before(self) -> tuple[bool, bool]:
        """`holes_run` before the throw was marked, with schools."""

    @holes_run_before.setter
    def holes_run_before(self, arg: tuple[bool, bool], /) -> None: ...

    @property
    def first_hole_before(self) -> tuple[bool, bool]:
        """`first_hole` before the throw was marked, with schools."""

    @first_hole_before.setter
    def first_hole_before(self, arg: tuple[bool, bool], /) -> None: ...

def parts(state: tablier._core.State) -> Parts:
    """
    Returns the parts of a state; raises ValueError if it is not a state of Trictrac.
    """

def compose(game: tablier._core.Game, parts: Parts, *, due_is_known: bool) -> tablier._core.State:
    """
    Builds a state from its parts.

    If no winner is given, a player with enough holes has won.

    Args:
        game: A game of Trictrac, which sets the rules.
        parts: The fields of the state.
        due_is_known: Whether `parts.due` is given; if not, it is computed from the position.

    Raises:
        ValueError: If no game can reach this state. The message gives the reason.
    """

def transfer(game: tablier._core.Game, state: tablier._core.State) -> tablier._core.State:
    """
    Returns the same position as a state of another game with the same rules of play.

    The games may differ in utility and encoding.

    Raises:
        ValueError: If the rules differ, or this is not the ordinary game.
    """

def estimate(state: tablier._core.State) -> list[float]:
    """
    Returns the heuristic's estimate of each player's future reward, White first.

    Raises:
        ValueError: If the state is not one of the ordinary game.
    """

def heuristic_terms(state: tablier._core.State) -> dict[str, float]:
    """
    Returns the terms of the heuristic, White's minus Black's.

    The terms are not weighted, except `men` and `score`, which are in points.

    Raises:
        ValueError: If the state is not one of the ordinary game.
    """

def heuristic_weights() -> list[float]:
    """
    Returns the weights of each phase in turn, in the column order of `heuristic_games()`.
    """

def heuristic_match(one: Sequence[float], two: Sequence[float], games: int, seed: int) -> int:
    """
    Plays games to twelve holes between two sets of weights, with alternating seats.

    Args:
        one: Weights, as `heuristic_weights()` returns them.
        two: Weights of the opponent.
        games: Number of games.
        seed: Seed of the dice.

    Returns:
        The number of games that `one` wins.

    Raises:
        ValueError: If there are too few or too many weights.
    """

def heuristic_games(weights: Sequence[float], throws: int, holes_to_win: int, noise: float, seed: int) -> tuple[Any, Any]:
    """
    Plays the heuristic against itself and returns the positions before each throw.

    Args:
        weights: Weights, as `heuristic_weights()` returns them.
        throws: Number of throws to play, from 1 to 100,000,000.
        holes_to_win: Holes that win a game, from 1 to 100.
        noise: Probability that a move is random.
        seed: Seed of the dice and random moves.

    Returns:
        A float32 array [throws, weights per phase] whose product with the weights is the advantage of
        the player who throws, and an int32 array [throws, 6]: player who throws, White's holes,
        Black's holes, score margin (White's minus Black's), winner if this throw ended the game
        (else -1), phase.

    Raises:
        ValueError: If an argument is out of range.
    """
