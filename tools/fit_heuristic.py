"""Fits the weights of Trictrac's heuristic to games that it plays against itself.

    python tools/fit_heuristic.py --rounds 6 --throws 2000000

Each round plays with the weights of the round before, nearly always the best move by them. The game is played without
end (to a hundred holes), so that the advantage is what a position brings beyond the holes already won. The target of a
position is its lambda-return: the score margin of the throws that follow, more and more replaced by the weights' own
opinion of where they led. The new weights are the least-squares solution with a small ridge; since a row holds the
terms of the player about to throw and of the other, mirrored positions need no second row.

After the last round games to twelve holes give the link from holes and advantage to the chance of winning (a logistic
regression in three numbers). Everything is written to core/games/trictrac/heuristic_weights.h.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tablier import _core

Array = NDArray[np.float64]
CHUNK = 100_000
HEADER = Path(__file__).parent.parent / "core/games/trictrac/heuristic_weights.h"
SCORES = 108  # score states, the last of the weights
FIELDS = 24 * 3
TERMS = len(_core.trictrac.heuristic_weights()) // 2 - FIELDS - SCORES // 2  # of one player


def lambda_returns(values: Array, margin: Array, ended: NDArray[np.bool_], decay: float) -> Array:
    """What follows each position, from White's side: margins gained, and the opinion of later positions."""
    targets = values.copy()
    later = values[-1]
    for i in range(len(values) - 2, -1, -1):
        if ended[i]:  # the last throw of a game: where it led is not recorded
            later = values[i]
            continue
        later = margin[i + 1] - margin[i] + (1 - decay) * values[i + 1] + decay * later
        targets[i] = later
    return targets


def one_round(weights: Array, throws: int, noise: float, decay: float, ridge: float, seed: int) -> tuple[Array, float]:
    """New weights from games with the old ones, and the share of the targets' variance that they explain."""
    size = len(weights)
    products, sums, square, error = np.zeros((size, size)), np.zeros(size), 0.0, 0.0
    for chunk in range(throws // CHUNK):
        rows, facts = _core.trictrac.heuristic_games(weights.tolist(), CHUNK, 100, noise, seed + chunk)
        sign = 1.0 - 2.0 * facts[:, 0]
        values = rows @ weights.astype(np.float32)
        targets = sign * lambda_returns(sign * values, facts[:, 3].astype(float), facts[:, 4] >= 0, decay)
        products += (rows.T @ rows).astype(float)
        sums += rows.T.astype(float) @ targets
        square += float(targets @ targets)
        error += float(np.sum((targets - values) ** 2))
    seen = products.diagonal() > 0
    penalty = ridge * np.ones(size)
    solved = np.linalg.solve(products + np.diag(penalty), sums)
    return np.where(seen, solved, 0.0), 1 - error / square


def fit_link(weights: Array, throws: int, seed: int) -> tuple[float, float, float]:
    """Slope, worth of the advantage in holes, and spread of win_chance() in heuristic.h, by gradient descent."""
    lead, points, needed, won = [], [], [], []
    for chunk in range(throws // CHUNK):
        rows, facts = _core.trictrac.heuristic_games(weights.tolist(), CHUNK, 12, 0.0, seed + chunk)
        ends = np.flatnonzero(facts[:, 4] >= 0)
        game = np.searchsorted(ends, np.arange(CHUNK))
        known = game < len(ends)
        winner = facts[ends, 4][game[known]]
        facts, rows = facts[known], rows[known]
        lead.append(facts[:, 1] - facts[:, 2])
        needed.append(24 - facts[:, 1] - facts[:, 2])
        points.append((1 - 2 * facts[:, 0]) * (rows @ weights) / 12)
        won.append(winner == 0)
    x, p, n, y = (np.concatenate(part).astype(float) for part in (lead, points, needed, won))
    best = (np.inf, 0.0, 0.0, 0.0)
    for spread in np.arange(-1.0, 6.01, 0.5):
        root = np.sqrt(n + spread)
        design = np.stack([x / root, p / root], axis=1)
        beta = np.array([1.0, 1.0])
        for _ in range(25):  # Newton
            chance = 1 / (1 + np.exp(-design @ beta))
            gradient = design.T @ (y - chance)
            curvature = (design * (chance * (1 - chance))[:, None]).T @ design
            beta = beta + np.linalg.solve(curvature, gradient)
        chance = np.clip(1 / (1 + np.exp(-design @ beta)), 1e-9, 1 - 1e-9)
        loss = -float(np.mean(y * np.log(chance) + (1 - y) * np.log(1 - chance)))
        best = min(best, (loss, float(beta[0]), float(beta[1] / beta[0]), float(spread)))
    print(f"link: log loss {best[0]:.4f}")
    return best[1:]


def write_header(weights: Array, link: tuple[float, float, float]) -> None:
    """The header that heuristic.h includes."""
    parts = [weights[: 2 * TERMS], weights[2 * TERMS : -SCORES], weights[-SCORES:]]
    lines = [
        "// Weights of heuristic.h. Written by tools/fit_heuristic.py; not to be edited by hand.",
        "#pragma once",
        "",
        "namespace tablier::trictrac {",
        "",
        f"inline constexpr double kLinkSlope = {link[0]:.4f}, kLinkAdvantage = {link[1]:.4f}, "
        f"kLinkSpread = {link[2]:.4f};",
        "",
        "inline constexpr Weights kFitted = {",
    ]
    numbers = [[f"{w:.3f}f" for w in part] for part in parts]
    sides = [numbers[0][:TERMS], numbers[0][TERMS:]]
    lines.append("    {" + ",\n     ".join("{" + ", ".join(side) + "}" for side in sides) + "},")
    fields = ["{" + ", ".join(numbers[1][i : i + 3]) + "}" for i in range(0, len(numbers[1]), 3)]
    lines.append("    {{" + ", ".join(fields[:24]) + "},\n     {" + ", ".join(fields[24:]) + "}},")
    lines.append("    {" + ", ".join(numbers[2]) + "}};")
    lines += ["", "}  // namespace tablier::trictrac", ""]
    HEADER.write_text("\n".join(lines))


def main() -> None:
    """Plays, fits, writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--throws", type=int, default=2_000_000, help="a round")
    parser.add_argument("--noise", type=float, default=0.05, help="how often any move is made")
    parser.add_argument("--decay", type=float, default=0.9, help="lambda")
    parser.add_argument("--ridge", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    weights = np.array(_core.trictrac.heuristic_weights())
    for number in range(args.rounds):
        begun = time.time()
        seed = args.seed + 1_000_003 * (number + 1)
        weights, share = one_round(weights, args.throws, args.noise, args.decay, args.ridge, seed)
        print(f"round {number + 1}: explained {share:.3f} before, {time.time() - begun:.0f} s", flush=True)
    write_header(weights, fit_link(weights, min(args.throws, 1_000_000), args.seed))


if __name__ == "__main__":
    main()
