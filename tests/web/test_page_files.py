"""Static checks of the page's files: a message for every key, small modules, nothing inline, no other hosts."""

import json
import re
from pathlib import Path

import pytest

import tablier.web
from tablier.games import home_types
from tablier.messages import templates

STATIC = Path(tablier.web.__file__).parent / "static"
HOMES = {home.page(): home.folder / "page" for home in home_types() if home.page()}
PAGE = sorted(STATIC.glob("js/**/*.js"))
MODULES = [*PAGE, *(path for folder in HOMES.values() for path in sorted(folder.rglob("*.js")))]
STYLES = [*STATIC.glob("css/*.css"), *(path for folder in HOMES.values() for path in folder.glob("*.css"))]


def used(paths):
    """Returns the keys that modules use, and the prefixes of keys built at run time, such as page.start.${other}."""
    text = "".join(path.read_text() for path in paths)
    keys = set(re.findall(r'"([a-z_]+(?:\.[a-z_0-9]+)+)(?<!\.css)"', text))
    return keys, set(re.findall(r"`([a-z_]+\.[a-z_.]+)\$\{", text))


def room(prefix):
    """Returns the keys of the catalogue with this prefix, which only the page uses."""
    return {key for key in templates("en") if key.startswith(prefix)}


@pytest.mark.parametrize(
    ("prefix", "paths"),
    [("page.", MODULES), *((f"{key}.page.", sorted(folder.rglob("*.js"))) for key, folder in HOMES.items())],
)
def test_every_message_of_the_page_is_used(prefix, paths):
    keys, beginnings = used(paths)
    assert {key for key in room(prefix) - keys if not key.startswith(tuple(beginnings))} == set()


def test_every_message_that_is_used_exists():
    keys, beginnings = used(MODULES)
    known = templates("en")
    rooms = tuple({f"{key.split('.')[0]}." for key in known})
    assert {key for key in keys if key.startswith(rooms)} - set(known) == set()
    made = [begin for begin in beginnings if begin.startswith(rooms)]
    assert [begin for begin in made if not any(key.startswith(begin) for key in known)] == []


def test_the_page_knows_no_game_by_name():
    names = [*tablier.registered_games(), *HOMES]
    for path in [*PAGE, STATIC / "index.html", *STATIC.glob("css/*.css")]:
        assert [name for name in names if re.search(rf"(?<![a-z]){name}(?![a-z])", path.read_text())] == [], path.name


def test_every_section_of_the_rules_has_its_words_and_its_diagram():
    for key, folder in HOMES.items():
        sections = json.loads((folder / "sections.json").read_text())
        drawn = re.findall(r"^  (\w+): \[\{", (folder / "rules.js").read_text(), re.MULTILINE)
        assert sorted(drawn) == sorted(one["diagram"] for one in sections if one["diagram"])
        for lang in ("en", "fr"):
            for section in sections:
                assert f"{key}.rules.{section['name']}" in templates(lang)
                assert f"{key}.rules.{section['name']}.title" in templates(lang)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_modules_are_small_and_open_with_what_they_are_for(path):
    lines = path.read_text().splitlines()
    assert lines[0].startswith("// ")
    assert len(lines) <= 300
    assert max(map(len, lines)) <= 120
    assert "innerHTML" not in path.read_text()
    assert ".style" not in path.read_text().replace(".styles", "")


def test_nothing_is_inline_and_nothing_comes_from_another_host():
    page = (STATIC / "index.html").read_text()
    assert not re.search(r"<style|style=|\son\w+=|<script(?![^>]*src=)", page)
    for path in [*MODULES, *STYLES, STATIC / "index.html"]:
        far = re.findall(r"(?:https?:)?//[\w.]+\.\w+[^\s\"']*", re.sub(r"(?m)^\s*//.*$|\s// .*$", "", path.read_text()))
        assert [one for one in far if "www.w3.org" not in one] == [], path.name
