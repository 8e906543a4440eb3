"""The exception for refused requests: an HTTP status and a message."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tablier.messages import Message, MessageError, Text, render

LONGEST = 500
"""Maximum length, in characters, of a reason without a message key."""


class Refused(MessageError):
    """Raised when a request is refused; nothing has changed."""

    def __init__(self, status: int, code: str, /, **params: Text | float) -> None:
        super().__init__(render(Message(code, **params), "en"), code, params)
        self.status = status

    @classmethod
    def because(cls, error: Exception, status: int = 422) -> Refused:
        """Converts an error to a refusal: with the error's code if it has one, otherwise `refused` with its text."""
        if isinstance(error, Refused):
            return error
        if isinstance(error, MessageError):
            return cls(status, error.code, **error.params)
        return cls(status, "refused", reason=f"{error!s:.{LONGEST}}")

    def __reduce__(self) -> tuple[object, ...]:
        return Refused.because, (MessageError(str(self), self.code, self.params), self.status)


@contextmanager
def refusing() -> Iterator[None]:
    """Converts the errors that games, players and records raise for bad input to refusals (422)."""
    try:
        yield
    except (ValueError, TypeError, OverflowError, OSError) as error:
        raise Refused.because(error) from None
