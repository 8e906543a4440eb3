"""Positions set up by hand: the men, the score and who is to throw. The dice are thrown afterwards, on the board.

What a person does not choose has its usual value: the throws made so far, who won the first hole and, in the scored
game, an account at zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tablier._core import Game, State
from tablier._core.trictrac import parts
from tablier.games.board.impossible import reason_told
from tablier.games.set_up import SetUp, SetUpField
from tablier.games.trictrac.picture import pavillon
from tablier.games.trictrac.position import Position
from tablier.games.trictrac.sides import side_name
from tablier.messages import Message, MessageError, Text

MEN = 15
POINTS = range(0, 12, 2)
MARQUE_HOLES = 24
"""The most holes of a marqué that can be chosen; a marqué has no last hole."""
USUAL = -1
"""The choice that leaves a run to the usual rule."""


def set_up(state: State) -> SetUp:
    """Returns the position of a state, to be changed by hand."""
    now, flag = parts(state), pavillon(parts(state))
    most = _most_holes(state.get_game())
    doubled = [side for side in (0, 1) if now.points_run[side] and now.points[1 - side]]
    fields = [_field("player", now.player, {side: side_name(side) for side in (0, 1)})]
    for side in (0, 1):
        fields.append(_field("points", now.points[side], {n: str(n) for n in POINTS}, side))
        fields.append(_field("holes", min(now.holes[side], most), {n: str(n) for n in range(most + 1)}, side))
    runs: Mapping[int, Text] = {USUAL: Message("trictrac.set_up.usual")} | {side: side_name(side) for side in (0, 1)}
    fields.append(_field("run", doubled[0] if doubled else USUAL, runs))
    fields.append(_field("flag", USUAL if flag is None else flag, runs))
    return SetUp(now.board, None, MEN, fields)


def _field(name: str, value: int, choices: Mapping[int, Text], seat: int | None = None) -> SetUpField:
    key = name if seat is None else f"{name}.{seat}"
    return SetUpField(key, Message(f"trictrac.set_up.{name}"), value, choices, seat)


def _most_holes(game: Game) -> int:
    return int(game.options().get("holes_to_win", MARQUE_HOLES + 1)) - 1


def from_set_up(game: Game, men: Sequence[int], values: Mapping[str, int]) -> State:
    """Returns the state of a position that was set up by hand.

    Args:
        game: the game.
        men: 24 signed counts from White's side.
        values: the values of the fields of `set_up`; fields that are missing have their value at the start of a game.

    Raises:
        MessageError: a value is not among the choices, or no game can reach the position.
    """
    known = {field.name: field for field in set_up(game.new_initial_state()).fields}
    for name, value in values.items():
        if name not in known or value not in known[name].choices:
            raise MessageError.of("trictrac.set_up.value", name=f"{name:.40}", value=value)
    chosen = {name: values.get(name, field.value) for name, field in known.items()}
    points, holes = ((chosen[f"{name}.0"], chosen[f"{name}.1"]) for name in ("points", "holes"))
    run, flag, player = chosen["run"], chosen["flag"], chosen["player"]
    if run == USUAL and points == (2, 2):  # one of them was marked last: by the player who threw last
        run = 1 - player
    position = Position(
        board=men,
        points=points,
        holes=holes,
        points_run=None if run == USUAL or not all(points) else (run == 0, run == 1),
        holes_run=None if flag == USUAL or not all(holes) else (flag == 0, flag == 1),
        player=player,
    )
    return _composed(position, game)


def _composed(position: Position, game: Game) -> State:
    """Returns the state, in the scored game with the beginner of the marqué that fits."""
    account = Position.of(game.new_initial_state()).account
    tried = [position] if account is None else [replace(position, account=replace(account, first=n)) for n in (0, 1)]
    for one in tried:
        try:
            return one.state(game)
        except ValueError as error:
            why = reason_told(error, "trictrac")
    raise MessageError.of("trictrac.id.impossible", reason=why)
