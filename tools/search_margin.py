"""Measures which actions deserve a deeper search: python tools/search_margin.py backgammon 0.02 0.05 0.1

The champion plays against itself, searching its best actions whatever their distance. For each margin, the table says
how many actions are at most that far behind the best at one ply, how often there is only one, and what the champion
would lose per decision, by its own deep values, if it searched only these. `Home.near` is the margin in use.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from tqdm import tqdm

import tablier
from tablier import Game
from tablier.players.champion import NetworkPlayer, champion_of

Values = dict[int, float]


def decisions(game: Game, count: int, plies: int, keep: int, seed: int) -> Iterator[tuple[Values, Values]]:
    """Yields the values of all actions at one ply and after the search, in decisions with a choice."""
    champion = replace(champion_of(game), near=math.inf)
    shallow = NetworkPlayer(game, champion, math.inf, plies=1)
    deep = NetworkPlayer(game, champion, math.inf, plies=plies, keep=keep)
    dice, state, done = random.Random(seed), game.new_initial_state(), 0
    while done < count:
        if state.is_terminal():
            state = game.new_initial_state()
        elif state.is_chance_node():
            state.apply_action(dice.choice(state.legal_actions()))
        elif len(state.legal_actions()) == 1:
            state.apply_action(state.legal_actions()[0])
        else:
            first, last = ({one.action: one.value for one in by.ranking(state)} for by in (shallow, deep))
            yield first, last
            done += 1
            state.apply_action(max(last, key=last.__getitem__))


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="the game")
    parser.add_argument("margins", type=float, nargs="+", help="margins to measure, in units of the game's values")
    parser.add_argument("--decisions", type=int, default=300, help="number of decisions (300)")
    parser.add_argument("--plies", type=int, default=3, help="depth of the search (3)")
    parser.add_argument("--keep", type=int, default=8, help="actions that are searched (8)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the dice (1)")
    given = parser.parse_args()
    found = decisions(tablier.load_game(given.game), given.decisions, given.plies, given.keep, given.seed)
    seen = list(tqdm(found, total=given.decisions, unit="decision"))
    print("| searched if behind by at most, at one ply | actions searched, mean | without search | loss |")
    print("|---|---|---|---|")
    for margin in given.margins:
        counts, lost = [], []
        for first, last in seen:
            best = max(first.values())
            near = [action for action in first if best - first[action] <= margin]
            counts.append(min(len(near), given.keep))
            lost.append(max(last.values()) - max(last[action] for action in near))
        print(f"| {margin:g} | {np.mean(counts):.1f} | {np.mean(np.equal(counts, 1)):.0%} | {np.mean(lost):.4f} |")


if __name__ == "__main__":
    main()
