"""The named constants of Trictrac: those of docs/contract.md, sections 2 to 4, which never change."""

import pytest

import tablier
from tablier._core import trictrac
from tablier.trictrac import STAGES, Position


def test_stages_are_numbered_as_the_contract_says():
    assert list(trictrac.Stage) == [0, 1, 2, 3, 4, 5]
    assert [stage.name for stage in trictrac.Stage] == [
        "ROLL_WAITING",
        "ROLL_DICE",
        "MARK_POINTS",
        "HOLD_OR_GO",
        "MOVE",
        "MARK_THEIR_POINTS",
    ]
    assert len(STAGES) == len(trictrac.Stage)


def test_every_jan_has_a_name_and_a_tariff():
    assert [jan.name for jan in trictrac.Jan] == list(trictrac.tariff())
    assert trictrac.Jan.hit_small == 0


def test_actions_are_numbered_as_the_contract_says():
    assert (trictrac.ROLL, trictrac.LEAVE, trictrac.FIRST_MOVE) == (0, 1, 2)
    assert [action for action in range(-1, 700) if trictrac.is_move(action)] == list(range(2, 514))
    assert (trictrac.DECLARE, trictrac.CLAIM, trictrac.CORRECT) == (514, 578, 641)
    assert (trictrac.NO_CLAIM, trictrac.FILL) == (642, 643)


def test_a_chance_outcome_is_a_throw():
    assert [trictrac.throw(outcome) for outcome in (0, 1, 6, 35)] == [(1, 1), (1, 2), (2, 1), (6, 6)]
    assert [trictrac.outcome(*trictrac.throw(outcome)) for outcome in range(36)] == list(range(36))
    with pytest.raises(ValueError, match="0 to 35"):
        trictrac.throw(36)
    with pytest.raises(ValueError, match="1 to 6"):
        trictrac.outcome(0, 1)


def test_what_is_said_about_points_has_an_amount():
    assert [trictrac.amount(trictrac.declaration(amount)) for amount in range(0, 127, 2)] == list(range(0, 127, 2))
    assert [trictrac.amount(trictrac.claim(amount)) for amount in range(2, 127, 2)] == list(range(2, 127, 2))
    assert trictrac.claim(126) == trictrac.CORRECT - 1
    for action in (trictrac.ROLL, 100, trictrac.CORRECT, trictrac.NO_CLAIM, trictrac.FILL):
        assert trictrac.amount(action) == 0


def test_the_parts_of_a_state_are_a_copy():
    state = tablier.load_game("trictrac").new_initial_state()
    parts = trictrac.parts(state)
    assert parts == trictrac.parts(state)
    parts.points = (4, 0)
    assert parts != trictrac.parts(state)
    assert trictrac.parts(state).points == (0, 0)
    assert parts != "parts"


def test_the_board_is_seen_from_either_side():
    board = (13, 1, 0, 1, *[0] * 18, -1, -14)
    parts = trictrac.parts(Position(board=board).state())
    assert parts.board == parts.board_from(0) == board
    assert parts.board_from(1) == tuple(-men for men in reversed(board))
    with pytest.raises(ValueError, match="side must be 0"):
        parts.board_from(2)


def test_an_action_is_spelled_by_the_men_that_it_names():
    state = Position(board=(13, 1, 0, 1, *[0] * 18, -1, -14)).throw(4, 2)
    for action in state.legal_actions():
        assert trictrac.spell(state, trictrac.named_men(state, action)) == action
    with pytest.raises(ValueError, match="there is no man on this field"):
        trictrac.spell(state, [(3, 4)])
    with pytest.raises(ValueError, match="one or two men"):
        trictrac.spell(state, [])
    with pytest.raises(ValueError, match="the action is not a move"):
        trictrac.named_men(state, trictrac.LEAVE)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("player", 2, "players are 0 and 1"),
        ("winner", 2, "players are 0 and 1"),
        ("throws", (10, 0), "counted to 9"),
        ("first_throw", (7, 1), "a die shows"),
        ("board", (16, *[0] * 22, -15), "at most fifteen men"),
    ],
)
def test_parts_that_fit_no_state_are_refused(name, value, reason):
    game = tablier.load_game("trictrac", first_throw="white")
    parts = trictrac.parts(game.new_initial_state())
    setattr(parts, name, value)
    with pytest.raises(ValueError, match=reason):
        trictrac.compose(game, parts, due_is_known=False)
