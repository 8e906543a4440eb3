"""The training loop of all algorithms: resumes from the last checkpoint, then steps, logs, saves, shows progress."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import torch

from tablier.arena import MatchResult, play_match
from tablier.learn.learner import Learner
from tablier.learn.runs.files import RunError, Tensors, write
from tablier.learn.runs.run import Run

PLAIN_SECONDS = 20.0
"""Seconds between progress lines if stderr is not a terminal."""
SUMS = ("produced", "lost")
"""Counters without a rate."""


def train(run: Run, learner: Learner, show: bool = True) -> int:
    """Trains until the run's steps or minutes are reached; see `tablier.learn.run_training`.

    Ctrl-C discards the current step, saves the ones before it and raises KeyboardInterrupt.
    """
    torch.set_num_threads(1)
    step = 0
    if found := run.resume(learner.restore, learner.networks):
        step = found.step
    else:
        learner.start()
    for name in learner.counters:
        learner.counters[name] = run.counters.get(name, 0.0)
    with _CtrlC() as ctrl_c, contextlib.closing(learner), _Progress(run, step, show) as progress:
        saved, done = step, None
        while (step == 0 or not run.over(step)) and not ctrl_c.pressed:  # a run takes at least one step
            before, start = dict(learner.counters), time.monotonic()
            try:
                with ctrl_c.heard():
                    metrics = learner.step(step + 1)
                    seconds = time.monotonic() - start
                    due = (step + 1) % run.config.checkpoint_every == 0 or run.over(step + 1)
                    if run.config.eval_every and ((step + 1) % run.config.eval_every == 0 or run.over(step + 1)):
                        metrics["win_rate"] = quick_match(run, learner).rate
                done = _Done.of(learner)
            except KeyboardInterrupt:
                ctrl_c.pressed = True
                break
            except FloatingPointError:
                raise RunError(
                    f"the loss is not finite at step {step + 1}, which is not saved; start a new run with a smaller "
                    f"--lr than {run.config.lr:g}"
                ) from None
            step += 1
            rates = {
                f"{name}/s": (learner.counters[name] - before[name]) / seconds for name in before if name not in SUMS
            }
            if "waited" in metrics:  # the learner's share of the time; the rest it waits for games
                metrics["learner"] = 1 - min(1.0, metrics.pop("waited") / seconds)
            run.log(step, **metrics, **learner.counters, **rates)
            if due:
                done.save(run, learner, step)
                saved = step
            progress(step, {**metrics, **rates, **learner.shown()})
        if done and saved != step:
            done.save(run, learner, step)
        if ctrl_c.pressed:
            raise KeyboardInterrupt
    return step


@dataclass(frozen=True)
class _Done:
    """A copy of the state after a completed step, which the next step does not change."""

    weights: Tensors
    training: Tensors
    counters: dict[str, float]
    workers: list[dict[str, Any]]

    @classmethod
    def of(cls, learner: Learner) -> _Done:
        """Copies the state of a learner; raises FloatingPointError if it contains NaN or infinity."""
        done = cls(learner.weights(), learner.training(), dict(learner.counters), learner.worker_rows())
        for array in (*done.weights.values(), *done.training.values()):
            if array.dtype.kind == "f" and not np.isfinite(array).all():
                raise FloatingPointError
        return done

    def save(self, run: Run, learner: Learner, step: int) -> None:
        """Writes a checkpoint."""
        learner.put(self.weights)
        run.counters.update(self.counters)
        run.save(step, self.weights, self.training, learner.networks())
        run.add_workers(step, self.workers)


class _CtrlC:
    """Lets Ctrl-C interrupt only code inside `heard`. Elsewhere it waits, so that checkpoints are completed."""

    def __init__(self) -> None:
        self.pressed = False
        self._heard = False
        self._before: Any = None

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _note(self, *_: object) -> None:
        self.pressed = True
        if self._heard:
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def heard(self) -> Iterator[None]:
        """Allows Ctrl-C to interrupt the code in this context."""
        try:
            self._heard = True
            yield
        finally:
            self._heard = False


def quick_match(run: Run, learner: Learner) -> MatchResult:
    """Plays an evaluation match of the newest network, always with the same dice or openings."""
    name, network = next(iter(learner.networks().items()))
    path = run.folder / name.replace("best", "newest")
    write(path, network)
    player, opponent, games = learner.player.format(path), run.config.opponent, run.config.eval_games
    return play_match(learner.game, player, opponent, games, seed=run.config.seed, openings=games)


class _Progress:
    """Shows a progress bar in a terminal, and lines of text elsewhere."""

    def __init__(self, run: Run, step: int, show: bool) -> None:
        from tqdm import tqdm

        self._run, self._timed = run, run.config.minutes > 0
        total = 60 * run.config.minutes if self._timed else run.config.steps
        done = min(run.seconds(), total) if self._timed else step
        bar = "{desc}{percentage:3.0f}%|{bar}| {elapsed}, {remaining} left{postfix}"
        terminal = sys.stderr.isatty()
        self._bar = tqdm(total=total, initial=done, bar_format=bar, disable=not (show and terminal), dynamic_ncols=True)
        self._line: Callable[[str], Any] | None = (
            (lambda text: print(text, file=sys.stderr, flush=True)) if show and not terminal else None
        )
        self._last = time.monotonic()
        self._win_rate = ""

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def __call__(self, step: int, values: dict[str, float]) -> None:
        if "win_rate" in values:
            self._win_rate = f", {values['win_rate']:.0%} against {self._run.config.opponent}"
        shown = [f"{name} {_brief(value)}" for name, value in values.items() if name != "win_rate"]
        text = f"step {step}, " + ", ".join(shown) + self._win_rate
        self._bar.set_postfix_str(text)
        self._bar.update((min(self._run.seconds(), self._bar.total or 0) if self._timed else step) - self._bar.n)
        if self._line and time.monotonic() - self._last > PLAIN_SECONDS:
            self._last = time.monotonic()
            self._line(f"{self._run.seconds() / 60:.1f} min, {text}")


def _brief(value: float) -> str:
    return f"{value / 1000:.3g}k" if value >= 1000 else f"{value:.3g}"
