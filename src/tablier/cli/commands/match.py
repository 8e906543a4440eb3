"""`tablier match`: plays a match between two players on paired dice or, without dice, from paired openings."""

from __future__ import annotations

import argparse
import json
import math
import os
from typing import TYPE_CHECKING, Any

from tablier.cli.arguments import (
    add_cluster,
    add_game,
    add_json,
    add_lang,
    add_seed,
    cluster_of,
    count,
    count_or_none,
    game_of,
    new_parser,
    no_people,
)
from tablier.messages import Message, Number, Text, language, say

if TYPE_CHECKING:
    from tablier._core import Game
    from tablier.arena import MatchResult, PairedMean, Pool
    from tablier.cli.terminal.screen import Screen
    from tablier.cluster import Pool as ClusterPool

EXAMPLE = """example:
  tablier match heuristic greedy --games 1000
  tablier match mcts:ms=20 expectimax:plies=2 --game trictrac --games 200 --processes 2 --json
  tablier match heuristic greedy --games 50 --judge
  tablier match greedy random --game pig"""
FIELDS = ("first", "second", "games", "wins", "draws", "margin", "decisions", "seconds")
"""Fields of the result that --json prints as they are."""


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "match", "play a match between two players", EXAMPLE)
    parser.add_argument("first", help="player, such as heuristic or mcts:sims=200")
    parser.add_argument("second", help="the other player")
    add_game(parser)
    parser.add_argument("--games", type=count, default=100, metavar="N", help="number of games (default 100)")
    add_seed(parser)
    parser.add_argument(
        "--processes", type=count, default=os.cpu_count(), metavar="N", help="worker processes (default: one per core)"
    )
    parser.add_argument(
        "--openings",
        type=count_or_none,
        metavar="N",
        help="in games without dice, start each pair of games from one of\n"
        "at least N random openings (default: as many as games; 0: none)",
    )
    parser.add_argument(
        "--judge",
        nargs="?",
        const="",
        metavar="PLAYER",
        help="rate every decision and the luck of every throw\n(default player: depends on the game)",
    )
    add_cluster(parser)
    add_lang(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from tablier.arena import play_match
    from tablier.cli.terminal.screen import Screen, progress

    game, screen = game_of(args), Screen(language(args.lang))
    no_people([args.first, args.second])
    with cluster_of(args) as cluster, progress(args.games, say(screen.lang, "terminal.unit.game")) as done:
        shown = 0

        def report(score: MatchResult) -> None:
            nonlocal shown
            done(score.games - shown)
            shown = score.games

        score = play_match(
            game,
            args.first,
            args.second,
            args.games,
            seed=args.seed,
            processes=args.processes,
            openings=args.games if args.openings is None else args.openings,
            judge=args.judge,
            pool=match_pool(cluster),
            progress=report,
        )
    if args.json:
        print(json.dumps(_as_json(score)))
        return 0
    _show_score(screen, score)
    _show_points(screen, game, score)
    return 0


def match_pool(cluster: ClusterPool | None) -> Pool | None:
    """Returns the place where a cluster plays the games of matches."""
    if cluster is None:
        return None
    from tablier.cluster.arenas import MatchPlaces

    return MatchPlaces(cluster)


def _as_json(score: MatchResult) -> dict[str, Any]:
    from tablier.cli.terminal.ratings import rating_row

    low, high = score.interval
    result = {name: getattr(score, name) for name in FIELDS} | {"rate": score.rate, "low": low, "high": high}
    for name in ("points", "adjusted", "adjusted_points"):
        mean: PairedMean = getattr(score, name)
        ends = mean.interval()
        told = [mean.mean, *ends] if math.isfinite(ends[0]) else [mean.mean, None, None]
        result |= dict(zip((name, f"{name}_low", f"{name}_high"), told if mean.games else [None] * 3, strict=True))
    result["ratings"] = [rating_row(rating) if rating.decisions else None for rating in score.ratings]
    return result


def _show_score(screen: Screen, score: MatchResult) -> None:
    told: dict[str, Text | float] = {"first": score.first, "second": score.second, "wins": score.wins}
    told |= {"draws": score.draws} if score.draws else {}
    low, high = score.interval
    rates = {"rate": score.rate, "low": low, "high": high}
    times = dict(zip(("first_ms", "second_ms"), score.ms_per_move, strict=True))
    told |= {name: Number(rate, ".1%") for name, rate in rates.items()}
    told |= {name: Number(ms, ".2f") for name, ms in times.items()}
    screen.say("match.score_drawn" if score.draws else "match.score", games=score.games, **told)


def _show_points(screen: Screen, game: Game, score: MatchResult) -> None:
    """Shows points per game and, if the match was judged, luck-adjusted results and error ratings."""
    from tablier.cli.terminal.ratings import rating_text
    from tablier.games import home_of

    def numbers(mean: PairedMean, form: str) -> dict[str, Text | float]:
        low, high = mean.interval()
        return {"mean": Number(mean.mean, form), "low": Number(low, form), "high": Number(high, form)}

    key = "match.points" if score.points.pairs > 1 else "match.points_open"
    screen.text(Message(key, **numbers(score.points, "+.2f")), indent="  ")
    if score.adjusted.pairs > 1:
        told = numbers(score.adjusted, ".1%")
        screen.text(Message("match.adjusted", share=told.pop("mean"), **told), indent="  ")
    if score.adjusted_points.pairs > 1:
        screen.text(Message("match.adjusted_points", **numbers(score.adjusted_points, "+.2f")), indent="  ")
    for player, rating in zip((score.first, score.second), score.ratings, strict=True):
        for line in rating_text(home_of(game), rating):
            screen.text(Message("match.rating", player=player, rating=line), indent="  ")
