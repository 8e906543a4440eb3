"""Runs the tests of hypothesis with new examples until the time is up: the second half of `make fuzz`.

With --flat, it goes on until no round has reached new code of its subject for so many minutes of processor time. The
subjects are `text` (with files) and `requests`.
"""

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from coverage import Coverage

import tablier

HERE = Path(__file__).parent
PACKAGE = Path(tablier.__file__).parent  # as it is installed
READERS = ("record*", "ids", "typed", "position", "match_text", "sgf")
SUBJECTS = {
    "text": (
        tuple(sorted(HERE.glob("test_fuzzed_*.py"))),
        ("*", "players/*", "evaluators/*", "games/board/*", *(f"games/*/{name}" for name in READERS)),
    ),
    "requests": ((HERE.parent / "web" / "test_state_machine.py",), ("web/**/*",)),
}
"""The tests of a subject, and the modules whose lines and branches count: those that read.

What others tell about rare situations of a game would take very long to meet.
"""
SHOWN = 20
"""How many new places are printed."""
EXAMPLES = re.compile(r"(\d+) passing, \d+ failing")


@dataclass
class Progress:
    """What all rounds have done so far. Times are minutes of processor time."""

    examples: int = 0
    places: set = field(default_factory=set)
    """Lines, and branches between two lines, each with its file."""
    rose: float = 0.0
    """When the coverage rose last."""
    last: list = field(default_factory=list)
    """What was new then."""

    def read(self, printed, data):
        """Takes in what a round has printed, and the file of what it reached."""
        self.examples += sum(map(int, EXAMPLES.findall(printed)))
        new = reached_places(data) - self.places
        if new:
            self.places |= new
            self.rose = self.minutes
            self.last = sorted(new)

    @property
    def minutes(self):
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (used.ru_utime + used.ru_stime) / 60

    def __str__(self):
        work = f"{self.examples:,} examples, {len(self.places):,} places"
        newest = ", ".join(f"{file}:{'-'.join(map(str, lines))}" for file, *lines in self.last[:SHOWN])
        return f"{work} after {self.minutes:.0f} minutes, the last {len(self.last)} at {self.rose:.0f} ({newest})"


def reached_places(data):
    """Returns the lines and branches that a data file of coverage tells."""
    coverage = Coverage(data)
    coverage.load()
    report = data.with_suffix(".json")
    coverage.json_report(outfile=str(report))
    found = set()
    for path, told in json.loads(report.read_text())["files"].items():
        file = str((Path.cwd() / path).relative_to(PACKAGE))
        found |= {(file, line) for line in told["executed_lines"]}
        found |= {(file, *branch) for branch in told["executed_branches"]}
    return found


def run(subject, seed, data):
    """Runs the tests of a subject once, with the examples of a seed."""
    tests, modules = SUBJECTS[subject]
    profile = ["--hypothesis-profile=fuzz", f"--hypothesis-seed={seed}", "--hypothesis-show-statistics"]
    counted = ",".join(f"{PACKAGE}/{module}.py" for module in modules)
    watched = ["coverage", "run", "--branch", f"--include={counted}", f"--data-file={data}"]
    command = [sys.executable, "-m", *watched, "-m", "pytest", "-q", "-x", "--tb=short", *profile, *map(str, tests)]
    return subprocess.run(command, capture_output=True, text=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("subject", choices=SUBJECTS)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--flat", type=float, help="go on until the coverage has been flat for so many minutes")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    args = parser.parse_args()
    told, end, seed = Progress(), time.monotonic() + args.seconds, args.seed
    with tempfile.TemporaryDirectory() as folder:
        while told.minutes - told.rose < args.flat if args.flat else time.monotonic() < end:
            data = Path(folder) / "reached"
            done = run(args.subject, seed, data)
            if done.returncode:
                print(done.stdout, done.stderr)
                return done.returncode
            told.read(done.stdout, data)
            if not told.places:
                sys.exit("nothing was counted: the modules that count are not those that ran")
            data.unlink()
            print(f"{args.subject}, seed {seed}: {told}", flush=True)
            seed += 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
