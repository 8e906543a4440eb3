"""Trains Trictrac's champion again: TD in stages, each of which starts from the network of the one before.

python tools/train_champion.py [--folder runs/champion]

Takes about half an hour on two cores. Run it again to continue after an interruption. The last stage leaves the network
in FOLDER/2/best.safetensors; src/tablier/models/trictrac.json says how strong the shipped one is.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

STAGES = (
    "--width 128 --steps 6000 --lr 1e-3 --lr_half_life 1500",
    "--width 256 --steps 6000 --lr 6e-4 --lr_half_life 1500",
)
SHARED = "--game trictrac --preset quick --minutes 0 --eval_every 0 --td_lambda 0.3"


def main() -> None:
    """Runs the stages that are not finished."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("runs/champion"), help="folder of the runs")
    folder = parser.parse_args().folder
    for number, settings in enumerate(STAGES, start=1):
        run = folder / str(number)
        words = ["train", "td", "--run", str(run)]
        if (run / "config.json").exists():
            words.append("--resume")
        else:
            words += [*SHARED.split(), *settings.split()]
            words += ["--start", str(folder / str(number - 1))] if number > 1 else []
        print("$ tablier", *words, flush=True)
        subprocess.run([sys.executable, "-m", "tablier", *words], check=True)


if __name__ == "__main__":
    main()
