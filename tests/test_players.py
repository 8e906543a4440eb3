import pytest

import tablier
from tablier.players import PLAYERS, make_player


def play(game, players, dice_seed):
    import random

    rng = random.Random(dice_seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        else:
            state.apply_action(players[state.current_player()].choose(state))
    return state.returns()


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("game", ["tic_tac_toe", "pig", "trictrac"])
def test_every_player_plays_every_game(name, game):
    game = tablier.load_game(game)
    play(game, [make_player(name, game, seed=1), make_player("random", game, seed=2)], 3)


@pytest.mark.parametrize("name", PLAYERS)
def test_the_same_seed_plays_the_same_game(name):
    game = tablier.load_game("trictrac")
    one, two = ([make_player(f"{name}:seed=5", game), make_player("random", game)] for _ in range(2))
    assert play(game, one, 1) == play(game, two, 1)


def test_greedy_wins_at_once_where_it_can(tic_tac_toe):
    state = tic_tac_toe.new_initial_state()
    for square in (0, 3, 1, 4):
        state.apply_action(square)
    assert make_player("greedy", tic_tac_toe).choose(state) == 2


@pytest.mark.parametrize("utility", ["score", "win"])
def test_greedy_beats_random_at_trictrac(utility):
    game = tablier.load_game("trictrac", utility=utility)
    wins = 0
    for i in range(60):
        seat = i % 2
        players = [make_player("random", game, seed=i)] * 2
        players[seat] = make_player("greedy", game, seed=i)
        returns = play(game, players, i)
        wins += returns[seat] > returns[1 - seat]
    assert wins >= 55


@pytest.mark.parametrize(
    ("description", "error", "words"),
    [
        ("genius", ValueError, "no player is called 'genius'; there are greedy, random"),
        ("random:depth=3", ValueError, "no setting 'depth'"),
        ("random:seed=x", ValueError, "is a number, not 'x'"),
        (7, TypeError, "a string or has a method choose"),
    ],
)
def test_a_description_that_means_no_player(pig, description, error, words):
    with pytest.raises(error, match=words):
        make_player(description, pig)


def test_an_object_with_the_method_is_a_player(pig):
    class First:
        def choose(self, state):
            return state.legal_actions()[0]

    first = First()
    assert make_player(first, pig) is first
