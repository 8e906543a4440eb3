"""A game as turns, as records of other programs have it: a throw and up to four moves of one player.

Those records leave out equal dice of the opening throw, and have the four moves of a doublet in one place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tablier._core import Game, State
from tablier._core.backgammon import moves, parts
from tablier.games.backgammon.notation import Move
from tablier.games.backgammon.telling import side_name
from tablier.games.backgammon.typed import Path, match
from tablier.messages import MessageError, Text, reason_of
from tablier.registry import load_game

VARIATIONS = {"standard": "Backgammon", "nackgammon": "Nackgammon", "hyper": "Hypergammon3", "long": "Longgammon"}
"""The option `start` and the name that other programs give it."""


@dataclass(frozen=True)
class Turn:
    """One player's throw and moves."""

    player: int
    dice: tuple[int, int]
    moves: list[Move] = field(default_factory=list)


@dataclass
class GameRecord:
    """One game of a match or of money play: the game, its actions, and what the record says beside them."""

    game: Game
    """The game, with its start position."""
    actions: tuple[int, ...]
    """All actions from the initial state, chance outcomes included."""
    header: dict[str, str]
    """Free text by key: the players under White and Black, an event, a date."""
    length: int = 0
    """Points of the match; 0 for money play."""
    score: tuple[int, int] = (0, 0)
    """Points of White and Black before the game."""
    number: int = 1
    """The number of the game in its match."""


def turns_of(game: Game, actions: Iterable[int]) -> tuple[list[Turn], State]:
    """Returns the turns of a game and its last state; raises MessageError at an illegal action.

    The state counts gammons and backgammons, as other programs do, whatever the game's option `scoring`.
    """
    state, turns = load_game("backgammon", start=game.options()["start"]).new_initial_state(), list[Turn]()
    for number, action in enumerate(actions):
        before = state
        try:
            state = state.child(action)
        except (ValueError, TypeError) as error:
            raise MessageError.of("record.action", number=number, reason=reason_of(error)) from None
        now = parts(state)
        if not before.is_chance_node():
            turns[-1].moves.extend(moves(before, action))
        elif not now.opening:
            turns.append(Turn(now.player, now.dice))
    return turns, state


class Replay:
    """Builds the actions of a game from the turns of a record, and refuses what the rules forbid."""

    def __init__(self, game: Game) -> None:
        self.state, self.actions = game.new_initial_state(), list[int]()
        self.waiting = False  # the last turn was not played to its end

    def play(self, player: int, dice: tuple[int, int], paths: Sequence[Path] | None) -> None:
        """Plays a turn; `paths` is empty for a player who cannot move, None if the record stops after the throw.

        Raises:
            MessageError: it is not this player's turn, or the moves are not legal.
        """
        if self.state.is_terminal():
            raise MessageError.of("backgammon.record.after_end")
        if self.waiting:
            raise MessageError.of("backgammon.record.unplayed")
        self._throw(player, dice)
        if paths is None:
            self.waiting = True
            return
        if paths:
            for action in match(self.state, list(paths)):
                self._apply(action)
        while not self.state.is_chance_node() and self.state.current_player() == player:
            (only, *others) = self.state.legal_actions()
            if others or moves(self.state, only):
                self._stop(bool(paths))
                return
            self._apply(only)

    def _stop(self, some: bool) -> None:
        """Notes that moves are missing: a record may end within a turn, but only there."""
        if not some:
            raise MessageError.of("backgammon.record.can_move")
        if parts(self.state).moves_left != 2 or parts(self.state).dice[0] != parts(self.state).dice[1]:
            raise MessageError.of("backgammon.read.more")
        self.waiting = True

    def _throw(self, player: int, dice: tuple[int, int]) -> None:
        now = parts(self.state)
        first, second = dice
        if now.opening:
            if first == second:
                raise MessageError.of("backgammon.record.opening_doublet")
            high, low = max(dice), min(dice)
            first, second = (high, low) if player == 0 else (low, high)
        elif now.player != player:
            raise MessageError.of("backgammon.record.turn", who=side_name(now.player))
        self._apply(6 * (first - 1) + second - 1)

    def _apply(self, action: int) -> None:
        self.state = self.state.child(action)
        self.actions.append(action)

    def check_result(self, player: int, points: int, money: bool) -> None:
        """Raises MessageError if the game is over and the record gives it to another player or counts it otherwise.

        A gammon may count 1 in money play, because of the Jacoby rule.
        """
        if not self.state.is_terminal():
            return
        now = parts(self.state)
        if now.player != player or not (points == now.points or (money and points == 1)):
            who = side_name(now.player)
            raise MessageError.of("backgammon.record.result", who=who, points=now.points)


def refusal(line: int, text: str, reason: Text) -> MessageError:
    """Returns the error that names a line of a record."""
    shown = repr(text if len(text) <= 160 else f"{text[:157]}...")
    return MessageError.of("backgammon.record.line", number=line, text=shown, reason=reason)


def start_of(variation: str) -> str:
    """Returns the option `start` for the name of a variation; raises MessageError if it is unknown."""
    for start, name in VARIATIONS.items():
        if variation.strip().lower() == name.lower():
            return start
    raise MessageError.of(
        "backgammon.record.variation", name=f"{variation!r:.40}", names=", ".join(VARIATIONS.values())
    )


def side_key(side: int) -> str:
    """Returns the header key of a player."""
    return ("White", "Black")[side]
