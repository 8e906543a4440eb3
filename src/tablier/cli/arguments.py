"""Arguments that several commands share, so that they are called and mean the same everywhere."""

from __future__ import annotations

import argparse
import os
import shlex
from pathlib import Path
from typing import Any

from tablier._core import Game
from tablier.registry import load_game, parse_options

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


def add_game(parser: argparse.ArgumentParser, default: str | None = "trictrac") -> None:
    """--game and --options; `default` None where a record may name the game instead, else it is trictrac."""
    parser.add_argument("--game", default=default, metavar="NAME", help=f"which game (default {default or 'trictrac'})")
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
    parser.add_argument("--lang", choices=("en", "fr"), help="language (default as the locale says)")


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
        raise ValueError(
            "a person plays with `tablier play`, against any player that --against names; here only players do"
        )
    return names


def seated(players: str, game: Game) -> list[str]:
    """As many players as the game has; one alone plays all sides."""
    names = no_people(split_players(players))
    if len(names) == 1:
        names *= game.num_players()
    if len(names) != game.num_players():
        raise ValueError(f"{game.name} has {game.num_players()} players; --players names {len(names)}")
    return names


def writable(path: str) -> Path:
    """A file that can be written, found out before there is anything to write; ValueError tells why it cannot."""
    file = Path(path)
    folder = file.resolve().parent
    if not folder.is_dir():
        reason = "there is no such folder"
    elif file.is_dir():
        reason = "is a directory"
    elif not os.access(file if file.exists() else folder, os.W_OK):
        reason = "permission denied"
    else:
        return file
    raise ValueError(f"{path} cannot be written: {reason}")


def read_record(path: str) -> tuple[Game, tuple[int, ...], dict[str, str]]:
    """The game, the actions and the header of a record's file; ValueError names the file and what is wrong with it."""
    from tablier import records

    try:
        with Path(path).open("rb") as file:
            text = file.read(MOST_BYTES).decode()
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no record: a record is text") from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from None
    if not text.strip():
        raise ValueError(f"{path} is empty")
    try:
        return records.load_header(text)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
