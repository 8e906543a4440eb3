"""Memory of a long run of training, and whether it grows: python tools/soak.py [--minutes 20] [alphazero].

Trains with the default settings in a process of its own, looks at its memory every second, and fails if it ever takes
more than 2 GB or if the last quarter of the time takes over a tenth more than the second.
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


def memory(process: int) -> float:
    """Megabytes that a process holds."""
    status = Path(f"/proc/{process}/status").read_text()
    return float(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))) / 1000


def main() -> int:
    """Trains, looks, judges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("algorithm", nargs="?", default="alphazero")
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--run", type=Path, help="keep the run in this folder, to measure its strength afterwards")
    args = parser.parse_args()
    seen = []
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "tablier", "train", args.algorithm, "--run", str(args.run or f"{place}/run")]
        with subprocess.Popen([*command, "--minutes", str(args.minutes)]) as child:
            while child.poll() is None:
                try:
                    seen.append(memory(child.pid))
                except (FileNotFoundError, StopIteration):  # it has just ended
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
