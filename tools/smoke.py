"""Checks an installed package in a few seconds: games, kernels, the champion and the command.

It needs the package and NumPy alone, and nothing of the source tree but the behaviour signature:
`python tools/smoke.py [tests/signature.txt]`.
"""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np

import tablier
from tablier import _core
from tablier.evaluators.core_network import CoreEvaluator
from tablier.evaluators.protocol import Leaves
from tablier.games import home_of
from tablier.players import make_player
from tablier.testing import signature


def check(what: str, right: bool) -> None:
    """Prints a line, and ends the program if the check has failed."""
    print(f"{'ok    ' if right else 'FAILED'}  {what}", flush=True)
    if not right:
        sys.exit(1)


def games() -> None:
    """Plays random games of every kind, on one thread and on two."""
    for name in _core.native_games():
        game = tablier.load_game(name)
        one, two = (game.random_playouts(50, seed=1, threads=threads) for threads in (1, 2))
        same = bool(np.array_equal(one.returns, two.returns))
        check(
            f"{name}: 50 random games, {one.decisions:,} decisions, the same on two threads",
            same and one.unfinished == 0,
        )


def behaviour(file: Path) -> None:
    """Compares the behaviour with that of the source tree."""
    expected = {name: number for number, name in (line.split() for line in file.read_text().splitlines())}
    check(f"the behaviour signature is {expected['all']}", signature() == expected)


def networks() -> None:
    """Compares all kernels that this processor can run on the champion's network, and asks the champion."""
    game = tablier.load_game("trictrac")
    champion = home_of(game).champion()
    assert champion is not None
    start = game.new_initial_state().child(13)
    evaluators = [CoreEvaluator(game, str(champion.network), kernels=name) for name in _core.nets.kernels()]
    searched = evaluators[0].searched.game
    words = np.zeros((64, searched.state_size()), np.uint64)
    tablier.BatchEnv(searched, len(words), seed=1).words(words)
    leaves = Leaves.of(searched, words, np.zeros(len(words), np.int32))
    values = [evaluator.evaluate(leaves)[1] for evaluator in evaluators]
    names = ", ".join(_core.nets.kernels())
    check(f"kernels agree: {names}", all(np.array_equal(values[0], other) for other in values))
    candidates = make_player("champion:plies=1", game).explain(start)
    check(f"the champion plays {candidates[0].text}", len(candidates) == len(start.legal_actions()))


def command() -> None:
    """Runs the installed command; under `python -S`, which sees no installed packages, the module."""
    installed = [str(Path(sysconfig.get_path("scripts")) / "tablier")]
    program = [sys.executable, "-S", "-m", "tablier"] if sys.flags.no_site else installed
    said = subprocess.run([*program, "--version"], capture_output=True, text=True, check=True).stdout
    check(f"the command says {said.strip()}", said.strip() == f"tablier {importlib.metadata.version('tablier')}")
    arguments = [*program, "match", "champion:plies=1", "random", "--game", "trictrac", "--games", "2", "--seed", "1"]
    check("the command plays a match", subprocess.run(arguments, capture_output=True, check=False).returncode == 0)


def main() -> None:
    """Runs all checks."""
    print(f"tablier {tablier.__version__} in {Path(tablier.__file__).parent}, Python {sys.version.split()[0]}")
    games()
    if len(sys.argv) > 1:
        behaviour(Path(sys.argv[1]))
    networks()
    command()


if __name__ == "__main__":
    main()
