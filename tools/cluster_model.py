"""Simulates training on 10, 100 and 1,000 workers from measured figures: python tools/cluster_model.py [--help].

Assumptions: every worker plays a batch in the same time, up to 10% more or less at random. A batch travels to the
learner over one link, and weights travel to every node over the same link, once per node and update. The learner takes
batches one at a time: it prepares, trains and exports. Twice as many batches as workers are on their way, as in a run.
Nodes and links never fail. The defaults are those of docs/scale.md.
"""

from __future__ import annotations

import argparse
import heapq
import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Figures:
    """What was measured, per batch of 256 games of 32 moves."""

    play: float
    """Seconds of a worker per batch."""
    learn: float
    """Seconds of the learner per batch."""
    batch: float
    """Megabytes per batch."""
    weights: float
    """Megabytes per weight update."""
    games: float
    """Games that end in a batch."""


@dataclass(frozen=True)
class Cluster:
    """What is varied."""

    workers: int
    per_node: int = 16
    link: float = 1250.0
    """Megabytes per second to and from the learner; 1250 is 10 Gbit/s."""
    learners: int = 1
    """Learners that share the batches."""
    shrink: float = 1.0
    """Factor by which batches are compressed."""


@dataclass(frozen=True)
class Found:
    """The result of a simulation."""

    games: float
    """Games per second."""
    learner: float
    """Share of the time that the learners are busy."""
    link: float
    """Share of the time that the link is busy."""
    worker: float
    """Share of the time that a worker is busy."""
    staleness: float
    """Mean number of steps between the weights that played and those that learn."""

    @property
    def bottleneck(self) -> str:
        """The part that is busiest."""
        return max((self.learner, "learner"), (self.link, "link"), (self.worker, "workers"))[1]


def simulate(figures: Figures, cluster: Cluster, batches: int = 3000, seed: int = 0) -> Found:
    """Simulates a number of batches.

    Every resource (a worker, the link, a learner) serves one batch at a time, in the order in which batches arrive.
    """
    draw = random.Random(seed)
    nodes = -(-cluster.workers // cluster.per_node)
    batches = max(batches, 6 * cluster.workers)
    free = [0.0] * cluster.workers
    link = 0.0
    learners = [0.0] * cluster.learners
    busy = {"link": 0.0, "learner": 0.0, "worker": 0.0}
    trained, stale = 0, 0
    events = [(0.0, number, number % cluster.workers, 0) for number in range(2 * cluster.workers)]
    heapq.heapify(events)
    number, end = len(events), 0.0
    while trained < batches:
        sent, _, worker, version = heapq.heappop(events)
        took = figures.play * draw.uniform(0.9, 1.1)
        free[worker] = max(free[worker], sent) + took
        move = figures.batch / cluster.shrink / cluster.link
        link = max(link, free[worker]) + move
        begin = max(min(learners), link)
        end = begin + figures.learn
        learners[learners.index(min(learners))] = end
        spread = figures.weights * nodes / cluster.link  # the new weights, once per node
        link += spread / cluster.learners
        busy["worker"] += took
        busy["link"] += move + spread / cluster.learners
        busy["learner"] += figures.learn
        stale += trained - version
        trained += 1
        number += 1
        heapq.heappush(events, (end, number, worker, trained))
    end = max(end, link)
    return Found(
        trained * figures.games / end,
        busy["learner"] / end / cluster.learners,
        busy["link"] / end,
        busy["worker"] / end / cluster.workers,
        stale / trained,
    )


def main() -> None:
    """Simulates and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--play", type=float, default=0.0609, help="seconds of a worker per batch")
    parser.add_argument("--learn", type=float, default=0.059, help="seconds of the learner per batch")
    parser.add_argument("--batch", type=float, default=0.725, help="megabytes per batch")
    parser.add_argument("--weights", type=float, default=1.678, help="megabytes per weight update")
    parser.add_argument("--games", type=float, default=42.2, help="games that end in a batch")
    args = parser.parse_args()
    figures = Figures(args.play, args.learn, args.batch, args.weights, args.games)
    print(f"{'workers':>7} {'learners':>8} {'shrink':>6} {'games/s':>8} {'learner':>8} {'link':>6} {'worker':>7} "
          f"{'staleness':>9}  bottleneck")  # fmt: skip
    for workers in (1, 2, 10, 100, 1000):
        for learners, shrink in ((1, 1.0), (8, 1.0), (8, 5.0), (64, 5.0)):
            if workers < learners:
                continue
            found = simulate(figures, Cluster(workers, learners=learners, shrink=shrink))
            shares = f"{found.learner:>8.0%} {found.link:>6.0%} {found.worker:>7.0%} {found.staleness:>9.1f}"
            print(f"{workers:>7} {learners:>8} {shrink:>6.0f} {found.games:>8.0f} {shares}  {found.bottleneck}")


if __name__ == "__main__":
    main()
