"""The catalogue: languages agree, every key is used, every used key exists, and French is French."""

import ast
import re
from pathlib import Path

import pytest

import tablier
from tablier import games  # noqa: F401  (adds the messages of all homes)
from tablier.messages import Message, Number, catalogue, languages, number, portable, render, say, templates
from tablier.messages.catalogue import parameters

PACKAGE = Path(tablier.__file__).parent
CORE = PACKAGE.parents[1] / "core"
SAME = {
    "trictrac",
    "à",
    "écrire",
    "pile",
    "de",
    "misère",
    "jan",
    "rencontre",
    "margot",
    "la",
    "fendue",
    "double",
    "action",
}
"""Words that are the same in English and in French."""
ENGLISH = re.compile(r"\b(the|of|and|is|are|was|with|from|your|you|not|has|have|this|that|which|by)\b", re.IGNORECASE)


def folders():
    return [folder for folder in catalogue._folders if PACKAGE in folder.parents]


def entries(folder, lang):
    paths = [folder / f"{lang}.json", *sorted((folder / lang).glob("*.json"))]
    return {key: entry for path in paths for key, entry in catalogue._read(path).items() if not key.startswith("@")}


def texts(entry):
    return [entry] if isinstance(entry, str) else list(entry.values()) if isinstance(entry, dict) else entry


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.parent.name)
def test_languages_have_the_same_keys_and_parameters(folder):
    english = entries(folder, "en")
    assert english
    for lang in languages():
        told = entries(folder, lang)
        assert sorted(told) == sorted(english), lang
        for key, entry in english.items():
            assert parameters(told[key]) == parameters(entry), (lang, key)
            assert isinstance(told[key], list) == isinstance(entry, list), (lang, key)


def test_no_key_is_given_twice():
    for lang in languages():
        keys = [
            key
            for folder in folders()
            for path in sorted(folder.rglob("*.json"))
            if lang in (path.stem, path.parent.name)
            for key in catalogue._read(path)
        ]
        assert sorted(keys) == sorted(set(keys)), lang


@pytest.mark.parametrize(
    ("lang", "told"),
    [("en", ["0 holes", "1 hole", "2 holes"]), ("fr", ["0 trou", "1 trou", "2 trous"])],
)
def test_plurals(lang, told):
    assert [say(lang, "trictrac.holes", n=n) for n in (0, 1, 2)] == told


@pytest.mark.parametrize(
    ("lang", "told"),
    [("en", ["55.0%", "+1,234.5", "0.05"]), ("fr", ["55,0\xa0%", "+1\u202f234,5", "0,05"])],
)
def test_numbers(lang, told):
    """As `Intl.NumberFormat` writes them on the page."""
    numbers = [(0.55, ".1%"), (1234.5, "+,.1f"), (0.05, "g")]
    assert [number(lang, *one) for one in numbers] == told
    assert render([Number(*one) for one in numbers], lang) == " ".join(told)
    assert render(Message("match.points_open", mean=Number(0.55, ".1%")), lang).endswith(told[0])
    assert portable(Number(0.55, ".1%")) == 0.55


def test_forms_of_a_language_are_those_of_its_rules():
    for lang in languages():
        forms = {*templates(lang)["@plural"], "other"}
        for key, entry in templates(lang).items():
            if isinstance(entry, dict) and not key.startswith("@"):
                assert set(entry) == forms, (lang, key)


def test_french_has_no_english_left():
    english, french = templates("en"), templates("fr")
    left = []
    for key, entry in french.items():
        if key.startswith("@"):
            continue
        for text in texts(entry):
            plain = re.sub(r"`[^`]*`|\{\w*\}|\"\w+\"|--\w+", " ", text)
            words = {word.lower() for word in re.findall(r"[^\W\d_]+", plain)} - SAME
            if ENGLISH.search(plain) or (len(words) > 2 and text in texts(english[key])):
                left.append((key, text))
    assert left == []


def test_french_speaks_of_pions_in_backgammon_and_of_dames_in_trictrac():
    told = [(key, text) for key, entry in templates("fr").items() for text in texts(entry)]
    other = {"backgammon.": r"\bdames?\b", "trictrac.": r"\bpions?\b"}
    assert [
        key for key, text in told for game, word in other.items() if key.startswith(game) and re.search(word, text)
    ] == []


# --- keys and the code ------------------------------------------------------------------------------------------------


def literals(path):
    """Yields the strings of a Python file; an f-string becomes a pattern whose placeholders match anything."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.JoinedStr):
            parts = [re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in node.values]
            if re.search("[a-z]{2}", "".join(part for part in parts if part != ".+")):
                yield re.compile("".join(parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def other_literals(path):
    """Returns the strings of a JavaScript, HTML or C++ file."""
    for found in re.findall(r"\"([^\"\n]*)\"|`([^`\n]*)`", path.read_text()):
        text = "".join(found)
        yield re.compile(re.sub(r"\\\$\\\{.*?\\\}", ".+", re.escape(text))) if "${" in text else text


def used():
    """Returns the plain strings and the patterns that may be keys."""
    sources = [*PACKAGE.rglob("*.py")]
    found = {text for path in sources for text in literals(path)}
    others = [path for kind in ("*.js", "*.html") for path in PACKAGE.rglob(kind)]
    others += [path for kind in ("*.h", "*.cpp") for path in CORE.rglob(kind)]
    found |= {text for path in others for text in other_literals(path)}
    plain = {text for text in found if isinstance(text, str)}
    return plain, [pattern for pattern in found if not isinstance(pattern, str) and " " not in pattern.pattern]


def test_every_key_is_used():
    plain, patterns = used()

    def is_used(key):
        own = key.partition(".")[2]  # a home's key without the prefix, which the protocol adds
        return any(one in plain or any(pattern.fullmatch(one) for pattern in patterns) for one in (key, own))

    assert [key for key in templates("en") if not key.startswith("@") and not is_used(key)] == []


def asked(path):
    """Yields the keys that a Python file uses as literals."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            place = 1 if name == "say" and isinstance(node.func, ast.Name) else 0
            if name in ("Message", "of", "say", "accepted") and len(node.args) > place:
                key = node.args[place]
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value


def test_every_key_that_is_asked_for_exists():
    known = templates("en")
    python = {(path.name, key) for path in PACKAGE.rglob("*.py") for key in asked(path)}
    page = {
        (path.name, key) for path in PACKAGE.rglob("*.js") for key in re.findall(r"\bt\(\"([\w.]+)\"", path.read_text())
    }
    assert len(python) > 100
    assert len(page) > 50
    assert sorted((name, key) for name, key in python | page if key not in known) == []
