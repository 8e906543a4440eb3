"""Records in the formats of other programs: match text (.mat) and SGF. A file can hold the games of a whole match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType

from tablier._core import Game
from tablier.games.backgammon import match_text, sgf
from tablier.games.backgammon.turns import GameRecord
from tablier.messages import MessageError
from tablier.record_format import readable

FORMATS: dict[str, ModuleType] = {"mat": match_text, "sgf": sgf}
"""Formats by the suffix of their files; each module has recognises(), read() and write()."""
MAX_CHARACTERS = 4_000_000


def recognises(text: str) -> bool:
    """Whether a text looks like a record in one of the formats."""
    return any(form.recognises(text) for form in FORMATS.values())


def load_match(text: str | bytes) -> list[GameRecord]:
    """Reads the games of a match, or of money play, from match text or SGF, and replays every move.

    Args:
        text: the record, as str or as UTF-8 bytes.

    Raises:
        MessageError: the text is in neither format, a move is illegal, or the doubling cube is used. The message names
            the line and the reason.

    >>> games = load_match(" 0 point match\\n\\n Game 1\\n White : 0    Black : 0\\n  1) 31: 8/5 6/5")
    >>> len(games), len(games[0].actions)
    (1, 2)
    """
    record = readable(text, MAX_CHARACTERS).removeprefix("\ufeff")
    for form in FORMATS.values():
        if form.recognises(record):
            games: list[GameRecord] = form.read(record)
            return games
    raise MessageError.of("backgammon.record.format", formats=", ".join(FORMATS))


def dump_match(games: Sequence[GameRecord], form: str = "mat") -> str:
    """Writes the games of a match, or of money play.

    Args:
        games: the games in order; header and length of the first one hold for all.
        form: `mat` for match text, or `sgf`.

    Raises:
        MessageError: there are no games, an action is illegal, or the format is unknown.
    """
    if form not in FORMATS:
        raise MessageError.of("backgammon.record.format", formats=", ".join(FORMATS))
    if not games:
        raise MessageError.of("backgammon.record.no_game")
    text: str = FORMATS[form].write(games)
    return text


def write(game: Game, actions: Sequence[int], header: Mapping[str, str], form: str) -> str:
    """Writes one game of money play."""
    return dump_match([GameRecord(game, tuple(actions), dict(header))], form)


def read(text: str) -> tuple[Game, tuple[int, ...], dict[str, str]]:
    """Returns the game, the actions and the header of a record with one game."""
    games = load_match(text)
    if len(games) > 1:
        raise MessageError.of("backgammon.record.several", n=len(games))
    return games[0].game, games[0].actions, games[0].header
