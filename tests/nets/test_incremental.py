"""A position computed by what differs from the one before equals the same position computed from scratch."""

import numpy as np
import pytest
from covered import GAMES, load
from network_files import positions, random_network

from tablier._core import nets, search

MOVES = 2000


def walk(game, moves, seed):
    """Returns the positions of a walk through random games, dice included, one action apart, and a viewer of each."""
    draw = np.random.default_rng(seed)
    state, states = game.new_initial_state(), []
    for _ in range(moves):
        if state.is_terminal():
            state = game.new_initial_state()
        state.apply_action(int(draw.choice(state.legal_actions())))
        states.append(search.words(state))
    return np.array(states), draw.integers(game.num_players(), size=moves, dtype=np.int32)


def from_scratch(network, game, states, players):
    """Computes each position in a call of its own."""
    rows = [network.compute(game, states[i : i + 1], players[i : i + 1]) for i in range(len(states))]
    return np.concatenate([row[0] for row in rows]), np.concatenate([row[1] for row in rows])


@pytest.mark.parametrize("kernels", nets.kernels())
@pytest.mark.parametrize("name", GAMES)
def test_a_walk_of_thousands_of_moves(name, kernels):
    game = load(name)
    network = nets.Network(random_network(game, width=70, hidden=(9,), policy=True, extreme=True).file, kernels)
    states, players = walk(game, MOVES, seed=3)
    outputs, logits = network.compute(game, states, players)
    alone = from_scratch(network, game, states, players)
    assert (alone[0] == outputs).all()
    assert (alone[1] == logits).all()
    assert len(np.unique(outputs)) > 5


@pytest.mark.parametrize("name", ["trictrac-markov", "trictrac-schools", "scored", "pig", "race"])
def test_the_order_of_the_positions_does_not_matter(name):
    game = load(name)
    network = nets.Network(random_network(game, seed=1, policy=True).file)
    states, players = positions(game, 2000, seed=5)
    outputs, logits = network.compute(game, states, players)
    for order in (np.random.default_rng(0).permutation(len(states)), np.arange(len(states))[::-1]):
        found = network.compute(game, states[order], players[order])
        assert (found[0] == outputs[order]).all()
        assert (found[1] == logits[order]).all()


def test_one_call_or_many():
    game = load("trictrac")
    network = nets.Network(random_network(game, seed=4).file)
    states, players = positions(game, 1000, seed=6)
    parts = [network.compute(game, states[i : i + 7], players[i : i + 7])[0] for i in range(0, 1000, 7)]
    assert (np.concatenate(parts) == network.compute(game, states, players)[0]).all()
