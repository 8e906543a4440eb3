"""All user-visible text, in every language.

Code creates a `Message`, which is a key with named parameters; a catalogue turns it into a sentence. Catalogues are
JSON files, one per language, that Python and the web page both read. The shared ones are next to this file, those of a
game in its home (`tablier.games`). A new language needs a set of files with the same keys, and no code.

Examples:
    >>> say("en", "count.decisions", n=1), say("fr", "count.decisions", n=0)
    ('1 decision', '0 décision')
    >>> render((Message("game.wins", who=Message("seat.number", number=2)), "!"), "en")
    'Player 2 wins. !'
"""

from tablier.messages.catalogue import (
    Entry,
    accepted,
    add_folder,
    language,
    languages,
    number,
    say,
    sent_keys,
    templates,
    terminal_keys,
)
from tablier.messages.message import (
    Message,
    MessageError,
    Number,
    Text,
    everywhere,
    listed,
    portable,
    reason_of,
    render,
    said,
    visible,
)

__all__ = [
    "Entry",
    "Message",
    "MessageError",
    "Number",
    "Text",
    "accepted",
    "add_folder",
    "everywhere",
    "language",
    "languages",
    "listed",
    "number",
    "portable",
    "reason_of",
    "render",
    "said",
    "say",
    "sent_keys",
    "templates",
    "terminal_keys",
    "visible",
]
