"""The scored game (docs/rules.md, 15), played by hand through the engine."""

import pytest

import tablier
from tablier.trictrac import START

GO, PASS = 1, 2


def new(**options):
    return tablier.load_game("trictrac_a_ecrire", first_throw="white", **options).new_initial_state()


def forced(state, holes, runs=(False, False), refaits=0):
    """The same state with these holes, White about to leave after a hole by his own throw."""
    return tablier._core.trictrac.with_marque(state, holes, runs, refaits)


@pytest.mark.parametrize(
    ("holes", "run", "refaits", "paid"),
    [
        ((9, 8), False, 0, 3),  # F 222
        ((9, 8), True, 0, 14),
        ((11, 6), True, 0, 20),
        ((12, 6), True, 0, 50),
        ((18, 6), True, 0, 74),
        ((6, 1), True, 0, 15),  # L
        ((9, 8), False, 1, 5),
        ((9, 8), False, 2, 9),
    ],
)
def test_what_the_loser_of_a_marque_pays(holes, run, refaits, paid):
    state = forced(new(), holes, (run, False), refaits)
    state.apply_action(GO)
    assert state.rewards() == [paid, -paid - 2]  # and two tokens aside
    assert state.current_player() == -1


def test_the_consolation_may_grow_by_two():
    state = forced(new(refait_consolation="linear"), (9, 8), refaits=2)
    state.apply_action(GO)
    assert state.rewards()[0] == 9 + 6 - 8


def test_equal_holes_are_played_again():
    state = forced(new(), (7, 7))
    state.apply_action(GO)
    assert state.returns() == [0, 0]
    assert "marqué 1 of 12, refaits 1" in str(state)
    assert "White throws" in str(state)  # the same first player


def test_leaving_below_six_holes_is_just_a_new_setting():
    state = forced(new(), (5, 3))
    state.apply_action(GO)
    assert state.returns() == [0, 0]
    assert "White: 5 holes" in str(state)


def test_twelve_holes_do_not_end_a_marque():
    state = forced(new(), (12, 0), (True, False))
    assert not state.is_terminal()
    assert GO in state.legal_actions()


def test_players_begin_in_turn_or_the_winner_begins():
    state = forced(new(), (9, 8))
    state.apply_action(GO)
    assert "Black throws" in str(state)
    state = forced(new(next_marque_first="winner"), (9, 8))
    state.apply_action(GO)
    assert "White throws" in str(state)


def test_bredouille_may_go_on_doubling():
    state = forced(new(bredouille_progression="every six holes"), (18, 6), (True, False))
    state.apply_action(GO)
    assert state.rewards()[0] == 8 * 18 + 8 * 2 - 6


def test_the_account_at_the_end():
    """White wins both marqués: twice 9 v 8, the tail of four tokens, the bet of 28 for the one lost beyond half."""
    state = new(marques=2, next_marque_first="winner", final_tail=10)
    for _ in range(2):
        state = forced(state, (9, 8))
        state.apply_action(GO)
    assert state.is_terminal()
    assert state.returns() == [3 + 3 + 4 + 28 + 10, -(3 + 3 + 4 + 28 + 10)]


def test_without_bets_and_with_one_token_aside():
    state = new(marques=2, next_marque_first="winner", bets=False, tail_tokens_per_loss=1)
    for _ in range(2):
        state = forced(state, (9, 8))
        state.apply_action(GO)
    assert state.returns() == [3 + 3 + 2, -8]


def test_a_tie_splits_the_tail():
    state = new(marques=2)
    state = forced(state, (9, 8))
    state.apply_action(GO)  # White wins 3; Black begins the next one
    state = forced(state, (8, 9))
    state.apply_action(GO)
    assert state.is_terminal()
    assert state.returns() == [0, 0]


def test_random_games_end_and_balance():
    result = tablier.load_game("trictrac_a_ecrire", marques=4).random_playouts(200, seed=1)
    assert result.unfinished == 0
    assert abs(result.returns.sum(axis=1)).max() == 0
    assert START[0] == 15
