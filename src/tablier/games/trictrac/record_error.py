"""The error for invalid game records, which names the wrong line."""

from __future__ import annotations

from typing import Literal

from tablier.messages import Message, MessageError, Text, render

Unit = Literal["line", "entry"]
"""The parts of a record: lines in text, entries in JSON."""


class RecordError(MessageError):
    """Raised for an invalid game record.

    Attributes:
        line: the number of the first wrong line, or of the entry in JSON, from 1; None if the whole record is wrong.
        text: the content of that line.
        reason: what is wrong, in English, without the line.
    """

    def __init__(self, reason: Text, line: int | None = None, text: str = "", unit: Unit = "line") -> None:
        self.cause, self.line, self.text, self.unit = reason, line, text, unit
        told = Message("trictrac.record.whole", reason=reason)
        if line is not None:
            shown = repr(text if len(text) <= 160 else text[:157] + "...")
            told = Message(f"trictrac.record.{unit}", number=line, text=shown, reason=reason)
        super().__init__(render(told, "en"), told.key, told.params)

    @classmethod
    def of(cls, code: str, /, **params: Text | float) -> RecordError:
        """Creates an error about the whole record from a message key and its parameters."""
        return cls(Message(code, **params))

    @property
    def reason(self) -> str:
        """What is wrong, in English, without the line."""
        return render(self.cause, "en")

    def at(self, line: int, text: str) -> RecordError:
        """Returns a copy of the error that names a line."""
        return RecordError(self.cause, line, text, self.unit)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.cause, self.line, self.text, self.unit)
