"""Message catalogues: one per language, merged from the shared files and those of every game.

A catalogue maps keys to templates. A template is text with placeholders in braces; a placeholder that starts with a
capital, `{Who}`, inserts the parameter `who` with its first letter in upper case. There are two other kinds:

- `{"one": "{n} hole", "other": "{n} holes"}` selects a plural form by the parameter `n`. The forms are CLDR plural
  categories. The key `@plural` of a language maps them to C expressions in gettext notation. The web page uses the
  plural rules of the browser instead.
- A list of texts holds the paragraphs of a longer text.

`@name` is the name of the language in that language. `@group`, `@decimal` and `@percent` are its thousands separator,
decimal separator and percent sign. Keys missing in a language fall back to English.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

Entry = str | list[str] | dict[str, str]
"""A template as stored in a catalogue file."""

DEFAULT = "en"
"""The fallback language."""
GROUPED = 10_000
"""Counts from here on get a thousands separator."""
HERE = Path(__file__).parent
MARKS = {",": "@group", ".": "@decimal", "%": "@percent"}
"""The keys of what replaces a character of an English number."""
SENT = ("analysis.json", "jans.json", "lessons.json", "reasons.json", "records.json", "sheet.json")
"""Files of texts that only the server and the terminal render."""
EXTRA = "TABLIER_MESSAGES"
"""The environment variable with additional catalogue folders, for translators to test their work."""

_folders: list[Path] = [HERE, *(Path(folder) for folder in filter(None, os.environ.get(EXTRA, "").split(os.pathsep)))]


def add_folder(folder: Path) -> None:
    """Adds the catalogues of a folder: `en.json` and `fr.json`, or split into `en/*.json` and `fr/*.json`."""
    if folder not in _folders:
        _folders.insert(1, folder)
        templates.cache_clear()
        terminal_keys.cache_clear()
        sent_keys.cache_clear()
        languages.cache_clear()


@cache
def languages() -> tuple[str, ...]:
    """Returns the available languages, English first. A language is available if its catalogue has a `@name`."""
    names = {path.stem for folder in _folders for path in folder.iterdir()}
    found = {name for name in names if any("@name" in _read(path) for path in _files(name))}
    return (DEFAULT, *sorted(found - {DEFAULT}))


@cache
def templates(lang: str) -> Mapping[str, Entry]:
    """Returns all templates of a language by key; missing ones fall back to English."""
    merged: dict[str, Entry] = {} if lang == DEFAULT else dict(templates(DEFAULT))
    for path in _files(lang):
        merged |= _read(path)
    return merged


@cache
def terminal_keys() -> frozenset[str]:
    """Returns the keys that only the terminal uses: those in files called `terminal.json`."""
    return _keys_in("terminal.json")


@cache
def sent_keys() -> frozenset[str]:
    """Returns the keys of texts that the server sends rendered, so that the page needs no template: those in `SENT`."""
    return _keys_in(*SENT)


def _keys_in(*names: str) -> frozenset[str]:
    return frozenset(key for path in _files(DEFAULT) if path.name in names for key in _read(path))


def language(wanted: str | None = None, environment: Mapping[str, str] | None = None) -> str:
    """Selects a language: the requested one, otherwise that of the locale; English if it is not available.

    Args:
        wanted: the requested language code.
        environment: environment variables that define the locale; None means `os.environ`.

    Examples:
        >>> language(None, {"LANG": "fr_CA.UTF-8"}), language(None, {"LANG": "xx_XX"}), language("fr", {})
        ('fr', 'en', 'fr')
    """
    if wanted is None:
        settings = os.environ if environment is None else environment
        locale = next((settings[key] for key in ("LC_ALL", "LC_MESSAGES", "LANG") if settings.get(key)), "")
        wanted = locale.lower().partition(".")[0].partition("_")[0]
    return wanted if wanted in languages() else DEFAULT


def say(lang: str, key: str, /, **params: object) -> str:
    """Renders the message of a key.

    Args:
        lang: the language code.
        key: the message key.
        **params: values for the placeholders, texts or numbers.

    Raises:
        KeyError: the key is in no catalogue, or a parameter is missing. Both are programming errors.

    Examples:
        >>> say("en", "count.decisions", n=12_345)
        '12,345 decisions'
    """
    entry, n = templates(lang)[key], params.get("n")
    if isinstance(n, int) and abs(n) >= GROUPED:
        params["n"] = number(lang, n, ",")
    if isinstance(entry, dict):
        entry = entry.get(_plural(lang)(n), entry["other"])
    text = "\n\n".join(entry) if isinstance(entry, list) else entry
    return _fill(text, params)


def number(lang: str, value: float, form: str = "") -> str:
    """Formats a number in the notation of a language.

    Args:
        lang: the language code.
        value: the number.
        form: a format specification of Python, such as `.1%`.

    Examples:
        >>> number("en", 1234.5, ",.2f"), number("fr", 0.5, "+.1f")
        ('1,234.50', '+0,5')
    """
    return "".join(str(templates(lang)[MARKS[mark]]) if mark in MARKS else mark for mark in format(value, form))


def accepted(key: str) -> tuple[str, ...]:
    """Returns the inputs accepted for a key: the items of its list, in all languages.

    Examples:
        >>> accepted("terminal.command.help")
        ('help', '?', 'aide')
    """
    return tuple(dict.fromkeys(word for lang in languages() for word in templates(lang)[key]))


def parameters(entry: Entry) -> set[str]:
    """Returns the names of the parameters that a template needs.

    Examples:
        >>> sorted(parameters({"one": "{Who} has {n} hole", "other": "{Who} has {n} holes"}))
        ['n', 'who']
    """
    from string import Formatter  # imported late, as gettext and json below, so that `import tablier` stays fast

    texts = [entry] if isinstance(entry, str) else entry if isinstance(entry, list) else list(entry.values())
    fields = {name for text in texts for _, name, _, _ in Formatter().parse(text) if name}
    found = {name[0].lower() + name[1:] for name in fields}
    return found | {"n"} if isinstance(entry, dict) else found


def _fill(text: str, params: Mapping[str, object]) -> str:
    filled = ""
    for literal, name, is_capital in _pieces(text):
        value = str(params[name]) if name else ""
        filled += literal + (value[:1].upper() + value[1:] if is_capital else value)
    return filled


@cache
def _pieces(text: str) -> list[tuple[str, str, bool]]:
    """Parses a template into (literal text, parameter after it, whether the parameter is capitalised)."""
    from string import Formatter

    parsed = [(literal, name or "") for literal, name, _, _ in Formatter().parse(text)]
    return [(literal, name[:1].lower() + name[1:], name[:1].isupper()) for literal, name in parsed]


@cache
def _plural(lang: str) -> Callable[[Any], str]:
    """Returns the function from a number to its plural category."""
    rules: Any = templates(lang)["@plural"]
    import gettext

    tests = [(category, gettext.c2py(expression)) for category, expression in rules.items()]

    def category_of(n: Any) -> str:
        return next((category for category, holds in tests if holds(abs(int(n)))), "other")

    return category_of


def _files(lang: str) -> list[Path]:
    """Returns the paths of a language's files, `fr.json` and all of `fr/`, in every folder."""
    return [path for folder in _folders for path in (folder / f"{lang}.json", *sorted((folder / lang).glob("*.json")))]


@cache
def _read(path: Path) -> dict[str, Entry]:
    if not path.is_file():
        return {}
    import json

    pairs: list[tuple[str, Any]] = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=list)
    entries: dict[str, Entry] = {key: dict(entry) if _is_plural(entry) else entry for key, entry in pairs}
    if len(entries) < len(pairs):
        twice = sorted({key for key, _ in pairs if [other for other, _ in pairs].count(key) > 1})
        raise ValueError(f"{path}: duplicate keys: {', '.join(twice)}")
    return entries


def _is_plural(entry: Any) -> bool:
    """Returns whether an entry was a JSON object, which is parsed as a list of pairs."""
    return isinstance(entry, list) and bool(entry) and all(isinstance(item, tuple) for item in entry)
