"""Compares the bear-off tables with those of GNU Backgammon: python tools/gnubg_bear_off.py

The one-sided database of all 54,264 positions comes with the program, and its `makebearoff` makes a small two-sided
one. Both store probabilities in 16 bits; rounding adds up over the throws. The results are in docs/backgammon.md.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from tablier._core import backgammon
from tablier.games.backgammon.gnubg import PLACES

ALONE = Path("/usr/share/gnubg/gnubg_os0.bd")
HEADER, INDEX = 40, 8
"""Bytes of the header, and per position of the index: an offset, then length and start of two distributions."""
MOST = 32
"""Throws that the database knows."""
MEN = 4
"""Men of each player in the two-sided database; six would take minutes to make."""
Floats = NDArray[np.float64]


def homes(most: int) -> list[tuple[int, ...]]:
    """Returns the positions of up to `most` men on six points, in the order of both programs."""

    def below(points: int, men: int) -> list[tuple[int, ...]]:
        if points == 1:
            return [(men,)]
        return [(men - back, *rest) for back in range(men + 1) for rest in below(points - 1, back)]

    return [home for men in range(most + 1) for home in below(6, men)]


def read_alone(path: Path) -> tuple[Floats, Floats]:
    """Reads the distributions of the throws up to the last man and up to the first one, each [positions, MOST]."""
    data, count = path.read_bytes(), comb(21, 6)
    index = np.frombuffer(data, np.uint8, count * INDEX, HEADER).reshape(count, INDEX)
    start = index[:, :4].copy().view("<u4")[:, 0].tolist()
    values = np.frombuffer(data, "<u2", offset=HEADER + count * INDEX) / 65535
    last, first = np.zeros((count, MOST)), np.zeros((count, MOST))
    for i, (length, begin, length_first, begin_first) in enumerate(index[:, 4:].tolist()):
        middle = start[i] + length
        last[i, begin : begin + length] = values[start[i] : middle]
        first[i, begin_first : begin_first + length_first] = values[middle : middle + length_first]
    return last, first


def compare_alone() -> None:
    """Compares the number of throws that a player needs alone."""
    last, first = read_alone(ALONE)
    positions = homes(15)
    apart, means, firsts = [], [], []
    for i, home in enumerate(tqdm(positions, unit="position")):
        if i == 0:
            continue
        ours = backgammon.bear_off_throws(home).astype(np.float64)
        apart.append(np.abs(ours - last[i, 1 : len(ours) + 1]).max())
        means.append(abs(ours @ np.arange(1, len(ours) + 1) - last[i] @ np.arange(MOST)))
        if sum(home) == 15:
            ours = backgammon.bear_off_throws(home, first=True).astype(np.float64)
            firsts.append(np.abs(ours - first[i, 1 : len(ours) + 1]).max())
    print(f"alone, {len(apart)} positions: mean number of throws apart by at most {max(means):.2g}")
    print(f"probabilities apart by {np.mean(apart):.2g} on average, {max(apart):.2g} at most")
    print(f"first man, {len(firsts)} positions of 15 men: probabilities apart by at most {max(firsts):.2g}")


def compare_both(program: str) -> None:
    """Compares exact equities with up to `MEN` men each."""
    positions = homes(MEN)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "two_sided.bd"
        command = [program, "--two-sided", f"6x{MEN}", "--no-cubeful", "--outfile", str(path)]
        subprocess.run(command, check=True, capture_output=True)
        theirs = np.fromfile(path, "<u2", offset=HEADER).reshape(len(positions), -1) / 32767.5 - 1
    ours = np.array([[2 * backgammon.bear_off_win(mine, other) - 1 for other in positions] for mine in positions])
    apart = np.abs(ours - theirs)[1:, 1:]
    print(f"both, {apart.size} pairs: equities apart by {apart.mean():.2g} on average, {apart.max():.2g} at most")


def main() -> None:
    """Compares both kinds of tables."""
    program = shutil.which("makebearoff") or shutil.which("makebearoff", path=":".join(PLACES))
    if program is None or not ALONE.is_file():
        sys.exit("GNU Backgammon is not installed; on Debian or Ubuntu: apt-get install gnubg")
    compare_alone()
    compare_both(program)


if __name__ == "__main__":
    main()
