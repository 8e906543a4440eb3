"""Where games are played, if not in this process: the seam between learning and a cluster.

A place calls functions on other machines. It may call one again if a machine fails, so the result of a function must
depend on its arguments alone. `tablier.cluster.Pool` is a place.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol

from tablier.messages import MessageError

TRIES = 3
"""How often work is repeated because its result is unusable."""


class Worked(Protocol):
    """What a worker has done so far."""

    games: int
    """Games that ended in its results."""
    node: str
    """The node it runs on."""
    busy: float
    """Seconds of work."""


class Place(Protocol):
    """Calls functions on workers."""

    workers: int
    """Number of workers."""

    def submit(self, work: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """Calls `work(*args)` on a worker."""

    def reject(self, future: Future[Any], work: Callable[..., Any], /, *args: Any, reason: str) -> Future[Any]:
        """Replaces the worker whose result is unusable, and calls the function again."""

    def tally_of(self, future: Future[Any]) -> Worked | None:
        """Returns the tally of the worker that finished a future."""

    def rows(self) -> list[dict[str, Any]]:
        """Returns what each worker has done so far, as rows for a file."""


@dataclass(frozen=True)
class Spread:
    """How a run uses a place."""

    place: Place
    synchronous: bool = False
    """Play exactly the games of one machine, whatever the number of workers. Otherwise no worker waits for another."""
    staleness: int = 0
    """Without `synchronous`: the most steps between the weights that played and those that learn; 0 for the default."""


@dataclass(frozen=True)
class Receipt:
    """The games in the result of a worker."""

    worker: Worked | None
    games: int
    """Number of games that the worker says have ended."""
    lost: bool = False
    """Whether the result is thrown away."""


def check_tries(receipts: list[Receipt], reason: str) -> None:
    """Raises MessageError if the last `TRIES` results of the same work were thrown away."""
    if len(receipts) >= TRIES and all(one.lost for one in receipts[-TRIES:]):
        raise MessageError.of("cluster.all_garbage", n=TRIES, reason=reason)


class Ledger:
    """Counts the games of a run on a place, so that none disappears without a name: produced = trained on + lost.

    Games count when the learner takes them. What workers have played but the learner has not taken is unfinished work:
    a run that is stopped and resumed plays it again.
    """

    def __init__(self) -> None:
        self._balanced = False

    def enter(self, counters: dict[str, float], receipts: list[Receipt]) -> None:
        """Adds receipts to the counters `produced` and `lost` of a run, and to the tallies of the workers."""
        if not self._balanced:  # games of steps on one machine count as produced, too
            self._balanced = True
            counters["produced"] = (
                counters["games"] + counters["lost"] - sum(one.games for one in receipts if not one.lost)
            )
        for one in receipts:
            counters["produced"] += one.games
            counters["lost"] += one.games * one.lost
            if one.worker is not None:
                one.worker.games += one.games
