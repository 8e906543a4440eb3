"""Reproduces the results of docs/learning.md. Takes about three hours in all; `make learning` runs it.

python tools/learning.py tic_tac_toe pig              minutes
python tools/learning.py td alphazero ppo dqn sac     half an hour each
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tablier
from tablier import State
from tablier.arena import MatchResult, play_match
from tablier.players import Chooser, make_player

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "examples"))

PIG = "--minutes 4.5 --steps 1000000 --blocks 2 --lr 2e-3 --lr_half_life 400"
PIG += " --td_lambda 0.5 --epsilon 0.05 --ema_decay 0.99"
TIC_TAC_TOE = "--games 64 --width 64 --batch 256 --samples_per_insert 4 --replay 100000 --lr 3e-3 --lr_half_life 120"
TIC_TAC_TOE += " --td_lambda 1 --noise 0.5 --temperature_moves 1000 --steps 500 --minutes 2"
TRICTRAC = ("td", "alphazero", "ppo", "dqn", "sac")


def train(folder: Path, algorithm: str, words: str) -> None:
    """Runs `tablier train` with these settings in a new folder."""
    command = ["train", algorithm, *words.split(), "--run", str(folder)]
    print("$ tablier", *command, flush=True)
    start = time.monotonic()
    subprocess.run([sys.executable, "-m", "tablier", *command], check=True)
    print(f"{(time.monotonic() - start) / 60:.1f} minutes", flush=True)


class Remembered:
    """A player that caches its decisions."""

    def __init__(self, player: Chooser) -> None:
        self._player, self._known = player, dict[bytes, int]()

    def choose(self, state: State) -> int:
        """Returns the action, computed only once per state."""
        key = state.serialize()
        if key not in self._known:
            self._known[key] = self._player.choose(state)
        return self._known[key]


class Exact:
    """The optimal player of Pig."""

    def __init__(self) -> None:
        import pig_exact

        self._win, self._actions = pig_exact.solve(), pig_exact.actions

    def choose(self, state: State) -> int:
        """Returns 0 to roll, 1 to hold."""
        mine, other, turn = (round(100 * float(x)) for x in state.features())
        roll, hold = self._actions(self._win, mine, other, turn)
        return int(hold >= roll)


def pig(folder: Path, seed: int) -> MatchResult:
    """Trains TD(lambda), then plays 100,000 games against the optimal player, with alternating seats."""
    train(folder, "td", f"--game pig --seed {seed} {PIG}")
    return pig_match(folder)


def pig_match(folder: Path) -> MatchResult:
    """Plays the games of an existing run."""
    game = tablier.load_game("pig")
    player = Remembered(make_player(f"expectimax:plies=1,net={folder}/best.onnx", game))
    return play_match(game, player, Remembered(Exact()), 100_000)


def tic_tac_toe(folder: Path, seed: int) -> MatchResult:
    """Trains AlphaZero, then plays 1,000 games against a perfect player that picks a random best move."""
    from perfect import Perfect

    train(folder, "alphazero", f"--game tic_tac_toe --seed {seed} {TIC_TAC_TOE}")
    game = tablier.load_game("tic_tac_toe")
    return play_match(game, make_player(f"gumbel:sims=32,net={folder}/best.onnx", game), Perfect(seed), 1000)


def trictrac(folder: Path, algorithm: str, seed: int) -> None:
    """Trains for half an hour, then plays 1,000 games on paired dice against each opponent."""
    train(folder, algorithm, f"--seed {seed}")
    opponents = "random,greedy,heuristic" if algorithm in ("td", "alphazero") else "random,greedy"
    command = ["eval", str(folder), "--last", "--games", "1000", "--opponents", opponents]
    subprocess.run([sys.executable, "-m", "tablier", *command], check=True)


def main() -> int:
    """Trains and evaluates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "what", nargs="*", default=[], help="any of tic_tac_toe, pig, td, alphazero, ppo, dqn, sac (default: all)"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the runs (default 0)")
    parser.add_argument("--folder", type=Path, help="folder for the runs (default: a temporary folder)")
    args = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as place:
        for what in args.what or ["tic_tac_toe", "pig", *TRICTRAC]:
            folder = (args.folder or Path(place)) / f"{what}-{args.seed}"
            if what in TRICTRAC:
                trictrac(folder, what, args.seed)
            elif what == "pig":
                match = pig(folder, args.seed)
                failed += match.rate < 0.485
                print(match)
            else:
                match = tic_tac_toe(folder, args.seed)
                lost = match.games - match.wins - match.draws
                failed += lost > 0
                print(f"{lost} of {match.games} games lost, {match.wins} won")
    print(f"load average {os.getloadavg()[0]:.1f}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
