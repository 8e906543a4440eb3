"""`tablier play`: plays a game in the terminal, against a computer player or another person."""

from __future__ import annotations

import argparse
import contextlib
import secrets
import sys
from typing import TYPE_CHECKING, Any

from tablier.cli.arguments import add_game, add_lang, add_seed, game_of, given_path, new_parser, read_record
from tablier.messages import MessageError
from tablier.registry import DEFAULT_GAME

if TYPE_CHECKING:
    from tablier._core import Game

EXAMPLE = """how to type a move of Trictrac (fields are numbered from your own side):
  1-5 1-3      move two men (or 1/5 1/3)          1-8       move one man with both dice
  6 5          start fields, in the order thrown  power     take the corner by power
  22-off       bear a man off                     3         the third move listed by `moves`
  hold, leave  after winning a hole with your own throw
commands: hint, moves, board, undo, why, save FILE, help, rules, quit

example:
  tablier play
  tablier play --against level:n=3
  tablier play --against heuristic --seat black --seed 7
  tablier play --against random --options schools=true,holes_to_win=3 --lang fr
  tablier play --game pig
  tablier play --load game.txt"""


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "play", "play a game in the terminal", EXAMPLE)
    add_game(parser, default=None)
    parser.add_argument("--against", metavar="PLAYER", help="opponent, such as level:n=3 (default: champion)")
    parser.add_argument("--seat", help="your seat: white, black or a number; both for two people (default white)")
    add_seed(parser, default=None)
    parser.add_argument(
        "--load",
        type=given_path,
        metavar="FILE",
        help="resume a saved game; other options override its seats, opponent and seed",
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
        with contextlib.suppress(ImportError):  # Windows has arrow keys without it
            import readline  # noqa: F401  (enables arrow keys at the prompt)
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
