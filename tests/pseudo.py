"""A pseudo-language for tests: English with an accent on every letter and each message in brackets.

Output outside the brackets did not come from the catalogue.
"""

import json
import re
import string

from tablier.games import home_types
from tablier.messages import templates

CODE = "xx"
ACCENTED = str.maketrans(string.ascii_letters, "åƀçđéƒğħíĵķłɱñøþɋřšŧüṽŵẋýžÅƁÇĐÉƑĞĦÍĴĶŁṀÑØÞɊŘŠŦÜṼŴẊÝŽ")
GAP = re.compile(r"(\{\{|\}\}|\{\w+\})")


def disguised(text):
    """Translates a template; placeholders stay as they are.

    >>> disguised("{Who} wins.")
    '⟦{Who} ŵíñš.⟧'
    """
    return "⟦" + "".join(part if GAP.fullmatch(part) else part.translate(ACCENTED) for part in GAP.split(text)) + "⟧"


def _entry(entry):
    if isinstance(entry, dict):
        return {form: disguised(text) for form, text in entry.items()}
    return [disguised(text) for text in entry] if isinstance(entry, list) else disguised(entry)


def write_catalogue(folder):
    """Writes the catalogue into a folder for the environment variable TABLIER_MESSAGES."""
    home_types()  # loads the messages of every game
    english = {key: entry for key, entry in templates("en").items() if not key.startswith("@")}
    told = {key: _entry(entry) for key, entry in english.items()}
    catalogue = {"@name": disguised("Pseudo"), "@plural": templates("en")["@plural"], **told}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{CODE}.json").write_text(json.dumps(catalogue, ensure_ascii=False, indent=1), encoding="utf-8")


def bare(text):
    """Returns the parts of a text outside all brackets.

    >>> bare("1-2 ⟦ŵíñš ⟦ŧŵíçé⟧⟧ 3-4")
    '1-2  3-4'
    """
    while (inner := re.sub(r"⟦[^⟦⟧]*⟧", "", text)) != text:
        text = inner
    return text


def plain_words(text):
    """Returns the words without accents, even those in brackets: they did not come from the catalogue.

    >>> plain_words("⟦White ŵíñš.⟧ at once")
    ['White', 'at', 'once']
    """
    return re.findall(r"[A-Za-z]{2,}", text)


def has_letters(text):
    """Whether a text has letters outside brackets."""
    return any(letter.isalpha() for letter in bare(text))
