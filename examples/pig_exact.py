"""Solves Pig: the probability that the player to move wins, in every position, if both play their best.

A position is (mine, other, turn): the banked points of the player to move and of the other, and the points of this
turn. Holding passes the die in (other, mine + turn, 0); a 1 passes it in (other, mine, 0); other faces are added to the
turn. Banked points are never lost, so positions are solved from high sums of scores to low ones. Positions with equal
sums depend on each other through the 1: those are iterated until they converge.

The first player wins 53.06% of the games to 100 points (T. Neller, C. Presser: "Optimal play of the dice game Pig", The
UMAP Journal 25(1), 2004). Run it: python examples/pig_exact.py
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FACES = range(2, 7)
"""The faces that are added to the turn; a 1 ends it."""


def solve(goal: int = 100, tolerance: float = 1e-12) -> NDArray[np.float64]:
    """Returns win[mine, other, turn], the probability that the player to move wins; 1 where `turn` reaches the goal."""
    win = np.ones((goal, goal, goal + 1 + max(FACES)))
    turn = np.arange(goal + 1 + max(FACES))
    for points in range(2 * goal - 2, -1, -1):
        mine = np.arange(max(0, points - goal + 1), min(goal - 1, points) + 1)
        other = points - mine  # so row -1 - r is row r with the players exchanged
        banked = mine[:, None] + turn
        hold = np.where(banked >= goal, 1, 1 - win[other[:, None], np.minimum(banked, goal - 1), 0])
        now = win[mine, other]
        while True:
            lost = 1 - now[::-1, :1]
            hold[:, :1] = lost
            best = np.ones_like(now)
            best[:, :goal] = np.maximum(hold[:, :goal], (lost + sum(now[:, f : f + goal] for f in FACES)) / 6)
            best[banked >= goal] = 1
            change = abs(best - now).max()
            now = best
            if change < tolerance:
                break
        win[mine, other] = now
    return win


def actions(win: NDArray[np.float64], mine: int, other: int, turn: int) -> tuple[float, float]:
    """The probabilities of winning after rolling and after holding."""
    goal = len(win)
    roll = (1 - win[other, mine, 0] + sum(win[mine, other, turn + face] for face in FACES)) / 6
    hold = 1.0 if mine + turn >= goal else 1 - win[other, mine + turn, 0]
    return roll, hold


if __name__ == "__main__":
    solution = solve()
    print(f"the first player wins {solution[0, 0, 0]:.2%} of the games")
    print("turn totals at which they hold, by their own score (down) and the other player's (across):")
    print("     " + "".join(f"{other:4}" for other in range(0, 100, 10)))
    for mine in range(0, 100, 10):
        totals = []
        for other in range(0, 100, 10):
            rows = (actions(solution, mine, other, turn) for turn in range(101 - mine))
            totals.append(next(turn for turn, (roll, hold) in enumerate(rows) if hold >= roll))
        print(f"{mine:4} " + "".join(f"{total:4}" for total in totals))
