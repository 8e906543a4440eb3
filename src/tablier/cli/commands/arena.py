"""`tablier arena`: plays a tournament and saves it in a file. It can be stopped and resumed at any time."""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablier.cli.arguments import (
    add_cluster,
    add_game,
    add_json,
    add_lang,
    add_seed,
    cluster_of,
    count,
    game_of,
    given_path,
    new_parser,
    no_people,
)
from tablier.cli.entrants import find_entrant
from tablier.messages import Message, MessageError, Number, language, say

if TYPE_CHECKING:
    from tablier._core import Game
    from tablier.arena import ArenaFile, Entrant, Executor, SequentialTest, Setup
    from tablier.cli.terminal.screen import Screen

EXAMPLE = """Plays every player against every other on paired dice. A player is a player string, a network file,
the folder of a run (its best network) or the folder of a checkpoint. You can stop it at any time; the
same command, or `tablier arena FILE` alone, resumes it. `tablier ladder FILE` shows the ratings.

example:
  tablier arena first.sqlite random greedy heuristic expectimax:plies=2 --games 1000
  tablier arena first.sqlite --games 2000
  tablier arena first.sqlite runs/first greedy heuristic --gauntlet
  tablier arena test.sqlite expectimax:plies=2 heuristic --sprt 0.5,0.55 --games 20000"""
SEED, LIMIT = 0, 60.0
"""Defaults for a new tournament. An existing one keeps its settings; if they are given again, they must agree."""


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "arena", "play a tournament that can be resumed", EXAMPLE)
    parser.add_argument("file", type=given_path, help="the file of the tournament")
    parser.add_argument("players", nargs="*", metavar="PLAYER", help="players (default: those in the file)")
    add_game(parser, default=None)
    parser.add_argument("--games", type=count, default=100, metavar="N", help="games per pairing (default 100)")
    parser.add_argument("--gauntlet", action="store_true", help="only the first player plays, against all others")
    parser.add_argument(
        "--workers",
        type=count,
        default=os.cpu_count(),
        metavar="N",
        help="worker processes, or workers of --cluster (default: one per core)",
    )
    parser.add_argument(
        "--batch", type=_even, default=20, metavar="N", help="games per job, an even number (default 20)"
    )
    parser.add_argument(
        "--limit", type=_seconds, metavar="SECONDS", help="time limit per decision; a slower player loses (default 60)"
    )
    parser.add_argument(
        "--luck",
        metavar="JUDGE",
        help="player that measures luck, or none (default: the game's\nheuristic; none in a game without one)",
    )
    parser.add_argument(
        "--sprt",
        type=_shares,
        metavar="LOW,HIGH",
        help="sequential probability ratio test (SPRT): play two players until it is\n"
        "clear whether the first one's win rate is at most LOW or at least HIGH",
    )
    parser.add_argument("--alpha", type=_rate, default=0.05, help="risk of wrongly accepting HIGH (default 0.05)")
    parser.add_argument("--beta", type=_rate, default=0.05, help="risk of wrongly accepting LOW (default 0.05)")
    parser.add_argument("--adjusted", action="store_true", help="test luck-adjusted results (needs fewer games)")
    add_cluster(parser, workers=False)
    add_seed(parser, default=None)
    add_lang(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _seconds(text: str) -> float:
    if not 0 < (seconds := _number(text)) <= 1e6:
        raise argparse.ArgumentTypeError(f"must be a number of seconds above 0, not {text!r}")
    return seconds


def _rate(text: str) -> float:
    if not 0 < (rate := _number(text)) < 0.5:
        raise argparse.ArgumentTypeError(f"must be between 0 and 0.5, not {text!r}")
    return rate


def _shares(text: str) -> tuple[float, float]:
    low, _, high = text.partition(",")
    if not 0 < _number(low) < _number(high) < 1:
        raise argparse.ArgumentTypeError(f"must be two rates with 0 < LOW < HIGH < 1, such as 0.5,0.55, not {text!r}")
    return _number(low), _number(high)


def _even(text: str) -> int:
    if (number := count(text)) % 2:
        raise argparse.ArgumentTypeError(f"must be an even number, not {text!r}")
    return number


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from tablier.arena import ArenaFile
    from tablier.cli.terminal.screen import Screen
    from tablier.registry import load_game

    screen = Screen(language(args.lang))
    path = Path(args.file)
    names = list(dict.fromkeys(no_people(args.players)))
    with tempfile.TemporaryDirectory() as place:
        if path.exists() and path.stat().st_size:
            with ArenaFile.read(path) as old:
                setup = _agreed(old, args)
                names = names or [one.name for one in old.players()]
            game = load_game(setup.game, **setup.options)
            entrants = _entrants(names, game, Path(place), args)
            with ArenaFile.resume(path, setup) as file:
                return _play(file, entrants, args, screen)
        game, setup = _new(args)
        entrants = _entrants(names, game, Path(place), args)
        opened = ArenaFile.resume if path.exists() else ArenaFile.create
        with opened(path, setup) as file:
            return _play(file, entrants, args, screen)


def _new(args: argparse.Namespace) -> tuple[Game, Setup]:
    """Returns the game and the setup of a new tournament."""
    from tablier._core.search import has_heuristic
    from tablier.analysis import make_judge
    from tablier.arena import Setup
    from tablier.registry import DEFAULT_GAME

    game = game_of(argparse.Namespace(game=args.game or DEFAULT_GAME, options=args.options))
    if game.num_players() != 2:
        raise MessageError.of("arena.two_players", game=game.name)
    judge = args.luck
    if judge is None:
        judge = "" if has_heuristic(game) and game.max_chance_outcomes() else None
    elif judge == "none":
        judge = None
    if judge:
        make_judge(game, judge)
    seed = SEED if args.seed is None else args.seed
    return game, Setup(game.name, game.options(), seed, args.limit or LIMIT, judge)


def _agreed(file: ArenaFile, args: argparse.Namespace) -> Setup:
    """Returns the setup of the file; raises MessageError if an argument contradicts it."""
    from dataclasses import replace

    setup = file.setup
    wanted = setup
    if args.game or args.options:
        game = game_of(argparse.Namespace(game=args.game or setup.game, options=args.options))
        wanted = replace(wanted, game=game.name, options=game.options())
    if args.seed is not None:
        wanted = replace(wanted, seed=args.seed)
    if args.limit is not None:
        wanted = replace(wanted, limit=args.limit)
    if args.luck is not None:
        wanted = replace(wanted, judge=None if args.luck == "none" else args.luck)
    file.compare(wanted)
    return setup


def _entrants(names: list[str], game: Game, place: Path, args: argparse.Namespace) -> list[Entrant]:
    if len(names) < 2:
        raise MessageError.of("arena.few_players", n=len(names))
    if args.sprt and len(names) != 2:
        raise MessageError.of("arena.test_of_two", n=len(names))
    return [find_entrant(name, game, place) for name in names]


def _play(file: ArenaFile, entrants: list[Entrant], args: argparse.Namespace, screen: Screen) -> int:
    from tablier.arena import LocalWorkers

    with cluster_of(args, workers=args.workers) as cluster:
        if cluster is None:
            return _play_with(file, entrants, args, screen, LocalWorkers(args.workers))
        from tablier.cluster.arenas import TournamentPlaces

        return _play_with(file, entrants, args, screen, TournamentPlaces(cluster))


def _play_with(
    file: ArenaFile, entrants: list[Entrant], args: argparse.Namespace, screen: Screen, workers: Executor
) -> int:
    from tablier.arena import Progress, gauntlet, round_robin, run_tournament
    from tablier.cli.terminal.screen import progress

    if args.sprt:
        return _test(file, entrants, args, screen, workers)
    pairings = gauntlet(entrants[0], entrants) if args.gauntlet else round_robin(entrants)
    with progress(args.games * len(pairings), say(screen.lang, "terminal.unit.game")) as done:
        shown = 0

        def report(now: Progress) -> None:
            nonlocal shown
            done(now.done - shown)
            shown = now.done

        run_tournament(file, pairings, args.games, workers, batch=args.batch, progress=report)
    failures = [game for game in file.games() if game.result.failed is not None]
    total = sum(1 for _ in file.games())
    if args.json:
        rows = [
            {
                "player": (one.first, one.second)[one.result.failed or 0],
                "opponent": (one.second, one.first)[one.result.failed or 0],
                "number": one.result.number,
                "reason": one.result.reason,
                "detail": one.result.detail,
            }
            for one in failures
        ]
        print(json.dumps({"file": args.file, "games": total, "failures": rows}))
        return 0
    games = Message("terminal.games", n=total)
    screen.say("arena.finished", games=games, file=args.file)
    show_failures(screen, failures)
    screen.say("arena.see_ladder", file=args.file)
    return 0


def show_failures(screen: Screen, failures: list[Any], most: int = 5) -> None:
    """Lists the games that a player lost by failing, but at most `most` of them."""
    from tablier.arena.jobs import SLOW

    for game in failures[:most]:
        one = game.result
        names = (game.first, game.second) if one.failed == 0 else (game.second, game.first)
        detail = Number(float(one.detail), ".1f") if one.reason == SLOW else one.detail
        told = Message(
            f"arena.failed.{one.reason}", player=names[0], opponent=names[1], number=one.number, detail=detail
        )
        screen.text(told, "yellow", indent="  ")
    if len(failures) > most:
        screen.text(Message("arena.failed.more", n=len(failures) - most), indent="  ")


def _test(file: ArenaFile, entrants: list[Entrant], args: argparse.Namespace, screen: Screen, workers: Any) -> int:
    """Runs a sequential test. The exit code is 0 if HIGH was accepted, otherwise 1."""
    from tablier.arena import SequentialTest, Verdict, round_robin, run_test
    from tablier.cli.terminal.screen import progress

    if args.adjusted and file.setup.judge is None:
        raise MessageError.of("arena.no_luck", file=args.file)
    low, high = args.sprt
    test: SequentialTest = SequentialTest(low, high, args.alpha, args.beta)
    (pairing,) = round_robin(entrants)
    with progress(args.games, say(screen.lang, "terminal.unit.game")) as done:
        shown = 0

        def report(now: Verdict) -> None:
            nonlocal shown
            done(2 * now.pairs - shown)
            shown = 2 * now.pairs

        options = {"adjusted": args.adjusted, "batch": args.batch, "progress": report}
        verdict = run_test(file, pairing, entrants[0].name, test, args.games, workers, **options)
    if args.json:
        told = {"low": low, "high": high, "alpha": args.alpha, "beta": args.beta, "adjusted": args.adjusted}
        found = {"accepted": verdict.accepted, "games": 2 * verdict.pairs, "ratio": verdict.ratio}
        print(json.dumps({"player": entrants[0].name, "opponent": entrants[1].name} | told | found))
    else:
        code = "open" if verdict.accepted is None else "high" if verdict.accepted == high else "low"
        screen.say(
            f"arena.test.{code}",
            player=entrants[0].name,
            opponent=entrants[1].name,
            low=Number(low, ".1%"),
            high=Number(high, ".1%"),
            alpha=Number(args.alpha, "g"),
            beta=Number(args.beta, "g"),
            games=Message("terminal.games", n=2 * verdict.pairs),
            ratio=Number(verdict.ratio, "+.2f"),
        )
    return 0 if verdict.accepted == high else 1
