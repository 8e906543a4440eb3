"""Compares legal plays with those of GNU Backgammon: python tools/gnubg_moves.py --positions 10000

Positions come from random games of every start position with fifteen men, with new dice. For each, both programs list
the positions after every legal play of the whole turn, and the lists must be equal. The results are in
docs/backgammon.md.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

import numpy as np
from tqdm import tqdm

import tablier
from tablier import State
from tablier._core import backgammon
from tablier.games.backgammon.gnubg import Gnubg
from tablier.games.backgammon.whole_turns import dice_of, words_of
from tablier.messages import MessageError

STARTS = ("standard", "nackgammon", "long")
A_GAME = 10
"""Positions taken from each random game; the shortest has more throws."""
TOGETHER = 250
"""Positions that are compared together."""


def random_positions(start: str, draw: random.Random, count: int) -> list[State]:
    """Returns decisions of random games, each with a throw of its own."""
    found: list[State] = []
    game = tablier.load_game("backgammon", start=start)
    while len(found) < count:
        state, before = game.new_initial_state(), list[State]()
        while not state.is_terminal():
            if state.is_chance_node() and not backgammon.parts(state).opening:
                before.append(state.clone())
            state.apply_action(draw.choice(state.legal_actions()))
        found += [state.child(draw.choice(state.legal_actions())) for state in draw.sample(before, A_GAME)]
    return found[:count]


def compare(engine: Gnubg, states: list[State]) -> tuple[int, int, list[str]]:
    """Returns the number of plays, of positions without one, and the texts of states whose plays differ."""
    game = states[0].get_game()
    words = words_of(states)
    first, _, after = backgammon.turns(game, words)
    ours = backgammon.sides(game, after).reshape(len(after), -1)
    still = np.ascontiguousarray(backgammon.sides(game, words)[:, ::-1])  # if nothing moves, it is the other's turn
    plays = stuck = 0
    different = []
    for i, theirs in enumerate(engine.legal(backgammon.sides(game, words), dice_of(words))):
        expected = {row.tobytes() for row in theirs} or {still[i].tobytes()}
        listed = [row.tobytes() for row in ours[first[i] : first[i + 1]]]
        plays += len(theirs)
        stuck += not len(theirs)
        if len(listed) != len(set(listed)) or set(listed) != expected:
            different.append(str(states[i]))
    return plays, stuck, different


def main() -> None:
    """Compares the positions; exits with 1 if any differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=10_000, help="number of positions (10000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the positions (1)")
    given = parser.parse_args()
    try:
        engine = Gnubg()
    except MessageError as error:
        sys.exit(str(error))
    draw, start = random.Random(given.seed), time.perf_counter()
    plays = stuck = doublets = 0
    different: list[str] = []
    with engine, tqdm(total=given.positions, unit="position") as bar:
        done = 0
        while done < given.positions:
            count = min(TOGETHER, given.positions - done)
            states = random_positions(STARTS[done // TOGETHER % len(STARTS)], draw, count)
            more, without, wrong = compare(engine, states)
            plays, stuck = plays + more, stuck + without
            doublets += sum(backgammon.parts(state).moves_left == 4 for state in states)
            different += wrong
            done += count
            bar.update(count)
    seconds = time.perf_counter() - start
    print(
        f"{given.positions} positions, {doublets} doublets, {stuck} without a legal move, {plays} plays: "
        f"{len(different)} differences ({given.positions / seconds:.0f} positions/s)"
    )
    if different:
        print(different[0])
        sys.exit(1)


if __name__ == "__main__":
    main()
