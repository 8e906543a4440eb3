"""The orders in which a move can be played, checked against all action numbers that the engine accepts."""

import random

import pytest

import tablier
from tablier._core.trictrac import DECLARE, FIRST_MOVE, NO_CLAIM, SchoolStep, Stage, parts
from tablier.games.trictrac.honest import answer
from tablier.games.trictrac.steps import by_power, orders, steps
from tablier.trictrac import Position


def every_order(state):
    """Tries all 512 action numbers of moves; returns the position and the steps of each accepted one."""
    found = []
    for action in range(FIRST_MOVE, DECLARE):
        try:
            found.append((position(state, action), steps(state, action)))
        except ValueError:
            continue
    return found


def position(state, action):
    after = parts(state.child(action))
    after.left = (0, 0)
    return after


def leading_to(goal, accepted):
    return {order for after, order in accepted if after == goal}


@pytest.mark.parametrize("options", [{}, {"schools": True}, {"bearing_off": "by_default_only"}], ids=str)
def test_exactly_the_orders_that_the_engine_accepts(options):
    chance, seen = random.Random(4), 0
    game = tablier.load_game("trictrac", **options)
    while seen < 70:
        state = game.new_initial_state()
        while not state.is_terminal() and seen < 70:
            if not state.is_chance_node() and parts(state).stage in (Stage.HOLD_OR_GO, Stage.MOVE):
                found, accepted = orders(state), every_order(state)
                for action, listed in found.items():
                    assert len(set(listed)) == len(listed)
                    assert set(listed) == leading_to(position(state, action), accepted)
                    assert listed[0] == steps(state, action)
                seen += 1
            legal = state.legal_actions()
            action = chance.choice(legal)
            if parts(state).school == SchoolStep.DECLARE:  # mark correctly
                action = answer(state)
            state.apply_action(NO_CLAIM if NO_CLAIM in legal else action)


@pytest.mark.parametrize("dice", [(6, 5), (4, 2), (2, 1), (6, 6), (5, 4)], ids=str)
def test_men_that_leave_the_board(dice):
    board = [-8, -7] + [0] * 18 + [2, 0, 3, 2]
    state = Position(board=board).throw(*dice)
    found, accepted = orders(state), every_order(state)
    for action, listed in found.items():
        assert set(listed) == leading_to(position(state, action), accepted)
    assert any(to == 0 for listed in found.values() for order in listed for _, to, _ in order)


def test_the_corner_by_power_ends_on_the_own_corner():
    board = [9, 0, 0, 0, 0, 0, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, -14]
    state = Position(board=board).throw(6, 5)  # 7 and 8 would go to the opposing corner
    powers = [listed for listed in orders(state).values() if by_power(listed[0])]
    assert [set(listed) for listed in powers] == [{((7, 12, 6), (8, 12, 5)), ((8, 12, 5), (7, 12, 6))}]


def test_one_man_may_take_either_number_first():
    board = [14, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, -14]
    state = Position(board=board).throw(3, 1)
    both = {frozenset(listed) for listed in orders(state).values()}
    assert frozenset({((1, 4, 3), (4, 5, 1)), ((1, 2, 1), (2, 5, 3)), ((2, 5, 3), (1, 2, 1))}) in both
