"""Players of the machine at a table with schools: they mark what is true and claim what is due."""

import random

import pytest

import tablier
from tablier._core.trictrac import parts
from tablier.players import make_player
from tablier.web.schools import Honest, ordinary

DECLARE, CLAIM, CORRECT, NO_CLAIM = 514, 578, 641, 642
OPTIONS = {"schools": True, "first_throw": "white"}


@pytest.fixture
def honest():
    game = tablier.load_game("trictrac", **OPTIONS)
    plain = ordinary(game)
    return Honest(make_player("heuristic", plain), plain)


def test_two_honest_players_mark_what_the_ordinary_game_marks(honest):
    """The same dice, the same moves: the score is that of the game in which the engine marks."""
    schools = tablier.load_game("trictrac", **OPTIONS).new_initial_state()
    plain = tablier.load_game("trictrac", first_throw="white").new_initial_state()
    chance = random.Random(5)
    for _ in range(2000):
        if schools.is_terminal():
            break
        if schools.is_chance_node():
            assert (parts(schools)["points"], parts(schools)["holes"]) == (
                parts(plain)["points"],
                parts(plain)["holes"],
            )
            action = chance.choice(schools.legal_actions())
        else:
            action = honest.choose(schools)
        schools.apply_action(action)
        if action < DECLARE:
            plain.apply_action(action)
    assert schools.is_terminal()
    assert parts(schools)["holes"] == parts(plain)["holes"]


@pytest.mark.parametrize(("said", "wins"), [(-4, 4), (4, 4), (0, 0)])
def test_a_wrong_mark_is_claimed_to_the_point(honest, said, wins):
    """Who marks too little or too much loses the difference to him who sees it."""
    chance = random.Random(2)
    state = tablier.load_game("trictrac", **OPTIONS).new_initial_state()
    while True:  # to a throw that gives the mover at least four points and no hole
        now = parts(state)
        if now["school"] == 1 and now["stage"] == 2 and 4 <= now["due"][0] <= 6 and max(now["points"]) <= 2:
            break
        state.apply_action(chance.choice(state.legal_actions()) if state.is_chance_node() else honest.choose(state))
    state.apply_action(DECLARE + (now["due"][0] + said) // 2)
    while parts(state)["school"] != 2:  # until the other may claim
        state.apply_action(honest.choose(state))
    claim = honest.choose(state)
    assert claim == (CLAIM + wins // 2 - 1 if wins else NO_CLAIM)


def test_a_hint_for_marking_names_the_truth(honest):
    state = tablier.load_game("trictrac", **OPTIONS).new_initial_state().child(0)
    opinions = honest.explain(state)
    assert opinions[0].action == DECLARE
    assert len(opinions) == len(state.legal_actions())


def test_wrong_marks_do_not_keep_a_player_from_thinking(honest):
    """Whatever was declared, the throw has its place in the ordinary game."""
    game = tablier.load_game("trictrac", **OPTIONS)
    for seed in range(4):
        chance, state = random.Random(seed), game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                action = chance.choice(state.legal_actions())
            elif parts(state)["school"] == 1 and chance.random() < 0.3:
                action = DECLARE + chance.choice([0, 1, 2, 4, 8])
            else:
                assert parts(state)["school"] or honest._plain(state) is not None
                action = honest.choose(state)
            state.apply_action(action)
