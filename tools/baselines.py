"""Makes docs/baselines.md: what the five learning algorithms reach on Trictrac in equal minutes.

python tools/baselines.py [--minutes 5] [--seeds 3] [--games 1000] [--folder runs/baselines]

Each run has one core and the algorithm's own defaults. All cores are in use, so keep the machine free of other work.
Then every last network plays matches on paired dice, and is scored on the referee. Run the command again to continue
after an interruption: finished runs and matches are kept in the folder.
"""

from __future__ import annotations

import argparse
import datetime
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from statistics import mean

from tqdm import tqdm

from tablier.arena import wilson

ROOT = Path(__file__).resolve().parent.parent
OPPONENTS = ("random", "greedy", "heuristic")
PLAYS = {
    "td": "expectimax:plies=1",
    "alphazero": "gumbel:sims=32",
    "ppo": "policy",
    "dqn": "policy",
    "sac": "policy",
}
"""How the network of each algorithm plays, by default."""
BEGINNING = """# Baselines

What the learning algorithms reach on Trictrac in {minutes:g} minutes on one core, from scratch and with their own
defaults: mean of {seeds} seeds, and the lowest and highest in brackets. Each network played {games:,} games on paired
dice against each opponent. "Of random" is its loss on the [referee](rollouts.md#the-referee) as a share of what random
choices lose.
This page was made on {date} by

```
{command}
```

| algorithm | plays as | steps | `random` | `greedy` | `heuristic` | of random |
|---|---|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Trial:
    """A run with its results."""

    folder: Path
    algorithm: str
    seed: int

    @property
    def results(self) -> Path:
        """The file of the results; it exists when the trial is finished."""
        return self.folder / "baseline.json"

    def run(self, minutes: float, games: int, core: int) -> None:
        """Trains on one core for some minutes, unless that is done, then measures."""
        if self.results.exists():
            return
        words = ["--seed", str(self.seed), "--minutes", str(minutes), "--eval_every", "0", "--threads", "1"]
        resumed = (self.folder / "config.json").exists()
        self._tablier(core, "train", self.algorithm, "--run", str(self.folder), *(["--resume"] if resumed else words))
        against = ["--games", str(games), "--opponents", ",".join(OPPONENTS), "--processes", "1"]
        told = self._tablier(core, "eval", str(self.folder), "--last", *against, "--json")
        scored = self._tablier(core, "referee", str(self.folder), "--json")
        found = {"eval": json.loads(told), "referee": json.loads(scored)["scores"][0]["relative"]["loss"]}
        unfinished = self.results.with_suffix(".new")
        unfinished.write_text(json.dumps(found))
        unfinished.replace(self.results)

    @staticmethod
    def _tablier(core: int, *words: str) -> str:
        command = ["taskset", "-c", str(core), sys.executable, "-m", "tablier", *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def run_all(trials: Sequence[Trial], args: argparse.Namespace) -> None:
    """Runs the trials, one per core at a time."""
    cores: SimpleQueue[int] = SimpleQueue()
    for core in sorted(os.sched_getaffinity(0)):
        cores.put(core)

    def one(trial: Trial) -> None:
        core = cores.get()
        try:
            trial.run(args.minutes, args.games, core)
        finally:
            cores.put(core)

    with ThreadPoolExecutor(cores.qsize()) as pool, tqdm(total=len(trials), unit="run") as bar:
        for _ in pool.map(one, trials):
            bar.update()


def page(trials: Sequence[Trial], args: argparse.Namespace) -> str:
    """Returns the page."""
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    command = " ".join(["python", "tools/baselines.py", *sys.argv[1:]])
    facts = {"minutes": args.minutes, "seeds": args.seeds, "games": args.games}
    text = BEGINNING.format(date=date, command=command, **facts)
    for algorithm, own in itertools.groupby(trials, key=lambda trial: trial.algorithm):
        results = [json.loads(trial.results.read_text()) for trial in own]
        cells = [f"`{algorithm}`", f"`{PLAYS[algorithm]}`"]
        cells.append(_spread([one["eval"][0]["step"] for one in results], ",.0f"))
        for number in range(len(OPPONENTS)):
            cells.append(_spread([one["eval"][number]["rate"] for one in results], ".1%"))
        cells.append(_spread([one["referee"] for one in results], ".1%"))
        text += "| " + " | ".join(cells) + " |\n"
    half = wilson(args.games / 2, args.games)[1] - 0.5
    return text + f"\nA match alone is uncertain by up to {half:.1%} (95%).\n"


def _spread(values: Sequence[float], form: str) -> str:
    return f"{mean(values):{form}} ({min(values):{form}} to {max(values):{form}})"


def main() -> None:
    """Trains, measures and writes the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0, help="minutes of training per run (default 5)")
    parser.add_argument("--seeds", type=int, default=3, help="runs per algorithm (default 3)")
    parser.add_argument("--games", type=int, default=1000, help="games per match (default 1,000)")
    parser.add_argument("--folder", type=Path, default=Path("runs/baselines"), help="folder of the runs")
    args = parser.parse_args()
    trials = [
        Trial(args.folder / f"{algorithm}-{seed}", algorithm, seed) for algorithm in PLAYS for seed in range(args.seeds)
    ]
    run_all(trials, args)
    (ROOT / "docs" / "baselines.md").write_text(page(trials, args), encoding="utf-8")


if __name__ == "__main__":
    main()
