"""The ladder of a tournament: each player's rating, win rate, points and luck-adjusted results, and a crosstable."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tablier.arena.match_result import wilson
from tablier.arena.means import Mean, PairedMean, mean_over
from tablier.arena.store import StoredGame
from tablier.messages import MessageError

ANCHOR = "random"
"""The player whose rating is 0 by default, if it takes part."""
Interval = tuple[float, float]


@dataclass(frozen=True)
class Meeting:
    """What one player scored against another."""

    games: int = 0
    """Games between the two."""
    score: float = 0.0
    """Wins plus half the draws."""


@dataclass(frozen=True)
class Standing:
    """One player on the ladder."""

    name: str
    """The player."""
    rating: float
    """Bradley-Terry rating in Elo points, 0 for the anchor."""
    interval: Interval
    """Its 95% interval; an end is infinite if no game bounds it."""
    ahead: float | None
    """Rating minus that of the next player on the ladder; None for the last player."""
    ahead_interval: Interval | None
    """The 95% interval of `ahead`, which is narrower than the intervals of the two ratings suggest."""
    games: int
    """Games played."""
    score: float
    """Wins plus half the draws."""
    points: Mean
    """Points per game: own return minus the opponent's. Games that failed or were stopped do not count."""
    adjusted: Mean
    """Luck-adjusted win rate; its `games` is 0 if there was no judge."""
    adjusted_points: Mean
    """Luck-adjusted points per game; its `games` is 0 if the judge did not measure them."""
    failures: int
    """Games lost by crashing, by an illegal action or by taking too long."""
    ms: float
    """Mean thinking time per decision, in milliseconds."""

    @property
    def share(self) -> float:
        """Win rate; a draw counts half."""
        return self.score / self.games

    @property
    def share_interval(self) -> Interval:
        """The 95% interval of `share` (Wilson score interval)."""
        return wilson(self.score, self.games)


@dataclass(frozen=True)
class Ladder:
    """The players of a tournament, best first."""

    anchor: str
    """The player whose rating is 0."""
    standings: tuple[Standing, ...]
    """The players, highest rating first."""
    meetings: dict[tuple[str, str], Meeting]
    """What the first of two players scored against the second."""


@dataclass
class _Sums:
    """Sums over the games of one player."""

    games: int = 0
    score: float = 0.0
    failures: int = 0
    decisions: int = 0
    seconds: float = 0.0
    numbers: dict[str, dict[str, dict[int, list[float]]]] = field(
        default_factory=lambda: {"points": {}, "adjusted": {}, "adjusted_points": {}}
    )
    """The numbers of each game, by kind, opponent and pair of games."""

    def add(self, kind: str, opponent: str, pair: int, number: float) -> None:
        self.numbers[kind].setdefault(opponent, {}).setdefault(pair, []).append(number)

    def mean(self, kind: str) -> Mean:
        return mean_over(PairedMean.of(pairs) for pairs in self.numbers[kind].values())


def make_ladder(games: Iterable[StoredGame], anchor: str | None = None) -> Ladder:
    """Rates the players of a tournament.

    Args:
        games: the games, from `ArenaFile.games`.
        anchor: the player whose rating is 0; by default `random` or, without it, the lowest rated player.

    Raises:
        MessageError (a ValueError): there are no games, the anchor played none, or no chain of games links all players.
        ImportError: SciPy is not installed.
    """
    from tablier.arena.bradley_terry import BradleyTerry

    sums: dict[str, _Sums] = {}
    meetings: dict[tuple[str, str], Meeting] = {}
    for game in games:
        _count(game, sums, meetings)
    if not sums:
        raise MessageError.of("ladder.no_games")
    if anchor is not None and anchor not in sums:
        raise MessageError.of("ladder.no_anchor", player=anchor, players=", ".join(sums))
    names = list(sums)
    scores = np.array([[meetings.get((a, b), Meeting()).score for b in names] for a in names])
    try:
        fit = BradleyTerry(scores)
    except ValueError:
        raise MessageError.of("ladder.unlinked", players=", ".join(names)) from None
    lowest = names[int(fit.ratings.argmin())]
    base = anchor or (ANCHOR if ANCHOR in sums else lowest)
    fit = BradleyTerry(scores, names.index(base))
    order = sorted(range(len(names)), key=lambda one: (-fit.ratings[one], names[one]))
    standings = []
    for place, one in enumerate(order):
        below = order[place + 1] if place + 1 < len(order) else None
        found = sums[names[one]]
        standings.append(
            Standing(
                name=names[one],
                rating=float(fit.ratings[one]),
                interval=fit.interval(one),
                ahead=None if below is None else float(fit.ratings[one] - fit.ratings[below]),
                ahead_interval=None if below is None else fit.interval(one, below),
                games=found.games,
                score=found.score,
                failures=found.failures,
                ms=1000 * found.seconds / max(1, found.decisions),
                points=found.mean("points"),
                adjusted=found.mean("adjusted"),
                adjusted_points=found.mean("adjusted_points"),
            )
        )
    return Ladder(base, tuple(standings), meetings)


def _count(game: StoredGame, sums: dict[str, _Sums], meetings: dict[tuple[str, str], Meeting]) -> None:
    """Adds a game to the sums of both players. Games of a pair share their dice, so they are grouped."""
    result = game.result
    pair = result.number // 2
    for one, (me, other) in enumerate(((game.first, game.second), (game.second, game.first))):
        sign = 1 - 2 * one
        score = result.score if one == 0 else 1 - result.score
        mine = sums.setdefault(me, _Sums())
        mine.games += 1
        mine.score += score
        mine.failures += result.failed == one
        mine.decisions += result.decisions[one]
        mine.seconds += result.seconds[one]
        before = meetings.get((me, other), Meeting())
        meetings[me, other] = Meeting(before.games + 1, before.score + score)
        if result.margin is None:
            continue
        mine.add("points", other, pair, sign * result.margin)
        if result.luck is not None:
            mine.add("adjusted", other, pair, score - sign * result.luck)
        if result.points_luck is not None:
            mine.add("adjusted_points", other, pair, sign * (result.margin - result.points_luck))


def as_json(ladder: Ladder) -> dict[str, Any]:
    """Returns a ladder as JSON data. Unknown and infinite numbers are null."""
    return {
        "anchor": ladder.anchor,
        "players": [_row(one) for one in ladder.standings],
        "meetings": [
            {"player": a, "opponent": b, "games": met.games, "score": met.score}
            for (a, b), met in ladder.meetings.items()
        ],
    }


def as_csv(ladder: Ladder) -> str:
    """Returns the table of players as CSV, with a column for the win rate against each of them."""
    text = io.StringIO()
    names = [one.name for one in ladder.standings]
    rows = [_row(one) for one in ladder.standings]
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*rows[0], *(f"against {name}" for name in names)])
    for row in rows:
        met = (ladder.meetings.get((row["player"], name)) for name in names)
        shares = ["" if one is None else round(one.score / one.games, 6) for one in met]
        writer.writerow(["" if value is None else value for value in row.values()] + shares)
    return text.getvalue()


def _row(one: Standing) -> dict[str, Any]:
    row: dict[str, Any] = {"player": one.name, "rating": _finite(one.rating)}
    row |= _ends("rating", one.interval)
    row |= {"ahead": None if one.ahead is None else _finite(one.ahead)}
    row |= _ends("ahead", one.ahead_interval)
    row |= {"games": one.games, "score": one.score, "share": _finite(one.share)} | _ends("share", one.share_interval)
    for name in ("points", "adjusted", "adjusted_points"):
        mean: Mean = getattr(one, name)
        row[name] = _finite(mean.mean) if mean.games else None
        row |= _ends(name, mean.interval() if mean.games else None)
    return row | {"failures": one.failures, "ms": _finite(one.ms)}


def _ends(name: str, interval: Interval | None) -> dict[str, float | None]:
    low, high = interval or (math.nan, math.nan)
    return {f"{name}_low": _finite(low), f"{name}_high": _finite(high)}


def _finite(number: float) -> float | None:
    return round(number, 6) if math.isfinite(number) else None
