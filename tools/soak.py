"""Checks the memory use of a long training run: python tools/soak.py [--minutes 20] [alphazero].

Trains with the default settings in a separate process, samples its memory every second, and fails if it exceeds 2 GB or
if the median of the last quarter of the run is more than 10% above that of the second quarter.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MOST = 2_000
"""Megabytes."""


def memory(process: int) -> float:
    """Returns the resident memory of a process in megabytes."""
    status = Path(f"/proc/{process}/status").read_text()
    return float(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))) / 1000


def main() -> int:
    """Trains, samples the memory and reports."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("algorithm", nargs="?", default="alphazero")
    parser.add_argument("--minutes", type=float, default=20.0, help="training time (default 20)")
    parser.add_argument("--run", type=Path, help="folder of the run (default: a temporary folder)")
    args = parser.parse_args()
    seen = []
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "tablier", "train", args.algorithm, "--run", str(args.run or f"{place}/run")]
        with subprocess.Popen([*command, "--minutes", str(args.minutes)]) as child:
            while child.poll() is None:
                try:
                    seen.append(memory(child.pid))
                except (FileNotFoundError, StopIteration):  # the process has just ended
                    break
                time.sleep(1)
        if child.returncode:
            return 1
    quarter = len(seen) // 4
    early, late = statistics.median(seen[quarter : 2 * quarter]), statistics.median(seen[3 * quarter :])
    print(
        f"{args.algorithm}, {args.minutes:g} minutes: at most {max(seen):.0f} MB; second quarter {early:.0f} MB, ",
        end="",
    )
    print(f"last {late:.0f} MB")
    return 0 if max(seen) < MOST and late < 1.1 * early else 1


if __name__ == "__main__":
    sys.exit(main())
