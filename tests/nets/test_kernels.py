"""Every instruction set computes what NumPy computes with 64-bit integers, bit for bit."""

import numpy as np
import pytest
from covered import GAMES, SHAPES, WIDEST, load
from network_files import positions, random_network

from tablier._core import nets

KERNELS = nets.kernels()


def expect_equal(network, states, players):
    """Compares all kernels with NumPy, outputs and logits; returns the outputs."""
    outputs, logits = network.compute(states, players)
    for name in KERNELS:
        found = nets.Network(network.file, name).compute(network.game, states, players)
        assert (found[0] == outputs).all(), name
        assert (found[1] == logits).all(), name
    return outputs


def test_the_reference_is_one_of_several_kernels():
    assert KERNELS[-2:] == ["baseline", "reference"]
    assert nets.Network(random_network(load("pig")).file).kernels == KERNELS[0]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", GAMES)
def test_all_kernels_equal_the_definition(name, shape):
    game = load(name)
    network = random_network(game, seed=len(name), **SHAPES[shape])
    outputs = expect_equal(network, *positions(game, 60, seed=1))
    assert len(np.unique(outputs)) > 1 or shape in ("one unit", "ceiling of one")


@pytest.mark.parametrize("name", ["trictrac-markov", "tic_tac_toe"])
def test_the_largest_network(name):
    game = load(name)
    outputs = expect_equal(random_network(game, seed=2, **WIDEST), *positions(game, 40))
    assert len(np.unique(outputs)) > 1


@pytest.mark.parametrize("width", [1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 129, 1023])
def test_every_width_is_padded_right(width):
    game = load("pig")
    network = random_network(game, seed=width, width=width, hidden=(width % 256 + 1, width % 37 + 1), policy=True)
    expect_equal(network, *positions(game, 20))


@pytest.mark.parametrize("end", [32767, -32768])
def test_the_first_layer_holds_the_ends_of_its_range(end):
    """All codes at once pull the sums to the largest or the smallest int16, and back."""
    game = load("tic_tac_toe")
    states, players = positions(game, 100)
    network = random_network(game, width=64, hidden=(), ceiling=32767)
    rows, sizes = np.zeros_like(network.tensors["rows"]), network.tensors["sizes"]
    far = np.cumsum(sizes) - 1
    rows[far] = end // len(sizes)
    bias = np.full(64, end - len(sizes) * (end // len(sizes)), np.int16)
    extreme = network.but(rows=rows, bias=bias)
    expect_equal(extreme, states, players)
    assert int(rows[far].astype(int).sum(axis=0)[0] + bias[0]) == end


@pytest.mark.parametrize(("weight", "units"), [(32767, 2), (-32768, 2)])
def test_products_hold_the_ends_of_their_range(weight, units):
    """Two activations of 32767 with the largest weights: the sum of a pair is within 2**17 of the end of int32."""
    game = load("pig")
    network = random_network(game, width=units, hidden=(), ceiling=32767)
    full = {"rows": np.zeros_like(network.tensors["rows"]), "bias": np.full(units, 32767, np.int16)}
    full |= {"output.weight": np.full((1, units), weight, np.int16), "output.bias": np.zeros(1, np.int32)}
    outputs = expect_equal(network.but(**full), *positions(game, 4))
    assert (outputs == 2 * 32767 * weight).all()


@pytest.mark.parametrize("sum_", [2**31 - 1, -(2**31), 2**30, -(2**30), 1, 0, -1])
@pytest.mark.parametrize("shift", [0, 1, 15, 30])
def test_shifts_round_down_and_clip(sum_, shift):
    game = load("pig")
    network = random_network(game, width=2, hidden=(3,), ceiling=32767).planned(n9=shift)
    still = {"hidden.0.weight": np.zeros((3, 2), np.int16), "hidden.0.bias": np.full(3, sum_, np.int32)}
    still |= {"output.weight": np.array([[1, 0, 0]], np.int16), "output.bias": np.zeros(1, np.int32)}
    outputs = expect_equal(network.but(**still), *positions(game, 3))
    assert (outputs == min(max(sum_ >> shift, 0), 32767)).all()
