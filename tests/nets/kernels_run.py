"""Compares all instruction sets with the scalar reference on many positions; exits with 1 if they differ anywhere.

PYTHONPATH=tests python tests/nets/kernels_run.py --positions 1000000 --seed 1

The positions are shared among all games of covered.py. A batch of them is computed by a random network of random shape,
by every instruction set, in order and in random order, and a part of it with NumPy. Outputs and logits must be equal.
"""

import argparse
import sys
import time
from collections import Counter

import numpy as np
from covered import CODED, GAMES, load
from network_files import positions, random_network

from tablier._core import nets

BATCH = 2000
BY_NUMPY = 20
"""Positions of each batch that NumPy computes too."""
WIDTHS = (1, 2, 3, 16, 31, 64, 65, 100, 127, 128, 200, 256, 511, 777, 1000, 1024)
UNITS = (1, 2, 7, 15, 16, 17, 32, 33, 100, 255, 256)


def random_shape(draw, name):
    """Returns the shape of a network: 1 to 1024 units, up to three hidden layers, with or without a policy."""
    hidden = tuple(int(draw.choice(UNITS)) for _ in range(draw.integers(4)))
    return {
        "width": int(draw.choice(WIDTHS)),
        "hidden": hidden,
        "policy": bool(draw.random() < 0.15),
        "features": name in CODED and bool(draw.random() < 0.2),
        "extreme": bool(draw.random() < 0.5),
        "ceiling": int(draw.choice([1, 127, 4096, 4096, 32767])),
        "outputs": int(draw.integers(1, 17)),
    }


def differences(network, states, players, draw):
    """Yields what differs from the reference."""
    game, file = network.game, network.file
    reference = nets.Network(file, "reference").compute(game, states, players)
    whole = network.compute(states[:BY_NUMPY], players[:BY_NUMPY])
    if not all((a[:BY_NUMPY] == b).all() for a, b in zip(reference, whole, strict=True)):
        yield "NumPy"
    for name in nets.kernels()[:-1]:
        kernels = nets.Network(file, name)
        order = draw.permutation(len(states))
        for how, rows in (("", slice(None)), (" in random order", order)):
            found = kernels.compute(game, states[rows], players[rows])
            if not all((a == b[rows]).all() for a, b in zip(found, reference, strict=True)):
                yield name + how


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    draw, begin, counts, found = np.random.default_rng(given.seed), time.monotonic(), Counter(), []
    networks = 0
    while sum(counts.values()) < given.positions:
        name = list(GAMES)[networks % len(GAMES)]
        game, shape = load(name), random_shape(draw, name)
        states, players = positions(game, BATCH, seed=int(draw.integers(2**31)))
        network = random_network(game, int(draw.integers(2**31)), **shape)
        found += [f"{name}, {shape}: {what}" for what in differences(network, states, players, draw)]
        counts[name] += len(states)
        networks += 1
    for name, count in counts.items():
        print(f"{name:20} {count:>9,} positions")
    print(f"{sum(counts.values()):,} positions, {networks} networks, {', '.join(nets.kernels())}")
    print(f"{len(found)} differences, {time.monotonic() - begin:.0f} s")
    for line in found[:20]:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
