"""Runs libFuzzer on the targets of the core until they reach no new code: `make fuzz-flat`.

A target is finished once no input has reached a new place in the source of its subject (reached.py) for MINUTES of its
own processor time, so a busy machine changes nothing. Two targets run at a time. What is found is kept in build/fuzz,
and a crash ends the run of its target only.

With --fast, the targets have no sanitizers: they try several times as many inputs, with which the others then start.
"""

import argparse
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from reached import CORPORA, Reached

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "fuzz"
STATUS = re.compile(r"#(\d+)\s+\w+\s+cov: (\d+)")
TOTAL = re.compile(r"stat::number_of_executed_units:\s+(\d+)")
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Progress:
    """What a target has done so far. Times are minutes of its processor time."""

    target: str
    executions: int = 0
    minutes: float = 0.0
    edges: int = 0
    """What libFuzzer counts: jumps in the compiled code."""
    last_edge: float = 0.0
    """When that rose last."""
    places: int = 0
    last_place: float = 0.0
    broken: bool = False

    def read(self, line):
        """Takes in a line that libFuzzer printed. Returns whether there are new edges."""
        if status := STATUS.search(line):
            self.executions, edges = int(status[1]), int(status[2])
            if edges > self.edges:
                self.edges, self.last_edge = edges, self.minutes
                return True
        elif total := TOTAL.search(line):
            self.executions = int(total[1])
        return False

    def __str__(self):
        work = f"{self.target}: {self.executions:,} executions, {self.minutes:.0f} minutes"
        places = f"{self.places:,} places, the last at {self.last_place:.0f}"
        return f"{work}; {places}; {self.edges:,} edges, the last at {self.last_edge:.0f}"


def processor_minutes(pid):
    """Returns the processor time of a process, which may have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS / 60


def lines_of(process):
    """Yields the lines that a process prints, and an empty one for each second without any."""
    lines = queue.Queue()

    def pass_on():
        for line in process.stderr:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=pass_on, daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=1)
        except queue.Empty:
            line = ""
        if line is None:
            return
        yield line


def fuzz(target, flat, programs):
    """Fuzzes a target until its coverage has been flat for so many minutes, or something breaks.

    Args:
        target: the name of the target.
        flat: minutes of processor time without a new place.
        programs: the folder with the program of the target.
    """
    found, own = BUILD / "found", BUILD / "corpus" / target
    for folder in (found, own):
        folder.mkdir(parents=True, exist_ok=True)
    options = ["-max_len=1200", "-len_control=0", "-rss_limit_mb=6000", "-print_final_stats=1"]
    options += [f"-artifact_prefix={found}/{target}-", str(own), str(ROOT / "core/checks/fuzz/corpus" / target)]
    process = subprocess.Popen(
        [str(programs / f"fuzz_{target}"), *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    told, stopped, shown, reached = Progress(target), False, time.monotonic(), Reached(target)

    def count():
        if reached.add(*(corpus / target for corpus in CORPORA)):
            told.places, told.last_place = len(reached.places), told.minutes

    try:
        with log_of(target, programs).open("w") as log:
            for line in lines_of(process):
                log.write(line)
                told.minutes = processor_minutes(process.pid)
                if told.read(line):  # a new place has a new edge
                    count()
                if told.minutes - told.last_place >= flat and not stopped:
                    count()  # also inputs that had not been written when their edge was told
                    if stopped := told.minutes - told.last_place >= flat:
                        process.send_signal(signal.SIGINT)  # it prints its totals and ends
                if time.monotonic() - shown > 60:
                    shown = time.monotonic()
                    print(told, flush=True)
    finally:
        process.kill()  # which has ended, unless this run breaks off
        process.wait()
    told.broken = not stopped
    return told


def log_of(target, programs):
    """Returns the file that keeps what libFuzzer prints."""
    return programs / f"{target}.log"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="+")
    parser.add_argument("--minutes", type=float, default=30, help="how long the coverage must be flat (30)")
    parser.add_argument("--together", type=int, default=2, help="targets that run at a time (2)")
    parser.add_argument("--fast", action="store_true", help="run the targets without sanitizers")
    args = parser.parse_args()
    programs = ROOT / "build" / "fuzz-fast" if args.fast else BUILD
    with ThreadPoolExecutor(args.together) as pool:
        ended = list(pool.map(lambda target: fuzz(target, args.minutes, programs), args.targets))
    for told in ended:
        print(f"{told}; {f'broken, see {log_of(told.target, programs)}' if told.broken else 'nothing broke'}")
    return int(any(told.broken for told in ended))


if __name__ == "__main__":
    sys.exit(main())
