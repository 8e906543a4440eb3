"""`tablier play`: a game at the terminal, against any player or another person."""

from __future__ import annotations

import argparse
import secrets
import sys
from typing import TYPE_CHECKING, Any

from tablier.cli.arguments import add_game, add_seed, game_of, new_parser, read_record

if TYPE_CHECKING:
    from tablier._core import Game

EXAMPLE = """moves of Trictrac are typed by your own field numbers:
  1-5 1-3      two men (1/5 1/3 is the same)      1-8       one man by both numbers
  6 5          from where, in the order of dice   power     the corner by power
  22-off       bearing off                        3         the third play of `moves`
  hold, leave  after a hole by your own throw
other words: hint, moves, board, undo, why, save FILE, help, quit

example:
  tablier play
  tablier play --against heuristic --seat black --seed 7
  tablier play --against random --options schools=true,holes_to_win=3 --lang fr
  tablier play --game pig
  tablier play --load game.txt"""


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "play", "play a game in the terminal", EXAMPLE)
    add_game(parser, default=None)
    parser.add_argument(
        "--against", default="gumbel:sims=400", metavar="PLAYER", help="the other player (default gumbel:sims=400)"
    )
    parser.add_argument("--seat", default="0", help="white, black, a number, or both for two people (default white)")
    add_seed(parser, default=None)
    parser.add_argument("--load", metavar="FILE", help="go on with a game that was saved")
    parser.add_argument("--lang", choices=("en", "fr"), help="language (default as the locale says)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from tablier.cli.phrases import phrase
    from tablier.cli.screen import Screen
    from tablier.cli.session import Session
    from tablier.cli.table import Table
    from tablier.cli.tellers import language, make_teller
    from tablier.players import make_player

    game, actions = _game(args)
    seats = _seats(args.seat, game)
    seed = secrets.randbelow(2**32) if args.seed is None else args.seed
    lang = language(args.lang)
    people = seats if not args.against.startswith("human") else list(range(game.num_players()))
    others = [seat for seat in range(game.num_players()) if seat not in people]
    players = [
        make_player(args.against, game, seed=seed + seat) if seat in others else None
        for seat in range(game.num_players())
    ]
    if sys.stdin.isatty():
        import readline  # noqa: F401  (the arrow keys at the prompt)
    teller, screen = make_teller(game, lang), Screen()
    names = [args.against if seat in others else phrase(lang, "you") for seat in range(game.num_players())]
    who = ", ".join(f"{teller.seat(seat)} ({name})" for seat, name in enumerate(names))
    screen.line((phrase(lang, "begin", game.title, who, seed), "bold"))
    return Session(Table(game, players, seed, actions), teller, screen, names, lang).run()


def _game(args: argparse.Namespace) -> tuple[Game, tuple[int, ...]]:
    if not args.load:
        args.game = args.game or "trictrac"
        return game_of(args), ()
    from tablier import records

    if args.game or args.options:
        raise ValueError("--load brings the game and its options; leave --game and --options out")
    game, actions = records.load(read_record(args.load))
    return game, actions


def _seats(text: str, game: Game) -> list[int]:
    """The seats of people."""
    from tablier.trictrac.record import GAMES

    names = {str(seat): seat for seat in range(game.num_players())}
    if game.name in GAMES:
        names |= {"white": 0, "black": 1, "blanc": 0, "noir": 1}
    if text.lower() in ("both", "all"):
        return list(range(game.num_players()))
    if text.lower() not in names:
        raise ValueError(f"--seat is one of {', '.join([*names, 'both'])}, not {text!r}")
    return [names[text.lower()]]
