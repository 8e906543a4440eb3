"""The page in a made-up language: all its text comes from the catalogue, on every page and in every state."""

import json
import re

import browsing
import pseudo
import pytest
from browsing import after, ended, hold_or_leave, move, to_mark, version
from playwright.sync_api import expect
from serving import begin

from tablier.players import PLAYERS

EXEMPT = ".brand, [lang='en'], [lang='fr'], .run-list strong, .curve, .audit code, noscript"
"""The project name, other languages, user-chosen names of runs and their columns, and the hash of the dice's seed."""

WORDS = """exempt => {
  const outside = (node) => !(node.nodeType === 1 ? node : node.parentElement).closest(exempt);
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) if (outside(texts.currentNode)) found.push(texts.currentNode.textContent);
  for (const name of ["aria-label", "aria-valuetext", "title", "placeholder", "alt"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      if (outside(element)) found.push(element.getAttribute(name));
    }
  }
  return found;
}"""
NAMES = {*PLAYERS, "sims", "nobody", "td", "pig"}
"""Parts of player strings and the labels of this test's run: the same in every language."""
PLAYER = re.compile(r"[a-z]+(:[a-z]+=\w+(,[a-z]+=\w+)*)?")  # a player string, such as mcts:sims=500


def assert_pseudo(page):
    """Checks that every text comes from the catalogue, including collapsed and screen reader text."""
    said = page.evaluate(WORDS, EXEMPT)
    assert any("⟦" in text for text in said)
    words = [text for text in said if not PLAYER.fullmatch(text)]
    assert [text for text in words if pseudo.has_letters(text)] == []
    assert [text for text in words if set(pseudo.plain_words(text)) - NAMES] == []


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pseudo")
    pseudo.write_catalogue(folder / "messages")
    run = folder / "runs" / "first"
    run.mkdir(parents=True)
    run.joinpath("config.json").write_text(json.dumps({"algorithm": "td", "game": "pig"}))
    rows = [{"step": 10 * n, "seconds": n, "loss": 1 / n} for n in range(1, 30)]
    run.joinpath("metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TABLIER_MESSAGES", str(folder / "messages"))
        with browsing.site(folder) as found:
            yield found


@pytest.fixture
def page(site):
    with site.visitor() as found:
        speak(found)
        yield found


def speak(page):
    """Sets the made-up language in the page's local storage."""
    wishes = json.dumps(json.dumps({"language": pseudo.CODE}))
    page.add_init_script(f"if (location.protocol !== 'about:') localStorage['tablier.wishes'] ??= {wishes};")


def test_a_third_language_is_chosen_in_the_menu(site):
    with site.visitor() as page:
        page.goto(site.home)
        page.wait_for_selector("#begin")
        page.select_option("#language", pseudo.CODE)
        expect(page.locator("#begin")).to_have_text(re.compile("^⟦.*⟧$"))
        assert page.get_attribute("html", "lang") == pseudo.CODE
        page.select_option("#language", "fr")
        expect(page.locator("#begin")).to_have_text("Commencer")


@pytest.mark.parametrize("game", ["trictrac", "trictrac_a_ecrire", "pig", "tic_tac_toe"])
def test_the_first_page(site, page, game):
    table, tokens = begin(site.client, game)
    site.sit(page, table, tokens)  # so that the start page offers a table to continue
    page.goto(f"{site.home}/#/")
    page.select_option("#game", game)
    expect(page.locator("#game")).to_be_focused()
    expect(page.locator(".recent a")).to_have_count(1)
    assert_pseudo(page)


def test_a_refusal(site):
    page = site.browser.new_page()  # not a visitor: the browser logs the refusal
    speak(page)
    page.goto(site.home)
    page.locator(".advanced > summary").click()
    page.check("input[value='free']")
    page.fill("#string", "nobody")
    page.click("#begin")
    expect(page.locator(".notice.wrong")).to_contain_text("⟦")
    assert_pseudo(page)
    page.close()


def test_a_table_of_trictrac_with_all_its_panels(site, page):
    table, tokens, _ = site.reach(hold_or_leave)
    site.sit(page, table, tokens)
    assert_pseudo(page)
    page.click("#hint")
    page.wait_for_selector(".candidates")
    page.click("#tab-engine")
    page.fill("#engine-player", "mcts:sims=60")
    page.keyboard.press("Enter")
    page.wait_for_selector("#panel-engine tbody tr")
    page.click("#tab-about")
    page.wait_for_selector(".options li")
    assert_pseudo(page)
    page.click("#hold")
    assert_pseudo(page)
    for _ in range(4):
        page.wait_for_selector("#confirm, #forced, #hold")
        if page.locator("#hold").count():
            page.click("#hold")
        move(page)
        assert_pseudo(page)


def test_leaving_and_what_the_tutor_says_of_it(site, page):
    table, tokens, _ = site.reach(hold_or_leave)
    site.sit(page, table, tokens)
    old = version(page)
    page.click("#leave")
    after(page, old)
    expect(page.locator(".verdict")).not_to_be_empty()
    assert_pseudo(page)


def test_schools(site, page):
    table, tokens, _ = site.reach(to_mark, schools=True)
    site.sit(page, table, tokens)
    page.wait_for_selector(".amounts")
    assert_pseudo(page)
    old = version(page)
    page.locator(".amounts button").nth(2).click()
    after(page, old)
    assert_pseudo(page)


def test_a_link_for_the_other_player(site, page):
    page.goto(site.home)
    page.check("input[value='link']")
    page.click("#begin")
    page.wait_for_selector(".inviting:not([hidden])")
    assert_pseudo(page)


@pytest.mark.parametrize(("game", "actions"), [("pig", [0, 1, 0]), ("tic_tac_toe", [0, 1, 4, 2, 8])])
def test_a_game_that_is_a_picture(site, page, game, actions):
    table, tokens = begin(site.client, game, seed=3, tutor=True)
    site.sit(page, table, tokens)
    for action in actions:
        assert_pseudo(page)
        old = version(page)
        page.locator(f".live[data-action='{action}']").click()
        after(page, old)
    page.click("#tab-history")
    assert_pseudo(page)


def test_a_review(site, page):
    table, _, _ = site.reach(ended, holes_to_win=1)
    page.goto(f"{site.home}/#/review/{table}")
    page.click("#analyse")
    page.wait_for_selector(".mistakes")
    assert_pseudo(page)
    page.click("#first")
    expect(page.locator(".steps input")).to_have_value("0")
    assert_pseudo(page)


def test_the_rules(site, page):
    page.goto(f"{site.home}/#/rules")
    page.wait_for_selector("#rule-marks .jan")
    page.wait_for_load_state("networkidle")
    assert_pseudo(page)


def test_the_runs(site, page):
    page.goto(f"{site.home}/#/runs")
    page.wait_for_selector(".curve")
    assert_pseudo(page)


def test_a_game_without_words_of_its_own_would_be_found(site, page):
    """Proves that the check works: plain text on the page is reported."""
    page.goto(f"{site.home}/#/runs")
    page.wait_for_selector(".curve")
    page.evaluate("() => document.querySelector('h1').append('plain words')")
    with pytest.raises(AssertionError, match="plain words"):
        assert_pseudo(page)
