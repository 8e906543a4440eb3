"""Matches between two players on paired dice.

Games 2k and 2k + 1 are played with the same dice and exchanged seats, so that luck cancels as far as it can. Without
dice two players who never waver would play one game again and again; a match may give each pair an opening of its own.
"""

from __future__ import annotations

import contextlib
import math
import random
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import Any

from tablier._core import Game, State
from tablier.imports import import_games, imported_games
from tablier.players import Player, make_player
from tablier.registry import load_game

PORTION = 10
"""Games that a process plays before it reports."""
LONGEST_OPENING = 20
"""Moves; a game with hardly a choice would otherwise be played out."""


@dataclass(frozen=True)
class MatchResult:
    """The score of a match, seen by the first player."""

    first: str
    second: str
    games: int = 0
    wins: int = 0
    draws: int = 0
    margin: float = 0.0
    """Sum of the returns less the opponent's."""
    decisions: tuple[int, int] = (0, 0)
    seconds: tuple[float, float] = (0.0, 0.0)
    """Time that each player thought."""

    @property
    def rate(self) -> float:
        """Share of the games won, a draw counting half."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """95% confidence interval of the rate (Wilson)."""
        return wilson(self.wins + self.draws / 2, self.games)

    @property
    def ms_per_move(self) -> tuple[float, float]:
        """Milliseconds that each player took for a decision."""
        first, second = (1000 * s / max(1, n) for s, n in zip(self.seconds, self.decisions, strict=True))
        return first, second

    def __add__(self, other: MatchResult) -> MatchResult:
        return replace(
            self,
            games=self.games + other.games,
            wins=self.wins + other.wins,
            draws=self.draws + other.draws,
            margin=self.margin + other.margin,
            decisions=(self.decisions[0] + other.decisions[0], self.decisions[1] + other.decisions[1]),
            seconds=(self.seconds[0] + other.seconds[0], self.seconds[1] + other.seconds[1]),
        )

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.first} - {self.second}: {self.wins} of {self.games} won"
            f"{f', {self.draws} drawn' if self.draws else ''}: {self.rate:.1%} ({low:.1%} to {high:.1%})"
        )


def wilson(wins: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """E. B. Wilson's interval for a probability of which `wins` in `games` were seen.

    >>> [round(end, 3) for end in wilson(60, 100)]
    [0.502, 0.691]
    """
    if games == 0:
        return 0.0, 1.0
    p, n = wins / games, games
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def random_opening(game: Game, draw: random.Random, ways: int) -> list[int]:
    """Random moves that do not end the game, so many that there are at least so many ways to begin.

    Of a game with dice none: its dice are opening enough.
    """
    state, moves, found = game.new_initial_state(), list[int](), 1
    while not game.max_chance_outcomes() and found < ways and len(moves) < LONGEST_OPENING:
        choice = [action for action in state.legal_actions() if not state.child(action).is_terminal()]
        if not choice:
            break
        moves.append(draw.choice(choice))
        state.apply_action(moves[-1])
        found *= len(choice)
    return moves


def play_game(
    game: Game,
    players: Sequence[Player],
    dice: random.Random,
    watch: Callable[[State, int], None] | None = None,
    opening: Iterable[int] = (),
) -> tuple[list[float], list[int], list[float]]:
    """One game: returns, decisions and seconds of thought by seat. `watch` sees each state and the action taken.

    Instead of their first decisions the players get those of the `opening`.
    """
    state = game.new_initial_state()
    given = iter(opening)
    decisions, seconds = [0] * len(players), [0.0] * len(players)
    while not state.is_terminal():
        player = state.current_player()
        if player < 0:
            action = dice.choice(state.legal_actions())
        elif (move := next(given, None)) is not None:
            action = move
        else:
            start = time.perf_counter()
            action = players[player].choose(state)
            seconds[player] += time.perf_counter() - start
            decisions[player] += 1
        if watch:
            watch(state, action)
        state.apply_action(action)
    return state.returns(), decisions, seconds


def play_match(
    game: Game,
    first: str | Player,
    second: str | Player,
    games: int,
    *,
    seed: int = 0,
    processes: int = 1,
    openings: int = 0,
    progress: Callable[[MatchResult], None] = lambda _: None,
) -> MatchResult:
    """Plays a match of two-player games. With more than one process the players must be strings.

    Who sits where and the dice depend on the seed and the game's number alone. Where there are no dice each pair of
    games begins with random moves, the same for both, out of at least so many `openings`; 0: from the beginning.
    `progress` hears the score so far.
    """
    if game.num_players() != 2:
        raise ValueError(f"a match is between two; {game.name} has {game.num_players()} players")
    if games < 1:
        raise ValueError(f"a match has at least one game, not {games}")
    total = MatchResult(_name(first), _name(second))
    for part in _portions(game, first, second, games, seed, processes, openings):
        total += part
        progress(total)
    return total


def _name(player: str | Player) -> str:
    return player if isinstance(player, str) else type(player).__name__


def _portions(
    game: Game, first: str | Player, second: str | Player, games: int, seed: int, processes: int, openings: int
) -> Iterator[MatchResult]:
    numbers = [range(start, min(games, start + PORTION)) for start in range(0, games, PORTION)]
    if processes <= 1:
        yield from (_play(game, first, second, portion, seed, openings) for portion in numbers)
        return
    if not (isinstance(first, str) and isinstance(second, str)):
        raise TypeError("players in other processes are made there, from strings")
    make_player(first, game), make_player(second, game)  # a mistake is told here, once
    with ProcessPoolExecutor(processes, get_context("spawn"), import_games, (imported_games(),)) as pool:
        with _deaf_children():
            jobs = [
                pool.submit(_play_elsewhere, game.name, game.options(), first, second, portion, seed, openings)
                for portion in numbers
            ]
        try:
            for job in as_completed(jobs):
                yield job.result()
        except BaseException:
            for process in list((pool._processes or {}).values()):
                process.terminate()  # they would play what they have to its end
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


@contextlib.contextmanager
def _deaf_children() -> Iterator[None]:
    """Processes begun here do not hear Ctrl-C, which a terminal sends to all: who began them ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _play_elsewhere(
    name: str, options: dict[str, Any], first: str, second: str, numbers: Iterable[int], seed: int, openings: int
) -> MatchResult:
    return _play(load_game(name, **options), first, second, numbers, seed, openings)


def _play(
    game: Game, first: str | Player, second: str | Player, numbers: Iterable[int], seed: int, openings: int
) -> MatchResult:
    total = MatchResult("", "")
    for number in numbers:
        players = [make_player(first, game, seed=2 * number), make_player(second, game, seed=2 * number + 1)]
        seat = number % 2
        seated = players if seat == 0 else players[::-1]
        dice = random.Random(f"{seed} {number // 2}")
        opening = random_opening(game, dice, openings)
        returns, decisions, seconds = play_game(game, seated, dice, opening=opening)
        margin = returns[seat] - returns[1 - seat]
        total += MatchResult(
            first="",
            second="",
            games=1,
            wins=int(margin > 0),
            draws=int(margin == 0),
            margin=margin,
            decisions=(decisions[seat], decisions[1 - seat]),
            seconds=(seconds[seat], seconds[1 - seat]),
        )
    return total
