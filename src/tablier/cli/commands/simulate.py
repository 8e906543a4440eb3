"""`tablier simulate`: shows one game between computer players, or plays many and prints totals."""

from __future__ import annotations

import argparse
import json
import random
import time
from typing import TYPE_CHECKING, Any

from tablier.cli.arguments import (
    add_game,
    add_json,
    add_lang,
    add_seed,
    count,
    game_of,
    given_path,
    new_parser,
    seated,
    writable,
    writing,
)
from tablier.messages import Message, MessageError, Number, Text, language, listed, say

if TYPE_CHECKING:
    from tablier._core import Game, State
    from tablier.cli.terminal.screen import Screen
    from tablier.games import Home

EXAMPLE = """example:
  tablier simulate --seed 7
  tablier simulate --players heuristic,greedy --save game.txt
  tablier simulate --games 10000
  tablier simulate --games 200 --players greedy,random --game pig --json"""
PORTION = 20_000
"""Random games between two updates of the progress bar."""


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "simulate", "let computer players play: show one game, or totals of many", EXAMPLE)
    add_game(parser)
    parser.add_argument(
        "--players",
        default="random",
        metavar="A,B",
        help="players by seat; a single one takes every seat (default random)",
    )
    parser.add_argument(
        "--games", type=count, default=1, metavar="N", help="number of games (default 1, which is shown in full)"
    )
    add_seed(parser)
    parser.add_argument("--threads", type=count, default=1, metavar="N", help="threads for random games (default 1)")
    parser.add_argument("--save", type=given_path, metavar="FILE", help="save the record of a single game")
    add_lang(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from tablier.cli.terminal.screen import Screen

    game, screen = game_of(args), Screen(language(args.lang))
    players = seated(args.players, game)
    if args.save:
        writable(args.save)
    if args.games == 1:
        return _one(args, game, players, screen)
    if args.save:
        raise MessageError.of("terminal.wrong.save_many")
    start = time.perf_counter()
    totals = _random(args, game) if set(players) == {"random"} else _played(args, game, players)
    seconds = time.perf_counter() - start
    totals = {"game": game.name, "players": players, "seed": args.seed, **totals}
    if args.json:
        print(json.dumps(totals | {"seconds": round(seconds, 6), "games_per_second": round(args.games / seconds, 1)}))
        return 0
    _show(totals, seconds, game, screen)
    return 0


def _show(totals: dict[str, Any], seconds: float, game: Game, screen: Screen) -> None:
    from tablier.games import home_of

    home, games, players = home_of(game), totals["games"], totals["players"]
    counted = Message("terminal.games", n=games)
    screen.say("terminal.simulate.totals", games=counted, title=home.title, players=", ".join(players))
    for seat, player in enumerate(players):
        wins, mean = totals["wins"][seat], Number(totals["mean_returns"][seat], "+.3f")
        one: dict[str, Text | float] = {"who": home.side(seat), "player": player, "wins": wins, "mean": mean}
        screen.text(Message("terminal.simulate.seat", **one, share=Number(wins / games, ".1%")), indent="  ")
    decisions, rolls = (Number(totals[key] / games, ".1f") for key in ("decisions", "rolls"))
    parts = [Message("terminal.simulate.drawn", n=totals["draws"])] if totals["draws"] else []
    parts += [Message("terminal.simulate.unfinished", n=totals["unfinished"])] if totals["unfinished"] else []
    screen.text(listed(*parts, Message("terminal.simulate.mean", decisions=decisions, rolls=rolls)), indent="  ")
    elapsed, rate = Number(seconds, ".2f"), Number(games / seconds, ",.0f")
    screen.text(Message("terminal.simulate.speed", seconds=elapsed, rate=rate), indent="  ")


def _one(args: argparse.Namespace, game: Game, players: list[str], screen: Screen) -> int:
    from tablier import records
    from tablier.arena.match import play_game
    from tablier.games import home_of
    from tablier.players import make_player

    home = home_of(game)
    actions: list[int] = []
    at_once = not (args.json or args.save)  # save first, in case the reader closes the pipe

    def watch(state: State, action: int) -> None:
        actions.append(action)
        if at_once:
            _tell(screen, home, len(actions), state, action)

    seats = [make_player(player, game, seed=_seed(args.seed, seat)) for seat, player in enumerate(players)]
    returns, decisions, _ = play_game(game, seats, random.Random(f"{args.seed} 0"), watch)
    if args.save:
        header = dict(zip(records.seat_keys(game), players, strict=True)) | {"Seed": str(args.seed)}
        path = writable(args.save)
        with writing(path):
            path.write_text(records.dump_for(path, game, actions, header), encoding="utf-8")
    state = game.new_initial_state()
    for number, action in enumerate(actions, 1):
        if args.save and not args.json:
            _tell(screen, home, number, state, action)
        state.apply_action(action)
    if args.json:
        facts = {"game": game.name, "options": game.options(), "players": players, "seed": args.seed}
        print(json.dumps(facts | {"actions": actions, "returns": returns, "decisions": decisions}))
        return 0
    for line in home.board(state, 0, screen.lang, None, screen.colour):
        screen.line(*line)
    told = [Number(value, "g") for value in returns]
    screen.say("terminal.simulate.returns", result=home.result(state), returns=told)
    if args.save:
        screen.say("terminal.saved.in", file=args.save)
    return 0


def _tell(screen: Screen, home: Home, number: int, state: State, action: int) -> None:
    screen.text(home.tell(state, action, state.child(action)), indent=f"{number:>4}. ", hanging=" " * 6)


def _random(args: argparse.Namespace, game: Game) -> dict[str, Any]:
    """Plays random games in C++."""
    import numpy as np

    from tablier.cli.terminal.screen import progress

    wins = np.zeros(game.num_players(), np.int64)
    returns = np.zeros(game.num_players())
    draws = decisions = rolls = unfinished = 0
    with progress(args.games, say(language(args.lang), "terminal.unit.game")) as done:
        for number, begin in enumerate(range(0, args.games, PORTION)):
            n = min(PORTION, args.games - begin)
            result = game.random_playouts(n, seed=_seed(args.seed, number), threads=args.threads)
            best = result.returns == result.returns.max(axis=1, keepdims=True)
            alone = best.sum(axis=1) == 1
            wins += best[alone].sum(axis=0)
            draws += int(n - alone.sum())
            returns += result.returns.sum(axis=0)
            decisions, rolls = decisions + result.decisions, rolls + result.rolls
            unfinished += result.unfinished
            done(n)
    means = [float(total) / args.games for total in returns]
    return _totals(args.games, wins.tolist(), draws, means, decisions, rolls, unfinished)


def _played(args: argparse.Namespace, game: Game, players: list[str]) -> dict[str, Any]:
    """Plays games between any players, one after the other."""
    from tablier.arena.match import play_game
    from tablier.cli.terminal.screen import progress
    from tablier.players import make_player

    wins, sums = [0] * game.num_players(), [0.0] * game.num_players()
    draws = decisions = rolls = 0

    def watch(state: Any, action: int) -> None:
        nonlocal decisions, rolls
        if state.is_chance_node():
            rolls += 1
        else:
            decisions += 1

    with progress(args.games, say(language(args.lang), "terminal.unit.game")) as done:
        for number in range(args.games):
            seeds = [_seed(args.seed, len(players) * number + seat) for seat in range(len(players))]
            seats = [make_player(player, game, seed=one) for player, one in zip(players, seeds, strict=True)]
            returns, _, _ = play_game(game, seats, random.Random(f"{args.seed} {number}"), watch)
            best = [seat for seat, value in enumerate(returns) if value == max(returns)]
            if len(best) == 1:
                wins[best[0]] += 1
            else:
                draws += 1
            sums = [total + value for total, value in zip(sums, returns, strict=True)]
            done(1)
    return _totals(args.games, wins, draws, [total / args.games for total in sums], decisions, rolls, 0)


def _totals(
    games: int, wins: list[int], draws: int, means: list[float], decisions: int, rolls: int, unfinished: int
) -> dict[str, Any]:
    return {
        "games": games,
        "wins": wins,
        "draws": draws,
        "mean_returns": means,
        "decisions": decisions,
        "rolls": rolls,
        "unfinished": unfinished,
    }


def _seed(seed: int, number: int) -> int:
    """Returns a different seed for each number; number 0 gives the seed itself."""
    return (seed + number * 0x9E3779B97F4A7C15) % 2**64
