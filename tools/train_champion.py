"""Trains the champion of a game again: TD in stages, most of which go on from the network of the one before.

python tools/train_champion.py [trictrac] [--folder runs/champion]

Run it again to continue after an interruption. The last stage leaves the network in FOLDER/NAME/N/best.safetensors. The
card of the shipped network, src/tablier/models/NAME.json, says how long it took and how strong it is.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXACT = "--exact true --replay 4000000 --epochs 4 --batch 512 --threads 2"
DEEP = f"--width 256 --blocks 2 --hidden 256 --revive 50 {EXACT}"
QUICK = f"--options start=hyper --width 128 --blocks 2 --hidden 64 --revive 50 {EXACT}"
STAGES = {
    "trictrac": (
        "--td_lambda 0.3 --width 128 --steps 6000 --lr 1e-3 --lr_half_life 1500",
        "--td_lambda 0.3 --width 256 --steps 6000 --lr 6e-4 --lr_half_life 1500 --start {before}",
    ),
    # Points win marqués, so the scored game starts from Trictrac.
    "trictrac_a_ecrire": (
        "--td_lambda 0.9 --width 256 --steps 2000 --lr 5e-4 --lr_half_life 600 "
        "--start {root}/tools/champion/weights.safetensors",
    ),
    # The deep network learns the exact values of a small one, then its own.
    "backgammon": (
        "--td_lambda 0.3 --width 128 --steps 2200 --lr_half_life 700",
        f"{DEEP} --td_lambda 0.7 --steps 150 --lr 1e-3 --lr_half_life 60 --teacher {{before}}/best.safetensors",
        f"{DEEP} --td_lambda 0.7 --steps 1000 --lr 5e-4 --lr_half_life 500 --start {{before}}",
        f"{DEEP} --td_lambda 0.9 --steps 2800 --lr 2.5e-4 --lr_half_life 800 --learning_starts 400000 "
        "--start {before}",
    ),
    "hypergammon": (
        "--options start=hyper --td_lambda 0.3 --width 128 --steps 2500 --lr 1e-3 --lr_half_life 500",
        f"{QUICK} --td_lambda 0.7 --steps 120 --lr 1e-3 --lr_half_life 50 --learning_starts 60000 "
        "--teacher {before}/best.safetensors",
        f"{QUICK} --td_lambda 0.9 --steps 1900 --lr 5e-4 --lr_half_life 500 --learning_starts 200000 "
        "--start {before}",
    ),
}
"""The settings of each stage. `{before}` is the folder of the stage before, `{root}` that of the project."""
GAMES = {"hypergammon": "backgammon"}
"""Games of networks that are not named after theirs."""
SHARED = "--preset quick --minutes 0 --eval_every 0"


def words_of(name: str, number: int, folder: Path) -> list[str]:
    """Returns the words of the command that starts or resumes a stage, counted from 1."""
    run = folder / str(number)
    words = ["train", "td", "--run", str(run)]
    if (run / "config.json").exists():
        return [*words, "--resume"]
    settings = f"{SHARED} {STAGES[name][number - 1]}".split()
    words += ["--game", GAMES.get(name, name)]
    return [*words, *(one.format(before=folder / str(number - 1), root=ROOT) for one in settings)]


def main() -> None:
    """Runs the stages that are not finished."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("name", nargs="?", choices=STAGES, default="trictrac", help="the network (default trictrac)")
    parser.add_argument("--folder", type=Path, default=Path("runs/champion"), help="folder of the runs")
    args = parser.parse_args()
    for number in range(1, len(STAGES[args.name]) + 1):
        words = words_of(args.name, number, args.folder / args.name)
        print("$ tablier", *words, flush=True)
        subprocess.run([sys.executable, "-m", "tablier", *words], check=True)


if __name__ == "__main__":
    main()
