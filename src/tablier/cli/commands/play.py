"""`tablier play`: a game at the terminal, against any player or another person."""

from __future__ import annotations

import argparse
import secrets
import sys
from typing import TYPE_CHECKING, Any

from tablier.cli.arguments import add_game, add_lang, add_seed, game_of, new_parser, read_record
from tablier.messages import MessageError
from tablier.registry import DEFAULT_GAME

if TYPE_CHECKING:
    from tablier._core import Game

EXAMPLE = """moves of Trictrac are typed by your own field numbers:
  1-5 1-3      two men (1/5 1/3 is the same)      1-8       one man by both numbers
  6 5          from where, in the order of dice   power     the corner by power
  22-off       bearing off                        3         the third play of `moves`
  hold, leave  after a hole by your own throw
other words: hint, moves, board, undo, why, save FILE, help, rules, quit

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
    parser.add_argument("--against", metavar="PLAYER", help="the other player (default gumbel:sims=400)")
    parser.add_argument("--seat", help="white, black, a number, or both for two people (default white)")
    add_seed(parser, default=None)
    parser.add_argument(
        "--load", metavar="FILE", help="go on with a saved game, its seats, opponent and dice, if nothing else is said"
    )
    add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from tablier.cli.terminal import seating
    from tablier.cli.terminal.ongoing_game import OngoingGame
    from tablier.cli.terminal.screen import Screen
    from tablier.cli.terminal.session import Session
    from tablier.games import home_of
    from tablier.messages import Message, language, listed

    game, actions, header = _game(args)
    seed = args.seed if args.seed is not None else seating.seed_of(header)
    seed = secrets.randbelow(2**32) if seed is None else seed
    sitting = seating.descriptions(args, game, header)
    players = [
        seating.make(name, game, seed + seat, args.against, header) if name else None
        for seat, name in enumerate(sitting)
    ]
    if sys.stdin.isatty():
        import readline  # noqa: F401  (the arrow keys at the prompt)
    home, screen = home_of(game), Screen(language(args.lang))
    seats = [
        Message("terminal.seat", side=home.side(seat), player=name or Message("terminal.you"))
        for seat, name in enumerate(sitting)
    ]
    screen.text(Message("terminal.begin", title=home.title, seats=listed(*seats), seed=seed), "bold")
    names = [name or seating.PERSON for name in sitting]
    return Session(OngoingGame(game, players, seed, actions), home, screen, names).run()


def _game(args: argparse.Namespace) -> tuple[Game, tuple[int, ...], dict[str, str]]:
    if not args.load:
        args.game = args.game or DEFAULT_GAME
        return game_of(args), (), {}
    if args.game or args.options:
        raise MessageError.of("terminal.wrong.load_and_game")
    return read_record(args.load)
