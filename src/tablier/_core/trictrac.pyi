"""Parts of Trictrac for tablier.trictrac."""

from collections.abc import Sequence
import enum
from typing import Any

import tablier._core


def plays(game: tablier._core.Game, board: Sequence[int], d1: int, d2: int) -> list[tuple[list[int], list[tuple[int, int]], int]]:
    """
    (board after, moves, action) of every legal play by the rules of a game.
    """

def score(game: tablier._core.Game, board: Sequence[int], d1: int, d2: int, throw_index: int) -> tuple[int, int, dict[str, int]]:
    """
    What a throw gives the mover and the opponent by the rules of a game, and the ways of each jan.
    """

def throw_ways(state: tablier._core.State) -> dict[str, int]:
    """
    The ways of each jan of the throw on the board, as long as it has not been played; none before a throw.
    """

def tariff() -> dict[str, tuple[int, int, bool]]:
    """
    Of each jan: its value, its value on a doublet, whether it goes to the opponent.
    """

def moves(state: tablier._core.State, action: int) -> list[tuple[int, int]]: ...

def named_men(state: tablier._core.State, action: int) -> list[tuple[int, int]]:
    """
    The men that a move names, in order: fields of the mover, each with the die that is played.
    """

def spell(state: tablier._core.State, named_men: Sequence[tuple[int, int]]) -> int:
    """The action that names these men in this order."""

class Stage(enum.IntEnum):
    """The stages of a turn."""

    ROLL_WAITING = 0

    ROLL_DICE = 1

    MARK_POINTS = 2

    HOLD_OR_GO = 3

    MOVE = 4

    MARK_THEIR_POINTS = 5

class SchoolStep(enum.IntEnum):
    """What is decided about the points of a throw, with schools."""

    NONE = 0

    DECLARE = 1

    CLAIM_AGAINST_MOVER = 2

    CLAIM_AGAINST_OTHER = 3

    CLAIM_AFTER_GO = 4

    CLAIM_AFTER_WIN = 5

    DECIDE_FILLING = 6

class Jan(enum.IntEnum):
    """What a throw scores; the names are those of records."""

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
    """The dice of a chance outcome."""

def outcome(d1: int, d2: int) -> int:
    """The chance outcome of these dice."""

def is_move(action: int) -> bool:
    """Whether an action of a player moves men, or passes."""

def declaration(amount: int) -> int:
    """The action that declares these points."""

def claim(amount: int) -> int:
    """The action that claims a school of these points."""

def amount(action: int) -> int:
    """The points that an action declares or claims; 0 for every other."""

class AccountParts:
    """The account of the scored game, one entry a player."""

    def __init__(self, tokens: Sequence[int], lost: Sequence[int], refaits: int, first: int) -> None: ...

    def __eq__(self, arg: object, /) -> bool: ...

    @property
    def tokens(self) -> tuple[int, ...]: ...

    @property
    def lost(self) -> tuple[int, ...]:
        """Marqués lost."""

    @property
    def seats(self) -> tuple[int, ...]:
        """White 0, Black 1, resting 2; only of a state."""

    @property
    def played(self) -> int:
        """Marqués that somebody has lost; only of a state."""

    @property
    def refaits(self) -> int:
        """Void marqués in a row."""

    @property
    def first(self) -> int:
        """The seat that threw first in this marqué."""

class Parts:
    """A state of Trictrac as plain values, pairs in the order White, Black."""

    def __init__(self) -> None: ...

    def __eq__(self, arg: object, /) -> bool: ...

    @property
    def board(self) -> tuple[int, ...]:
        """24 signed counts from White's side."""

    @board.setter
    def board(self, arg: Sequence[int], /) -> None: ...

    def board_from(self, side: int) -> tuple[int, ...]:
        """The board with this side's men positive and fields in its numbering."""

    @property
    def first_throw(self) -> tuple[int, int] | None:
        """With jan_de_rencontre: the first throw until the second."""

    @first_throw.setter
    def first_throw(self, arg: tuple[int, int] | None, /) -> None: ...

    @property
    def winner(self) -> int | None: ...

    @winner.setter
    def winner(self, arg: int | None, /) -> None: ...

    @property
    def stake(self) -> int | None:
        """What the winner wins; only of a state."""

    @property
    def account(self) -> AccountParts | None:
        """None in the ordinary game."""

    @account.setter
    def account(self, arg: AccountParts | None, /) -> None: ...

    @property
    def seats(self) -> tuple[int, ...]:
        """The seat of each player: White 0, Black 1, resting 2."""

    @property
    def dice(self) -> tuple[int, int]:
        """(0, 0) before the throw."""

    @dice.setter
    def dice(self, arg: tuple[int, int], /) -> None: ...

    @property
    def points(self) -> tuple[int, int]: ...

    @points.setter
    def points(self, arg: tuple[int, int], /) -> None: ...

    @property
    def holes(self) -> tuple[int, int]: ...

    @holes.setter
    def holes(self, arg: tuple[int, int], /) -> None: ...

    @property
    def throws(self) -> tuple[int, int]:
        """In this setting, counted to MOST_THROWS."""

    @throws.setter
    def throws(self, arg: tuple[int, int], /) -> None: ...

    @property
    def points_run(self) -> tuple[bool, bool]: ...

    @points_run.setter
    def points_run(self, arg: tuple[bool, bool], /) -> None: ...

    @property
    def holes_run(self) -> tuple[bool, bool]: ...

    @holes_run.setter
    def holes_run(self, arg: tuple[bool, bool], /) -> None: ...

    @property
    def first_hole(self) -> tuple[bool, bool]:
        """Who won the first hole."""

    @first_hole.setter
    def first_hole(self, arg: tuple[bool, bool], /) -> None: ...

    @property
    def corner_just_taken(self) -> tuple[bool, bool]: ...

    @corner_just_taken.setter
    def corner_just_taken(self, arg: tuple[bool, bool], /) -> None: ...

    @property
    def can_bredouille(self) -> tuple[bool, bool]:
        """Only of a state."""

    @property
    def can_big_bredouille(self) -> tuple[bool, bool]:
        """Only of a state."""

    @property
    def player(self) -> int:
        """Who throws and moves."""

    @player.setter
    def player(self, arg: int, /) -> None: ...

    @property
    def stage(self) -> Stage: ...

    @stage.setter
    def stage(self, arg: Stage, /) -> None: ...

    @property
    def drawing(self) -> bool: ...

    @drawing.setter
    def drawing(self, arg: bool, /) -> None: ...

    @property
    def swapped(self) -> bool: ...

    @swapped.setter
    def swapped(self, arg: bool, /) -> None: ...

    @property
    def due(self) -> tuple[int, int]:
        """What the throw gives the mover and the other player."""

    @due.setter
    def due(self, arg: tuple[int, int], /) -> None: ...

    @property
    def school(self) -> SchoolStep: ...

    @school.setter
    def school(self, arg: SchoolStep, /) -> None: ...

    @property
    def declared(self) -> tuple[int, int]:
        """By the mover, by the other player."""

    @declared.setter
    def declared(self, arg: tuple[int, int], /) -> None: ...

    @property
    def claim(self) -> int:
        """Against the mover: an amount, NOTHING_CLAIMED or CORRECTION_CLAIMED."""

    @claim.setter
    def claim(self, arg: int, /) -> None: ...

    @property
    def fill_due(self) -> int: ...

    @fill_due.setter
    def fill_due(self, arg: int, /) -> None: ...

    @property
    def failed(self) -> bool: ...

    @failed.setter
    def failed(self, arg: bool, /) -> None: ...

    @property
    def hole_settled(self) -> bool: ...

    @hole_settled.setter
    def hole_settled(self, arg: bool, /) -> None: ...

    @property
    def left(self) -> tuple[int, int]:
        """
        Fields that men left by the first die, by the second, in a play that failed to fill.
        """

    @left.setter
    def left(self, arg: tuple[int, int], /) -> None: ...

    @property
    def points_before(self) -> tuple[int, int]: ...

    @points_before.setter
    def points_before(self, arg: tuple[int, int], /) -> None: ...

    @property
    def holes_before(self) -> tuple[int, int]: ...

    @holes_before.setter
    def holes_before(self, arg: tuple[int, int], /) -> None: ...

    @property
    def points_run_before(self) -> tuple[bool, bool]: ...

    @points_run_before.setter
    def points_run_before(self, arg: tuple[bool, bool], /) -> None: ...

    @property
    def holes_run_before(self) -> tuple[bool, bool]: ...

    @holes_run_before.setter
    def holes_run_before(self, arg: tuple[bool, bool], /) -> None: ...

    @property
    def first_hole_before(self) -> tuple[bool, bool]: ...

    @first_hole_before.setter
    def first_hole_before(self, arg: tuple[bool, bool], /) -> None: ...

def parts(state: tablier._core.State) -> Parts: ...

def compose(game: tablier._core.Game, parts: Parts, *, due_is_known: bool) -> tablier._core.State:
    """
    A state with these parts. Without a winner among them it is who has the holes for it, and where `due` is not known it
    follows from the position. Raises ValueError with the reason if no game can come to it.
    """

def transfer(game: tablier._core.Game, state: tablier._core.State) -> tablier._core.State: ...

def estimate(state: tablier._core.State) -> list[float]:
    """What each player will still win from here, by the heuristic."""

def heuristic_terms(state: tablier._core.State) -> dict[str, float]:
    """The terms of the heuristic, White's less Black's."""

def heuristic_weights() -> list[float]:
    """
    Of each phase the weights, in the order of the columns of heuristic_games().
    """

def heuristic_match(one: Sequence[float], two: Sequence[float], games: int, seed: int) -> int:
    """How many games the first weights win against the second."""

def heuristic_games(weights: Sequence[float], throws: int, holes_to_win: int, noise: float, seed: int) -> tuple[Any, Any]:
    """
    Self-play for the fit of the weights: the rows of positions before a throw, and beside each who throws, both
    players' holes, the score margin (White's less Black's), who won if the game ended with this throw (else -1), the
    phase.
    """
