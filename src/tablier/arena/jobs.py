"""Batches of games that any process on any machine can play: a `Job` goes in, a `GameResult` per game comes out.

A job holds plain data only. Seats, dice and openings depend on the seed, the two players and the number of the game, so
a job that is repeated, split or played elsewhere has the same results. A player that raises an exception, chooses an
illegal action or takes too long loses the game, and the job continues.
"""

from __future__ import annotations

import contextlib
import random
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from tablier._core import Game, State
from tablier.analysis import Judge, make_judge, make_points_judge
from tablier.arena.match import random_opening
from tablier.imports import import_games
from tablier.messages import visible
from tablier.players import Player, make_player, settings_of
from tablier.registry import load_game

CRASHED, ILLEGAL, SLOW, DIED = "crashed", "illegal", "slow", "died"
"""Why a player lost a game before its end."""
DETAIL = 300
"""Maximum length of the detail of a failure."""
ENDLESS = "endless"
"""Why a game was stopped as a draw."""
LONGEST = 20_000
"""Decisions after which a game is stopped as a draw, so that players who make no progress cannot block a tournament."""
OPENINGS = 10_000
"""Number of openings to choose from in a game without dice."""

Deciding = Callable[[int, int], None]
"""Called with the number of the game and, before a player decides, 0 or 1 for the player; afterwards -1."""


@dataclass(frozen=True)
class Entrant:
    """A player in a tournament."""

    name: str
    """The player's name: a player string, or the path of a network, a run or a checkpoint."""
    plays: str
    """The player string to play with."""
    fingerprint: str = ""
    """A hash of the network file, if there is one."""


@dataclass(frozen=True)
class Setup:
    """What all games of a tournament have in common."""

    game: str
    """Name of the game."""
    options: dict[str, Any] = field(default_factory=dict)
    """Options of the game."""
    seed: int = 0
    """Seed of dice, openings and players."""
    limit: float = 60.0
    """Seconds that a player may take for one decision."""
    judge: str | None = None
    """Player string of the judge that measures luck; empty for the default, None for no judge."""


@dataclass(frozen=True)
class Job:
    """A batch of games between two players."""

    setup: Setup
    first: Entrant
    second: Entrant
    numbers: tuple[int, ...]
    """Numbers of the games. Games 2k and 2k + 1 use the same dice with the seats swapped."""
    imports: tuple[str, ...] = ()
    """Files and modules to import first (`tablier.imports`)."""


@dataclass(frozen=True)
class GameResult:
    """One game, from the first player's point of view."""

    number: int
    """Number of the game within its pairing."""
    score: float
    """1 for a win, 0.5 for a draw, 0 for a loss."""
    margin: float | None = None
    """Own return minus the opponent's; None if a player failed or the game was stopped."""
    luck: float | None = None
    """Luck in win probability; None without a judge, if a player failed, or if the game was stopped."""
    points_luck: float | None = None
    """Luck in points; None if the judge does not measure it."""
    decisions: tuple[int, int] = (0, 0)
    """Number of decisions of each player."""
    seconds: tuple[float, float] = (0.0, 0.0)
    """Thinking time of each player, in seconds."""
    failed: int | None = None
    """0 or 1 if that player failed and so lost the game; otherwise None."""
    reason: str = ""
    """Why the game ended early: crashed, illegal, slow or died if a player failed, endless if the game was stopped."""
    detail: str = ""
    """The error message, the illegal action, the seconds taken or the exit code."""

    @classmethod
    def failure(cls, number: int, player: int, reason: str, detail: str) -> GameResult:
        """Returns the result of a game that a player loses by failing."""
        told = visible(detail[:DETAIL].encode("utf-8", "backslashreplace").decode())  # files refuse lone surrogates
        return cls(number, score=float(player), failed=player, reason=reason, detail=told[:DETAIL])


class Failed(Exception):
    """Raised when a player fails and so loses the game."""

    def __init__(self, player: int, reason: str, detail: str) -> None:
        super().__init__(reason)
        self.player, self.reason, self.detail = player, reason, detail


def play_job(job: Job, deciding: Deciding = lambda _number, _player: None) -> Iterator[GameResult]:
    """Plays the games of a job and yields each result as soon as the game ends."""
    import_games(job.imports)
    game = load_game(job.setup.game, **job.setup.options)
    judges = _judges(game, job.setup.judge)
    kept: dict[int, Player] = {}
    for number in job.numbers:
        try:
            result = _play(job, game, number, judges, kept, deciding)
        except Failed as failure:
            deciding(number, -1)  # not after other errors: whoever was deciding is to blame if the process ends
            result = GameResult.failure(number, failure.player, failure.reason, failure.detail)
        yield result


def _judges(game: Game, judge: str | None) -> tuple[Judge | None, Judge | None]:
    """Returns the judges of luck in win probability and in points."""
    if judge is None or not game.max_chance_outcomes():
        return None, None
    chances = make_judge(game, judge or None)
    return chances if chances.unit == "win" else None, make_points_judge(game) if not judge else None


def _play(
    job: Job,
    game: Game,
    number: int,
    judges: tuple[Judge | None, Judge | None],
    kept: dict[int, Player],
    deciding: Deciding,
) -> GameResult:
    players = [_player(job, game, number, one, kept, deciding) for one in (0, 1)]
    seats = (0, 1) if number % 2 == 0 else (1, 0)
    dice = random.Random(f"{job.setup.seed} {job.first.name} {job.second.name} {number // 2}")
    opening = iter(random_opening(game, dice, OPENINGS))
    state, throws = game.new_initial_state(), list[tuple[State, int]]()
    decisions, seconds = [0, 0], [0.0, 0.0]
    while not state.is_terminal():
        if sum(decisions) >= LONGEST:
            return GameResult(number, 0.5, reason=ENDLESS)
        seat = state.current_player()
        if seat < 0:
            action = dice.choice(state.legal_actions())
            throws.append((state.clone(), action))
        elif (given := next(opening, None)) is not None:
            action = given
        else:
            one = seats[seat]
            deciding(number, one)
            start = time.monotonic()
            state = _moved(players[one], state, one)
            taken = time.monotonic() - start
            deciding(number, -1)
            if taken > job.setup.limit:
                raise Failed(one, SLOW, f"{taken:.1f}")
            seconds[one] += taken
            decisions[one] += 1
            continue
        state.apply_action(action)
    returns = state.returns()
    margin = returns[seats[0]] - returns[seats[1]]
    result = GameResult(number, 0.5 if margin == 0 else float(margin > 0), margin)
    luck = [None if judge is None else float(judge.luck(throws)[:, seats[0]].sum()) for judge in judges]
    return replace(
        result,
        luck=luck[0],
        points_luck=luck[1],
        decisions=(decisions[0], decisions[1]),
        seconds=(seconds[0], seconds[1]),
    )


def _player(job: Job, game: Game, number: int, one: int, kept: dict[int, Player], deciding: Deciding) -> Player:
    """Creates a player. Network players without a seed are reused in the next game, because loading is slow."""
    if one in kept:
        return kept[one]
    plays = (job.first, job.second)[one].plays
    deciding(number, one)
    with _blaming(one, CRASHED):
        player = make_player(plays, game, seed=2 * number + one)
    name, _, settings = plays.partition(":")
    if "net=" in settings and "seed" not in settings_of(name):
        kept[one] = player
    deciding(number, -1)
    return player


def _moved(player: Player, state: State, one: int) -> State:
    """Asks a player and returns the state after its action. The player gets a copy, so it cannot move on the board."""
    with _blaming(one, CRASHED):
        action = player.choose(state.clone())
    with _blaming(one, ILLEGAL, action):
        return state.child(action)  # only once: `action` may be of a class that answers differently each time


@contextlib.contextmanager
def _blaming(one: int, reason: str, action: object = None) -> Iterator[None]:
    """Makes a player lose the game if its code raises anything.

    Ctrl-C is not the player's. Worker processes ignore it, so that a KeyboardInterrupt there must be.
    """
    try:
        yield
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            raise
        raise Failed(one, reason, _shown(action) if reason == ILLEGAL else _told(error)) from error


def _told(error: BaseException) -> str:
    return _described(error, lambda: f"{type(error).__name__}: {error}")


def _shown(action: object) -> str:
    return _described(action, lambda: f"{action!r:.60}")


def _described(what: object, describe: Callable[[], str]) -> str:
    """Returns a description in one line, or the name of the type if the player's code that describes it fails too."""
    try:
        return " ".join(describe().split())
    except BaseException:
        return f"<{_NAME(type(what))}>"


_NAME = type.__dict__["__name__"].__get__
"""Returns the name of a class, whatever its metaclass does."""
