"""`tablier ladder`: rates the players of a tournament."""

from __future__ import annotations

import argparse
import json
import math
import sys
from typing import TYPE_CHECKING, Any

from tablier.cli.arguments import add_json, add_lang, given_path, new_parser, writable, writing
from tablier.cli.extras import extra
from tablier.messages import Message, Text, language, number, say

if TYPE_CHECKING:
    from tablier.arena import Ladder, Mean
    from tablier.cli.terminal.screen import Screen

EXAMPLE = """Ratings are in Elo points by the Bradley-Terry model, with `random` at 0. A lead of 100 points means an
expected score of 64%, one of 400 points 91%. Intervals are at the 95% level. The file can be one
that `tablier arena` is still writing.

example:
  tablier ladder first.sqlite
  tablier ladder first.sqlite --anchor greedy --csv ladder.csv --plot ladder.svg
  tablier ladder first.sqlite --json"""


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "ladder", "rate the players of a tournament", EXAMPLE)
    parser.add_argument("file", type=given_path, help="the file of the tournament")
    parser.add_argument("--anchor", metavar="PLAYER", help="player with rating 0 (default random, or the lowest)")
    parser.add_argument("--csv", type=given_path, metavar="FILE.csv", help="also write the table as CSV")
    parser.add_argument("--plot", type=given_path, metavar="FILE.svg", help="also draw the ratings as SVG")
    add_lang(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from tablier.arena import ArenaFile, draw_ladder, make_ladder
    from tablier.arena.standings import as_csv, as_json
    from tablier.cli.terminal.screen import Screen

    screen = Screen(language(args.lang))
    table = writable(args.csv) if args.csv else None
    picture = writable(args.plot, ".svg") if args.plot else None
    with ArenaFile.read(args.file) as file:
        setup, games = file.setup, list(file.games())
    with extra("arena"):
        ladder = make_ladder(games, args.anchor)
    if args.json:
        print(json.dumps({"game": setup.game, "options": setup.options} | as_json(ladder)))
    else:
        screen.say("ladder.about", game=setup.game, games=Message("terminal.games", n=len(games)), player=ladder.anchor)
        _show(screen, ladder)
        _crosstable(screen, ladder)
    for path, text in ((table, as_csv(ladder) if table else ""), (picture, "")):
        if path is not None:
            with writing(path):
                path.write_text(text or draw_ladder(ladder, screen.lang), encoding="utf-8")
            print(say(screen.lang, "ladder.written", file=str(path)), file=sys.stderr)
    return 0


def _show(screen: Screen, ladder: Ladder) -> None:
    """Shows the players with their ratings and results, without columns that would be empty."""
    shown = {
        "adjusted": any(one.adjusted.games for one in ladder.standings),
        "points": any(one.points.games for one in ladder.standings),
        "adjusted_points": any(one.adjusted_points.games for one in ladder.standings),
        "failures": any(one.failures for one in ladder.standings),
    }
    columns = ["player", "rating", "interval", "ahead", "games", "share", *(name for name, has in shown.items() if has)]
    rows: list[list[Text]] = [[Message(f"ladder.column.{column}") for column in columns]]
    for one in ladder.standings:
        ahead = "" if one.ahead is None else f"+{one.ahead:.0f} {_ends(one.ahead_interval or (0, 0))}"
        low, high = (number(screen.lang, end, ".1%") for end in one.share_interval)
        share = f"{number(screen.lang, one.share, '.1%')} ({low}..{high})"
        row: list[Text] = [one.name, f"{one.rating:.0f}", _ends(one.interval), ahead, str(one.games), share]
        row += [_mean(screen.lang, one.adjusted, "", ".1%")] if shown["adjusted"] else []
        row += [_mean(screen.lang, one.points)] if shown["points"] else []
        row += [_mean(screen.lang, one.adjusted_points)] if shown["adjusted_points"] else []
        row += [str(one.failures)] if shown["failures"] else []
        rows.append(row)
    screen.table(rows, right=tuple(range(1, len(columns))))


def _crosstable(screen: Screen, ladder: Ladder) -> None:
    """Shows the win rate of each player against each other."""
    names = [one.name for one in ladder.standings]
    screen.say("ladder.crosstable")
    rows: list[list[Text]] = [["", *(str(place) for place in range(1, len(names) + 1))]]
    for place, name in enumerate(names, 1):
        met = [ladder.meetings.get((name, other)) for other in names]
        shares = ["" if one is None else number(screen.lang, one.score / one.games, ".1%") for one in met]
        rows.append([f"{place} {name}", *shares])
    screen.table(rows, right=tuple(range(1, len(names) + 1)))


def _ends(interval: tuple[float, float]) -> str:
    """Formats an interval of ratings.

    >>> _ends((103.2, math.inf))
    '(103..∞)'
    """
    return f"({_end(interval[0])}..{_end(interval[1])})"


def _end(number: float) -> str:
    return f"{number:.0f}" if math.isfinite(number) else "∞" if number > 0 else "-∞"


def _mean(lang: str, mean: Mean, sign: str = "+", form: str = ".1f") -> str:
    """Formats a mean and half the width of its interval."""
    if not mean.games:
        return ""
    half = mean.interval()[1] - mean.mean
    interval = f" ±{number(lang, half, form)}" if math.isfinite(half) else ""
    return f"{number(lang, mean.mean, sign + form)}{interval}"
