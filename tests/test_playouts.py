import numpy as np
import pytest

import tablier

GAMES = ["tic_tac_toe", "pig"]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("threads", [2, 3, 7])
def test_results_do_not_depend_on_threads(name, threads):
    game = tablier.load_game(name)
    one, many = game.random_playouts(5000, seed=5), game.random_playouts(5000, seed=5, threads=threads)
    assert (one.returns == many.returns).all()
    assert (one.lengths == many.lengths).all()
    assert (one.decisions, one.rolls) == (many.decisions, many.rolls)


def test_a_longer_run_begins_like_a_shorter_one(pig):
    short, long = pig.random_playouts(100, seed=9), pig.random_playouts(6000, seed=9)
    assert (long.lengths[:100] == short.lengths).all()


def test_results_are_the_same_on_every_machine(pig):
    """Recorded numbers that depend only on the rules and the random generator."""
    result = pig.random_playouts(5, seed=1)
    assert result.lengths.tolist() == [209, 190, 155, 125, 229]


def test_totals_add_up(pig):
    result = pig.random_playouts(1000, seed=2)
    assert result.games == 1000
    assert result.lengths.sum() == result.decisions + result.rolls
    assert result.unfinished == 0
    assert np.allclose(result.mean_returns, result.returns.mean(axis=0))


def test_tic_tac_toe_comes_out_as_counted_exactly(tic_tac_toe):
    """In random games x wins 58.5%, o wins 28.8% and 12.7% are drawn, averaged over the game tree."""
    exact = {1.0: 0.0, -1.0: 0.0, 0.0: 0.0}

    def visit(state, probability):
        if state.is_terminal():
            exact[state.returns()[0]] += probability
            return
        for action in (legal := state.legal_actions()):
            visit(state.child(action), probability / len(legal))

    visit(tic_tac_toe.new_initial_state(), 1.0)
    returns = tic_tac_toe.random_playouts(200_000, seed=3).returns[:, 0]
    for value, probability in exact.items():
        assert (returns == value).mean() == pytest.approx(probability, abs=5 * 0.5 / np.sqrt(200_000))


def test_a_game_that_takes_too_long_is_cut(pig):
    result = pig.random_playouts(10, seed=1, max_steps=50)
    assert result.unfinished == 10
    assert (result.lengths == 50).all()
    assert (result.returns == 0).all()


def test_a_game_in_python_plays_out_on_threads(race):
    one, two = race.random_playouts(300, seed=1), race.random_playouts(300, seed=1, threads=2)
    assert (one.lengths == two.lengths).all()
