"""Language-independent messages, and errors that carry one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import TypeAlias

from tablier.messages.catalogue import DEFAULT, languages, number, say

_CONTROL = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]")
"""Control characters, also those that change the direction of text."""


class Message:
    """A message key with its parameters, which are texts, numbers or other messages.

    Examples:
        >>> render(Message("game.wins", who=Message("seat.number", number=2)), "en")
        'Player 2 wins.'
    """

    __slots__ = ("key", "params")

    def __init__(self, key: str, /, **params: Text | float) -> None:
        self.key = key
        self.params: Mapping[str, Text | float] = params

    def __repr__(self) -> str:
        params = "".join(f", {name}={value!r}" for name, value in self.params.items())
        return f"Message({self.key!r}{params})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and (self.key, self.params) == (other.key, other.params)

    def __hash__(self) -> int:
        return hash((self.key, tuple(self.params)))


class Number:
    """A number that is shown in the notation of the reader's language.

    Args:
        value: the number.
        form: a format specification of Python, such as `.1%`.

    Examples:
        >>> render(Number(0.55, ".1%"), "en"), render(Number(0.05), "fr")
        ('55.0%', '0,05')
    """

    __slots__ = ("form", "value")

    def __init__(self, value: float, form: str = "") -> None:
        self.value, self.form = value, form

    def __repr__(self) -> str:
        return f"Number({self.value!r}, {self.form!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and (self.value, self.form) == (other.value, other.form)

    def __hash__(self) -> int:
        return hash((self.value, self.form))


Text: TypeAlias = "str | Message | Number | Sequence[Text]"
"""User-visible text: a string that is the same in all languages (`1-5 1-3`), a message, a number, or a sequence of
texts."""


def render(text: Text, lang: str) -> str:
    """Renders a text in a language. The parts of a sequence are joined with spaces.

    Args:
        text: a string, which is returned unchanged, a message, a number, or a sequence of texts.
        lang: the language code.
    """
    if isinstance(text, str):
        return text
    if isinstance(text, Message):
        return say(lang, text.key, **{name: _value(value, lang) for name, value in text.params.items()})
    if isinstance(text, Number):
        return number(lang, text.value, text.form)
    return " ".join(filter(None, (render(part, lang) for part in text)))


def everywhere(text: Text) -> dict[str, str]:
    """Renders a text in all languages, as the server sends it: `{"en": ..., "fr": ...}`."""
    return {lang: render(text, lang) for lang in languages()}


def listed(*items: Text, by: str = "list.comma") -> Text:
    """Joins texts into a list with the separators of each language. Without items, the result is an empty text.

    Args:
        *items: the texts.
        by: the key of the message that joins two items.

    Examples:
        >>> render(listed("ace", "deuce"), "en"), render(listed("ace", "deuce", by="list.semicolon"), "en")
        ('ace, deuce', 'ace; deuce')
    """
    return reduce(lambda first, last: Message(by, first=first, last=last), items) if items else ""


def portable(text: Text | float) -> object:
    """Converts a text to JSON data.

    Messages become `{"code": ..., "params": {...}}`, which the page can render. A `Number` becomes its plain value.
    """
    if isinstance(text, Message):
        return {"code": text.key, "params": {name: portable(value) for name, value in text.params.items()}}
    if isinstance(text, Number):
        return text.value
    return text if isinstance(text, str | int | float) else [portable(part) for part in text]


class MessageError(ValueError):
    """An error with a message for users: `str(error)` is in English, `message` can be rendered in any language.

    Attributes:
        code: the message key.
        params: the parameters of the message.

    Examples:
        >>> error = MessageError.of("game.missing", name="chess", names="backgammon")
        >>> said(error, "en") == str(error)
        True
    """

    def __init__(self, text: str, code: str, params: Mapping[str, Text | float]) -> None:
        super().__init__(text)
        self.code, self.params = code, dict(params)

    @classmethod
    def of(cls, code: str, /, **params: Text | float) -> MessageError:
        """Creates an error from a message key and its parameters."""
        return cls(render(Message(code, **params), DEFAULT), code, params)

    @property
    def message(self) -> Message:
        """The message, for rendering in any language."""
        return Message(self.code, **self.params)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.code, self.params)


def reason_of(error: BaseException) -> Text:
    """Returns the message of an exception, for use inside another message; plain text if it is not a MessageError."""
    return error.message if isinstance(error, MessageError) else str(error)


def said(error: BaseException, lang: str) -> str:
    """Renders the message of an exception in a language.

    Args:
        error: the exception. Unless it is a MessageError, its own text is returned.
        lang: the language code.
    """
    return render(reason_of(error), lang)


def visible(text: str) -> str:
    r"""Replaces control characters, with which text from a file could change a terminal or its lines, by escapes.

    >>> print(visible("a\x1b[31m\nb"))
    a\x1b[31m\nb
    """
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def _value(value: Text | float, lang: str) -> str | float:
    return value if isinstance(value, int | float) else render(value, lang)
