"""Positions in the middle of a school, and accounts of the scored game, set up from their fields."""

from dataclasses import replace

import pytest
from drawn import DECLARE, FORCE_CORRECT, GO, HAVE_IT_FILLED, PASS, board, play

import tablier
from tablier.trictrac import Account, Position, School, Score

MEZEAS = board("1:13 12:2 | 23:2 24:13")  # 3-1 gives four points
FULL = board("1:3 7:2 8:2 9:2 10:2 11:2 12:2 | 13:2 24:13")  # 3-2 keeps, for 4
BROKEN = board("1:3 7:1 8:1 9:2 10:4 11:2 12:2 | 13:2 24:13")  # by 7-10 and 8-10
SCHOOLS = tablier.load_game("trictrac", schools=True)


def mezeas(stage="MarkPoints", points=(0, 0), **school):
    return Position(board=MEZEAS, dice=(3, 1), points=points, stage=stage, school=School(**school))


def neglected(**school):
    school = School(**{"declared": (4, 0), "fill_due": 4, "failed": True, "left": (7, 8), **school})
    return Position(board=BROKEN, dice=(3, 2), points=(4, 0), due=(4, 0), stage="MarkAdvPoints", school=school)


def do(state, *actions):
    for action in actions:
        state.apply_action(action)
    return state


def test_a_throw_that_is_to_be_marked():
    state = mezeas().state(SCHOOLS)
    assert state == Position(board=MEZEAS).throw(3, 1, SCHOOLS)
    assert state.legal_actions() == list(range(DECLARE, DECLARE + 64))


def test_what_was_declared_is_marked():
    state = mezeas("Move", points=(4, 0), asks=None, declared=(4, 0)).state(SCHOOLS)
    assert state == do(mezeas().state(SCHOOLS), DECLARE + 2)
    state = mezeas("HoldOrGoChoice", points=(2, 0), asks=None, declared=(4, 0), before=Score((10, 2), (1, 1)))
    state = replace(state, holes=(2, 1), holes_run=(False, True), first_hole=0)
    with pytest.raises(ValueError, match="both players|run of holes"):
        replace(state, holes_run=(True, True)).state(SCHOOLS)
    after = replace(state, holes_run=(False, False)).state(SCHOOLS)
    assert GO in after.legal_actions()
    assert do(after, GO).current_player() == 1


def test_a_neglected_filling_can_be_set_up_at_every_step():
    state = do(Position(board=FULL).throw(3, 2, SCHOOLS), DECLARE + 2)
    state = do(state, next(a for a in state.legal_actions() if moves(state, a) == {(7, 10), (8, 10)}))
    assert state == neglected().state(SCHOOLS)
    assert do(state, DECLARE) == neglected(asks="claim_against_mover").state(SCHOOLS)
    assert do(state, FORCE_CORRECT) == neglected(asks="decide_filling", claim="correct").state(SCHOOLS)
    back = replace(neglected(asks="claim_against_other", claim="correct", left=(0, 0)), board=FULL)
    assert do(state, HAVE_IT_FILLED) == back.state(SCHOOLS)
    again = School(asks=None, failed=True)
    assert do(state, PASS) == replace(back, stage="Move", school=again, due=None).state(SCHOOLS)
    assert play(state).is_chance_node()


def moves(state, action):
    return set(tablier._core.trictrac.moves(state, action))


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        (mezeas("RollWaiting"), "dice do not fit"),
        (Position(board=MEZEAS, school=School()), "nothing is marked or claimed at this stage"),
        (replace(mezeas(), school=None), "does not fit the stage"),
        (mezeas(asks=None), "does not fit the stage"),
        (mezeas(asks="claim_against_mover"), "does not fit the stage"),
        (mezeas(asks="claim_after_go"), "only after a hole by this throw"),
        (mezeas(asks="claim_after_win", declared=(10, 0)), "not the one before with what was declared"),
        (mezeas(points=(10, 0), asks="claim_after_win", declared=(10, 0)), "has not won with the points they declared"),
        (mezeas(declared=(4, 0)), "before their turn"),
        (mezeas(declared=(3, 0)), "even and at most 126"),
        (mezeas(claim=4), "nothing can have been claimed yet"),
        (mezeas(fill_due=4), "not those of the throw"),
        (mezeas(failed=True), "does not fit the stage"),
        (mezeas(hole_settled=True), "settled hole does not fit"),
        (mezeas(left=(7, 0)), "before the move"),
        (mezeas(points=(4, 0)), "not the one before with what was declared"),
        (mezeas(before=Score((0, 0), (12, 0))), "won before the throw"),
        (mezeas(before=Score((3, 0))), "points are even"),
        (mezeas("Move", asks=None, declared=(4, 0)), "not the one before with what was declared"),
        (mezeas("HoldOrGoChoice", points=(4, 0), asks=None, declared=(4, 0)), "only after a hole by this throw"),
        (neglected(asks="claim_against_other", claim=3), "claims are even"),
        (neglected(asks="decide_filling", claim=2), "was not noticed"),
        (neglected(left=(3, 8)), "cannot be taken back"),
        (neglected(left=(7, 0)), "no filling was neglected"),
        (neglected(failed=False), "kept that need not be taken back"),
        (neglected(failed=False, left=(0, 0)), "no play of this throw leads here"),
        (replace(neglected(), due=(8, 0)), "no filling was neglected"),
        (replace(neglected(asks="decide_filling", claim=4), board=FULL), "cannot be taken back|no filling"),
        (Position(board=MEZEAS, dice=(3, 1), stage="Move", school=School(asks=None, failed=True)), "neglected"),
    ],
)
def test_a_school_that_cannot_be_in_progress(position, reason):
    with pytest.raises(ValueError, match=reason):
        position.state(SCHOOLS)


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"asks": "sleep"}, "asks must be one of"),
        ({"declared": (128, 0)}, "declared must be two numbers"),
        ({"claim": "much"}, "claim must be a number"),
        ({"left": (25, 0)}, "left must be two numbers"),
        ({"before": (0, 0)}, "before must be a Score"),
        ({"failed": 2}, "failed must be a number"),
    ],
)
def test_a_school_that_is_none(parts, reason):
    with pytest.raises(ValueError, match=reason):
        School(**parts)


# --- the scored game --------------------------------------------------------------------------------------------------

ONE_LOST = Account(tokens=(14, -16), lost=(0, 1), first=1)


def test_an_account_between_two_marques():
    state = Position(player=1, account=ONE_LOST).state(marques=2)
    assert state.returns() == [14, -16]
    assert "marqué 2 of 2, refaits 0, Black began; White 14 tokens, 0 lost; Black -16 tokens, 1 lost" in str(state)
    assert Position.of(state).account == ONE_LOST


def test_a_game_whose_account_is_settled():
    over = Account(tokens=(14 + 14 + 4 + 28, -60), lost=(0, 2))
    assert Position(account=over).state(marques=2).is_terminal()
    three = Account(tokens=(0, 0, 0), lost=(0, 0, 0))
    assert Position(account=three).state(marques=3, players=3) == Position().state(
        tablier.load_game("trictrac_a_ecrire", marques=3, players=3)
    )


@pytest.mark.parametrize(
    ("account", "reason"),
    [
        (replace(ONE_LOST, tokens=(14, -14)), "won, lost and put aside"),
        (replace(ONE_LOST, tokens=(-14, 12)), "who has lost no marqué"),
        (replace(ONE_LOST, tokens=(9_000_000, -9_000_002)), "no player can have this many"),
        (replace(ONE_LOST, tokens=(0, 0), lost=(0, 0)), "other player began"),
        (replace(ONE_LOST, lost=(0, 3)), "do not add up"),
        (replace(ONE_LOST, lost=(1, 1)), "not settled"),
        (replace(ONE_LOST, tokens=(14, -16, 0), lost=(0, 1, 0)), "has two players"),
        (replace(ONE_LOST, first=0), "other player began"),
        (Account(tokens=(5 + 4 + 28, -37), lost=(0, 2)), "not settled"),
        (Account(tokens=(60, -60), lost=(0, 2), refaits=1), "still to be replayed"),
        (Account(tokens=(60, -60), lost=(0, 2), first=1), "other player began"),
    ],
)
def test_an_account_that_does_not_add_up(account, reason):
    with pytest.raises(ValueError, match=reason):
        Position(player=1 - account.first if account.first else 0, account=account).state(
            marques=2, first_throw="white"
        )


def test_three_lose_no_more_than_they_play():
    """Player 2 rests in the first marqué."""
    tokens = Account(tokens=(15, 2, -19), lost=(0, 0, 1))
    with pytest.raises(ValueError, match="more marqués than they played"):
        Position(account=tokens).state(marques=3, players=3)


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"tokens": (0,)}, "two or three numbers"),
        ({"tokens": (0, 0.5)}, "two or three numbers"),
        ({"tokens": None}, "two or three numbers"),
        ({"lost": (0, -1)}, "two or three numbers"),
        ({"refaits": 256}, "refaits must be a number"),
        ({"first": 2}, "first must be a number"),
    ],
)
def test_an_account_that_is_none(parts, reason):
    with pytest.raises(ValueError, match=reason):
        Account(**parts)
