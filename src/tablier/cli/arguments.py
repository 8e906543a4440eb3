"""Arguments shared by several commands."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablier._core import Game
from tablier.messages import Message, MessageError, languages, reason_of
from tablier.paths import resolved
from tablier.registry import DEFAULT_GAME, load_game, parse_options

if TYPE_CHECKING:
    from tablier.cluster import Pool as ClusterPool

ALGORITHM_NAMES = sorted(file.stem for file in (Path(__file__).parent.parent / "learn/algorithms").glob("[a-z]*.py"))
"""Names of the learning algorithms, read from the file names because importing them takes seconds."""
MOST_BYTES = 16_000_000
"""Maximum number of bytes read from a record file; a longer text is never a valid record."""
EMPTY_PATH = "must be a path, not empty"
LARGEST_SEED = 2**53
"""The largest integer that JSON readers represent exactly."""


def new_parser(subparsers: Any, name: str, summary: str, example: str) -> argparse.ArgumentParser:
    """Adds a subcommand and returns its parser.

    Args:
        subparsers: the subparsers of `tablier`.
        name: name of the command.
        summary: one line without a full stop, for the list of commands.
        example: text at the end of the help.
    """
    parser: argparse.ArgumentParser = subparsers.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=example,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    return parser


def add_game(parser: argparse.ArgumentParser, default: str | None = DEFAULT_GAME) -> None:
    """Adds --game and --options. `default` is None if the game can also come from a record."""
    parser.add_argument("--game", default=default, metavar="NAME", help=f"the game to use (default {DEFAULT_GAME})")
    parser.add_argument(
        "--options",
        default="",
        metavar="KEY=VALUE,...",
        help="options of the game, listed by `tablier games NAME`",
    )


def add_import(parser: argparse.ArgumentParser) -> None:
    """Adds --import."""
    parser.add_argument(
        "--import",
        dest="imports",
        action="append",
        default=[],
        type=given_path,
        metavar="GAME.py",
        help="load games from a .py file, a plugin (.so) or a module; repeatable",
    )


def add_cluster(parser: argparse.ArgumentParser, workers: bool = True) -> None:
    """Adds --cluster and, unless the command has an option of that name, --workers."""
    parser.add_argument(
        "--cluster",
        default="",
        metavar="ADDRESS",
        help="play on a Ray cluster: local (start one here), auto or ray://HOST:PORT",
    )
    if workers:
        parser.add_argument(
            "--workers", type=count, default=0, metavar="N", help="workers on the cluster (default: one per CPU)"
        )


@contextmanager
def cluster_of(
    args: argparse.Namespace, tell: Callable[[Message], None] = lambda _: None, workers: int | None = None
) -> Iterator[ClusterPool | None]:
    """Yields the workers of --cluster, or None without it. Raises MessageError if they cannot be used."""
    if not args.cluster:
        if workers is None and args.workers:
            raise MessageError.of("cluster.only_with", option="--workers")
        yield None
        return
    from tablier.cli.extras import extra

    with extra("cluster"):
        from tablier.cluster import connect
    with connect(args.cluster, args.workers if workers is None else workers, args.imports, tell) as pool:
        yield pool


def import_words(imports: list[str]) -> str:
    """Formats the --import options, to suggest another command.

    >>> import_words(["race.py", "my_games"])
    ' --import race.py --import my_games'
    """
    return "".join(f" --import {shlex.quote(one)}" for one in imports)


def game_of(args: argparse.Namespace) -> Game:
    """Loads the game named by --game and --options; raises ValueError if there is none."""
    try:
        return load_game(args.game, **parse_options(args.options))
    except (TypeError, OverflowError) as error:  # an option has the wrong type
        raise ValueError(str(error)) from None


def add_seed(parser: argparse.ArgumentParser, of: str = "the dice and players", default: int | None = 0) -> None:
    """Adds --seed; `of` says what it seeds."""
    shown = "random" if default is None else default
    parser.add_argument("--seed", type=seed, default=default, metavar="N", help=f"seed of {of} (default {shown})")


def add_json(parser: argparse.ArgumentParser, about: str = "print JSON") -> None:
    """Adds --json."""
    parser.add_argument("--json", action="store_true", help=about)


def add_lang(parser: argparse.ArgumentParser) -> None:
    """Adds --lang."""
    parser.add_argument("--lang", choices=languages(), help="language (default: that of the locale)")


def given_path(text: str) -> str:
    """Returns a path that is not empty, for argparse. An unset shell variable is a mistake, not a missing option."""
    if not text:
        raise argparse.ArgumentTypeError(EMPTY_PATH)
    return text


def seed(text: str) -> int:
    """Parses a seed, for argparse."""
    return _whole(text, 0, LARGEST_SEED)


def count(text: str) -> int:
    """Parses a count of at least 1, for argparse."""
    return _whole(text, 1, 10**9)


def count_or_none(text: str) -> int:
    """Parses a count of at least 0, for argparse."""
    return _whole(text, 0, 10**9)


def _whole(text: str, least: int, most: int) -> int:
    number = int(text) if text.isdecimal() and len(text) < 20 else least - 1
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(f"must be an integer from {least} to {most}, not {text!r}")
    return number


def split_players(text: str) -> list[str]:
    """Splits a list of player strings. Imports late, because NumPy is slow to import."""
    from tablier.players import strings

    return strings.split_players(text)


def no_people(names: list[str]) -> list[str]:
    """Returns the names; raises MessageError if one is a human player."""
    if any(name.partition(":")[0] == "human" for name in names):
        raise MessageError.of("terminal.wrong.person")
    return names


def seated(players: str, game: Game) -> list[str]:
    """Splits a list of players, one per seat; a single player takes every seat. Raises MessageError otherwise."""
    names = no_people(split_players(players))
    if len(names) == 1:
        names *= game.num_players()
    if len(names) != game.num_players():
        seats = Message("terminal.games.players", n=game.num_players())
        raise MessageError.of("terminal.wrong.players", game=game.name, seats=seats, n=len(names))
    return names


def writable(path: str, *endings: str) -> Path:
    """Checks that a file can be written. Call it before a long computation.

    Args:
        path: the file. If it exists, it will be replaced.
        *endings: endings of the formats that can be written; without them, the name can have any ending.

    Raises:
        MessageError (a ValueError): the file cannot be written, or its name has another ending.
    """
    file = Path(path)
    try:
        folder = resolved(file).parent
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise MessageError.of("terminal.wrong.unwritable", file=path, reason=why) from None
    if not folder.is_dir():
        reason = Message("terminal.wrong.no_folder")
    elif file.is_dir():
        reason = Message("terminal.wrong.is_folder")
    elif endings and file.suffix.lower() not in endings:
        reason = Message("terminal.wrong.ending", n=len(endings), endings=", ".join(endings))
    elif not os.access(file if file.exists() else folder, os.W_OK):
        reason = Message("terminal.wrong.permission")
    else:
        return file
    raise MessageError.of("terminal.wrong.unwritable", file=path, reason=reason)


@contextmanager
def writing(path: str | Path) -> Iterator[None]:
    """Adds the name of the file to errors of writing, which have none if the disk is full."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


def read_record(path: str) -> tuple[Game, tuple[int, ...], dict[str, str]]:
    """Reads the game, the actions and the header of a record file; raises MessageError if it is not a valid record."""
    from tablier import records

    try:
        with Path(path).open("rb") as file:  # which may be a pipe, such as <(zcat game.gz)
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
