"""Keeps the workers of a cluster busy, and replaces those that die.

Work is a function with plain arguments whose result depends on nothing else. So when a worker or its node dies, its
work is done again elsewhere with the same result, and each future gets exactly one result. `bytes` arguments above
`SHARED` travel through the object store, once per node and object: this is how weights reach the workers.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from functools import partial
from queue import SimpleQueue
from typing import Any
from weakref import WeakKeyDictionary

import ray

from tablier.cluster.worker import Facts, Worker, my_facts, size_of, sources_of
from tablier.messages import Message, MessageError

DEPTH = 2
"""Pieces of work at a worker: one in progress, one that waits for it there."""
TRIES = 3
"""How often work is tried if its worker dies, and how many workers may fail to start one after the other."""
SHARED = 16_384
"""Bytes arguments above this size are put into the object store once and shared by all workers of a node."""
START_SECONDS = 120.0
"""Seconds to wait for the first worker."""
LEAVE_SECONDS = 5.0
"""Seconds that idle workers get to remove their files before they are killed."""
DEATHS = (
    ray.exceptions.RayActorError,
    ray.exceptions.NodeDiedError,
    ray.exceptions.ObjectLostError,
    ray.exceptions.OutOfMemoryError,
    ray.exceptions.WorkerCrashedError,
)
"""What Ray raises when a worker, its node or an object on it is gone."""


@dataclass
class Tally:
    """What a worker has done so far."""

    worker: int
    node: str = ""
    host: str = ""
    pid: int = 0
    done: int = 0
    """Pieces of work."""
    games: int = 0
    """Games that ended in them."""
    busy: float = 0.0
    """Seconds of work."""
    received: int = 0
    """Bytes of results."""
    state: str = "starting"
    """starting, ready, or why it is gone: died, rejected or unfit."""


@dataclass(eq=False)
class _Task:
    work: Callable[..., Any]
    args: tuple[Any, ...]
    future: Future[Any] = field(default_factory=Future)
    tries: int = 0


@dataclass(eq=False)
class _Seat:
    """A worker as the driver sees it."""

    actor: Any
    tally: Tally
    tasks: list[_Task] = field(default_factory=list)
    refs: list[Any] = field(default_factory=list)


class Pool:
    """The workers of a cluster, as an executor: `submit` returns a future. `connect` creates it.

    Args:
        count: number of workers.
        imports: files and modules with games for the workers to import.
        tell: called with messages about workers, from a thread of the pool.
    """

    def __init__(
        self, count: int, imports: Sequence[str] = (), tell: Callable[[Message], None] = lambda _: None
    ) -> None:
        self.workers = count
        self.tallies: list[Tally] = []
        """One per worker that was ever started."""
        self.deaths = 0
        """Number of workers that died or were rejected."""
        self.sent = 0
        """Bytes put into the object store by `submit`."""
        self._tell = tell
        self._sources = sources_of(imports)
        self._actor = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(Worker)
        self._seats: list[_Seat] = []
        self._queue: deque[_Task] = deque()
        self._shared: deque[tuple[bytes, Any]] = deque(maxlen=4)
        self._done_by: WeakKeyDictionary[Future[Any], _Seat] = WeakKeyDictionary()
        self._lock = threading.RLock()
        self._ready = threading.Event()
        self._failed_starts = 0
        self._broken: Exception | None = None
        self._closed = False
        self._events: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._conduct, name="cluster", daemon=True)
        self._thread.start()
        for _ in range(count):
            self._start_worker()

    def wait_until_ready(self) -> None:
        """Waits for the first worker; raises MessageError if none can be used or none starts in time."""
        if not self._ready.wait(START_SECONDS):
            cpus = int(ray.cluster_resources().get("CPU", 0))
            raise MessageError.of("cluster.no_worker", n=round(START_SECONDS), cpus=cpus)
        if self._broken:
            raise self._broken

    def wait_for_all(self, seconds: float = START_SECONDS) -> None:
        """Waits until every worker is ready, but no longer than the given time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self._broken:
            with self._lock:
                if sum(seat.tally.state == "ready" for seat in self._seats) >= self.workers:
                    return
            time.sleep(0.05)

    def submit(self, work: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """Lets a worker call `work(*args)`.

        Args:
            work: a function that the workers can import, and whose result depends only on the arguments.
            args: what it is called with.

        Returns:
            A future with the result. The exception that `work` raised, or a MessageError if workers keep dying of it.
        """
        task = _Task(work, tuple(map(self._share, args)))
        with self._lock:
            if self._broken:
                task.future.set_exception(self._broken)
            else:
                self._queue.append(task)
                self._assign()
        return task.future

    def reject(self, future: Future[Any], work: Callable[..., Any], /, *args: Any, reason: str) -> Future[Any]:
        """Replaces the worker that returned an unusable result, and has the work done by another.

        Args:
            future: the future whose result is unusable.
            work: the function to call again.
            args: its arguments.
            reason: what was wrong, for the log.
        """
        with self._lock:
            seat = self._done_by.get(future)
            if seat is not None and seat in self._seats:
                self._remove(seat, "rejected", Message("cluster.garbage", **_who(seat.tally), reason=reason))
        return self.submit(work, *args)

    def tally_of(self, future: Future[Any]) -> Tally | None:
        """Returns the tally of the worker that did a piece of work."""
        seat = self._done_by.get(future)
        return seat.tally if seat else None

    def rows(self) -> list[dict[str, Any]]:
        """Returns the tallies of all workers that were ever started, as rows for a file."""
        return [asdict(tally) for tally in self.tallies]

    def close(self) -> None:
        """Ends all workers. Work that is not finished is cancelled."""
        with self._lock:
            self._closed = True
            waiting = [*self._queue, *(task for seat in self._seats for task in seat.tasks)]
            self._queue.clear()
            seats, self._seats = self._seats, []
        if self._sources:
            leaving = [seat.actor.leave.remote() for seat in seats if seat.tally.state == "ready" and not seat.tasks]
            ray.wait(leaving, num_returns=len(leaving), timeout=LEAVE_SECONDS) if leaving else None
        for seat in seats:
            ray.kill(seat.actor)
        for task in waiting:
            task.future.cancel()
        self._events.put(None)
        self._thread.join()

    # --- in the thread of the pool ------------------------------------------------------------------------------------

    def _conduct(self) -> None:
        """Handles answers in a thread of its own: Ray's callbacks must not call Ray."""
        while (event := self._events.get()) is not None:
            with self._lock:
                if not self._closed:
                    event()

    def _start_worker(self) -> None:
        tally = Tally(len(self.tallies))
        self.tallies.append(tally)
        actor: Any = self._actor.remote(self._sources, my_facts()[0])
        seat = _Seat(actor, tally)
        self._seats.append(seat)
        self._when_done(actor.facts.remote(), seat, partial(self._started, seat))

    def _when_done(self, ref: Any, seat: _Seat, handle: Callable[[Any, BaseException | None], None]) -> None:
        def answered(inner: Future[Any]) -> None:
            error = inner.exception()
            self._events.put(partial(handle, None if error else inner.result(), error))

        seat.refs.append(ref)  # Ray drops an object that nobody refers to
        ref.future().add_done_callback(answered)

    def _started(self, seat: _Seat, facts: Facts | None, error: BaseException | None) -> None:
        if seat not in self._seats:
            return
        if facts is None:
            reason = _reason(error)
            self._failed_starts += 1
            if self._failed_starts >= TRIES and not self._ready.is_set():
                self._break(MessageError.of("cluster.worker_failed", reason=reason))
            self._remove(seat, "died", Message("cluster.died", **_who(seat.tally), reason=reason))
            return
        seat.tally.node, seat.tally.host, seat.tally.pid = facts.node, facts.host, facts.pid
        version, python, behaviour, core = my_facts()
        for name, mine, theirs in (
            ("tablier", version, facts.version),
            ("Python", python, facts.python),
            ("rules", behaviour, facts.behaviour),
        ):
            if mine != theirs:
                told = {"node": facts.node, "what": name, "theirs": theirs, "mine": mine}
                if not self._ready.is_set():
                    self._break(MessageError.of("cluster.unfit", **told))
                self._remove(seat, "unfit", Message("cluster.unfit", **told), replace=False)
                return
        if core != facts.core:
            self._tell(Message("cluster.other_core", node=facts.node))
        self._failed_starts = 0
        seat.tally.state = "ready"
        self._tell(Message("cluster.ready", **_who(seat.tally)))
        self._assign()
        self._ready.set()

    def _assign(self) -> None:
        """Gives waiting work to the workers that have least to do."""
        while self._queue:
            free = [one for one in self._seats if one.tally.state == "ready" and len(one.tasks) < DEPTH]
            if not free:
                return
            seat, task = min(free, key=lambda one: len(one.tasks)), self._queue.popleft()
            seat.tasks.append(task)
            ref = seat.actor.run.remote(task.work, *task.args)
            self._when_done(ref, seat, partial(self._answered, seat, task, ref))

    def _answered(self, seat: _Seat, task: _Task, ref: Any, answer: Any, error: BaseException | None) -> None:
        if ref in seat.refs:
            seat.refs.remove(ref)
        if task not in seat.tasks:  # the worker was removed meanwhile, and another one has the task
            return
        if isinstance(error, DEATHS):
            self._remove(seat, "died", Message("cluster.died", **_who(seat.tally), reason=_reason(error)))
            return
        seat.tasks.remove(task)
        if error is not None:
            task.future.set_exception(getattr(error, "cause", None) or error)
        else:
            result, seconds = answer
            seat.tally.done += 1
            seat.tally.busy += seconds
            seat.tally.received += size_of(result)
            self._done_by[task.future] = seat
            task.future.set_result(result)
        self._assign()

    def _remove(self, seat: _Seat, state: str, why: Message, replace: bool = True) -> None:
        """Gives up a worker: its work goes to others, and a new worker takes its place where there is room."""
        self._seats.remove(seat)
        seat.tally.state = state
        self.deaths += 1
        self._tell(why)
        ray.kill(seat.actor)
        for task in reversed(seat.tasks):
            task.tries += 1
            if task.tries >= TRIES:
                task.future.set_exception(MessageError.of("cluster.deadly", n=TRIES, work=task.work.__name__))
            else:
                self._queue.appendleft(task)
        seat.tasks = []
        if not replace and not self._seats:
            self._break(MessageError.of(why.key, **why.params))
        elif replace and not self._broken:
            if self._failed_starts >= TRIES and not any(one.tally.state == "ready" for one in self._seats):
                self._break(MessageError.of(why.key, **why.params))
            else:
                self._start_worker()
        self._assign()

    def _break(self, error: MessageError) -> None:
        """Fails all work: no worker is left, and new ones do not start."""
        self._broken = self._broken or error
        for task in self._queue:
            task.future.set_exception(self._broken)
        self._queue.clear()
        self._ready.set()

    def _share(self, value: Any) -> Any:
        if not isinstance(value, bytes) or len(value) < SHARED:
            return value
        with self._lock:
            for known, ref in self._shared:
                if known is value:
                    return ref
            ref = ray.put(value)
            self.sent += len(value)
            self._shared.append((value, ref))
        return ref


def _who(tally: Tally) -> dict[str, str | float]:
    return {"worker": tally.worker, "node": tally.node or "?"}


def _reason(error: BaseException | None) -> str:
    """Shortens what Ray says about a death: its first sentence that names a cause."""
    cause = getattr(error, "cause", None) or error
    text = " ".join(str(cause).split())
    for mark in ("Worker exit detail: ", "The actor is dead because ", "Error: "):
        if mark in text:
            text = text.rpartition(mark)[2]
    return (
        text.partition(". Some common causes")[0].partition(". The worker")[0][:300].rstrip(".") or type(error).__name__
    )
