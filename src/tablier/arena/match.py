"""Matches between two players on paired dice.

Games 2k and 2k + 1 use the same dice with the seats swapped, which cancels much of the luck. In a game without dice,
two deterministic players would repeat the same game, so a match can start each pair of games with a random opening.
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from tablier._core import Game, State
from tablier.analysis import (
    ErrorRating,
    decisions,
    error_ratings,
    luck_of_game,
    make_analyst,
    make_judge,
    make_points_judge,
)
from tablier.arena.match_result import UNRATED, MatchResult
from tablier.arena.means import PairedMean
from tablier.arena.processes import in_processes
from tablier.messages import MessageError
from tablier.players import PLAYERS, Chooser, make_player
from tablier.registry import load_game

PORTION = 10
"""Number of games that a process plays before it reports."""
IN_POOL = 1_000
"""Portions that are handed to a pool in advance."""
LONGEST_OPENING = 20
"""Maximum number of moves in an opening. Without a limit, a game with few choices would be played to its end."""


class Pool(Protocol):
    """Calls functions elsewhere, such as on the workers of a cluster."""

    def submit(self, work: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """Calls `work(*args)` elsewhere."""


def random_opening(game: Game, draw: random.Random, ways: int) -> list[int]:
    """Draws random opening moves that do not end the game.

    Args:
        game: the game to open. A game with dice needs no opening, so the result is empty.
        draw: the random number generator.
        ways: minimum number of possible openings; it determines how long the opening is.

    Returns:
        The actions, at most `LONGEST_OPENING`.
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
    players: Sequence[Chooser],
    dice: random.Random,
    watch: Callable[[State, int], None] | None = None,
    opening: Iterable[int] = (),
) -> tuple[list[float], list[int], list[float]]:
    """Plays one game.

    Args:
        game: the game to play.
        players: one player per seat.
        dice: the random number generator of the dice.
        watch: called before each action, chance outcomes included, with the state and the action.
        opening: actions to play in place of the players' first decisions.

    Returns:
        The returns, the number of decisions and the thinking time in seconds, each by seat.

    Raises:
        MessageError: a player called `sys.exit`.
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
            action = _choice(players[player], state)
            seconds[player] += time.perf_counter() - start
            decisions[player] += 1
        if watch:
            watch(state, action)
        state.apply_action(action)
    return state.returns(), decisions, seconds


def _choice(player: Chooser, state: State) -> int:
    """Asks a player. If it wants to end the program, which would end in silence and as a success, that is an error."""
    try:
        return player.choose(state)
    except SystemExit as error:
        named = (name for name, kind in PLAYERS.items() if kind is type(player))
        raise MessageError.of("arena.player_exited", player=next(named, type(player).__name__)) from error


def play_match(
    game: Game,
    first: str | Chooser,
    second: str | Chooser,
    games: int,
    *,
    seed: int = 0,
    processes: int = 1,
    openings: int = 0,
    judge: str | None = None,
    pool: Pool | None = None,
    progress: Callable[[MatchResult], None] = lambda _: None,
) -> MatchResult:
    """Plays a match of a two-player game.

    Seats, dice and openings depend only on the seed and the number of the game.

    Args:
        game: the game to play.
        first: the first player, as a player string or an object.
        second: the second player.
        games: number of games.
        seed: seed of dice and openings.
        processes: number of processes. With more than one, both players must be strings.
        openings: in a game without dice, each pair of games starts with the same random moves, drawn from at least this
            many openings; 0 starts all games from the initial state.
        judge: player string of a player that rates every decision and measures the luck of every throw; "" for the
            defaults of `tablier.analysis`, None for no judge.
        pool: plays the games elsewhere instead of in processes here. Both players must be strings.
        progress: called with the score so far.

    Returns:
        The final score.

    Raises:
        ValueError: the game does not have two players, `games` is less than 1, or a player string is invalid.
        TypeError: a player is not a string although `processes` is greater than 1 or there is a `pool`.
        MessageError: a process was ended from outside, or a player called `sys.exit`.

    Examples:
        >>> from tablier.registry import DEFAULT_GAME
        >>> play_match(load_game(DEFAULT_GAME), "heuristic", "random", 4).wins
        4
    """
    if game.num_players() != 2:
        raise ValueError(f"a match needs a two-player game; {game.name} has {game.num_players()} players")
    if games < 1:
        raise ValueError(f"games must be at least 1, not {games}")
    total = MatchResult(_name(first), _name(second))
    if judge is not None:
        make_judge(game, judge or None), make_analyst(game, judge or None)  # report a wrong string now
    for part in _portions(game, first, second, games, seed, processes, openings, judge, pool):
        total += part
        progress(total)
    return total


def _name(player: str | Chooser) -> str:
    return player if isinstance(player, str) else type(player).__name__


def _portions(
    game: Game,
    first: str | Chooser,
    second: str | Chooser,
    games: int,
    seed: int,
    processes: int,
    openings: int,
    judge: str | None,
    pool: Pool | None,
) -> Iterator[MatchResult]:
    numbers = (range(start, min(games, start + PORTION)) for start in range(0, games, PORTION))
    if pool is None and processes <= 1:
        yield from (_play(game, first, second, portion, seed, openings, judge) for portion in numbers)
        return
    if not (isinstance(first, str) and isinstance(second, str)):
        raise TypeError("with several processes players must be strings, because each process creates its own")
    make_player(first, game), make_player(second, game)  # report a wrong string here, not in every process
    match = (game.name, game.options(), first, second, seed, openings, judge)
    if pool is None:
        yield from in_processes(partial(_play_elsewhere, *match), numbers, processes)
    else:
        yield from _in_pool(pool, match, numbers)


def _in_pool(pool: Pool, match: tuple[Any, ...], numbers: Iterable[range]) -> Iterator[MatchResult]:
    """Yields results in the order of the games, so that sums round as in one process."""
    asked: deque[Future[MatchResult]] = deque()
    try:
        for portion in numbers:
            asked.append(pool.submit(_play_elsewhere, *match, portion))
            if len(asked) == IN_POOL:
                yield asked.popleft().result()
        while asked:
            yield asked.popleft().result()
    finally:
        for future in asked:
            future.cancel()


def _play_elsewhere(
    name: str,
    options: dict[str, Any],
    first: str,
    second: str,
    seed: int,
    openings: int,
    judge: str | None,
    numbers: Iterable[int],
) -> MatchResult:
    return _play(load_game(name, **options), first, second, numbers, seed, openings, judge)


def _play(
    game: Game,
    first: str | Chooser,
    second: str | Chooser,
    numbers: Iterable[int],
    seed: int,
    openings: int,
    judge: str | None,
) -> MatchResult:
    """Plays some of the games. `PORTION` is even, so the games of a pair are never separated."""
    total = MatchResult("", "")
    judged = None if judge is None else _Judged(game, judge)
    pairs: dict[str, dict[int, list[float]]] = {name: {} for name in ("points", "adjusted", "adjusted_points")}
    for number in numbers:
        players = [make_player(first, game, seed=2 * number), make_player(second, game, seed=2 * number + 1)]
        seat = number % 2
        seated = players if seat == 0 else players[::-1]
        dice = random.Random(f"{seed} {number // 2}")
        opening = random_opening(game, dice, openings)
        actions: list[int] = []
        if judged is None:
            returns, counts, seconds = play_game(game, seated, dice, opening=opening)
        else:
            keep = partial(_keep, actions)
            returns, counts, seconds = play_game(game, seated, dice, watch=keep, opening=opening)
        margin = returns[seat] - returns[1 - seat]
        found = {"points": margin} | (judged.adjusted(actions, seat) if judged else {})
        for name, value in found.items():
            pairs[name].setdefault(number // 2, []).append(value)
        total += MatchResult(
            first="",
            second="",
            games=1,
            wins=int(margin > 0),
            draws=int(margin == 0),
            margin=margin,
            decisions=(counts[seat], counts[1 - seat]),
            seconds=(seconds[seat], seconds[1 - seat]),
            ratings=judged.ratings(actions, seat) if judged else UNRATED,
        )
    means = {name: PairedMean.of(values) for name, values in pairs.items()}
    return replace(total, points=means["points"], adjusted=means["adjusted"], adjusted_points=means["adjusted_points"])


def _keep(actions: list[int], _: State, action: int) -> None:
    actions.append(action)


class _Judged:
    """Judges finished games of a match."""

    def __init__(self, game: Game, judge: str) -> None:
        self._game = game
        self._chances = make_judge(game, judge or None)
        self._points = None if judge else make_points_judge(game)
        self._analyst = make_analyst(game, judge or None)

    def adjusted(self, actions: list[int], seat: int) -> dict[str, float]:
        """Returns the luck-adjusted results of a seat."""
        found = {}
        for name, judge in (("adjusted", self._chances), ("adjusted_points", self._points)):
            if judge is not None and (result := luck_of_game(self._game, actions, judge).adjusted):
                found["adjusted_points" if judge.unit == "value" else name] = result[seat]
        return found

    def ratings(self, actions: list[int], seat: int) -> tuple[ErrorRating, ErrorRating]:
        """Returns the error ratings of both players; `seat` is that of the first player."""
        found = error_ratings(self._game, decisions(self._game, actions, self._analyst), actions)
        return found[seat], found[1 - seat]
