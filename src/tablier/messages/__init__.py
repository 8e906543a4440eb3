"""Every sentence a person can read, in every language.

Code says what happened, as a `Message`: a key and named parameters. A catalogue says it in a language. The catalogues
are JSON files, one per language, which Python and the web page both read: the shared ones stand beside this file, a
game's own in its home (`tablier.games`). A new language is a set of files with the same keys and no code.

>>> say("en", "count.decisions", n=1), say("fr", "count.decisions", n=0)
('1 decision', '0 décision')
>>> render((Message("game.wins", who=Message("seat.number", number=2)), "!"), "en")
'Player 2 wins. !'
"""

from tablier.messages.catalogue import Entry, accepted, add_folder, language, languages, say, templates
from tablier.messages.message import Message, MessageError, Text, everywhere, listed, portable, reason_of, render, said

__all__ = [
    "Entry",
    "Message",
    "MessageError",
    "Text",
    "accepted",
    "add_folder",
    "everywhere",
    "language",
    "languages",
    "listed",
    "portable",
    "reason_of",
    "render",
    "said",
    "say",
    "templates",
]
