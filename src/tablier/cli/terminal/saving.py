"""Saves a game in progress to a record file."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from tablier import records
from tablier.cli.terminal.ongoing_game import OngoingGame
from tablier.messages import MessageError, Text, reason_of
from tablier.whole_files import write_whole


class SavedGame:
    """Saves a game, more than once if asked, but never overwrites a file that it did not write."""

    def __init__(self, game: OngoingGame, names: list[str]) -> None:
        """Takes the game and the name of the player in each seat."""
        self._game, self._names = game, names
        self._path: Path | None = None
        self._actions: list[int] = []

    def is_current(self) -> bool:
        """Whether the last saved file is up to date."""
        return self._path is not None and self._actions == self._game.actions

    def save(self, name: str) -> None:
        """Saves the game; raises MessageError if it cannot be written."""
        if not name:
            raise MessageError.of("terminal.save.how")
        header = dict(zip(records.seat_keys(self._game.game), self._names, strict=True))
        header |= {"Date": date.today().isoformat(), "Seed": str(self._game.seed)}
        try:
            path = Path(name).expanduser()
            is_there = path.exists() and path != self._path
            if not is_there:
                text = records.dump_for(path, self._game.game, self._game.actions, header)
                write_whole(path, text.encode())
        except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: there is no such user as in ~name
            reason: Text = getattr(error, "strerror", None) or reason_of(error)
            raise MessageError.of("terminal.save.failed", file=name, reason=reason) from None
        if is_there:
            raise MessageError.of("terminal.save.exists", file=name)
        self._path, self._actions = path, list(self._game.actions)
