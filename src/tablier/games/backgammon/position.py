"""Positions of backgammon with their ids, and the states they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tablier._core import Game, State
from tablier._core.backgammon import Parts, compose, parts
from tablier.games.backgammon import ids
from tablier.games.backgammon.fields import Pair, number, pair, sequence
from tablier.games.backgammon.ids import MONEY, Match
from tablier.games.board.ids import state_of_id
from tablier.messages import MessageError
from tablier.registry import load_game

START = (-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2)
"""The usual start, in player 0's numbering: player 0's men are positive."""
MEN, HYPER_MEN = 15, 3


@dataclass(frozen=True)
class Position:
    """A position of backgammon. The fields have the names and conventions of `tablier.backgammon` states.

    >>> Position().id()
    '4HPwATDgc/ABMA:cAkAAAAAAAAE'
    >>> after = Position.from_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
    >>> after.dice, after.state().current_player()
    ((3, 1), 0)
    """

    board: Sequence[int] = START
    """24 signed counts, points 1 to 24 in player 0's numbering; player 0's men are positive."""
    bar: Pair = (0, 0)
    """Men on the bar."""
    off: Pair | None = None
    """Men borne off. Default: those missing to fifteen."""
    dice: Pair = (0, 0)
    """The throw on the board; (0, 0) before the throw."""
    player: int = 0
    """The player who throws or moves, or who has won."""
    moves_left: int | None = None
    """Moves left after a throw: 2, or 4 at the start of a doublet. Default: all of them."""
    opening: bool = False
    """Whether the next throw decides who starts."""
    winner: int | None = None
    """The winner of a finished game. Default: the player who has borne off all men, if any."""
    match: Match = MONEY
    """What ids say about the match and the cube; states do not store it."""

    def __post_init__(self) -> None:
        fix = self._fix
        fix("board", tuple(number("board", count, -MEN, MEN) for count in sequence("board", self.board, 24)))
        fix("bar", pair("bar", self.bar, MEN))
        fix("dice", pair("dice", self.dice, 6))
        fix("player", number("player", self.player, 0, 1))
        on_board = [self.bar[player] + sum(self._men(player)) for player in (0, 1)]
        fix("off", tuple(MEN - n for n in on_board) if self.off is None else pair("off", self.off, MEN))
        for player in (0, 1):
            if not 0 <= self._off[player] <= MEN - on_board[player]:
                total = self._off[player] + on_board[player]
                raise MessageError.of("backgammon.position.men", player=player, n=max(total, on_board[player]))
        gone = [player for player in (0, 1) if not on_board[player]]
        if len(gone) == 2:
            raise MessageError.of("backgammon.id.no_men")
        if self.winner is None and gone:
            fix("winner", gone[0])
        if self.winner is not None:
            fix("winner", number("winner", self.winner, 0, 1))
            fix("player", self.winner)
        if self.moves_left is None:
            doublet = self.dice[0] == self.dice[1]
            fix("moves_left", 0 if self.dice == (0, 0) else 4 if doublet else 2)
        fix("moves_left", number("moves_left", self.moves_left, 0, 4))
        fix("opening", bool(number("opening", self.opening, 0, 1)))
        if not isinstance(self.match, Match):
            raise ValueError("match must be a Match")

    def _fix(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _men(self, player: int) -> list[int]:
        """Returns a player's men on points 1 to 24 of their own numbering."""
        board = self.board if player == 0 else [-count for count in reversed(self.board)]
        return [max(0, count) for count in board]

    @property
    def _off(self) -> Pair:
        return self.off or (0, 0)

    @classmethod
    def of(cls, state: State) -> Position:
        """Reads the position of a state, such that `Position.of(state).state(state.get_game()) == state`."""
        now = parts(state)
        names = ("board", "bar", "off", "dice", "player", "moves_left", "opening", "winner")
        return cls(**{name: getattr(now, name) for name in names})

    def state(self, game: Game | None = None, **options: Any) -> State:
        """Creates a state in this position.

        Args:
            game: the game of the state. Default: `backgammon`, with `start="hyper"` if each player has three men.
            options: rule options for the default game; not allowed together with `game`.

        Raises:
            ValueError: no game can reach the position, or it does not fit `game`.
        """
        if game is not None and options:
            raise ValueError("pass either a game or options, not both")
        if game is None:
            men = self._off[0] + self.bar[0] + sum(self._men(0))
            game = load_game("backgammon", **({"start": "hyper"} if men == HYPER_MEN else {}) | options)
        whole = Parts()
        for name in ("board", "bar", "off", "dice", "player", "moves_left", "opening", "winner"):
            setattr(whole, name, getattr(self, name))
        return compose(game, whole)

    def throw(self, d1: int, d2: int, game: Game | None = None, **options: Any) -> State:
        """Creates the state after a throw from this position.

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
        if not state.is_chance_node():
            raise MessageError.of("backgammon.position.thrown")
        return state.child(6 * (one - 1) + two - 1)

    def id(self) -> str:
        """Returns GNU Backgammon's position id and match id, joined by a colon.

        Raises:
            MessageError: two moves of a doublet have been made: an id has no place for that.
        """
        return f"{self.position_id()}:{self.match_id()}"

    def position_id(self) -> str:
        """Returns GNU Backgammon's position id: the men, seen by the player who throws or moves.

        >>> Position().position_id()
        '4HPwATDgc/ABMA'
        """
        return ids.position_id(self._sides(), self.player)

    def match_id(self) -> str:
        """Returns GNU Backgammon's match id: who is to move, the dice, the cube and the match."""
        state = ids.NOT_STARTED if self.opening else ids.PLAYING if self.winner is None else ids.OVER
        return ids.match_id(self.match, self.player, self._whole_dice(), state)

    def xgid(self) -> str:
        """Returns the XGID.

        Raises:
            MessageError: the position is the opening throw, or two moves of a doublet have been made.

        >>> Position().xgid()
        'XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10'
        """
        if self.opening:
            raise MessageError.of("backgammon.id.no_opening")
        return ids.xgid(self._sides(), self.player, self._whole_dice(), self.match)

    @classmethod
    def from_id(cls, text: str, men: int = MEN) -> Position:
        """Creates the position with this id.

        Args:
            text: a position id of GNU Backgammon (player 0 is to throw), the same with a match id, or an XGID.
            men: the men of each player: 15, or 3 in hypergammon. Those not on the board are borne off.

        Raises:
            MessageError: `text` is not a valid id.

        >>> Position.from_id("sGfwATDgc/ABMA:MAEAAAAAAAAA").board[4:8]
        (2, 4, 0, 2)
        """
        return cls(**ids.read(text, men))

    def _sides(self) -> tuple[list[int], list[int]]:
        return [*self._men(0), self.bar[0]], [*self._men(1), self.bar[1]]

    def _whole_dice(self) -> Pair:
        if self.moves_left == 2 and self.dice[0] == self.dice[1]:
            raise MessageError.of("backgammon.id.half_doublet")
        return self.dice


def read_id(text: str, game: Game) -> State | None:
    """Returns the state of `game` with this id; None if `text` does not look like an id."""
    if not ids.looks_like_id(text):
        return None
    position = Position.from_id(text, HYPER_MEN if game.options()["start"] == "hyper" else MEN)
    return state_of_id(position.state, game, "backgammon")
