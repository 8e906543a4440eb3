"""How speed is measured here: rivals in turns in one run, medians, ratios beside absolutes."""

from __future__ import annotations

import contextlib
import os
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

ROUNDS = 3


@dataclass(frozen=True)
class Row:
    """One measured rate, and the rates it is compared with."""

    what: str
    unit: str
    rate: float
    rivals: dict[str, float] = field(default_factory=dict)
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times as fast as the fastest rival."""
        return self.rate / max(self.rivals.values()) if self.rivals else None


Job = Callable[[], int]
"""Does some work and returns how many units it was."""


def rates(jobs: dict[str, Job], rounds: int = ROUNDS, seconds: float = 0.3) -> dict[str, float]:
    """Units per second of each job: the median of `rounds` turns of at least `seconds`, after one to warm up."""
    seen: dict[str, list[float]] = {name: [] for name in jobs}
    for job in jobs.values():
        job()
    for _ in range(rounds):
        for name, job in jobs.items():
            done, start = 0, time.perf_counter()
            while (elapsed := time.perf_counter() - start) < seconds:
                done += job()
            seen[name].append(done / elapsed)
    return {name: statistics.median(values) for name, values in seen.items()}


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """Keeps this process on one core, where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def human(rate: float) -> str:
    """A rate with three significant digits."""
    for size, suffix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if rate >= size:
            return f"{rate / size:.3g} {suffix}"
    return f"{rate:.3g}"


def table(rows: list[Row]) -> str:
    """The rows for a person."""
    cells = [("what", "per second", "compared with", "times as fast", "")]
    for row in rows:
        rivals = ", ".join(f"{name} {human(rate)}" for name, rate in row.rivals.items())
        ratio = f"{row.ratio:.2f}" if row.ratio else ""
        cells.append((row.what, f"{human(row.rate)} {row.unit}", rivals, ratio, row.note))
    widths = [max(len(line[column]) for line in cells) for column in range(5)]
    lines = ["  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)) for line in cells]
    lines.insert(1, "  ".join("-" * width for width in widths[:4]))
    return "\n".join(line.rstrip() for line in lines)
