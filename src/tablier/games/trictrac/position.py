"""Positions: set up any state of Trictrac, read one, and convert to and from the 18-character id."""

from __future__ import annotations

import contextlib
import itertools
import re
import string
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tablier._core import Game, State
from tablier._core.trictrac import MOST_THROWS, ROLL, Parts, Stage, compose, outcome, parts
from tablier.games.board.ids import state_of_id
from tablier.games.trictrac.jans import check_board
from tablier.games.trictrac.marking import (
    Account,
    Flags,
    Pair,
    School,
    Score,
    flags,
    number,
    pair,
    score_fields,
)
from tablier.messages import MessageError
from tablier.registry import load_game

START = (15, *[0] * 22, -15)
"""The board at the start of a setting, from White's side: all men on the talons."""

STAGES = ("RollWaiting", "RollDice", "MarkPoints", "HoldOrGoChoice", "Move", "MarkAdvPoints")
ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
ID_LENGTH = 18
BOARD_BITS = 77
HOLES = (1, 3, 5, 7, 9, 11)
"""Numbers of holes at which a decision is compared."""


@dataclass(frozen=True)
class Position:
    """Everything a state of Trictrac contains. Pairs are in the order White, Black unless stated otherwise.

    The constructor checks types and ranges and raises ValueError; `state()` also rejects positions that no game can
    reach, with the reason.

    >>> Position(points=(8, 0), holes=(3, 1)).state().is_chance_node()
    True
    >>> Position(points=(8, 0), points_run=(False, False)).state()
    Traceback (most recent call last):
    ValueError: points are a run as long as the other player has none

    After a throw the score includes its points. The easiest way to set up such a position is to throw from the one
    before it:

    >>> board = [9, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 2, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -7]
    >>> after = Position.of(Position(board=board).throw(6, 5))
    >>> after.points, after.holes, after.stage
    ((8, 0), (2, 0), 'HoldOrGoChoice')
    """

    board: Sequence[int] = START
    """24 signed counts from White's side: White's men are positive, Black's negative."""
    dice: Pair = (0, 0)
    """The throw on the board; (0, 0) before the throw."""
    points: Pair = (0, 0)
    """Points, 0 to 11. After a throw they include the mover's points; the opponent marks theirs after the move."""
    holes: Pair = (0, 0)
    """Holes won in this game, or in this marqué."""
    points_run: Flags | None = None
    """Whether each player's points are uninterrupted, so that their next hole counts double (bredouille).

    Default: true only for a player with points whose opponent has none."""
    holes_run: Flags | None = None
    """Whether each player's holes are uninterrupted (grande bredouille).

    Default: true for a player with holes whose opponent has none; if both have holes, it follows from `first_hole`."""
    first_hole: int | None = None
    """Who won the first hole of the game, or of the marqué. Default: derived from `holes` and `holes_run`."""
    throws: Pair | None = None
    """Throws made in this setting, including the current one; 9 means nine or more.

    Default: derived from the talons at the start of a setting, otherwise 9."""
    player: int = 0
    """The player who throws and moves: White 0, Black 1."""
    stage: str = "RollWaiting"
    """One of `STAGES`."""
    corner_just_taken: Flags = (False, False)
    """Whether each player's last play took their corner (for the option `mezeas_next_throw_only`)."""
    drawing: bool = False
    """Whether the opening roll is still to come."""
    swapped: bool = False
    """Whether the colours have changed sides (for the option `swap_colours_on_exit`)."""
    first_throw: Pair | None = None
    """With the option `jan_de_rencontre`, the first throw of the game until the second; (0, 0) before the first."""
    due: Pair | None = None
    """Points the throw gives to the mover and to the opponent. Default: computed from the position."""
    winner: int | None = None
    """The winner of a finished game. Default: the player with enough holes, if any."""
    school: School | None = None
    """The marking in progress, with the option `schools`."""
    account: Account | None = None
    """The account of the scored game; None in the ordinary game."""

    def __post_init__(self) -> None:
        fix = self._fix
        fix("board", tuple(check_board(self.board)))
        fix("dice", pair("dice", self.dice, 6))
        for name, value in score_fields(self).items():
            fix(name, value)
        fix("player", number("player", self.player, 1))
        if self.stage not in STAGES:
            raise ValueError(f"stage must be one of {', '.join(STAGES)}, not {self.stage!r}")
        fix("throws", self._usual_throws() if self.throws is None else pair("throws", self.throws, MOST_THROWS))
        fix("corner_just_taken", flags("corner_just_taken", self.corner_just_taken))
        for name in ("drawing", "swapped"):
            fix(name, bool(number(name, getattr(self, name), 1)))
        if self.first_throw is not None:
            high, low = sorted(pair("first_throw", self.first_throw, 6), reverse=True)
            fix("first_throw", (high, low))
        if self.due is not None:
            fix("due", pair("due", self.due, 254))
        if self.winner is not None:
            fix("winner", number("winner", self.winner, 1))
        for name, kind in (("school", School), ("account", Account)):
            if not isinstance(getattr(self, name), kind | None):
                raise ValueError(f"{name} must be None or a {kind.__name__}")

    def _fix(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _usual_throws(self) -> Pair:
        """Counts the throws at the start of a setting; later on, assumes many."""
        untouched = (self.board[0] == START[0], self.board[23] == START[23])
        mine, theirs = untouched[self.player], untouched[1 - self.player]
        if not mine:
            return MOST_THROWS, MOST_THROWS
        thrown = int(STAGES.index(self.stage) >= Stage.MARK_POINTS)
        return (thrown, int(not theirs)) if self.player == 0 else (int(not theirs), thrown)

    @classmethod
    def of(cls, state: State) -> Position:
        """Reads the position of a state, such that `Position.of(state).state(state.get_game()) == state`."""
        now = parts(state)
        return cls(
            board=now.board,
            dice=now.dice,
            **vars(Score.read(now)),
            throws=now.throws,
            player=now.player,
            stage=STAGES[now.stage],
            corner_just_taken=now.corner_just_taken,
            drawing=now.drawing,
            swapped=now.swapped,
            first_throw=now.first_throw,
            due=now.due if any(now.dice) else None,
            winner=now.winner,
            school=School.read(now),
            account=Account.read(now),
        )

    def state(self, game: Game | None = None, **options: Any) -> State:
        """Creates a state in this position.

        Args:
            game: the game of the state. Default: `trictrac`, or `trictrac_a_ecrire` if the position has an account.
            options: rule options for the default game; not allowed together with `game`.

        Raises:
            ValueError: no game can reach the position, or it does not fit `game`.
        """
        if game is not None and options:
            raise ValueError("pass either a game or options, not both")
        if game is None:
            game = load_game("trictrac" if self.account is None else "trictrac_a_ecrire", **options)
        if self.account is not None and game.name == "trictrac":
            raise MessageError.of("trictrac.position.account")
        return compose(game, self._parts(), due_is_known=self.due is not None)

    def _parts(self) -> Parts:
        result = Parts()
        result.board, result.dice, result.throws = self.board, self.dice, self.throws or (MOST_THROWS, MOST_THROWS)
        result.player, result.stage = self.player, Stage(STAGES.index(self.stage))
        result.corner_just_taken = self.corner_just_taken
        result.drawing, result.swapped = self.drawing, self.swapped
        result.first_throw, result.due, result.winner = self.first_throw, self.due or (0, 0), self.winner
        Score(self.points, self.holes, self.points_run, self.holes_run, self.first_hole).write(result)
        if self.school:
            self.school.write(result)
        if self.account:
            self.account.write(result)
        return result

    def throw(self, d1: int, d2: int, game: Game | None = None, **options: Any) -> State:
        """Creates the state after a throw from this position, with the mover's points marked.

        Args:
            d1: the first die, 1 to 6.
            d2: the second die, 1 to 6.
            game: as in `state`.
            options: as in `state`.

        Raises:
            ValueError: the position or the dice are impossible, or the dice have already been thrown.
        """
        one, two = pair("dice", (d1, d2), 6, 1)
        state = self.state(game, **options)
        if self.stage == "RollDice":
            state.apply_action(ROLL)
        if not state.is_chance_node():
            raise ValueError("the dice have already been thrown in this position")
        state.apply_action(outcome(one, two))
        return state

    def id(self) -> str:
        """Returns the 18-character id (docs/contract.md, section 5).

        An id stores the board, dice, score, stage and player; other fields, such as `throws`, `first_hole` and `due`,
        are not part of it.

        >>> Position().id()
        '//4AAAH//AAAAAABgG'
        """
        bits = "".join("1" * max(n, 0) + "0" for n in self.board)
        bits += "".join("1" * max(-n, 0) + "0" for n in reversed(self.board))
        bits = bits[:BOARD_BITS].ljust(BOARD_BITS, "0")  # the format omits the 0 after the last field
        bits += f"{self.player:b}{STAGES.index(self.stage):03b}{self.dice[0]:03b}{self.dice[1]:03b}"
        points_run, holes_run = self.points_run or (False, False), self.holes_run or (False, False)
        for i in (0, 1):
            can = self.points[i] == 0 or points_run[i]
            can_big = self.holes[i] == 0 or holes_run[i]
            bits += f"{self.points[i]:04b}{min(self.holes[i], 15):04b}{can:b}{can_big:b}"
        bits = bits.ljust(6 * ID_LENGTH, "0")
        return "".join(ALPHABET[int(bits[i : i + 6], 2)] for i in range(0, len(bits), 6))

    @classmethod
    def from_id(cls, text: str) -> Position:
        """Creates the position with this id. Fields that an id does not store have their defaults.

        Raises:
            ValueError: `text` is not a valid id.
        """
        if not isinstance(text, str) or len(text) != ID_LENGTH:
            raise MessageError.of("trictrac.id.length", length=ID_LENGTH)
        if wrong := sorted(set(text) - set(ALPHABET)):
            raise MessageError.of("trictrac.id.letter", letter=wrong[0])
        bits = "".join(f"{ALPHABET.index(letter):06b}" for letter in text)
        white, rest = _read_men(bits[:BOARD_BITS] + "0")
        black, padding = _read_men(rest)
        if "1" in padding or "1" in bits[107:]:
            raise MessageError.of("trictrac.id.padding")
        number = iter(int(bits[a:b], 2) for a, b in itertools.pairwise(_CUTS))
        player, stage, d1, d2 = next(number), next(number), next(number), next(number)
        (p0, h0, c0, g0), (p1, h1, c1, g1) = ([next(number) for _ in range(4)] for _ in range(2))
        if stage >= len(STAGES):
            raise MessageError.of("trictrac.id.stage", stage=stage, most=len(STAGES) - 1)
        shared = [f for f in range(24) if white[f] and black[23 - f]]
        if shared:
            raise MessageError.of("trictrac.id.shared_field", field=shared[0] + 1)
        board = [white[f] - black[23 - f] for f in range(24)]
        return cls(
            board=board,
            dice=(d1, d2),
            points=(p0, p1),
            holes=(h0, h1),
            points_run=(bool(c0 and p0), bool(c1 and p1)),
            holes_run=(bool(g0 and h0), bool(g1 and h1)),
            player=player,
            stage=STAGES[stage],
        )


def at_other_holes(state: State) -> list[tuple[tuple[int, int], State]]:
    """Returns a position with other holes of the mover and the opponent; those that no game can reach are left out."""
    now, found = Position.of(state), []
    for mine, theirs in itertools.product(HOLES, repeat=2):
        holes = (mine, theirs) if now.player == 0 else (theirs, mine)
        with contextlib.suppress(ValueError):
            other = replace(now, holes=holes, holes_run=None, first_hole=None)
            found.append(((mine, theirs), other.state(state.get_game())))
    return found


def read_id(text: str, game: Game) -> State | None:
    """Returns the state of `game` with this position id; None if `text` does not look like an id."""
    if not re.fullmatch(f"[A-Za-z0-9+/]{{{ID_LENGTH}}}", text):
        return None
    if "marques" in game.options():
        raise MessageError.of("trictrac.id.ordinary_game", game=game.name)
    position = Position.from_id(text)
    return state_of_id(position.state, game, "trictrac")


_CUTS = (77, 78, 81, 84, 87, 91, 95, 96, 97, 101, 105, 106, 107)


def _read_men(bits: str) -> tuple[list[int], str]:
    """Decodes 24 counts in unary, each ended by a 0; returns them and the remaining bits."""
    runs = bits.split("0", 24)
    if len(runs) < 25:
        raise MessageError.of("trictrac.id.breaks_off")
    counts = [len(run) for run in runs[:24]]
    if sum(counts) > 15:
        raise MessageError.of("trictrac.id.too_many_men")
    return counts, runs[24]
