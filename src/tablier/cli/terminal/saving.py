"""Saves a game in progress to a record file."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from tablier import records
from tablier.cli.terminal.ongoing_game import OngoingGame
from tablier.messages import MessageError, Text, reason_of


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
        path = Path(name).expanduser()
        if path.exists() and path != self._path:
            raise MessageError.of("terminal.save.exists", file=name)
        header = dict(zip(records.seat_keys(self._game.game), self._names, strict=True))
        header |= {"Date": date.today().isoformat(), "Seed": str(self._game.seed)}
        try:
            text = records.dump_for(path, self._game.game, self._game.actions, header)
            path.write_text(text, encoding="utf-8")
        except (OSError, ValueError) as error:
            reason: Text = getattr(error, "strerror", None) or reason_of(error)
            raise MessageError.of("terminal.save.failed", file=name, reason=reason) from None
        self._path, self._actions = path, list(self._game.actions)
