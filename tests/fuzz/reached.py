"""Tells which code of the core the inputs of fuzz targets reach: `make fuzz-coverage`.

Unlike the edges that libFuzzer counts, a place in the source counts once, however many games a template is compiled
for, and code of the rules that was inlined into a search stays code of the rules. The programs are built by clang with
counters for llvm-cov, and replay inputs without libFuzzer.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAMS = ROOT / "build" / "fuzz-coverage"
CORPORA = (ROOT / "core/checks/fuzz/corpus", ROOT / "build/fuzz/corpus")
"""The corpus of the tree, and what fuzzing here has added to it."""
PAGES = PROGRAMS / "pages"
CODE = 0
"""The kind of a region that is not a gap or left out by the preprocessor."""
TARGETS = ("words", "table", "networks", "search")


def counts(target, path):
    """Returns whether the code of a file is a target's subject, as in core/checks/fuzz/counted.txt."""
    try:
        folder = Path(path).relative_to(ROOT / "core").parts[0]
    except ValueError:  # of the standard library
        return False
    return folder != "checks" and (target == "words" or folder != "games")


class Reached:
    """The places in the source that inputs of a target reach: regions of code, and both outcomes of conditions."""

    def __init__(self, target):
        self.places = set()
        self.target = target
        self.program = PROGRAMS / f"fuzz_{target}"
        self._folder = tempfile.TemporaryDirectory()
        self.profile = Path(self._folder.name) / "all.profdata"
        self._seen = set()

    def add(self, *folders):
        """Replays the inputs that are new in these folders.

        Returns:
            Whether they reached a new place.
        """
        new = {path.name: path for folder in folders if folder.is_dir() for path in folder.iterdir()}
        new = {name: path for name, path in new.items() if name not in self._seen}
        if not new:
            return False
        self._seen |= new.keys()
        self._replay(new)
        before = len(self.places)
        self.places.update(self._read())
        return len(self.places) > before

    def _replay(self, inputs):
        raw = Path(self._folder.name) / "new.profraw"
        with tempfile.TemporaryDirectory() as folder:
            for name, path in inputs.items():
                (Path(folder) / name).symlink_to(path.resolve())
            environment = {**os.environ, "LLVM_PROFILE_FILE": str(raw)}
            run([self.program, folder, "0", "1"], env=environment)
        known = [self.profile] if self.profile.exists() else []
        run(["llvm-profdata", "merge", "-o", self.profile, *known, raw])

    def _read(self):
        exported = json.loads(run(["llvm-cov", "export", self.program, f"-instr-profile={self.profile}"]))
        for function in exported["data"][0]["functions"]:
            files = [path if counts(self.target, path) else None for path in function["filenames"]]
            for *place, count, file, _, kind in function["regions"]:
                if files[file] and count and kind == CODE:
                    yield files[file], *place
            for *place, taken, passed, file, _, _ in function["branches"]:
                if files[file] and taken:
                    yield files[file], *place, True
                if files[file] and passed:
                    yield files[file], *place, False


def run(command, **options):
    """Runs a command and returns what it prints."""
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"{Path(command[0]).name} failed with code {done.returncode}: {done.stderr}")
    return done.stdout


def print_by_folder(files):
    """Prints the share of the lines and branches of each folder of core/ that inputs of any target reach."""
    totals = defaultdict(lambda: dict.fromkeys(("lines", "branches"), (0, 0)))
    for file in files:
        place = Path(file["filename"]).relative_to(ROOT / "core")
        for folder in (place.parts[0] if len(place.parts) > 1 else ".", "all"):
            for kind, (reached, count) in totals[folder].items():
                found = file["summary"][kind]
                totals[folder][kind] = reached + found["covered"], count + found["count"]
    for folder in sorted(totals, key=lambda folder: (folder == "all", folder)):
        shares = (
            f"{reached / max(1, count):.1%} of {count:,} {kind}" for kind, (reached, count) in totals[folder].items()
        )
        print(f"{folder:<12} {', '.join(shares)}")


def main():
    reached = [Reached(target) for target in TARGETS]
    for one in reached:
        one.add(*(corpus / one.target for corpus in CORPORA))
        print(f"{one.target}: {len(one.places):,} places of its subject are reached")
    profiles = [one.profile for one in reached]
    objects = [word for one in reached[1:] for word in ("-object", one.program)]
    with tempfile.TemporaryDirectory() as folder:
        merged = Path(folder) / "all.profdata"
        run(["llvm-profdata", "merge", "-o", merged, *profiles])
        shown = [
            reached[0].program,
            *objects,
            f"-instr-profile={merged}",
            "-ignore-filename-regex=/usr/|core/checks/|tablier_sizes",
        ]
        print_by_folder(json.loads(run(["llvm-cov", "export", *shown, "-summary-only"]))["data"][0]["files"])
        run(["llvm-cov", "show", *shown, "-format=html", f"-output-dir={PAGES}", "-show-instantiations=false"])
    print(f"{PAGES.relative_to(ROOT)}/index.html")


if __name__ == "__main__":
    main()
