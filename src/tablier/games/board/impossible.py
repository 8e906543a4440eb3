"""The engine's reasons why a position is impossible, as messages in every language."""

from __future__ import annotations

from tablier.messages import Message, Text, templates


def reason_told(error: ValueError, home: str) -> Text:
    """Returns the reason of an error of the engine: a message of the home if it has one, otherwise the English text.

    The engine's sentences are the English texts of the messages `<home>.impossible.<name>`, so the catalogue itself
    tells which message stands for a sentence.

    Args:
        error: the error, whose text is the engine's sentence.
        home: the key of the home.

    >>> from tablier.messages import render
    >>> render(reason_told(ValueError("both players have men on one field"), "trictrac"), "fr")
    'les deux joueurs ont des dames sur la même flèche'
    """
    start = f"{home}.impossible."
    for key, entry in templates("en").items():
        if key.startswith(start) and entry == str(error):
            return Message(key)
    return str(error)
