"""Arguments that several commands share, so that they are called and mean the same everywhere."""

from __future__ import annotations

import argparse
import os
import shlex
from pathlib import Path
from typing import Any

from tablier._core import Game
from tablier.messages import Message, MessageError, languages, reason_of
from tablier.registry import DEFAULT_GAME, load_game, parse_options

ALGORITHM_NAMES = sorted(file.stem for file in (Path(__file__).parent.parent / "learn/algorithms").glob("[a-z]*.py"))
"""The names of learning algorithms: those of their files, because importing them takes seconds."""
MOST_BYTES = 16_000_000
"""More than any record has: what is longer is refused as a record, whatever it is."""
LARGEST_SEED = 2**53
"""JSON keeps it exactly."""


def new_parser(subparsers: Any, name: str, summary: str, example: str) -> argparse.ArgumentParser:
    """The parser of a command, its example at the end of the help."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=example,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    return parser


def add_game(parser: argparse.ArgumentParser, default: str | None = DEFAULT_GAME) -> None:
    """--game and --options; `default` is None where a record may name the game instead."""
    parser.add_argument("--game", default=default, metavar="NAME", help=f"which game (default {DEFAULT_GAME})")
    parser.add_argument(
        "--options",
        default="",
        metavar="KEY=VALUE,...",
        help="options of the game, see `tablier games NAME`",
    )


def add_import(parser: argparse.ArgumentParser) -> None:
    """--import, which every command has."""
    parser.add_argument(
        "--import",
        dest="imports",
        action="append",
        default=[],
        metavar="GAME.py",
        help="first read games from a file (.py, or a plugin's .so) or a module; may be given again",
    )


def import_words(imports: list[str]) -> str:
    """The same --import for another command.

    >>> import_words(["race.py", "my_games"])
    ' --import race.py --import my_games'
    """
    return "".join(f" --import {shlex.quote(one)}" for one in imports)


def game_of(args: argparse.Namespace) -> Game:
    """The game that --game and --options name."""
    try:
        return load_game(args.game, **parse_options(args.options))
    except (TypeError, OverflowError) as error:  # an option of the wrong type
        raise ValueError(str(error)) from None


def add_seed(parser: argparse.ArgumentParser, of: str = "dice and players", default: int | None = 0) -> None:
    """--seed."""
    shown = "another one each time" if default is None else default
    parser.add_argument("--seed", type=seed, default=default, metavar="N", help=f"of {of} (default {shown})")


def add_json(parser: argparse.ArgumentParser, about: str = "print JSON") -> None:
    """--json."""
    parser.add_argument("--json", action="store_true", help=about)


def add_lang(parser: argparse.ArgumentParser) -> None:
    """--lang."""
    parser.add_argument("--lang", choices=languages(), help="language (default as the locale says)")


def seed(text: str) -> int:
    """A seed from text, for argparse."""
    return _whole(text, 0, LARGEST_SEED)


def count(text: str) -> int:
    """A number of things from text, at least 1, for argparse."""
    return _whole(text, 1, 10**9)


def count_or_none(text: str) -> int:
    """A number of things from text, also 0, for argparse."""
    return _whole(text, 0, 10**9)


def _whole(text: str, least: int, most: int) -> int:
    number = int(text) if text.isdecimal() and len(text) < 20 else least - 1
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(f"a whole number from {least} to {most}, not {text!r}")
    return number


def split_players(text: str) -> list[str]:
    """The players of a list. The module is imported late, for numpy takes its time."""
    from tablier.players import strings

    return strings.split_players(text)


def no_people(names: list[str]) -> list[str]:
    """The names, if no person is among them."""
    if any(name.partition(":")[0] == "human" for name in names):
        raise MessageError.of("terminal.wrong.person")
    return names


def seated(players: str, game: Game) -> list[str]:
    """As many players as the game has; one alone plays all sides."""
    names = no_people(split_players(players))
    if len(names) == 1:
        names *= game.num_players()
    if len(names) != game.num_players():
        seats = Message("terminal.games.players", n=game.num_players())
        raise MessageError.of("terminal.wrong.players", game=game.name, seats=seats, n=len(names))
    return names


def writable(path: str) -> Path:
    """A file that can be written, found out before there is anything to write; MessageError tells why it cannot."""
    file = Path(path)
    folder = file.resolve().parent
    if not folder.is_dir():
        reason = "terminal.wrong.no_folder"
    elif file.is_dir():
        reason = "terminal.wrong.is_folder"
    elif not os.access(file if file.exists() else folder, os.W_OK):
        reason = "terminal.wrong.permission"
    else:
        return file
    raise MessageError.of("terminal.wrong.unwritable", file=path, reason=Message(reason))


def read_record(path: str) -> tuple[Game, tuple[int, ...], dict[str, str]]:
    """The game, the actions and the header of a record's file; MessageError names the file and what is wrong."""
    from tablier import records

    try:
        with Path(path).open("rb") as file:
            text = file.read(MOST_BYTES).decode()
    except UnicodeDecodeError:
        raise MessageError.of("terminal.wrong.file_binary", file=path) from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise MessageError.of("terminal.wrong.file_unreadable", file=path, reason=reason) from None
    if not text.strip():
        raise MessageError.of("terminal.wrong.file_empty", file=path)
    try:
        return records.load_header(text)
    except ValueError as error:
        raise MessageError.of("terminal.wrong.file", file=path, reason=reason_of(error)) from None
