"""Makes the table of exact win probabilities at pig: python tools/pig_table.py [FILE.npy]

The solver is that of examples/pig_exact.py; it takes under a minute.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / "examples"))

from pig_exact import solve  # noqa: E402

from tablier.games.pig.exact import FILE, MOST  # noqa: E402


def main() -> None:
    """Writes win[mine - 1, other - 1], by the points that each player still needs at the start of a turn."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    by_score = solve(MOST)[:, :, 0]
    np.save(target, np.ascontiguousarray(by_score[::-1, ::-1]))
    print(f"{target.name}: the player who starts a game to {MOST} wins {by_score[0, 0]:.4%}")


if __name__ == "__main__":
    main()
