"""Rules.md, 13: a player caught not filling or keeping when obliged to may have to do it after all.

FULL is a full big jan of White's that 3-2 keeps for 4 points: 1-4 and 1-3 keep it, 7-10 and 8-10 break it.
"""

import pytest
from drawn import (
    BLACK,
    DECLARE,
    FORCE_CORRECT,
    GO,
    HAVE_IT_FILLED,
    HOLD_OR_GO,
    MOVE,
    PASS,
    WHITE,
    after,
    board,
    men,
    parts,
)
from test_rules_13_schools import FULL, begin, claim, declare, do, move

from tablier._core import trictrac

BROKEN = after(board(FULL), (7, 10), (8, 10))


def neglected(declared=4, position=FULL, dice=(3, 2), moves=((7, 10), (8, 10)), others=0, **state):
    """White declares, then breaks or does not fill the jan; Black declares their share and may now claim."""
    game = do(begin(position, dice, **state), declare(declared))
    move(game, *moves)
    return do(game, declare(others))


def full(men):
    return any(all(count >= 2 for count in men[first : first + 6]) for first in (0, 6, 18))


@pytest.mark.parametrize("said", [claim(4), FORCE_CORRECT])
def test_13_who_has_noticed_it_decides_whether_the_filling_is_made(said):
    state = do(neglected(), said)
    assert state.current_player() == BLACK
    assert state.legal_actions() == [PASS, HAVE_IT_FILLED]
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["let it stand", "have it filled"]


@pytest.mark.parametrize("said", [PASS, claim(2), claim(6)])
def test_13_who_has_not_noticed_it_does_not(said):
    """Claiming a different amount is not a claim of that school."""
    state = do(neglected(), said)
    assert state.current_player() == WHITE
    assert HAVE_IT_FILLED not in state.legal_actions()


def test_13_a_jan_that_was_kept_leaves_nothing_to_decide():
    state = do(neglected(8, moves=((1, 4), (1, 3))), claim(4))
    assert state.current_player() == WHITE
    assert parts(do(state, PASS)).points == (4, 4)


def test_13_he_may_let_the_play_stand():
    state = do(neglected(), claim(4), PASS, PASS)
    assert state.is_chance_node()
    assert men(state) == BROKEN


def test_13_or_have_the_filling_made():
    state = do(neglected(), claim(4), HAVE_IT_FILLED)
    assert men(state) == board(FULL), "the men go back"
    do(state, PASS)
    assert (state.current_player(), parts(state).stage) == (WHITE, MOVE)
    assert "White to fill after all" in str(state)
    assert all(full(after(board(FULL), *trictrac.moves(state, action))) for action in state.legal_actions())
    move(state, (1, 4), (1, 3))
    assert state.is_chance_node()
    assert parts(state).player == BLACK
    assert men(state) == after(board(FULL), (1, 4), (1, 3))


def test_13_the_jan_may_not_be_broken_a_second_time():
    state = do(neglected(), claim(4), HAVE_IT_FILLED, PASS)
    breaking = [
        action
        for action in range(2, DECLARE)
        if named(state, action) and after(board(FULL), *trictrac.moves(state, action)) == BROKEN
    ]
    assert breaking
    for action in breaking:
        with pytest.raises(ValueError, match="not legal"):
            state.apply_action(action)


def named(state, action):
    try:
        return trictrac.moves(state, action)
    except ValueError:
        return []


@pytest.mark.parametrize("decision", [PASS, HAVE_IT_FILLED])
@pytest.mark.parametrize("declared", [4, 0])
def test_13_the_school_is_the_same_whether_it_is_made_or_not(declared, decision):
    """Marked or not, the points for filling go to Black, and White does not regain them by filling later."""
    state = do(neglected(declared), claim(4), decision, PASS)
    assert parts(state).points == (0, 4)


def test_13_the_double_school_too():
    state = do(neglected(fill_school="double"), claim(8), HAVE_IT_FILLED, PASS)
    assert parts(state).points == (0, 8)


def test_13_corrected_without_a_school_he_fills_and_marks_what_it_gives():
    """The result is as if they had filled at once; if the play stands, the points are not due."""
    for declared in (0, 4, 8):
        assert parts(do(neglected(declared), FORCE_CORRECT, HAVE_IT_FILLED, PASS)).points == (4, 0)
        assert parts(do(neglected(declared), FORCE_CORRECT, PASS, PASS)).points == (0, 0)


def test_13_the_mover_may_still_claim_against_the_other():
    """Black marked 2 points that the throw does not give them."""
    state = do(neglected(others=2), claim(4), HAVE_IT_FILLED, claim(2))
    assert parts(state).points == (2, 4)
    assert parts(state).stage == MOVE


def test_13_there_is_nothing_more_to_claim_about_the_second_play():
    state = do(neglected(), claim(4), HAVE_IT_FILLED, PASS)
    points = parts(state).points
    move(state)
    assert state.is_chance_node()
    assert parts(state).points == points


def test_13_who_wins_the_game_by_the_school_needs_no_filling():
    state = neglected(holes=(0, 11), holes_run=(False, True), points=(0, 8))
    do(state, claim(4), HAVE_IT_FILLED, PASS)
    assert state.is_terminal()
    assert parts(state).winner == BLACK


def test_13_a_jan_not_filled_is_taken_back_in_the_same_way():
    """The big jan lacks a man on 11; 9-11 fills it by the 2 while 1-4 plays the 3."""
    position = "1:2 7:2 8:2 9:3 10:2 11:1 12:3 | 23:2 24:13"
    state = neglected(4, position, moves=((1, 3), (1, 4)))
    do(state, claim(4), HAVE_IT_FILLED, PASS)
    assert men(state) == board(position)
    move(state, (9, 11), (1, 4))
    assert men(state) == after(board(position), (9, 11), (1, 4))


def test_13_one_man_who_went_by_both_numbers_goes_back():
    state = do(neglected(moves=((7, 12),)), claim(4), HAVE_IT_FILLED)
    assert men(state) == board(FULL)


def test_13_two_men_who_took_the_corner_by_power_go_back():
    """6-2: 2-4 fills the small jan; 7 and 11 take the corner by power instead."""
    position = "1:2 2:3 3:3 4:1 5:2 6:2 7:1 11:1 | 23:2 24:13"
    state = neglected(4, position, (6, 2), moves=((7, 12), (11, 12)))
    assert men(state) == after(board(position), (7, 12), (11, 12))
    do(state, claim(4), HAVE_IT_FILLED)
    assert men(state) == board(position)
    assert parts(state).corner_just_taken == (False, False)


def test_13_a_man_borne_off_comes_back():
    """4-1 keeps the return jan by 20-24 and 22-23; 19-20 and 21 off break it."""
    position = "19:2 20:3 21:2 22:3 23:2 24:2 | 1:15"
    state = neglected(4, position, (4, 1), moves=((19, 20), (21, 25)))
    assert sum(men for men in men(state) if men > 0) == 13
    do(state, claim(4), HAVE_IT_FILLED)
    assert men(state) == board(position)


def test_13_after_a_school_for_leaving_the_throw_is_played_by_the_rules():
    """Nothing can be claimed against it any more, so the jan must be kept."""
    state = do(begin(FULL, (3, 2), points=(4, 0), points_run=(True, False)), declare(8))
    assert parts(state).stage == HOLD_OR_GO
    do(state, GO, claim(4))
    assert parts(state).points == (8, 4)
    assert all(full(after(board(FULL), *trictrac.moves(state, action))) for action in state.legal_actions())


def test_13_every_state_of_it_is_saved_and_read_back():
    state = neglected()
    game = state.get_game()
    for action in (claim(4), HAVE_IT_FILLED, PASS):
        do(state, action)
        twin = game.deserialize(state.serialize())
        assert twin == state
        assert str(twin) == str(state)
        assert twin.mirrored().mirrored() == state
