"""The catalogues on the page: served per language and rendered by the same rules as in Python."""

import json
import re

import browsing
import pytest
from playwright.sync_api import expect
from serving import server

import tablier
from tablier import games
from tablier.games import Home, home_types
from tablier.messages import Message, languages, portable, render, sent_keys, templates, terminal_keys
from tablier.messages.catalogue import _plural, parameters
from tablier.web.http.pages import COMMANDS, STATIC

site = browsing.a_site


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with server(tmp_path_factory.mktemp("messages")) as found:
        yield found


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_language_is_sent_once_and_packed(client, lang):
    answer = client.get(f"/messages/{lang}.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["content-encoding"] == "gzip"
    sent, known = answer.json(), templates(lang)
    parts = {"rules": {"rules"}, "analysis": {"analysis", "rollout", "set_up", "share"}, "library": {"library"}}
    parts |= {"learning": {"lessons", "puzzles", "exercise"}, "review": {"review"}, "runs": {"runs"}}
    for part, names in parts.items():
        more = client.get(f"/messages/{lang}.{part}.json").json()
        assert not set(more) & set(sent)
        assert {key.split(".")[1] for key in more} == names
        sent |= more
    assert sent == {key: known[key] for key in sent}
    assert {key for key in known if key not in sent} == {
        key for key in known if key.startswith(COMMANDS)
    } | terminal_keys() | sent_keys()
    again = client.get(f"/messages/{lang}.json", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_page_uses_no_message_of_the_commands():
    folders = [STATIC, *(home.folder / "page" for home in home_types() if home.page())]
    modules = (path.read_text() for folder in folders for path in folder.rglob("*.js"))
    elsewhere = terminal_keys() | sent_keys()
    used = {key for text in modules for key in re.findall(r'["`]([a-z_]+\.[a-z_.]+)', text)}
    made = tuple(key for key in used if key.endswith("."))  # the beginning of a key that is completed at run time
    assert [key for key in used if key.startswith(COMMANDS) or key in elsewhere] == []
    assert [key for key in elsewhere if key.startswith(made)] == []


def test_the_languages_are_listed_by_their_own_names(client):
    told = client.get("/messages/languages.json").json()
    assert [one["code"] for one in told] == list(languages())
    assert {"code": "fr", "name": "Français"} in told


@pytest.mark.parametrize(
    "name",
    ["xx.json", "en", "en/page.json", "../en.json", ".json", "EN.json", "en.page.json", "en..json", "xx.rules.json"],
)
def test_a_language_that_does_not_exist_is_not_found(client, name):
    assert client.get(f"/messages/{name}").status_code == 404


def test_every_language_has_the_words_of_the_page_with_the_same_gaps():
    english = {key: entry for key, entry in templates("en").items() if "page." in key}
    for lang in languages():
        for key, entry in english.items():
            assert parameters(templates(lang)[key]) == parameters(entry), (lang, key)


@pytest.fixture
def welcome(monkeypatch):
    """Registers the home of a game for the duration of a test."""

    def register(name, home):
        known = tablier.registered_games()
        monkeypatch.setattr(games, "registered_games", lambda: [*known, name])
        monkeypatch.setattr(games, "registered_home", {name: home}.get)

    return register


def test_a_game_registered_later_brings_its_modules_and_its_words(client, tmp_path, welcome):
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "table.js").write_text("// Nothing.\n")
    (tmp_path / "secret.txt").write_text("not for the page")
    (tmp_path / "messages").mkdir()
    (tmp_path / "messages" / "en.json").write_text('{"late.hello": "Hello"}')
    assert client.get("/games/late/table.js").status_code == 404
    welcome("late", type("Late", (Home,), {"folder": tmp_path, "key": "late"}))
    assert client.get("/games/late/table.js").text == "// Nothing.\n"
    assert client.get("/messages/en.json").json()["late.hello"] == "Hello"
    for address in ("games/late/../secret.txt", "games/late/%2e%2e/secret.txt", "games/late/secret.txt"):
        assert client.get(f"/{address}").status_code == 404


CASES = [
    Message("count.decisions", n=1),
    Message("count.decisions", n=0),
    Message("game.wins", who="élise"),
    Message("tell.action", who=Message("seat.number", number=2), what=Message("count.decisions", n=7)),
    Message("list.comma", first=("a", "", "b"), last=Message("list.comma", first="c", last=1.5)),
    Message("page.review.at", at=3, of=40),
]
OWN = {  # cases that the catalogues do not contain
    "braces": "{{{name}}} and {{name}}",
    "capital": "{Name}, {name}",
    "many": {"other": "{n} of them"},
    "paragraphs": ["One {name}.", "Two {Name}."],
}


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_page_says_a_message_as_python_does(site, lang):
    with site.visitor() as page:
        page.goto(site.home)
        said = page.evaluate(SAY, [lang, dict(templates(lang)), [portable(case) for case in CASES]])
        assert said == [render(case, lang) for case in CASES]


def test_the_page_fills_every_shape_of_template_as_python_does(site, monkeypatch):
    values = {"name": "œuvre", "n": 3}
    monkeypatch.setattr("tablier.messages.catalogue.templates", lambda lang: {**OWN, "@plural": {"one": "n == 1"}})
    cases = [Message(key, **values) for key in OWN]
    with site.visitor() as page:
        page.goto(site.home)
        said = page.evaluate(SAY, ["en", OWN, [portable(case) for case in cases]])
        assert said == [render(case, "en") for case in cases]


SAY = """async ([lang, templates, messages]) => {
  const { Catalogue } = await import("/js/messages.js");
  const catalogue = new Catalogue(lang, templates);
  return messages.map(({ code, params }) => catalogue.say(code, params));
}"""

PLURALS = """([lang, most]) => {
  const rules = new Intl.PluralRules(lang);
  return Array.from({ length: most + 1 }, (_, n) => rules.select(n));
}"""


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_browser_and_the_catalogue_agree_on_plurals(site, lang):
    with site.visitor() as page:
        page.goto(site.home)
        assert page.evaluate(PLURALS, [lang, 200]) == [_plural(lang)(n) for n in range(201)]


WINNER = {"code": "game.wins", "params": {"who": {"code": "seat.number", "params": {"number": 2}}}}


@pytest.mark.parametrize(
    ("refusal", "told"),
    [
        ({"detail": "in English", **WINNER}, "Joueur 2 gagne."),
        ({"detail": "in other words", "code": "no.such.code", "params": {}}, "In other words"),
        ({"detail": "without a code"}, "Without a code"),
        ({"detail": "with a part", "code": "game.wins", "params": {"who": {"code": "no.such"}}}, "With a part"),
    ],
)
def test_a_refusal_is_told_by_its_code_else_in_the_words_of_the_server(site, refusal, told):
    page = site.browser.new_page(locale="fr")  # not a visitor: the browser logs the refusal
    page.route("**/api/v1/runs", lambda route: route.fulfill(status=422, body=json.dumps(refusal)))
    page.goto(f"{site.home}/#/runs")
    expect(page.locator(".notice.wrong")).to_have_text(told)
    page.close()
