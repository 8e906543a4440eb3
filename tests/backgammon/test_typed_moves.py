"""Typed moves and notation, in both directions."""

import random

import pytest
from positions import men_of, setup

import tablier
from tablier.backgammon import moves_text, read_moves
from tablier.games import home_of
from tablier.messages import MessageError, render, said

GAME = tablier.load_game("backgammon")
HOME = home_of(GAME)
USUAL = ("6:5 8:3 13:5 24:2", "6:5 8:3 13:5 24:2")


def names(state, typed):
    """Returns the notation of what was typed, one text per action."""
    texts = []
    for action in HOME.read_turn(state, typed):
        texts.append(render(HOME.action(state, action), "en"))
        state = state.child(action)
    return texts


@pytest.mark.parametrize(
    "typed", ["8/5 6/5", "6/5 8/5", "6-5, 8-5", " 8/5   6/5 ", "8>5;6>5", "8/5* 6/5"], ids=lambda one: one
)
def test_two_men_in_any_order_and_spelling(typed):
    assert names(setup(GAME, *USUAL, dice=(3, 1)), typed) == ["8/5 6/5"]


def test_one_man_with_both_numbers():
    state = setup(GAME, *USUAL, dice=(6, 5))
    assert names(state, "24/13") == names(state, "24/18/13") == names(state, "24/18 18/13") == ["24/13"]


def test_the_bar_and_hits():
    state = setup(GAME, "bar:1 6:5 8:3 13:5 24:1", "6:5 8:3 13:5 22:1 24:1", dice=(3, 1))
    assert names(state, "bar/24 6/3") == names(state, "barre/24 6/3*") == names(state, "25/24 6/3") == ["bar/24 6/3*"]


def test_bearing_off_in_every_language():
    state = setup(GAME, "6:2 5:2 1:3", "1:5", dice=(6, 5))
    for typed in ("6/off 5/off", "6/sortie 5/s", "6/0 5/0", "5/out 6/o"):
        assert names(state, typed) == ["6/off 5/off"]


def test_a_hit_on_the_way_decides_which_way_is_meant():
    state = setup(GAME, "23:1 6:14", "20:1 1:14", dice=(3, 1))  # their 20 is the mover's 5
    assert {"6/5*/2", "6/2"} <= {render(HOME.action(state, action), "en") for action in state.legal_actions()}
    assert names(state, "6/2") == ["6/2"]
    assert names(state, "6/5/2") == names(state, "6/5*/2") == ["6/5*/2"]


def test_all_four_moves_of_a_doublet_at_once():
    state = setup(GAME, *USUAL, dice=(3, 3))
    assert names(state, "8/5(2) 6/3(2)") == ["8/5(2)", "6/3(2)"]
    assert names(state, "13/7(2)") == ["13/10(2)", "10/7(2)"]
    for action in HOME.read_turn(state, "24/15 13/10"):
        state = state.child(action)
    assert men_of(state)[0][15] == 1
    assert [men_of(state)[0][point] for point in (24, 13, 10)] == [1, 4, 1]


def test_half_a_doublet_is_taken_as_half():
    state = setup(GAME, *USUAL, dice=(3, 3))
    assert names(state, "8/5(2)") == ["8/5(2)"]
    after = state.child(HOME.read(state, "8/5(2)"))
    assert after.current_player() == state.current_player()
    assert render(HOME.prompt(after), "en") == "White 3-3, the last two moves"
    assert "four moves" in render(HOME.prompt(state), "en")


def test_numbers_are_those_of_the_list():
    state = setup(GAME, *USUAL, dice=(3, 1))
    listed = HOME.choices(state)
    assert [number for number, _ in listed] == [str(n + 1) for n in range(len(state.legal_actions()))]
    assert HOME.read(state, "2") == HOME.read(state, "#2") == state.legal_actions()[1]


REFUSED = {
    "": "one to four moves",
    "hello": "'hello' is not a move",
    "8": "not a legal|lists|type a number",
    "99": "type a number from 1 to",
    "8/9": "'8/9' is not a move",
    "8/5(9)": "is not a move",
    "bar/22": "no man on bar",
    "7/4": "no man on 7",
    "8/5": "play more than that",
    "8/6 6/5": "not a legal play of 3 and 1",
    "13/off": "not a legal play",
    "8/5 6/5 13/10 24/23 24/20": "one to four moves",
    "pass": "cannot pass",
}


@pytest.mark.parametrize(("typed", "reason"), [one for one in REFUSED.items() if one[0] != "8"])
def test_what_cannot_be_played_is_refused_with_the_reason(typed, reason):
    state = setup(GAME, *USUAL, dice=(3, 1))
    with pytest.raises(MessageError, match=reason) as caught:
        read_moves(state, typed)
    assert said(caught.value, "fr") != str(caught.value)


def test_the_man_on_the_bar_comes_first():
    state = setup(GAME, "bar:1 6:5 8:3 13:5 24:1", USUAL[1], dice=(3, 1))
    with pytest.raises(MessageError, match="enters first"):
        read_moves(state, "8/5 6/5")


def test_who_cannot_play_passes():
    closed = "1:2 2:2 3:2 4:2 5:2 6:2 8:3"
    state = setup(GAME, "bar:1 6:14", closed, dice=(3, 1))
    assert read_moves(state, "pass") == read_moves(state, "passe") == state.legal_actions()
    assert render(HOME.action(state, state.legal_actions()[0]), "fr") == "rien à jouer"


@pytest.mark.parametrize("start", ["standard", "hyper", "long"])
def test_every_move_can_be_typed_as_it_is_written(start):
    game, chance, read = tablier.load_game("backgammon", start=start), random.Random(2), 0
    home = home_of(game)
    for _ in range(4):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.current_player() >= 0 and len(state.legal_actions()) > 1:
                for action in state.legal_actions()[:20]:
                    (found,) = home.read_turn(state, render(home.action(state, action), "en"))
                    assert state.child(found) == state.child(action)
                    read += 1
            state = state.child(chance.choice(state.legal_actions()))
    assert read > 100


def test_moves_as_text():
    assert moves_text([(13, 7, True), (13, 7, False)]) == "13/7*(2)"
    assert moves_text([(6, 2, False), (25, 21, True)]) == "bar/21* 6/2"
    assert moves_text([(24, 18, True), (18, 13, False)]) == "24/18*/13"
    assert moves_text([]) == ""
