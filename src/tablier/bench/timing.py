"""Timing of benchmarks: competitors take turns in one run; the result is the median and its ratio to the fastest."""

from __future__ import annotations

import contextlib
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

ROUNDS = 3
"""Number of turns per job."""


@dataclass(frozen=True)
class Row:
    """One measured rate, and the rates it is compared with."""

    what: str
    """What was measured."""
    unit: str
    """The unit of work, in the plural."""
    rate: float
    """Units per second."""
    rivals: dict[str, float] = field(default_factory=dict)
    """Rates of the competitors, by name."""
    note: str = ""
    """A remark for the last column of the table."""

    @property
    def ratio(self) -> float | None:
        """The rate divided by that of the fastest competitor; None without competitors."""
        return self.rate / max(self.rivals.values()) if self.rivals else None


Job = Callable[[], int]
"""Does some work and returns the number of units done."""


def rates(jobs: dict[str, Job], rounds: int = ROUNDS, seconds: float = 0.3) -> dict[str, float]:
    """Measures jobs in turns, after one warm-up run of each.

    Args:
        jobs: the jobs by name.
        rounds: number of turns per job.
        seconds: minimum duration of a turn.

    Returns:
        The median rate of each job, in units per second.
    """
    seen: dict[str, list[float]] = {name: [] for name in jobs}
    for job in jobs.values():
        job()
    for _ in range(rounds):
        for name, job in jobs.items():
            start = time.perf_counter()
            done = job()  # at least once, however long the process had to wait for the processor
            while (elapsed := time.perf_counter() - start) < seconds:
                done += job()
            seen[name].append(done / elapsed)
    return {name: statistics.median(values) for name, values in seen.items()}


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """Pins this process to one core, if the system supports it."""
    if sys.platform != "linux":
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def human(rate: float) -> str:
    """Formats a rate with three significant digits.

    Examples:
        >>> human(1_234_567)
        '1.23 M'
    """
    for size, suffix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if rate >= size:
            return f"{rate / size:.3g} {suffix}"
    return f"{rate:.3g}"


def table(rows: list[Row]) -> str:
    """Formats rows as a text table."""
    cells = [("what", "per second", "compared with", "times as fast", "")]
    for row in rows:
        rivals = ", ".join(f"{name} {human(rate)}" for name, rate in row.rivals.items())
        ratio = f"{row.ratio:.2f}" if row.ratio else ""
        cells.append((row.what, f"{human(row.rate)} {row.unit}", rivals, ratio, row.note))
    widths = [max(len(line[column]) for line in cells) for column in range(5)]
    lines = ["  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)) for line in cells]
    lines.insert(1, "  ".join("-" * width for width in widths[:4]))
    return "\n".join(line.rstrip() for line in lines)
