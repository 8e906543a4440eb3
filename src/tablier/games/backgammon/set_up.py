"""Positions set up by hand: the men, those on the bar, and who is to throw. Men that are not placed are borne off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tablier._core import Game, State
from tablier._core.backgammon import parts
from tablier.games.backgammon.position import HYPER_MEN, MEN, Position
from tablier.games.board.ids import state_of_id
from tablier.games.set_up import Pair, SetUp, SetUpField
from tablier.messages import Message, MessageError


def men_of(game: Game) -> int:
    """Returns the number of men of each player."""
    return HYPER_MEN if game.options()["start"] == "hyper" else MEN


def set_up(state: State) -> SetUp:
    """Returns the position of a state, to be changed by hand."""
    now = parts(state)
    sides = {side: Message(f"backgammon.side.{side}") for side in (0, 1)}
    field = SetUpField("player", Message("backgammon.set_up.player"), now.player, sides)
    return SetUp(now.board, now.bar, men_of(state.get_game()), [field])


def from_set_up(game: Game, men: Sequence[int], bar: Pair, values: Mapping[str, int]) -> State:
    """Returns the state of a position that was set up by hand, before a throw.

    Args:
        game: the game.
        men: 24 signed counts from White's side.
        bar: White's and Black's men on the bar.
        values: `player`, who is to throw.

    Raises:
        MessageError: a value is not among the choices, or no game can reach the position.
    """
    for name, value in values.items():
        if name != "player" or value not in (0, 1):
            raise MessageError.of("backgammon.set_up.value", name=f"{name:.40}", value=value)
    total = men_of(game)
    placed = [bar[side] + sum(max(0, -count if side else count) for count in men) for side in (0, 1)]
    for side in (0, 1):
        if placed[side] > total:
            raise MessageError.of("backgammon.id.too_many_men", player=side, n=placed[side], men=total)
    off = (total - placed[0], total - placed[1])
    if total in off:
        raise MessageError.of("backgammon.set_up.no_men")
    position = Position(board=men, bar=bar, off=off, player=values.get("player", 0))
    return state_of_id(position.state, game, "backgammon")
