"""Catalogues: key to template, one per language, merged from the shared files and those of every game.

A template is a text with `{names}` for its parameters; a name with a capital, `{Who}`, puts the parameter `who` there
with its first letter in upper case. Two other shapes exist:

- `{"one": "{n} hole", "other": "{n} holes"}` picks a form by the parameter `n`. The forms are CLDR's plural categories;
  a language's file says under `@plural` which numbers take which, as C expressions (the notation of gettext). The page
  uses the browser's own plural rules.
- a list of texts, the paragraphs of a longer one.

`@name` is the language's name in itself, `@group` separates the thousands of a count (`n`). A key that a language lacks
is said in English.
"""

from __future__ import annotations

import gettext
import json
import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

Entry = str | list[str] | dict[str, str]
"""A template as a file holds it."""

DEFAULT = "en"
GROUPED = 10_000
"""Counts from here on are written in groups of three digits."""
HERE = Path(__file__).parent
EXTRA = "TABLIER_MESSAGES"
"""The environment variable that names a further folder of catalogues, for translators at work."""

_folders: list[Path] = [HERE, *(Path(folder) for folder in filter(None, os.environ.get(EXTRA, "").split(os.pathsep)))]


def add_folder(folder: Path) -> None:
    """Makes the catalogues of a folder known: `en.json`, `fr.json` or, if they are long, `en/*.json`, `fr/*.json`."""
    if folder not in _folders:
        _folders.insert(1, folder)
        templates.cache_clear()
        languages.cache_clear()


@cache
def languages() -> tuple[str, ...]:
    """The languages there are, English first: those with a `@name`."""
    names = {path.stem for folder in _folders for path in folder.iterdir()}
    found = {name for name in names if any("@name" in _read(path) for path in _files(name))}
    return (DEFAULT, *sorted(found - {DEFAULT}))


@cache
def templates(lang: str) -> Mapping[str, Entry]:
    """All templates of a language, English ones where it has none."""
    merged: dict[str, Entry] = {} if lang == DEFAULT else dict(templates(DEFAULT))
    for path in _files(lang):
        merged |= _read(path)
    return merged


def language(wanted: str | None = None, environment: Mapping[str, str] | None = None) -> str:
    """The language to speak: the one asked for, else the locale's, else English.

    >>> language(None, {"LANG": "fr_CA.UTF-8"}), language(None, {"LANG": "xx_XX"}), language("fr", {})
    ('fr', 'en', 'fr')
    """
    if wanted is None:
        settings = os.environ if environment is None else environment
        locale = next((settings[key] for key in ("LC_ALL", "LC_MESSAGES", "LANG") if settings.get(key)), "")
        wanted = locale.lower().partition(".")[0].partition("_")[0]
    return wanted if wanted in languages() else DEFAULT


def say(lang: str, key: str, /, **params: object) -> str:
    """The sentence of a key in a language; the parameters are texts and numbers.

    Raises KeyError for a key that no catalogue has, or a parameter that is missing: mistakes of the code.
    """
    entry, n = templates(lang)[key], params.get("n")
    if isinstance(n, int) and abs(n) >= GROUPED:
        params["n"] = f"{n:,}".replace(",", str(templates(lang)["@group"]))
    if isinstance(entry, dict):
        entry = entry.get(_plural(lang)(n), entry["other"])
    text = "\n\n".join(entry) if isinstance(entry, list) else entry
    return _fill(text, params)


def accepted(key: str) -> tuple[str, ...]:
    """What people may type for a key: the items of its list, in every language.

    >>> accepted("terminal.command.help")
    ('help', '?', 'aide')
    """
    return tuple(dict.fromkeys(word for lang in languages() for word in templates(lang)[key]))


def parameters(entry: Entry) -> set[str]:
    """The names that a template needs."""
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
    """A template taken apart once: literal texts, each with the parameter after it and whether that is capitalised."""
    parsed = [(literal, name or "") for literal, name, _, _ in Formatter().parse(text)]
    return [(literal, name[:1].lower() + name[1:], name[:1].isupper()) for literal, name in parsed]


@cache
def _plural(lang: str) -> Callable[[Any], str]:
    """Number to plural category."""
    rules: Any = templates(lang)["@plural"]
    tests = [(category, gettext.c2py(expression)) for category, expression in rules.items()]

    def category_of(n: Any) -> str:
        return next((category for category, holds in tests if holds(abs(int(n)))), "other")

    return category_of


def _files(lang: str) -> list[Path]:
    """The files of a language: `fr.json` or all of `fr/`, in every folder."""
    return [path for folder in _folders for path in (folder / f"{lang}.json", *sorted((folder / lang).glob("*.json")))]


@cache
def _read(path: Path) -> dict[str, Entry]:
    if not path.is_file():
        return {}
    pairs: list[tuple[str, Any]] = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=list)
    entries: dict[str, Entry] = {key: dict(entry) if _is_plural(entry) else entry for key, entry in pairs}
    if len(entries) < len(pairs):
        twice = sorted({key for key, _ in pairs if [other for other, _ in pairs].count(key) > 1})
        raise ValueError(f"{path}: {', '.join(twice)} stands there twice; a key has one message")
    return entries


def _is_plural(entry: Any) -> bool:
    """Whether an entry was an object, which is read as pairs."""
    return isinstance(entry, list) and bool(entry) and all(isinstance(item, tuple) for item in entry)
