"""Builds the core with several compilers and optimisation levels, and compares what it computes: `make determinism`.

Each build runs `core/checks/signature.cpp` with 1, 2 and 4 threads, in two processes at once. All must print the same
hashes, and those of the games must be the ones in `tests/signature.txt`.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
COMPILERS = {"g++": "gcc", "clang++": "clang"}
"""The C++ compilers, each with its C compiler."""
LEVELS = ("-O2", "-O3")
THREADS = (1, 2, 4)


def build(compiler: str, level: str) -> Path:
    """Builds the program and returns its path."""
    folder = ROOT / "build" / "determinism" / f"{compiler}{level}"
    tools = Path(sys.executable).parent
    cmake = str(tools / "cmake")
    configure = [cmake, "-G", "Ninja", "-S", str(ROOT), "-B", str(folder), f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}"]
    configure += [f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_C_COMPILER={COMPILERS[compiler]}"]
    configure += ["-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_CXX_FLAGS={level} -DNDEBUG"]
    for command in (configure, [cmake, "--build", str(folder), "--target", "signature"]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stdout + done.stderr)
    return folder / "signature"


def printed(program: Path, threads: int) -> list[str]:
    """Returns what each of two processes prints that run at the same time."""
    command = [str(program), str(threads)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    texts = [process.communicate()[0] for process in both]
    if any(process.returncode for process in both):
        sys.exit(f"{program} failed")
    return texts


def main() -> int:
    """Compares all builds; returns 1 if two differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--compilers", default=",".join(COMPILERS), help="compilers to compare (default %(default)s)")
    args = parser.parse_args()
    golden = (ROOT / "tests" / "signature.txt").read_text()
    first, runs, start = "", 0, time.monotonic()
    for compiler in args.compilers.split(","):
        if not shutil.which(compiler):
            sys.exit(f"{compiler} is not installed")
        for level in LEVELS:
            program = build(compiler, level)
            for threads in THREADS:
                for text in printed(program, threads):
                    first, runs = first or text, runs + 1
                    if text != first or not text.startswith(golden):
                        _show(first if text.startswith(golden) else golden, text)
                        print(f"{compiler} {level} with {threads} threads computes something else")
                        return 1
            print(f"{compiler} {level}: {len(first.splitlines())} hashes, the same for {THREADS} threads", flush=True)
    print(f"{runs} processes printed the same, {time.monotonic() - start:.0f} s")
    return 0


def _show(expected: str, found: str) -> None:
    for old, new in zip(expected.splitlines(), found.splitlines(), strict=False):
        if old != new:
            print(f"expected {old}\nfound    {new}")


if __name__ == "__main__":
    sys.exit(main())
