"""Fits the weights of Trictrac's heuristic by self-play.

    python tools/fit_heuristic.py --rounds 4 --throws 3000000

Each round plays with the weights of the previous round, almost always the best move. Games go to a hundred holes, so
that the advantage measures what a position is worth beyond the holes already won. The target of a position is its
lambda-return: the score margin of the following throws, bootstrapped from the weights' own evaluation of later
positions. The new weights are the ridge regression solution, separately for each phase of the setting. A row contains
the terms of both the player about to throw and the opponent, so mirrored positions need no second row.

After the last round, games to twelve holes give the link from holes and advantage to the win probability, a logistic
regression with three parameters. The result is written to core/games/trictrac/heuristic_weights.h.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tablier import _core

Array = NDArray[np.float64]
CHUNK = 100_000  # throws held in memory at a time
MATCH = 4000  # games to measure the strength of a round's weights
HEADER = Path(__file__).parent.parent / "core/games/trictrac/heuristic_weights.h"
SCORES = 108  # score states, at the end of the weights
FIELDS = 24 * 3
PHASES = 9
SIZE = len(_core.trictrac.heuristic_weights()) // PHASES
TERMS = SIZE // 2 - FIELDS - SCORES // 2  # of one player


def lambda_returns(values: Array, margin: Array, ended: NDArray[np.bool_], decay: float) -> Array:
    """Returns the lambda-return of each position, from White's point of view.

    Args:
        values: Estimated values [n].
        margin: Score margins [n].
        ended: Whether a game ended with this throw [n].
        decay: Lambda.
    """
    targets = values.copy()
    later = values[-1]
    for i in range(len(values) - 2, -1, -1):
        if ended[i]:  # the last throw of a game has no recorded successor
            later = values[i]
            continue
        later = margin[i + 1] - margin[i] + (1 - decay) * values[i + 1] + decay * later
        targets[i] = later
    return targets


def advantages(weights: Array, rows: NDArray[np.float32], phase: NDArray[np.int32]) -> Array:
    """Evaluates each row with the weights, for the player about to throw."""
    return np.asarray((rows @ weights.T.astype(np.float32))[np.arange(len(rows)), phase], float)


class Fit:
    """Ridge regression per phase over all rounds so far; each round counts half as much as the next."""

    def __init__(self, weights: Array) -> None:
        self.weights = weights
        self.products, self.sums = np.zeros((PHASES, SIZE, SIZE)), np.zeros((PHASES, SIZE))

    def round(self, throws: int, noise: float, decay: float, ridge: float, seed: int) -> float:
        """Plays games and fits new weights; returns the fraction of the targets' variance that the old ones explain."""
        self.products /= 2
        self.sums /= 2
        square = error = 0.0
        for chunk in range(throws // CHUNK):
            rows, facts = _core.trictrac.heuristic_games(self.weights.ravel().tolist(), CHUNK, 100, noise, seed + chunk)
            sign, phase = 1.0 - 2.0 * facts[:, 0], facts[:, 5]
            values = advantages(self.weights, rows, phase)
            targets = sign * lambda_returns(sign * values, facts[:, 3].astype(float), facts[:, 4] >= 0, decay)
            for i in range(PHASES):
                part = rows[phase == i]
                self.products[i] += part.T @ part
                self.sums[i] += part.T.astype(float) @ targets[phase == i]
            square += float(targets @ targets)
            error += float(np.sum((targets - values) ** 2))
        ridges = ridge * np.eye(SIZE)
        self.weights = np.array([np.linalg.solve(self.products[i] + ridges, self.sums[i]) for i in range(PHASES)])
        return 1 - error / square


def fit_link(weights: Array, throws: int, seed: int) -> tuple[float, float, float]:
    """Fits the slope, the advantage factor and the spread of win_chance() in heuristic.h by Newton's method."""
    lead, points, needed, won = [], [], [], []
    for chunk in range(throws // CHUNK):
        rows, facts = _core.trictrac.heuristic_games(weights.ravel().tolist(), CHUNK, 12, 0.0, seed + chunk)
        ends = np.flatnonzero(facts[:, 4] >= 0)
        game = np.searchsorted(ends, np.arange(CHUNK))
        known = game < len(ends)
        winner = facts[ends, 4][game[known]]
        facts, rows = facts[known], rows[known]
        lead.append(facts[:, 1] - facts[:, 2])
        needed.append(24 - facts[:, 1] - facts[:, 2])
        points.append((1 - 2 * facts[:, 0]) * advantages(weights, rows, facts[:, 5]) / 12)
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
    """Writes the header that heuristic.h includes; run clang-format on it afterwards."""

    def braces(numbers: Array) -> str:
        if numbers.ndim > 1:
            return "{" + ",".join(map(braces, numbers)) + "}"
        return "{" + ",".join(f"{number:.3f}f" for number in numbers) + "}"

    phases = []
    for phase in weights:
        terms, men, scores = np.split(phase, [2 * TERMS, 2 * TERMS + 2 * FIELDS])
        phases.append(
            "{" + ",".join([braces(terms.reshape(2, TERMS)), braces(men.reshape(2, 24, 3)), braces(scores)]) + "}"
        )
    HEADER.write_text(
        "// Weights of heuristic.h. Generated by tools/fit_heuristic.py; do not edit.\n#pragma once\n\n"
        "namespace tablier::trictrac {\n\n"
        f"inline constexpr double kLinkSlope = {link[0]:.4f}, kLinkAdvantage = {link[1]:.4f}, "
        f"kLinkSpread = {link[2]:.4f};\n\n"
        f"inline constexpr Weights kFitted[kPhases] = {{{','.join(phases)}}};\n\n"
        "}  // namespace tablier::trictrac\n"
    )


def main() -> None:
    """Runs all rounds and writes the header."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=4, help="rounds of self-play (default 4)")
    parser.add_argument("--throws", type=int, default=3_000_000, help="throws per round (default 3,000,000)")
    parser.add_argument("--noise", type=float, default=0.04, help="probability of a random move (default 0.04)")
    parser.add_argument("--decay", type=float, default=0.9, help="lambda of the returns (default 0.9)")
    parser.add_argument("--ridge", type=float, default=20.0, help="weight of the ridge penalty (default 20)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the games (default 1)")
    args = parser.parse_args()
    first = np.array(_core.trictrac.heuristic_weights()).reshape(PHASES, SIZE)
    fit = Fit(first)
    for number in range(args.rounds):
        start = time.time()
        seed = args.seed + 1_000_003 * (number + 1)
        share = fit.round(args.throws, args.noise, args.decay, args.ridge, seed)
        won = _core.trictrac.heuristic_match(fit.weights.ravel().tolist(), first.ravel().tolist(), MATCH, args.seed)
        print(f"round {number + 1}: {time.time() - start:.0f} s; the previous weights explained {share:.3f}; ", end="")
        print(f"the new weights won {won / MATCH:.3f} of {MATCH} games against the first", flush=True)
    write_header(fit.weights, fit_link(fit.weights, min(args.throws, 1_000_000), args.seed))


if __name__ == "__main__":
    main()
