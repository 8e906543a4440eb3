"""Positions drawn as text, and states of a game set up with them.

A drawing `"1:3 2:2 5:1 | 16:2 24:5"` reads: the mover has three men on field 1, two on 2, one on 5; the opponent has
two on field 16 and five on 24, in the mover's numbering (rules.md, 1). Men that are not drawn are borne off, except
that `"1:* ..."` puts what is left of the fifteen there; likewise for the opponent.
"""

from dataclasses import replace
from functools import cache

import tablier
from tablier._core import trictrac
from tablier.trictrac import Position

ROLL_WAITING, ROLL_DICE, MARK_POINTS, HOLD_OR_GO, MOVE, MARK_THEIR_POINTS = trictrac.Stage
GO, DECLARE, CLAIM = trictrac.LEAVE, trictrac.DECLARE, trictrac.CLAIM
FORCE_CORRECT, PASS, HAVE_IT_FILLED = trictrac.CORRECT, trictrac.NO_CLAIM, trictrac.FILL
WHITE, BLACK = 0, 1
EVENTS = frozenset(trictrac.tariff())
FIELDS = {"points_run", "holes_run", "first_hole", "throws", "corner_just_taken"}

TALONS = "1:15 | 24:15"
LAWS = ("paris", "by_default_only")


@cache
def by_the_rules(**options):
    """Returns the ordinary game with these options."""
    return tablier.load_game("trictrac", **options)


def board(drawing):
    """Parses a drawing into 24 signed counts."""
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
    """Draws a board: the inverse of `board`."""
    mine = " ".join(f"{i + 1}:{n}" for i, n in enumerate(board) if n > 0)
    return f"{mine} | " + " ".join(f"{i + 1}:{-n}" for i, n in enumerate(board) if n < 0)


def after(before, *moves):
    """Returns the board after moves `(from, to)`; 25 is off the board."""
    result = list(before)
    for start, end in moves:
        assert result[start - 1] > 0, f"no man on {start}"
        result[start - 1] -= 1
        if end != 25:
            result[end - 1] += 1
    return result


def finals(position, dice, by_default_only=False):
    """Returns the final boards of the engine's legal plays, each once."""
    plays = trictrac.plays(by_the_rules(bearing_off=LAWS[by_default_only]), board(position), *dice)
    result = [final for final, _, _ in plays]
    assert len({tuple(final) for final in result}) == len(result), "a final position is listed twice"
    return result


def may_play(position, dice, *moves, **options):
    """Returns whether these moves are a legal play."""
    return after(board(position), *moves) in finals(position, dice, **options)


def must_play(position, dice, *moves, **options):
    """Returns whether these moves are the only legal play."""
    return finals(position, dice, **options) == [after(board(position), *moves)]


def score(position, dice, throw=4, by_default_only=False, pile_de_misere=False, margot_la_fendue=False):
    """(points of the mover, points of the opponent, {event: ways})."""
    game = by_the_rules(
        bearing_off=LAWS[by_default_only], pile_de_misere=pile_de_misere, margot_la_fendue=margot_la_fendue
    )
    return trictrac.score(game, board(position), *dice, throw)


def jans(position, dice, **options):
    return score(position, dice, **options)[2]


def unplayed(position, dice):
    return jans(position, dice).get("helpless", 0)


def ways(position, dice, event, **options):
    assert event in EVENTS
    return jans(position, dice, **options).get(event, 0)


def set_up(position, mover=WHITE, points=(0, 0), holes=(0, 0), **parts):
    """Returns the state before `mover` throws, drawn from their side; points and holes are (White's, Black's).

    Keywords that name a field of `Position` set it; the others are options of the game.
    """
    fields = {name: parts.pop(name) for name in FIELDS & parts.keys()}
    men = board(position)
    if mover == BLACK:
        men = [-n for n in reversed(men)]
    stage = "RollDice" if parts.get("explicit_roll") else "RollWaiting"
    before = Position(board=men, player=mover, stage=stage, points=points, holes=holes, **fields)
    return before.state(tablier.load_game("trictrac", **{"first_throw": "white", **parts}))


def in_a_marque(state, holes, runs=None, refaits=0):
    """Returns a state of the scored game, same account and player, whose throw (mezeas) completes the last hole.

    The player may leave with these holes; with schools they first have to declare the four points.
    """
    now = Position.of(state)
    before = [n - (now.player == seat) for seat, n in enumerate(holes)]
    mine = 1 if now.player == WHITE else -1
    last = Position(
        board=[mine * n for n in board("1:13 12:2 | 23:2 24:13")][::mine],
        player=now.player,
        points=(8, 2)[::mine],
        points_run=(False, False),
        holes=before,
        holes_run=runs if runs and before[now.player] > 0 else None,
        account=replace(now.account, refaits=refaits),
    )
    return last.throw(3, 1, state.get_game())


def throw(state, d1, d2):
    """Applies the throw of these dice."""
    assert state.is_chance_node()
    state.apply_action(trictrac.outcome(d1, d2))
    return state


def parts(state):
    return trictrac.parts(state)


def men(state):
    """Returns the board from White's side, in the format of `board`."""
    return list(parts(state).board)


def mover_board(state):
    """Returns the board from the mover's side."""
    facts = parts(state)
    return list(facts.board_from(facts.player))


def play(state, *moves):
    """Plays `(from, to)` pairs in the mover's numbering; without any, the first legal play."""
    actions = [action for action in state.legal_actions() if action > GO]
    if moves:
        wanted = after(mover_board(state), *moves)
        plays = trictrac.plays(by_the_rules(), mover_board(state), *parts(state).dice)
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
