"""The scored game (docs/rules.md, 15), played action by action in the engine."""

import pytest
from drawn import DECLARE, GO, PASS, in_a_marque, parts

import tablier
from tablier._core.trictrac import claim, declaration
from tablier.testing import check_game
from tablier.trictrac import START


def new(**options):
    return tablier.load_game("trictrac_a_ecrire", first_throw="white", **options).new_initial_state()


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
    state = in_a_marque(new(), holes, (run, False), refaits)
    state.apply_action(GO)
    assert state.rewards() == [paid, -paid - 2]  # plus two tokens put aside
    assert state.current_player() == -1


def test_the_consolation_may_grow_by_two():
    state = in_a_marque(new(refait_consolation="linear"), (9, 8), refaits=2)
    state.apply_action(GO)
    assert state.rewards()[0] == 9 + 6 - 8


def test_equal_holes_are_played_again():
    state = in_a_marque(new(), (7, 7))
    state.apply_action(GO)
    assert state.returns() == [0, 0]
    assert "marqué 1 of 12, refaits 1" in str(state)
    assert "White throws" in str(state)  # the same first player


def test_leaving_below_six_holes_is_just_a_new_setting():
    state = in_a_marque(new(), (5, 3))
    state.apply_action(GO)
    assert state.returns() == [0, 0]
    assert "White: 5 holes" in str(state)


def test_twelve_holes_do_not_end_a_marque():
    state = in_a_marque(new(), (12, 0), (True, False))
    assert not state.is_terminal()
    assert GO in state.legal_actions()


def test_players_begin_in_turn_or_the_winner_begins():
    state = in_a_marque(new(), (9, 8))
    state.apply_action(GO)
    assert "Black throws" in str(state)
    state = in_a_marque(new(next_marque_first="winner"), (9, 8))
    state.apply_action(GO)
    assert "White throws" in str(state)


def test_bredouille_may_go_on_doubling():
    state = in_a_marque(new(bredouille_progression="every six holes"), (18, 6), (True, False))
    state.apply_action(GO)
    assert state.rewards()[0] == 8 * 18 + 8 * 2 - 6


def test_the_account_at_the_end():
    """White wins both marqués 9 v 8, the tail of four tokens, and the bet of 28 for the one lost beyond half."""
    state = new(marques=2, next_marque_first="winner", final_tail=10)
    for _ in range(2):
        state = in_a_marque(state, (9, 8))
        state.apply_action(GO)
    assert state.is_terminal()
    assert state.returns() == [3 + 3 + 4 + 28 + 10, -(3 + 3 + 4 + 28 + 10)]


def test_without_bets_and_with_one_token_aside():
    state = new(marques=2, next_marque_first="winner", bets=False, tail_tokens_per_loss=1)
    for _ in range(2):
        state = in_a_marque(state, (9, 8))
        state.apply_action(GO)
    assert state.returns() == [3 + 3 + 2, -8]


def test_a_tie_splits_the_tail():
    state = new(marques=2)
    state = in_a_marque(state, (9, 8))
    state.apply_action(GO)  # White wins 3; Black starts the next one
    state = in_a_marque(state, (8, 9))
    state.apply_action(GO)
    assert state.is_terminal()
    assert state.returns() == [0, 0]


def test_random_games_end_and_balance():
    result = tablier.load_game("trictrac_a_ecrire", marques=4).random_playouts(200, seed=1)
    assert result.unfinished == 0
    assert abs(result.returns.sum(axis=1)).max() == 0
    assert START[0] == 15


def test_the_tokens_sum_to_zero_at_the_end_and_lack_the_tail_before():
    """Payments go between players, but tokens of lost marqués lie aside until the end: the game is not zero-sum."""
    game = tablier.load_game("trictrac_a_ecrire", marques=4)
    assert game.get_type().utility.name == "GENERAL_SUM"
    for seed in range(3):
        for state in tablier.testing.random_nodes(game, seed):
            aside = 0 if state.is_terminal() else 2 * parts(state).account.played
            assert sum(state.returns()) == -aside


@pytest.mark.parametrize(("players", "marques"), [(2, 7), (3, 4), (3, 2)])
def test_marques_are_shared_equally(players, marques):
    wanted = "marques must be even" if players == 2 else "marques must be a multiple of 3"
    with pytest.raises(ValueError, match=wanted):
        tablier.load_game("trictrac_a_ecrire", players=players, marques=marques)


# --- three players (rules.md, 15.9) -----------------------------------------------------------------------------------


def three(**options):
    return new(**{"players": 3, "marques": 3, **options})


def win(state, seat):
    """White (0) or Black (1) wins the marqué 9 holes to 8: 3 tokens, 2 aside, and a consolation of 2."""
    state = in_a_marque(state, (8, 9) if seat else (9, 8))
    state.apply_action(GO)
    return state


def test_three_of_whom_each_meets_each_and_rests_in_turn():
    state, seats = three(), []
    for _ in range(3):
        seats.append(parts(state).seats)  # of players 0, 1 and 2
        assert state.num_players() == 3
        state = win(state, 0)
    assert seats == [(0, 1, 2), (2, 0, 1), (1, 2, 0)]
    assert state.is_terminal()


def test_the_loser_also_pays_the_consolation_to_the_player_who_rests():
    state = win(three(), 0)
    assert state.rewards() == [3, -3 - 2 - 2, 2]
    state = win(state, 1)  # player 1 is White, player 2 Black, player 0 rests
    assert state.rewards() == [2, -3 - 2 - 2, 3]


@pytest.mark.parametrize(("refaits", "consolation"), [(0, 2), (1, 4), (2, 8)])
def test_refaits_raise_it_and_bredouille_does_not(refaits, consolation):
    """12 v 6 in grande bredouille pays fourfold; the player who rests gets the consolation once."""
    state = in_a_marque(three(), (12, 6), (True, False), refaits)
    state.apply_action(GO)
    assert state.rewards() == [
        4 * 12 + 4 * consolation - 6,
        -(4 * 12 + 4 * consolation - 6) - 2 - consolation,
        consolation,
    ]


def test_after_a_refait_the_same_two_play_again():
    state = in_a_marque(three(), (7, 7))
    state.apply_action(GO)
    assert parts(state).seats == (0, 1, 2)
    assert state.returns() == [0, 0, 0]


def test_the_players_are_asked_by_their_number():
    state = win(three(), 0)
    state.apply_action(7)  # White throws, who is player 1
    assert state.current_player() == 1
    assert state.legal_actions(1) == state.legal_actions()
    assert state.legal_actions(0) == state.legal_actions(2) == []
    assert "player 0 (rests) 3 tokens, 0 lost; player 1 (White) -7 tokens, 1 lost; player 2 (Black) 2" in str(state)


def test_three_begin_in_turn():
    """White starts the first marqué and so all of them: players 0, 1, 2. If Black wins the draw: 1, 2, 0."""
    state = three()
    for beginner in (0, 1, 2):
        child = state.child(7)
        assert child.current_player() == beginner
        state = win(state, 1)


def test_or_the_winner_begins_and_if_he_rests_who_comes_instead():
    state = win(three(next_marque_first="winner"), 1)  # player 1 won and is White now
    assert state.child(7).current_player() == 1
    state = win(three(next_marque_first="winner"), 0)  # player 0 won and rests; player 2 comes in
    assert state.child(7).current_player() == 2


def test_the_account_of_three_at_the_end():
    """Player 0 wins twice and rests once, player 1 loses twice, player 2 wins once and loses once.

    Marqués: 0 beats 1, 2 beats 1 (0 rests), 0 beats 2 (1 rests): 3 + 2 + 3 = 8; -7 - 7 + 2 = -12; 2 + 3 - 7 = -2.
    The tail of six goes to player 0. Player 1 lost both their marqués, one beyond half, and pays 28, 14 to each. Of the
    final tail of 5, player 1, who has the least, pays 3 and player 2 pays 2.
    """
    state = three(final_tail=5)
    for seat in (0, 1, 1):
        state = win(state, seat)
    assert state.is_terminal()
    assert state.returns() == [8 + 6 + 14 + 5, -12 - 28 - 3, -2 + 14 - 2]


def test_three_equal_players_split_the_tail():
    state = three()
    for seat in (0, 0, 0):  # each wins once, loses once and rests once
        state = win(state, seat)
    assert state.returns() == [0, 0, 0]


def test_of_two_equal_ones_the_first_gets_the_odd_token():
    """Players 0 and 2, who both have 8, split the three tokens put aside, one per marqué."""
    state = three(tail_tokens_per_loss=1, bets=False)
    state = win(state, 0)  # 0 beats 1: 3, -6, 2
    state = in_a_marque(state, (8, 18))  # 2 beats 1 by 18 + 2 - 8 = 12: 2, -15, 12
    state.apply_action(GO)
    state = win(state, 1)  # 0 beats 2: 3, 2, -6
    assert state.returns() == [8 + 2, -19, 8 + 1]


@pytest.mark.parametrize("options", [{}, {"schools": True}, {"explicit_roll": True, "tail_tokens_per_loss": 1}])
def test_the_game_of_three_keeps_the_contract(options):
    check_game(tablier.load_game("trictrac_a_ecrire", players=3, marques=3, **options), games=1)


def test_random_games_of_three_end_and_balance():
    options = {"marques": 6, "tail_tokens_per_loss": 1, "final_tail": 7, "bredouille_progression": "every six holes"}
    game = tablier.load_game("trictrac_a_ecrire", players=3, **options)
    result = game.random_playouts(200, seed=1, threads=2)
    assert result.returns.shape == (200, 3)
    assert result.unfinished == 0
    assert abs(result.returns.sum(axis=1)).max() == 0
    assert (result.returns.std(axis=0) > 1).all()


def test_who_rests_sees_the_board_from_whites_side_and_his_own_account():
    state = win(three(), 0)
    state.apply_action(7)
    idle, white, black = (state.features(player) for player in (0, 1, 2))
    assert (idle[:231] == white[:231]).all()
    assert (idle[:231] != black[:231]).any()
    lost, tokens, rests = idle[234:237], idle[237:240], idle[240:243]
    assert lost.tolist() == pytest.approx([0, 1 / 3, 0])
    assert tokens.tolist() == pytest.approx([0.03, -0.07, 0.02])
    assert rests.tolist() == [1, 0, 0]
    assert white[240:243].tolist() == [0, 0, 1]  # players 1, 2, 0
    assert state.observation(0)[36:].tolist() == [1, 0, 0, 1, 0, 0]
    assert state.observation(2)[36:].tolist() == [1, 0, 0, 0, 1, 1]


# --- schools in the scored game ---------------------------------------------------------------------------------------


def leaving(holes, declared=4, **options):
    """White, with 8 points, 4 due and one hole fewer than given, declares and leaves with the hole that this makes."""
    state = in_a_marque(new(schools=True, **options), holes)
    state.apply_action(declaration(declared))
    state.apply_action(GO)
    return state


def test_a_marque_ends_when_nothing_is_claimed_against_leaving():
    state = leaving((9, 8))
    assert state.current_player() == 1
    assert state.returns() == [0, 0]
    state.apply_action(PASS)
    assert state.returns() == [3, -5]
    assert parts(state).holes == (0, 0)


def test_holes_of_a_claim_are_counted_before_the_marque_ends():
    """White declares 16 instead of 4, with 8: two holes, the second double. The claim of 12 gives Black two: 9 v 8."""
    state = leaving((9, 6), declared=16)
    assert parts(state).holes == (11, 6)
    state.apply_action(claim(12))
    assert state.returns() == [3, -5]


def test_a_claim_may_turn_the_marque():
    state = leaving((7, 6), declared=16)
    state.apply_action(claim(12))  # 7 v 8
    assert state.returns() == [-(8 + 2 - 7) - 2, 8 + 2 - 7]


def test_points_of_a_claim_that_make_no_hole_are_lost_with_the_marque():
    state = leaving((9, 8), declared=8)
    state.apply_action(claim(4))
    assert state.returns() == [3, -5]
    assert parts(state).points == (0, 0)


def test_below_six_holes_they_count_in_the_new_setting():
    state = leaving((3, 2), declared=8)
    state.apply_action(claim(4))
    assert state.returns() == [0, 0]
    assert parts(state).holes == (3, 2)
    assert parts(state).points == (0, 4)


def test_a_false_claim_goes_to_the_leaver_before_the_marque_ends():
    """A claim of 12 when nothing is wrong gives White a double hole."""
    state = leaving((9, 8))
    state.apply_action(claim(12))
    assert state.returns() == [11 + 2 - 8, -(11 + 2 - 8) - 2]


def test_who_has_no_hole_by_right_does_not_end_the_marque():
    """White's first throw gives nothing; they declare 36 and leave with six holes. The claim gives these to Black."""
    state = new(schools=True)
    for action in (1, declaration(36), GO, claim(36)):
        state.apply_action(action)
    assert parts(state).holes == (0, 6)
    assert parts(state).account.played == 0
    assert state.current_player() == 0
    assert GO not in state.legal_actions()


def test_a_school_does_not_let_the_other_leave():
    """A claim of 12 takes Black past six holes; the marqué continues until a player leaves on their own throw."""
    state = in_a_marque(new(schools=True), (6, 5))
    state.apply_action(declaration(16))
    state.apply_action(state.legal_actions()[1])  # White holds
    for action in (DECLARE, claim(12), PASS):
        state.apply_action(action)
    assert parts(state).holes == (6, 7)
    assert state.is_chance_node()
    assert parts(state).account.played == 0


@pytest.mark.parametrize("players", [2, 3])
def test_scored_games_with_schools_keep_the_contract(players):
    game = tablier.load_game("trictrac_a_ecrire", players=players, marques=6, schools=True, fill_school="double")
    assert game.num_distinct_actions() == 644
    check_game(game, games=1)


def test_fill_school_says_nothing_without_schools():
    with pytest.raises(ValueError, match="fill_school has no effect without schools"):
        tablier.load_game("trictrac_a_ecrire", fill_school="double")
