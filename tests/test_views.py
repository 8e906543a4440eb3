"""Views of a game stay within the bounds that it declares."""

import random

import numpy as np
import pytest

import tablier
from tablier.adapters.views import VIEWS, View

GAMES = [
    ("pig", {}),
    ("pig", {"win_score": 300}),
    ("tic_tac_toe", {}),
    ("trictrac", {}),
    ("trictrac", {"encoding": "markov", "holes_to_win": 2, "jan_de_rencontre": True}),
    ("trictrac", {"schools": True, "holes_to_win": 4}),
    ("trictrac", {"explicit_roll": True, "first_throw": "white"}),
    ("trictrac_a_ecrire", {"marques": 2}),
    ("trictrac_a_ecrire", {"marques": 3, "players": 3, "schools": True}),
    ("trictrac_a_ecrire", {"marques": 2, "encoding": "bounded"}),
    ("trictrac_a_ecrire", {"marques": 3, "players": 3, "encoding": "expert"}),
]


def states(game, games, seed=1):
    """Every state of a few random games, including chance nodes and terminal states."""
    rng = random.Random(seed)
    for _ in range(games):
        state = game.new_initial_state()
        yield state
        while not state.is_terminal():
            state = state.child(rng.choice(state.legal_actions()))
            yield state


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize(("game", "options"), GAMES, ids=str)
def test_every_view_of_a_random_game_is_within_its_bounds(game, options, name):
    game = tablier.load_game(game, **options)
    view = View.of(game, name)
    assert np.isfinite(view.low).all()
    assert np.isfinite(view.high).all()
    for state in states(game, games=2):
        for player in range(game.num_players()):
            seen = view.read(state, player)
            assert (seen.shape, seen.dtype) == (view.shape, view.dtype)
            assert ((view.low <= seen) & (seen <= view.high)).all()


def test_features_of_trictrac_are_from_0_to_1():
    view = View.of(tablier.load_game("trictrac"), "features")
    assert (view.shape, view.dtype) == ((217,), np.float32)
    assert not view.low.any()
    assert (view.high == 1).all()


def test_the_observation_of_trictrac_has_a_bound_for_each_entry():
    """Contract, section 5: the board, the colour, the stage, the dice, and both players' scores."""
    view = View.of(tablier.load_game("trictrac"), "observation")
    assert view.dtype == np.int8
    assert view.low.tolist() == [-15] * 24 + [0] * 12
    assert view.high.tolist() == [15] * 24 + [1, 5, 6, 6] + 2 * [10, 127, 1, 1]


def test_a_byte_counts_the_points_of_a_long_race_of_pig_up_to_255():
    assert (View.of(tablier.load_game("pig", win_score=300), "observation").high == 255).all()
    assert (View.of(tablier.load_game("pig", win_score=30), "observation").high == 30).all()


def test_a_game_that_tells_no_bounds_has_those_of_its_types(race):
    features, observation = (View.of(race, name) for name in VIEWS)
    assert (features.low == -np.inf).all()
    assert (features.high == np.inf).all()
    assert (observation.dtype, observation.low.min(), observation.high.max()) == (np.uint8, 0, 255)


def test_an_unknown_view_is_refused_with_the_list(pig):
    with pytest.raises(ValueError, match="observation must be one of features, observation, not 'pixels'"):
        View.of(pig, "pixels")
