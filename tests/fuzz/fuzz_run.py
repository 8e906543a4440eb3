"""Runs the tests of hypothesis with new examples until the time is up: the second half of `make fuzz`."""

import argparse
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
TESTS = (HERE / "test_text.py", HERE / "test_fuzzed_files.py", HERE.parent / "web" / "test_state_machine.py")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    args = parser.parse_args()
    end, seed = time.monotonic() + args.seconds, args.seed
    while True:
        profile = ["--hypothesis-profile=fuzz", f"--hypothesis-seed={seed}", "--hypothesis-show-statistics"]
        command = [sys.executable, "-m", "pytest", "-q", "-x", "--tb=short", *profile, *map(str, TESTS)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            print(done.stdout, done.stderr)
            return done.returncode
        passing = [
            line for line in done.stdout.splitlines() if "passing test cases" in line or "passing examples" in line
        ]
        print(f"seed {seed}: {done.stdout.splitlines()[-1]}; {len(passing)} tests with new examples", flush=True)
        seed += 1
        if time.monotonic() > end:
            return 0


if __name__ == "__main__":
    sys.exit(main())
