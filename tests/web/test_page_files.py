"""The files of the page, read as they are: both languages, small modules, nothing inline, nothing from afar."""

import json
import re
from pathlib import Path

import pytest

import tablier.web

STATIC = Path(tablier.web.__file__).parent / "static"
MODULES = sorted(STATIC.glob("js/**/*.js"))


def words(name):
    return json.loads((STATIC / "i18n" / f"{name}.json").read_text())


def used():
    """Keys that the modules ask for; one made of parts, such as start.${other}, stands for all that begin like it."""
    text = "".join(path.read_text() for path in MODULES)
    return set(re.findall(r'["`]([a-z]+(?:\.[\w-]+)+)["`]', text)), set(re.findall(r"t\(`([a-z.]+)\$\{", text))


def test_both_languages_have_the_same_words_with_the_same_gaps():
    english, french = words("en"), words("fr")
    assert list(english) == list(french)
    for key, entry in english.items():
        gaps = [sorted(set(re.findall(r"\{\w+\}", json.dumps(one)))) for one in (entry, french[key])]
        assert gaps[0] == gaps[1], key


def test_every_word_is_used_and_every_used_word_is_there():
    keys, beginnings = used()
    known = set(words("en"))
    asked = {key for key in keys if key.split(".")[0] in {one.split(".")[0] for one in known}}
    assert asked - known == set()
    unused = {key for key in known - asked if not key.startswith(tuple(beginnings))}
    assert unused == set()


def test_the_rules_have_the_same_sections_in_both_languages():
    english, french = words("rules.en"), words("rules.fr")
    diagrams = [section["diagram"] for section in english["sections"]]
    assert diagrams == [section["diagram"] for section in french["sections"]]
    source = (STATIC / "js/pages/rules.js").read_text()
    drawn = re.findall(r"^  (\w+): \[\{", source, re.MULTILINE)
    assert sorted(drawn) == sorted(diagrams)
    for one, other in zip(english["sections"], french["sections"], strict=True):
        assert len(one["text"]) == len(other["text"])


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_modules_are_small_and_open_with_what_they_are_for(path):
    lines = path.read_text().splitlines()
    assert lines[0].startswith("// ")
    assert len(lines) <= 300
    assert "innerHTML" not in path.read_text()
    assert ".style" not in path.read_text()


def test_nothing_is_inline_and_nothing_comes_from_another_host():
    page = (STATIC / "index.html").read_text()
    assert not re.search(r"<style|style=|\son\w+=|<script(?![^>]*src=)", page)
    for path in [*MODULES, *STATIC.glob("css/*.css"), STATIC / "index.html"]:
        far = re.findall(r"(?:https?:)?//[\w.]+\.\w+[^\s\"']*", re.sub(r"(?m)^\s*//.*$|\s// .*$", "", path.read_text()))
        assert [one for one in far if "www.w3.org" not in one] == [], path.name
