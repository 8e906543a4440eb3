"""What is wrong with a record, and in which line."""

from __future__ import annotations

from typing import Literal

from tablier.messages import Message, MessageError, Text, render

Unit = Literal["line", "entry"]
"""Of what a record consists: text of lines, JSON of entries."""


class RecordError(MessageError):
    """A record that cannot be: `line` is the first wrong line (in JSON the entry), `text` what it says."""

    def __init__(self, reason: Text, line: int | None = None, text: str = "", unit: Unit = "line") -> None:
        self.cause, self.line, self.text, self.unit = reason, line, text, unit
        told = Message("trictrac.record.whole", reason=reason)
        if line is not None:
            shown = repr(text if len(text) <= 160 else text[:157] + "...")
            told = Message(f"trictrac.record.{unit}", number=line, text=shown, reason=reason)
        super().__init__(render(told, "en"), told.key, told.params)

    @classmethod
    def of(cls, code: str, /, **params: Text | float) -> RecordError:
        """The error of a code, about the whole record."""
        return cls(Message(code, **params))

    @property
    def reason(self) -> str:
        """What is wrong, in English, without the line."""
        return render(self.cause, "en")

    def at(self, line: int, text: str) -> RecordError:
        """The same about a line."""
        return RecordError(self.cause, line, text, self.unit)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.cause, self.line, self.text, self.unit)
