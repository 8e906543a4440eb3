"""Writes a core network again from its float weights, in the newest version of the format (docs/networks.md).

python tools/export_network.py tools/champion/weights.safetensors src/tablier/models/trictrac.safetensors

The file that is replaced says which game, options and scale the weights are for. Prints how often both choose the same
move, and how far their values are apart, in positions of random play.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

import tablier
from tablier._core import nets
from tablier.learn.data.sampling import best_of
from tablier.learn.networks.core_net import CoreNet, scales_of, to_core
from tablier.learn.networks.growth import read_start
from tablier.learn.networks.nets import put_weights
from tablier.learn.networks.quantization import decisions, error_of


def main() -> None:
    """Replaces the file, unless the two networks differ in more than rounding."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("weights", type=Path, help="float weights, or the folder of a run")
    parser.add_argument("network", type=Path, help="core network of these weights, which is replaced")
    given = parser.parse_args()
    before = given.network.read_bytes()
    about = json.loads(nets.Network(before).description)
    game = tablier.load_game(about["game"], **about["options"])
    weights = read_start(given.weights)
    width, *hidden, _ = about["layers"]
    net = CoreNet(about["features"], 0, width, tuple(hidden))
    put_weights(net, weights)
    net.scale = float(f"{scales_of(before)[0] / scales_of(to_core(net, game))[0]:.9g}")
    after = to_core(net, game, quantization=error_of(net, game))

    states, players, signs, starts = decisions(game)
    values = [nets.Network(one).compute(game, states, players)[0][:, 0] * scales_of(one)[0] for one in (before, after)]
    picks = [best_of(signs * one, starts)[0] for one in values]
    apart = np.abs(values[1] - values[0])
    print(f"{len(before):,} bytes before, {len(after):,} after; scale {net.scale:g}")
    print(f"same move in {(picks[0] == picks[1]).mean():.2%} of {len(starts):,} decisions")
    print(f"values differ by {apart.mean():.4f} on average, {apart.max():.4f} at most; spread {values[0].std():.2f}")
    if apart.max() > 0.02 * values[0].std():
        raise SystemExit("these are not the weights of this network; nothing was written")
    given.network.write_bytes(after)


if __name__ == "__main__":
    main()
