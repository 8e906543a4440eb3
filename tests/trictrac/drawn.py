"""Positions drawn as text, and states of a game set up with them.

A drawing `"1:3 2:2 5:1 | 16:2 24:5"` reads: the mover has three men on field 1, two on 2, one on 5; the opponent has
two on field 16 and five on 24, in the mover's numbering (rules.md, 1). Men that are not drawn are borne off, except
that `"1:* ..."` puts what is left of the fifteen there; likewise for the opponent.
"""

import tablier
from tablier._core import trictrac

ROLL_WAITING, ROLL_DICE, MARK_POINTS, HOLD_OR_GO, MOVE, MARK_THEIR_POINTS = range(6)
GO = 1
DECLARE, CLAIM = 514, 578  # + amount / 2; + amount / 2 - 1
FORCE_CORRECT, PASS, HAVE_IT_FILLED = 641, 642, 643
WHITE, BLACK = 0, 1
EVENTS = frozenset(trictrac.tariff())

TALONS = "1:15 | 24:15"


def board(drawing):
    """24 signed counts from a drawing."""
    result = [0] * 24
    for side, sign in zip(drawing.split("|"), (1, -1), strict=True):
        rest = None
        men = 0
        for item in side.split():
            field, count = item.split(":")
            if count == "*":
                rest = int(field)
                continue
            assert result[int(field) - 1] == 0, f"field {field} is drawn twice"
            result[int(field) - 1] = sign * int(count)
            men += int(count)
        if rest is not None:
            result[rest - 1] = sign * (15 - men)
    return result


def drawing(board):
    """The other way round."""
    mine = " ".join(f"{i + 1}:{n}" for i, n in enumerate(board) if n > 0)
    return f"{mine} | " + " ".join(f"{i + 1}:{-n}" for i, n in enumerate(board) if n < 0)


def after(before, *moves):
    """The board after moves `(from, to)`; 25 is off the board."""
    result = list(before)
    for start, end in moves:
        assert result[start - 1] > 0, f"no man on {start}"
        result[start - 1] -= 1
        if end != 25:
            result[end - 1] += 1
    return result


def finals(position, dice, by_default_only=False):
    """The final boards of the engine's legal plays, as a list of lists without repetition."""
    plays = trictrac.plays(board(position), *dice, by_default_only)
    result = [final for final, _, _ in plays]
    assert len({tuple(final) for final in result}) == len(result), "a final position is listed twice"
    return result


def may_play(position, dice, *moves, **options):
    """Is the play that moves men like this among the legal ones?"""
    return after(board(position), *moves) in finals(position, dice, **options)


def must_play(position, dice, *moves, **options):
    """Is it the only one?"""
    return finals(position, dice, **options) == [after(board(position), *moves)]


def score(position, dice, throw=4, by_default_only=False, pile_de_misere=False, margot_la_fendue=False):
    """(points of the mover, points of the opponent, {event: ways})."""
    return trictrac.score(board(position), *dice, throw, by_default_only, pile_de_misere, margot_la_fendue)


def jans(position, dice, **options):
    return score(position, dice, **options)[2]


def unplayed(position, dice):
    return jans(position, dice).get("helpless", 0)


def ways(position, dice, event, **options):
    assert event in EVENTS
    return jans(position, dice, **options).get(event, 0)


def set_up(
    position,
    points=(0, 0),
    holes=(0, 0),
    points_run=(False, False),
    holes_run=(False, False),
    first_hole=None,
    throws=(9, 9),
    mover=WHITE,
    **options,
):
    """The state before `mover` throws, drawn from his side; points and holes are (White's, Black's)."""
    game = tablier.load_game("trictrac", **{"first_throw": "white", **options})
    men = board(position)
    if mover == BLACK:
        men = [-n for n in reversed(men)]
    if first_hole is None and any(holes):
        first_hole = WHITE if holes[0] else BLACK
    runs = points_run[0] | points_run[1] << 1 | holes_run[0] << 2 | holes_run[1] << 3
    if first_hole is not None:
        runs |= 1 << (4 + first_hole)
    stage = ROLL_DICE if options.get("explicit_roll") else ROLL_WAITING
    counted = throws[0] | throws[1] << 4
    return trictrac.compose(game, men, (0, 0), points, holes, runs, counted, mover, stage, 0)


def throw(state, d1, d2):
    """The dice fall."""
    assert state.is_chance_node()
    state.apply_action(6 * (d1 - 1) + d2 - 1)
    return state


def parts(state):
    return trictrac.parts(state)


def mover_board(state):
    """The board as the player who throws and moves sees it."""
    facts = parts(state)
    return facts["board"] if facts["player"] == WHITE else [-n for n in reversed(facts["board"])]


def play(state, *moves):
    """The mover plays `(from, to)` pairs of his own numbering; without any, the first legal play."""
    actions = [action for action in state.legal_actions() if action > GO]
    if moves:
        wanted = after(mover_board(state), *moves)
        plays = trictrac.plays(mover_board(state), *parts(state)["dice"], False)
        named = [action for final, _, action in plays if final == wanted]
        assert named, f"{moves} is no legal play"
        actions = named
    state.apply_action(actions[0])
    return state


def leave(state):
    state.apply_action(GO)
    return state


def may_leave(state):
    return GO in state.legal_actions()
