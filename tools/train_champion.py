"""Trains the champion of a game again: TD in stages, each of which learns from the network of the one before.

python tools/train_champion.py [trictrac] [--folder runs/champion]

Run it again to continue after an interruption. The last stage leaves the network in FOLDER/GAME/N/best.safetensors. The
card of the shipped network, src/tablier/models/GAME.json, says how long it took and how strong it is.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
START, TEACHER = "start", "teacher"
"""How a stage uses the stage before: it goes on with its weights, or lets its network play."""


@dataclass(frozen=True)
class Stage:
    """A run of TD."""

    settings: str
    before: str = START


DEEP = "--width 256 --blocks 2 --hidden 256"
STAGES = {
    "trictrac": (
        Stage("--td_lambda 0.3 --width 128 --steps 6000 --lr 1e-3 --lr_half_life 1500"),
        Stage("--td_lambda 0.3 --width 256 --steps 6000 --lr 6e-4 --lr_half_life 1500"),
        Stage(f"--td_lambda 0.3 {DEEP} --steps 1400 --lr 1e-3 --lr_half_life 700", TEACHER),
        Stage(f"--td_lambda 0.3 {DEEP} --steps 7000 --lr 5e-4 --lr_half_life 2000"),
    ),
    "trictrac_a_ecrire": (Stage("--td_lambda 0.9 --width 256 --steps 2000 --lr 5e-4 --lr_half_life 600"),),
}
FIRST = {"trictrac_a_ecrire": ROOT / "tools" / "champion" / "weights.safetensors"}
"""Weights that the first stage starts from. Points win marqués, so the scored game starts from Trictrac."""
SHARED = "--preset quick --minutes 0 --eval_every 0"


def words_of(game: str, number: int, folder: Path) -> list[str]:
    """Returns the words of the command that starts or resumes a stage, counted from 1."""
    run, before = folder / str(number), folder / str(number - 1)
    words = ["train", "td", "--run", str(run)]
    if (run / "config.json").exists():
        return [*words, "--resume"]
    stage = STAGES[game][number - 1]
    words += ["--game", game, *SHARED.split(), *stage.settings.split()]
    if number == 1:
        return [*words, "--start", str(FIRST[game])] if game in FIRST else words
    return [*words, f"--{stage.before}", str(before / "best.safetensors" if stage.before == TEACHER else before)]


def main() -> None:
    """Runs the stages that are not finished."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game", nargs="?", choices=STAGES, default="trictrac", help="the game (default trictrac)")
    parser.add_argument("--folder", type=Path, default=Path("runs/champion"), help="folder of the runs")
    args = parser.parse_args()
    for number in range(1, len(STAGES[args.game]) + 1):
        words = words_of(args.game, number, args.folder / args.game)
        print("$ tablier", *words, flush=True)
        subprocess.run([sys.executable, "-m", "tablier", *words], check=True)


if __name__ == "__main__":
    main()
