"""Moves as people type them, and the narration of a game."""

import random

import pytest

import tablier
from tablier import trictrac
from tablier._core import trictrac as native
from tablier._core.trictrac import LEAVE
from tablier.games.trictrac.actions import moves_text
from tablier.games.trictrac.telling import tell, why
from tablier.games.trictrac.text_board import board_lines, changed_fields
from tablier.games.trictrac.typed import read_move
from tablier.messages import languages, render


def throw(board, a, b, **more):
    return trictrac.Position(board=board, **more).throw(a, b)


def random_states(seed, games=3, **options):
    rng, game = random.Random(seed), tablier.load_game("trictrac", **options)
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            yield state
            state = state.child(rng.choice(state.legal_actions()))


def test_every_play_is_understood_in_every_way_it_is_written():
    for state in random_states(1):
        if state.is_chance_node():
            continue
        for action in state.legal_actions():
            if action == LEAVE:
                continue
            moves = native.moves(state, action)
            forms = (
                [state.action_to_string(action), *(render(moves_text(moves), lang) for lang in languages())]
                if moves
                else ["pass"]
            )
            forms += [" ".join(f"{a}/{b}" for a, b in reversed(moves)), ", ".join(f"{a}>{b}" for a, b in moves)] * bool(
                moves
            )
            for text in forms:
                assert read_move(state, text) == action, text


def test_fields_alone_go_by_the_order_of_the_dice():
    board = [9, 1, 1, 1, 1, 1, 1, *[0] * 15, -1, -14]
    state = throw(board, 6, 5)
    assert state.action_to_string(read_move(state, "3 2")) == "3-9 2-7"
    assert state.action_to_string(read_move(state, "2 3")) in ("2-8 3-8", "3-8 2-8")
    assert state.action_to_string(read_move(state, "2-8 3")) in ("2-8 3-8", "3-8 2-8")


CORNER = [11, 0, 0, 0, 0, 0, 2, 2, *[0] * 14, -1, -14]


@pytest.mark.parametrize("text", ["7-12 8-12", "7-13 8-13", "8/13 7/13", "power", "puissance", "par puissance", "7 8"])
def test_the_corner_by_power(text):
    state = throw(CORNER, 6, 5)
    assert dict(native.moves(state, read_move(state, text))) == {7: 12, 8: 12}


@pytest.mark.parametrize("text", ["22-off 23-off", "22/25, 23/25", "22-sort 23-sort", "22 23"])
def test_bearing_off(text):
    board = [0, -15, *[0] * 16, 0, 0, 0, 5, 5, 5]
    state = throw(board, 3, 2)
    assert sorted(native.moves(state, read_move(state, text))) == [(22, 25), (23, 25)]


def test_one_man_by_both_numbers():
    state = tablier.load_game("trictrac", first_throw="white").new_initial_state().child(23)
    for text in ("1-11", "1-5-11", "1-7-11", "1-5 5-11"):
        assert native.moves(state, read_move(state, text)) == [(1, 11)]


@pytest.mark.parametrize(
    "text", ["", "1", "1-", "-", "1-5-", "1 1 1", "1-5 1-7 1-9", "a", "1-5 x", "0-4", "25-1", "1-26", "9" * 5000]
)
def test_nonsense_is_refused(text):
    state = tablier.load_game("trictrac", first_throw="white").new_initial_state().child(23)
    with pytest.raises(ValueError):  # noqa: PT011  (each has a different message)
        read_move(state, text)


def test_black_types_his_own_numbers():
    game = tablier.load_game("trictrac")
    state = game.new_initial_state().child(3)  # White 1, Black 4
    assert state.current_player() == 1
    action = read_move(state, "1-5 1-2")
    assert render(moves_text(native.moves(state, action)), "en") == state.action_to_string(action)
    assert changed_fields(state, state.child(action), viewer=1) == [5, 2, 1]
    assert changed_fields(state, state.child(action), viewer=0) == [20, 23, 24]


def test_points_that_are_told_are_the_points_that_are_marked():
    for lang in ("en", "fr"):
        for state in random_states(4, holes_to_win=3):
            if not state.is_chance_node():
                continue
            action = state.legal_actions()[7]
            after = state.child(action)
            parts = native.parts(after)
            points = [
                sum(jan.points for jan in trictrac.throw_jans(after) if jan.beneficiary == who)
                for who in ("player", "opponent")
            ]
            if parts.dice != (0, 0):
                assert points == list(parts.due)
                text = render(tell(state, action, after), lang)
                assert (str(points[0]) in text) or not points[0]
                assert len(why(after)) == len(trictrac.throw_jans(after))


@pytest.mark.parametrize("options", [{}, {"schools": True}, {"explicit_roll": True}, {"last_throw_carries_over": True}])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_step_of_a_game_can_be_told(options, lang):
    last = ""
    for state in random_states(2, games=1, holes_to_win=4, **options):
        for action in state.legal_actions()[:3]:
            last = render(tell(state, action, state.child(action)), lang)
            assert last.endswith((".", ")"))
            assert "{" not in last


def test_every_step_of_the_scored_game_can_be_told():
    game = tablier.load_game("trictrac_a_ecrire", marques=3, players=3)
    rng, state, texts = random.Random(1), game.new_initial_state(), []
    while not state.is_terminal():
        action = rng.choice(state.legal_actions())
        texts.append(render(tell(state, action, state.child(action)), "en"))
        state = state.child(action)
        assert len(board_lines(state)) == 17
    assert sum("ends the marqué" in text for text in texts) >= 2
    assert "The game is over; tokens: " in texts[-1]


@pytest.mark.parametrize("viewer", [0, 1])
@pytest.mark.parametrize("colour", [False, True])
def test_all_men_are_on_the_drawn_board(viewer, colour):
    for state in random_states(3, games=1, holes_to_win=2):
        lines = board_lines(state, viewer, colour=colour)
        board = native.parts(state).board
        drawn = [segment for line in lines[2:-4] for segment in line]
        count = sum(text.strip() in ("x", "o", "●") for text, _ in drawn)
        high = sum(4 if abs(men) > 5 else abs(men) for men in board)
        assert count == high
        widths = {sum(len(text) for text, _ in line) for line in lines[1:-3]}
        assert len(widths) == 1
