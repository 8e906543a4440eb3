"""What happened, in no language yet; and refusals that know their code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import TypeAlias

from tablier.messages.catalogue import DEFAULT, languages, say


class Message:
    """A key of the catalogue and its parameters: texts, numbers, or messages again."""

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


Text: TypeAlias = "str | Message | Sequence[Text]"
"""Words for a person: plain text that is the same in all languages (`1-5 1-3`), a message, or several in a row."""


def render(text: Text, lang: str) -> str:
    """A text in a language; the parts of a sequence are separated by spaces."""
    if isinstance(text, str):
        return text
    if isinstance(text, Message):
        return say(lang, text.key, **{name: _value(value, lang) for name, value in text.params.items()})
    return " ".join(filter(None, (render(part, lang) for part in text)))


def everywhere(text: Text) -> dict[str, str]:
    """A text in all languages, as the server sends it: `{"en": ..., "fr": ...}`."""
    return {lang: render(text, lang) for lang in languages()}


def listed(*items: Text, by: str = "list.comma") -> Text:
    """Texts as a list, separated as the language does it; nothing for no items.

    >>> render(listed("ace", "deuce"), "en"), render(listed("ace", "deuce", by="list.semicolon"), "fr")
    ('ace, deuce', 'ace ; deuce')
    """
    return reduce(lambda first, last: Message(by, first=first, last=last), items) if items else ""


def portable(text: Text | float) -> object:
    """A text as JSON carries it: messages become `{"code": ..., "params": {...}}`, which the page can say itself."""
    if isinstance(text, Message):
        return {"code": text.key, "params": {name: portable(value) for name, value in text.params.items()}}
    return text if isinstance(text, str | int | float) else [portable(part) for part in text]


class MessageError(ValueError):
    """A refusal that a person reads: `str(error)` is English, `message` can be said in any language.

    `code` is the message's key, `params` are its parameters.
    """

    def __init__(self, text: str, code: str, params: Mapping[str, Text | float]) -> None:
        super().__init__(text)
        self.code, self.params = code, dict(params)

    @classmethod
    def of(cls, code: str, /, **params: Text | float) -> MessageError:
        """The refusal of a code, its English text from the catalogue."""
        return cls(render(Message(code, **params), DEFAULT), code, params)

    @property
    def message(self) -> Message:
        """What was refused and why."""
        return Message(self.code, **self.params)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.code, self.params)


def reason_of(error: BaseException) -> Text:
    """What an exception tells a person, as a part of another message; its own words if it has no code."""
    return error.message if isinstance(error, MessageError) else str(error)


def said(error: BaseException, lang: str) -> str:
    """What an exception tells a person, in their language if it has a code and in its own words if not."""
    return render(reason_of(error), lang)


def _value(value: Text | float, lang: str) -> str | float:
    return value if isinstance(value, int | float) else render(value, lang)
