"""Tournaments: finds the games that are still missing from a file, and plays them.

Jobs are ordered so that all pairings advance together. A tournament that is stopped early still gives a fair ladder.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tablier.arena.jobs import Entrant, GameResult, Job
from tablier.arena.sprt import SequentialTest, Verdict
from tablier.arena.store import ArenaFile, StoredGame
from tablier.arena.workers import Executor
from tablier.imports import imported_games

BATCH = 20
"""Games per job. It is even, so that both games of a pair belong to the same job."""
COMMIT = 0.5
"""Seconds after which finished games are written to the file."""

Pairing = tuple[Entrant, Entrant]


@dataclass(frozen=True)
class Progress:
    """The progress of a tournament."""

    done: int
    """Games that are done."""
    wanted: int
    """Games that were asked for."""


def round_robin(entrants: Sequence[Entrant]) -> list[Pairing]:
    """Pairs every player with every other."""
    return [_ordered(one, other) for one, other in itertools.combinations(entrants, 2)]


def gauntlet(challenger: Entrant, entrants: Sequence[Entrant]) -> list[Pairing]:
    """Pairs one player with every other."""
    return [_ordered(challenger, other) for other in entrants if other.name != challenger.name]


def _ordered(one: Entrant, other: Entrant) -> Pairing:
    """Orders a pairing by name, so that it has the same dice in every tournament with the same seed."""
    return (one, other) if one.name <= other.name else (other, one)


def run_tournament(
    file: ArenaFile,
    pairings: Sequence[Pairing],
    games: int,
    executor: Executor,
    *,
    batch: int = BATCH,
    progress: Callable[[Progress], None] = lambda _: None,
) -> None:
    """Plays all games that are not in the file yet.

    If it is interrupted, call it again with the same file: finished games are kept.

    Args:
        file: an open tournament file.
        pairings: who plays whom, from `round_robin` or `gauntlet`.
        games: number of games per pairing.
        executor: plays the jobs, such as `LocalWorkers(2)`.
        batch: games per job.
        progress: called whenever games have been written.
    """
    file.enter({one.name: one for pairing in pairings for one in pairing}.values())
    played = (number for first, second in pairings for number in file.numbers(first.name, second.name))
    wanted, done = games * len(pairings), sum(number < games for number in played)
    for written in _written(file, executor(_jobs(file, pairings, range(games), batch))):
        done += written
        progress(Progress(done, wanted))


def run_test(
    file: ArenaFile,
    pairing: Pairing,
    first: str,
    test: SequentialTest,
    most: int,
    executor: Executor,
    *,
    adjusted: bool = False,
    batch: int = BATCH,
    progress: Callable[[Verdict], None] = lambda _: None,
) -> Verdict:
    """Plays one pairing until a sequential test is decided. Games that are already in the file count.

    The test looks at the games in the order of their numbers, so the verdict does not depend on the number of workers.

    Args:
        file: an open tournament file.
        pairing: the two players, from `round_robin`.
        first: name of the player whose win rate is tested.
        test: the hypotheses.
        most: maximum number of games.
        executor: plays the jobs.
        adjusted: test luck-adjusted scores instead of wins.
        batch: games per job.
        progress: called with the state of the test whenever games have been written.

    Returns:
        The verdict; it is still open if `most` games were not enough.
    """
    file.enter(pairing)
    verdict = pairing_verdict(file, pairing, first, test, adjusted)
    if verdict.accepted is None:
        for _ in _written(file, executor(_jobs(file, [pairing], range(most), batch))):
            verdict = pairing_verdict(file, pairing, first, test, adjusted)
            progress(verdict)
            if verdict.accepted is not None:
                break
    return verdict


def pairing_verdict(
    file: ArenaFile, pairing: Pairing, first: str, test: SequentialTest, adjusted: bool = False
) -> Verdict:
    """Runs a sequential test on the games in the file, up to the first number that is missing."""
    pairs: dict[int, list[float]] = {}
    for expected, game in enumerate(file.games(pairing[0].name, pairing[1].name)):
        one = game.result
        if one.number != expected:
            break
        score = one.score - (one.luck or 0.0) if adjusted else one.score
        pairs.setdefault(one.number // 2, []).append(score if game.first == first else 1 - score)
    whole = [pair for pair in pairs.values() if len(pair) == 2]
    return test.adjusted_verdict(whole) if adjusted else test.verdict(whole)


def _jobs(file: ArenaFile, pairings: Sequence[Pairing], numbers: range, batch: int) -> Iterator[Job]:
    """Yields jobs for the missing games, a batch of each pairing in turn."""
    setup, imports = file.setup, tuple(imported_games())
    played = [file.numbers(first.name, second.name) for first, second in pairings]
    for start in range(0, len(numbers), batch):
        for (first, second), known in zip(pairings, played, strict=True):
            missing = tuple(number for number in numbers[start : start + batch] if number not in known)
            if missing:
                yield Job(setup, first, second, missing, imports)


def _written(file: ArenaFile, results: Iterable[tuple[Job, GameResult]]) -> Iterator[int]:
    """Writes results to the file, and yields the number of games in each transaction."""
    waiting: list[StoredGame] = []
    last = time.monotonic()
    try:
        for job, result in results:
            waiting.append(StoredGame(job.first.name, job.second.name, result))
            if time.monotonic() - last >= COMMIT:
                file.add(waiting)
                count, waiting, last = len(waiting), [], time.monotonic()
                yield count
    finally:
        if waiting:  # also after Ctrl-C or an error
            file.add(waiting)
    if waiting:
        yield len(waiting)
