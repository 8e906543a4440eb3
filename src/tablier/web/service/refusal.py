"""What the server refuses: a status for the protocol, a message for the person."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tablier.messages import Message, MessageError, Text, render

LONGEST = 500
"""Characters of a reason that comes without a code."""


class Refused(MessageError):
    """A request that is not carried out; nothing has changed."""

    def __init__(self, status: int, code: str, /, **params: Text | float) -> None:
        super().__init__(render(Message(code, **params), "en"), code, params)
        self.status = status

    @classmethod
    def because(cls, error: Exception, status: int = 422) -> Refused:
        """The refusal that an error calls for: with its code if it has one, else `refused` with its text."""
        if isinstance(error, Refused):
            return error
        if isinstance(error, MessageError):
            return cls(status, error.code, **error.params)
        return cls(status, "refused", reason=f"{error!s:.{LONGEST}}")

    def __reduce__(self) -> tuple[object, ...]:
        return Refused.because, (MessageError(str(self), self.code, self.params), self.status)


@contextmanager
def refusing() -> Iterator[None]:
    """Turns what games, players and records say about bad input into refusals (422)."""
    try:
        yield
    except (ValueError, TypeError, OverflowError, OSError) as error:
        raise Refused.because(error) from None
