"""Plays a match of backgammon against GNU Backgammon: python tools/gnubg_match.py PLAYER --games 10000

Games 2k and 2k + 1 have the same dice with the seats swapped. The luck of every throw is measured, and subtracted from
the results: that does not change what they are on average, but they vary far less. Many games advance together, so that
each question to the program is about many positions.

Stop it whenever you like: the same command continues from the file. A file of other settings is refused.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

import tablier
from tablier import Game, State
from tablier.analysis import make_judge
from tablier.arena.means import PairedMean
from tablier.games.backgammon.gnubg import Gnubg
from tablier.games.backgammon.gnubg.turns import best_turns, luck_of_throws
from tablier.games.backgammon.whole_turns import words_of
from tablier.messages import MessageError
from tablier.players import Chooser, make_player

PAIRS = 25
"""Pairs of games that advance together and are saved together."""
Turns = Callable[[Sequence[State]], NDArray[np.int32]]
"""Returns the actions of whole turns, [n, 2]; the second is -1 if there is only one."""


@dataclass
class Playing:
    """A game that is being played."""

    state: State
    dice: random.Random
    seat: int
    """The seat of our player."""
    throws: list[tuple[State, int]] = field(default_factory=list)
    """The states before each throw, with the outcome."""

    def throw(self) -> None:
        """Throws the dice until a player is to move or the game is over."""
        while self.state.is_chance_node():
            outcome = self.dice.choice(self.state.legal_actions())
            self.throws.append((self.state.clone(), outcome))
            self.state.apply_action(outcome)

    @property
    def points(self) -> float:
        """What our player has won."""
        return float(self.state.returns()[self.seat])


def play_pairs(game: Game, player: Chooser, theirs: Turns, pairs: Sequence[int], seed: int) -> list[Playing]:
    """Plays pairs of games to their end, all at the same time.

    Args:
        game: the game to play.
        player: our player.
        theirs: chooses the opponent's turns in many games at a time.
        pairs: the numbers of the pairs, which determine their dice.
        seed: seed of the dice.

    Returns:
        The games, two for each pair: our player has seat 0 in the first and seat 1 in the second.
    """
    games = [
        Playing(game.new_initial_state(), random.Random(f"{seed} {pair}"), seat) for pair in pairs for seat in (0, 1)
    ]
    active = list(games)
    while active:
        waiting = []
        for one in active:
            one.throw()
            while one.state.current_player() == one.seat:
                one.state.apply_action(player.choose(one.state))
                one.throw()
            if not one.state.is_terminal():
                waiting.append(one)
        if waiting:
            for one, turn in zip(waiting, theirs([one.state for one in waiting]).tolist(), strict=True):
                for action in turn:
                    if action >= 0:
                        one.state.apply_action(action)
        active = waiting
    return games


def luck_by_gnubg(engine: Gnubg, game: Game, games: Sequence[Playing]) -> list[float]:
    """Returns the luck of our player in each game, by evaluations of the program at 0 plies."""
    after, signs, opening, owner = [], [], [], []
    for number, one in enumerate(games):
        for before, outcome in one.throws:
            state = before.child(outcome)
            if state.is_chance_node():  # equal dice in the opening change nothing
                continue
            after.append(state)
            signs.append(1 if state.current_player() == one.seat else -1)
            opening.append(before == game.new_initial_state())
            owner.append(number)
    luck = np.array(signs) * luck_of_throws(engine, game, words_of(after), np.array(opening, np.bool_))
    total: list[float] = np.bincount(owner, luck, len(games)).tolist()
    return total


def luck_by(judge: str, game: Game, games: Sequence[Playing]) -> list[float]:
    """Returns the luck of our player in each game, by a player of ours."""
    by = make_judge(game, judge)
    if by.unit != "value":
        raise MessageError.of("judge.no_chances", player=judge)
    return [float(by.luck(one.throws)[:, one.seat].sum()) for one in games]


class Journal:
    """The file of a match: a line with the settings, then one line per block of games."""

    def __init__(self, path: Path, settings: dict[str, Any]) -> None:
        self._path, self.blocks = path, dict[int, list[list[float]]]()
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._append(settings)
            return
        lines = path.read_text().splitlines()
        if not lines or json.loads(lines[0]) != settings:
            sys.exit(f"{path} belongs to a match with other settings; choose another --file")
        for line in lines[1:]:
            try:
                block = json.loads(line)
            except ValueError:  # the last line, if the program was stopped while it wrote it
                continue
            self.blocks[block["block"]] = block["games"]

    def add(self, block: int, games: list[list[float]]) -> None:
        """Saves a block: points and luck of our player in each game, in the order of the pairs."""
        self.blocks[block] = games
        self._append({"block": block, "games": games})

    def mean(self, adjusted: bool) -> PairedMean:
        """Returns the points per game of our player, luck-adjusted or not."""
        values = {
            (block, pair // 2): [points - adjusted * luck for points, luck in games[pair : pair + 2]]
            for block, games in self.blocks.items()
            for pair in range(0, len(games), 2)
        }
        return PairedMean.of(dict(enumerate(values.values())))

    def wins(self) -> float:
        """Returns the share of games that our player has won."""
        points = [points for games in self.blocks.values() for points, _ in games]
        return float(np.mean(np.array(points) > 0)) if points else 0.0

    def _append(self, line: dict[str, Any]) -> None:
        with self._path.open("a") as file:
            file.write(f"{json.dumps(line)}\n")
            file.flush()
            os.fsync(file.fileno())


def shown(mean: PairedMean) -> str:
    """Returns a mean with the half-width of its 95% interval."""
    low, high = mean.interval()
    return f"{mean.mean:+.4f} ± {(high - low) / 2:.4f}"


def main() -> None:
    """Plays the match and prints the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("player", help="our player, as a player string")
    parser.add_argument("--games", type=int, default=1000, help="number of games (1000)")
    parser.add_argument("--plies", type=int, default=0, choices=range(4), help="the program's depth of search (0)")
    parser.add_argument("--luck", default="gnubg", help="who measures luck: gnubg, a player string, or none (gnubg)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the dice (1)")
    parser.add_argument("--processes", type=int, default=1, help="processes of GNU Backgammon (1)")
    parser.add_argument("--file", type=Path, help="where the games are saved (runs/gnubg/PLAYER-PLIES.jsonl)")
    given = parser.parse_args()
    file = given.file or Path("runs/gnubg") / f"{given.player.replace('/', '_')}-{given.plies}.jsonl"
    settings = {name: getattr(given, name) for name in ("player", "plies", "luck", "seed")}
    game = tablier.load_game("backgammon")
    try:
        make_player(given.player, game)
        engine = Gnubg(given.processes)
    except MessageError as error:
        sys.exit(str(error))
    journal = Journal(file, settings)
    blocks = range(-(-given.games // (2 * PAIRS)))
    start, played = time.perf_counter(), 0
    with engine, tqdm(total=len(blocks) * 2 * PAIRS, initial=2 * PAIRS * len(journal.blocks), unit="game") as bar:
        for block in blocks:
            if block in journal.blocks:
                continue
            player = make_player(given.player, game, seed=block)
            pairs = range(block * PAIRS, (block + 1) * PAIRS)
            games = play_pairs(
                game, player, lambda states: best_turns(engine, game, words_of(states), given.plies), pairs, given.seed
            )
            if given.luck == "gnubg":
                luck = luck_by_gnubg(engine, game, games)
            else:
                luck = [0.0] * len(games) if given.luck == "none" else luck_by(given.luck, game, games)
            journal.add(block, [[one.points, float(gained)] for one, gained in zip(games, luck, strict=True)])
            played += len(games)
            bar.update(len(games))
            bar.set_postfix_str(f"{shown(journal.mean(given.luck != 'none'))} points")
    plain = journal.mean(False)
    print(f"{given.player} against gnubg at {given.plies} plies: {plain.games} games, {journal.wins():.1%} won")
    print(f"points per game: {shown(plain)}")
    if given.luck != "none":
        adjusted = journal.mean(True)
        print(f"luck-adjusted:   {shown(adjusted)} (variance divided by {_ratio(plain, adjusted):.1f})")
    if played:
        print(f"{played / (time.perf_counter() - start):.1f} games/s")


def _ratio(plain: PairedMean, adjusted: PairedMean) -> float:
    return (plain.standard_error / adjusted.standard_error) ** 2 if adjusted.standard_error else float("inf")


if __name__ == "__main__":
    main()
