"""The loop that all algorithms share: step, note, save, show how it goes; and go on after whatever ended it before."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import torch

from tablier.arena import MatchResult, play_match
from tablier.learn.files import write
from tablier.learn.learner import Learner
from tablier.learn.run import Run

PLAIN_SECONDS = 20.0
"""Without a terminal a line is printed so often."""


def train(run: Run, learner: Learner, show: bool = True) -> int:
    """Trains until the run's steps or minutes are over; returns the last step."""
    torch.set_num_threads(1)
    step = 0
    if found := run.resume():
        learner.restore(found)
        step = found.step
    for name in learner.counters:
        learner.counters[name] = run.counters.get(name, 0.0)
    with _Progress(run, step, show) as progress:
        saved = step
        while not run.over(step):
            step += 1
            before, start = dict(learner.counters), time.monotonic()
            metrics = learner.step(step)
            seconds = time.monotonic() - start
            rates = {f"{name}/s": (learner.counters[name] - before[name]) / seconds for name in before}
            due = step % run.config.checkpoint_every == 0 or run.over(step)
            if run.config.eval_every and (step % run.config.eval_every == 0 or run.over(step)):
                metrics["win_rate"] = quick_match(run, learner).rate
            run.log(step, **metrics, **learner.counters, **rates)
            if due:
                run.counters.update(learner.counters)
                run.save(step, learner.weights(), learner.training(), learner.network())
                saved = step
            progress(step, {**metrics, **rates})
        if saved != step:
            run.counters.update(learner.counters)
            run.save(step, learner.weights(), learner.training(), learner.network())
    return step


def quick_match(run: Run, learner: Learner) -> MatchResult:
    """A short match of the newest network; its dice, or its openings, are the same every time."""
    path = run.folder / "newest.onnx"
    write(path, learner.network())
    player, opponent, games = learner.player.format(path), run.config.opponent, run.config.eval_games
    return play_match(learner.game, player, opponent, games, seed=run.config.seed, openings=games)


class _Progress:
    """A bar in a terminal, lines elsewhere."""

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
