"""Scores the decisions of a player of backgammon by GNU Backgammon: python tools/gnubg_judge.py PLAYER --games 50

The player plays against itself. Every turn with a choice is compared with the best one, by the program's equity
without the cube. The mean loss is in thousandths of a point (mEMG). A doublet is one decision.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

import tablier
from tablier import Game, State
from tablier.arena.means import PairedMean
from tablier.games.backgammon.gnubg import Gnubg
from tablier.games.backgammon.gnubg.turns import losses
from tablier.games.backgammon.whole_turns import words_of
from tablier.messages import MessageError
from tablier.players import Chooser, make_player

BANDS = (0.02, 0.04, 0.08)
"""Losses, in points, from which a turn counts as a doubtful one, an error, a blunder."""


def turns_of_game(game: Game, player: Chooser, dice: random.Random) -> list[tuple[State, State]]:
    """Plays a game of a player against itself and returns the states before and after each turn."""
    state, turns = game.new_initial_state(), list[tuple[State, State]]()
    start: State | None = None
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(dice.choice(state.legal_actions()))
            continue
        start = start or state.clone()
        state.apply_action(player.choose(state))
        if state.current_player() < 0:
            turns.append((start, state.clone()))
            start = None
    return turns


def report(found: list[tuple[NDArray[np.float64], NDArray[np.int64]]]) -> str:
    """Returns the result in words: `found` has the losses and numbers of choices of each game."""
    real = [lost[choices > 1] for lost, choices in found]
    every = np.concatenate(real)
    mean = PairedMean.of({number: lost.tolist() for number, lost in enumerate(real)})
    low, high = mean.interval()
    shares = ", ".join(f"{np.mean(every >= band):.1%} lose {band} or more" for band in BANDS)
    return (
        f"{1000 * mean.mean:.2f} ± {500 * (high - low):.2f} mEMG per decision, {mean.games} decisions in {len(real)} "
        f"games\n{np.mean(every < 1e-6):.1%} are the best turn, {shares}"
    )


def main() -> None:
    """Plays the games and prints the mean loss."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("player", help="a player string")
    parser.add_argument("--games", type=int, default=20, help="number of games (20)")
    parser.add_argument("--plies", type=int, default=2, choices=range(4), help="depth of the evaluations (2)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the dice (1)")
    parser.add_argument("--processes", type=int, default=1, help="processes of GNU Backgammon (1)")
    given = parser.parse_args()
    game = tablier.load_game("backgammon")
    try:
        player = make_player(given.player, game, seed=given.seed)
        engine = Gnubg(given.processes)
    except MessageError as error:
        sys.exit(str(error))
    found, start = [], time.perf_counter()
    with engine:
        for number in tqdm(range(given.games), unit="game"):
            turns = turns_of_game(game, player, random.Random(f"{given.seed} {number}"))
            before, after = (words_of(states) for states in zip(*turns, strict=True))
            found.append(losses(engine, game, before, after, given.plies))
    print(f"{given.player} by gnubg at {given.plies} plies: {report(found)}")
    print(f"{sum(len(lost) for lost, _ in found) / (time.perf_counter() - start):.0f} turns/s")


if __name__ == "__main__":
    main()
