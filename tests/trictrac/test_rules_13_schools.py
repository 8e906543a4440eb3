"""Rules.md, 13: schools. A player who marks wrongly may lose the difference to an opponent who notices.

The order of a throw: the mover declares, then moves or leaves; the opponent declares their share and may claim against
the mover; the mover may claim against the opponent. Whoever noticed a neglected filling decides whether it is made.
"""

import random

import pytest
from comparison import random_action
from drawn import (
    BLACK,
    CLAIM,
    DECLARE,
    FORCE_CORRECT,
    GO,
    HAVE_IT_FILLED,
    HOLD_OR_GO,
    MARK_POINTS,
    MARK_THEIR_POINTS,
    MOVE,
    PASS,
    TALONS,
    WHITE,
    after,
    board,
    men,
    mover_board,
    parts,
    set_up,
    throw,
)

import tablier
from tablier._core import trictrac

FOUR_POINTS = "1:13 12:2 | 23:2 24:13"  # mezeas, by 3-1
FOUR_AGAINST = "1:13 12:2 | 13:2 24:13"
FULL = "1:3 7:2 8:2 9:2 10:2 11:2 12:2 | 13:2 24:13"  # 3-2 keeps it for 4


def begin(position=FOUR_POINTS, dice=(3, 1), **state):
    return throw(set_up(position, schools=True, **state), *dice)


def do(state, *actions):
    for action in actions:
        state.apply_action(action)
    return state


def declare(amount):
    return DECLARE + amount // 2


def claim(amount):
    return CLAIM + amount // 2 - 1


def move(state, *moves):
    """Plays (from, to) pairs if given, else the first play listed."""
    actions = [action for action in state.legal_actions() if GO < action < DECLARE]
    if moves:
        wanted = [sorted(moves)]
        actions = [action for action in actions if sorted(trictrac.moves(state, action)) in wanted]
    state.apply_action(actions[0])
    return state


def points_after(declared, against_mover, against_other=PASS, other_declares=0, **state):
    """Returns the points after a throw that gives the mover 4 and the opponent nothing."""
    game = do(begin(**state), declare(declared))
    move(game)
    do(game, declare(other_declares), against_mover, against_other)
    return parts(game).points


def test_13_the_actions_come_after_those_of_the_ordinary_game():
    assert tablier.load_game("trictrac", schools=True).num_distinct_actions() == HAVE_IT_FILLED + 1
    assert begin().legal_actions() == list(range(DECLARE, CLAIM))


def test_13_the_mover_declares_then_moves_then_the_other_declares_then_both_may_claim():
    state = begin()
    seen = [(state.current_player(), parts(state).stage)]
    do(state, declare(4))
    seen.append((state.current_player(), parts(state).stage))
    move(state)
    for action in (declare(0), PASS, PASS):
        seen.append((state.current_player(), parts(state).stage))
        do(state, action)
    assert seen == [
        (WHITE, MARK_POINTS),
        (WHITE, MOVE),
        (BLACK, MARK_THEIR_POINTS),
        (BLACK, MARK_THEIR_POINTS),
        (WHITE, MARK_THEIR_POINTS),
    ]
    assert state.is_chance_node()
    assert parts(state).player == BLACK


def test_13_what_is_declared_is_marked():
    assert points_after(4, PASS) == (4, 0)
    assert points_after(2, PASS) == (2, 0)
    assert points_after(8, PASS) == (8, 0)


def test_13_marking_too_little_gives_the_difference_to_the_other():
    """Due 4, marked 0: the claim is 4."""
    assert points_after(0, claim(4))[BLACK] == 4


@pytest.mark.parametrize("declared", [0, 2])
def test_13_what_was_forgotten_and_claimed_is_lost_to_the_mover(declared):
    """|D - X| to the claimant; only *over*-marking also changes what the accused has."""
    assert points_after(declared, claim(4 - declared)) == (declared, 4 - declared)


def test_13_and_to_the_other_player_if_he_forgot_them():
    state = do(begin(FOUR_AGAINST), declare(0))
    move(state)
    do(state, declare(0), PASS, claim(4))
    assert parts(state).points == (4, 0)


def test_13_marking_too_much_is_taken_back_and_goes_to_the_other():
    assert points_after(8, claim(4)) == (4, 4)


def test_13_nobody_has_to_claim():
    assert points_after(0, PASS) == (0, 0)


def test_13_a_false_claim_goes_to_the_accused():
    assert points_after(4, claim(6)) == (10, 0)


def test_13_of_a_claim_for_too_much_the_accused_marks_the_excess():
    """Marked 2 of 4: the claim of 6 is 4 too high and is cancelled."""
    assert points_after(2, claim(6)) == (6, 0)


def test_13_the_right_amount_may_be_forced_without_a_claim():
    assert points_after(0, FORCE_CORRECT) == (4, 0)
    assert points_after(8, FORCE_CORRECT) == (4, 0)


def test_13_the_mover_claims_what_the_other_marks_wrongly():
    assert points_after(4, PASS, against_other=claim(6), other_declares=6) == (10, 0)


def test_13_points_from_the_others_throw_may_be_forgotten_too():
    state = do(begin(FOUR_AGAINST), declare(0))
    move(state)
    do(state, declare(0), PASS, claim(4))
    assert parts(state).points[WHITE] == 4


def test_13_a_claim_is_for_the_whole_amount():
    """Marked 0 of 4: a claim of 2 does not name the school and gains nothing."""
    assert points_after(0, claim(2)) == (0, 0)


def test_13_claims_are_marked_after_all_other_points_of_the_throw():
    """White's 4 points break Black's run before the claim completes the hole, so it counts once."""
    state = do(begin(points=(0, 8), points_run=(False, True)), declare(8))
    move(state)
    do(state, declare(0), claim(4), PASS)
    assert parts(state).holes == (0, 1)


def test_13_holes_by_schools_give_no_choice_to_leave():
    state = do(begin(points=(0, 8), points_run=(False, True)), declare(8))
    move(state)
    do(state, declare(0), claim(4), PASS)
    assert state.is_chance_node()


def test_13_not_filling_is_possible_and_a_school_of_the_points_due():
    """The mover marks the 4 and then breaks their jan: the points are removed and go to the opponent."""
    state = do(begin(FULL, (3, 2)), declare(4))
    move(state, (7, 10), (8, 10))
    do(state, declare(0), claim(4), PASS, PASS)
    assert parts(state).points == (0, 4)


def test_13_not_filling_without_having_marked_is_a_school_too():
    state = do(begin(FULL, (3, 2)), declare(0))
    move(state, (7, 10), (8, 10))
    do(state, declare(0), claim(4), PASS, PASS)
    assert parts(state).points == (0, 4)


def test_13_the_double_fill_school_adds_marked_and_due_points():
    state = do(begin(FULL, (3, 2), fill_school="double"), declare(4))
    move(state, (7, 10), (8, 10))
    do(state, declare(0), claim(8), PASS, PASS)
    assert parts(state).points == (0, 8)


def test_13_without_schools_the_jan_must_be_kept():
    state = throw(set_up(FULL), 3, 2)
    breaking = after(board(FULL), (7, 10), (8, 10))
    assert all(mover_board(state.child(a)) != breaking for a in state.legal_actions())


def test_13_a_declared_hole_may_be_left():
    state = do(begin(points=(8, 0), points_run=(True, False)), declare(4))
    assert parts(state).stage == HOLD_OR_GO
    do(state, GO, PASS)
    assert men(state) == board(TALONS)
    assert parts(state).holes == (2, 0)


def test_13_leaving_without_having_the_hole_is_a_school_of_the_missing_points():
    """With 8 points and 0 due, 4 are missing. White declares 4 and leaves; after the claim they must play the throw."""
    state = do(begin("1:13 7:2 | 23:2 24:13", (2, 1), points=(8, 0), points_run=(True, False)), declare(4))
    assert parts(state).stage == HOLD_OR_GO
    do(state, GO)
    assert state.current_player() == BLACK
    do(state, claim(4))
    assert parts(state).points == (8, 4)
    assert parts(state).holes == (0, 0)
    assert men(state) == board("1:13 7:2 | 23:2 24:13")
    assert parts(state).stage == MOVE
    assert state.current_player() == WHITE


def test_13_who_said_too_early_that_he_had_won_may_still_leave_with_the_hole_he_has():
    """9 holes, 8 points in bredouille, 4 due: White declares 16, which would win. Corrected they have 11, and leave."""
    state = begin(points=(8, 0), points_run=(True, False), holes=(9, 0), holes_run=(True, False))
    do(state, declare(16), FORCE_CORRECT)
    assert parts(state).holes == (11, 0)
    assert parts(state).stage == HOLD_OR_GO
    do(state, GO, PASS)
    assert men(state) == board(TALONS)


def test_13_a_throw_that_cannot_be_played_does_not_consume_under_marking():
    """The jan is kept because no man can move. White does not mark it; as no man was touched, a claim gains nothing."""
    position = "7:2 8:2 9:2 10:2 11:2 12:5 | 13:3 14:2 15:2 16:2 17:2 18:4"
    state = begin(position, (6, 6))
    due = parts(state).due
    assert due == (6, 4)
    do(state, declare(0))
    move(state)
    do(state, declare(4), claim(6), PASS)
    assert parts(state).points[BLACK] == 4


def test_13_a_false_claim_cannot_win_more_than_its_amount():
    assert points_after(4, claim(2)) == (6, 0)


@pytest.mark.parametrize("amount", [0, 4, 126])
def test_13_any_even_amount_may_be_declared(amount):
    assert declare(amount) in begin().legal_actions()


@pytest.mark.parametrize("seed", range(3))
def test_13_among_players_who_mark_rightly_the_game_is_the_ordinary_one(seed):
    rng = random.Random(seed)
    honest = tablier.load_game("trictrac", schools=True).new_initial_state()
    ordinary = tablier.load_game("trictrac").new_initial_state()
    same = ("board", "points", "holes", "points_run", "holes_run", "throws", "player", "dice", "winner", "stake")
    while not ordinary.is_terminal():
        outcome_or_action = (
            rng.randrange(36) if ordinary.is_chance_node() else random_action(rng, ordinary, leaver=0.2, runner=0.3)
        )
        ordinary.apply_action(outcome_or_action)
        do(honest, outcome_or_action)
        while not honest.is_terminal() and parts(honest).stage in (MARK_POINTS, MARK_THEIR_POINTS):
            declaring = honest.legal_actions()[0] == DECLARE
            whose = parts(honest).stage == MARK_THEIR_POINTS
            do(honest, declare(parts(honest).due[whose]) if declaring else PASS)
        one, other = parts(honest), parts(ordinary)
        assert [getattr(one, name) for name in same] == [getattr(other, name) for name in same]
    assert honest.is_terminal()
