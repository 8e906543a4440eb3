"""Training under faults: whatever happens, a run resumes and ends with the weights of one that was left alone."""

import json
import shutil
from pathlib import Path

from workshop import FAIL, FULL, Fault, Outcome, Workshop

from tablier.learn.runs.checkpoint import folder_of, steps_of
from tablier.learn.runs.run import metrics

STEPS = 4
SMALL = {"steps": STEPS, "games": 4, "moves": 3, "width": 8, "batch": 8, "checkpoint_every": 2, "threads": 1}
SETTINGS = {
    "td": {"game": "pig", "options": "win_score=10", "exact": "true", "replay": 40, "eval_every": 2, "eval_games": 2},
    "alphazero": {"game": "pig", "options": "win_score=10", "net": "mlp", "sims": 2, "replay": 40},
    "ppo": {"game": "pig"},
    "dqn": {"game": "pig", "replay": 40},
    "sac": {"game": "tic_tac_toe", "replay": 40},
}
"""Small runs that write every kind of file: checkpoints, metrics, events, networks, replay shards."""


class Training:
    """One algorithm, and what it writes if nothing happens.

    Args:
        workshop: where to train.
        algorithm: its name.
        folder: an empty folder for all runs.
    """

    def __init__(self, workshop: Workshop, algorithm: str, folder: Path) -> None:
        self._workshop, self.algorithm, self._folder = workshop, algorithm, folder
        self.whole = folder / "whole"
        self.whole.mkdir(parents=True)
        outcome = self.live(self.whole)
        assert outcome.code == 0, outcome.err
        self.operations = outcome.operations
        self.weights = last_weights(self.whole / "run")

    def live(self, place: Path, at: float = 0, how: int = 0, **changes: object) -> Outcome:
        """Starts the run below a folder, or resumes it; operation number `at` fails, or it is killed after a time."""
        run = place / "run"
        if (run / "config.json").exists():
            words = ["--resume", *as_words(changes)]
        else:
            words = as_words({**SMALL, **SETTINGS[self.algorithm]})
        return self._workshop.live("train", place, self.algorithm, "--run", str(run), *words, at=at, how=how)

    def disturb(self, name: str, faults: list[Fault]) -> int:
        """Trains a new run whose lives end as listed, then without faults; returns how many lives had a fault."""
        place = self._folder / name
        place.mkdir()
        promised, met = 0, 0
        for at, how in faults:
            outcome = self.live(place, at, how)
            check_end(outcome, how)
            met += outcome.killed or outcome.code != 0
            promised = max([promised, *(int(step) for (step,) in outcome.said("saved"))])
            check_kept(place / "run", promised)
        outcome = self.live(place)
        assert outcome.code == 0, outcome.err
        check_whole(place / "run")
        assert last_weights(place / "run") == self.weights, f"{self.algorithm}: other weights after {faults}"
        shutil.rmtree(place)
        return met


def as_words(settings: dict) -> list[str]:
    return [word for name, value in settings.items() for word in (f"--{name}", str(value))]


def last_weights(run: Path) -> bytes:
    return (folder_of(run, steps_of(run)[-1]) / "weights.safetensors").read_bytes()


def check_end(outcome: Outcome, how: int) -> None:
    """A child was killed, went on to the end, or refused to go on in one line."""
    told = outcome.err.splitlines()
    assert "Traceback" not in outcome.err, outcome.err
    assert outcome.killed or outcome.code in (0, 1, 2), (outcome.code, outcome.err)
    assert not outcome.killed or how not in (FULL, FAIL), "a fault of the disk kills nothing"
    if outcome.code in (1, 2):
        assert told, "it stopped without a word"
        assert told[-1].startswith("tablier: "), outcome.err


def check_kept(run: Path, promised: int) -> None:
    """Whatever was promised is in the folder."""
    if promised:
        assert max(steps_of(run)) >= promised, f"step {promised} was saved and is lost"
        assert {row["step"] for row in metrics(run)} >= set(range(1, promised + 1)), "a row of metrics is lost"


def check_whole(run: Path) -> None:
    """A run that was completed has everything, and nothing half written."""
    assert [row["step"] for row in metrics(run)] == list(range(1, STEPS + 1))
    assert steps_of(run)[-1] == STEPS
    left = [path.name for path in run.rglob("*.tmp")]
    assert not left, left
    json.loads((run / "config.json").read_text())
