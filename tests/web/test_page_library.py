"""The library on the page: games appear with their error rate, move to another browser by a code, and are exported."""

import json
import re

import browsing
import pytest
from accessibility import violations
from browsing import ended
from playwright.sync_api import expect
from serving import act, begin
from test_library import analysed, put
from test_page_look import overflow

site, page = browsing.a_site, browsing.a_page
WON = [0, 1, 4, 2]
"""Moves after which White wins at tic-tac-toe with the corner 8."""


@pytest.fixture(scope="module")
def code(site):
    """A library with two analysed games of Trictrac and one of tic-tac-toe that is running."""
    made = site.client.post("/api/v1/library").json()["code"]
    for seat in (0, 1):
        table, tokens, _ = site.reach(ended, holes_to_win=1 + seat)
        put(site.client, made, table, tokens[seat])
        analysed(site.client, made, table)
    table, tokens = begin(site.client, "tic_tac_toe", ["human", "champion"])
    put(site.client, made, table, tokens[0])
    return made


def enter(site, page, code=None):
    """Opens the library, with a code that this browser has if one is given."""
    if code:
        page.goto(site.home)
        page.evaluate("code => { localStorage['tablier.library'] = JSON.stringify({ code }); }", code)
    page.goto("about:blank")
    page.goto(f"{site.home}/#/library")
    page.wait_for_selector("#other-code")


def nearly_won(site, page, **wishes):
    """Sits down where one more move wins a game of tic-tac-toe."""
    table, tokens = begin(site.client, "tic_tac_toe")
    for version, move in enumerate(WON):
        act(site.client, table, ",".join(tokens), move, version)
    site.sit(page, table, [tokens[0], None], **wishes)
    return table


def test_a_finished_game_appears_with_its_error_rate(site, page):
    page.add_init_script(browsing.HURRY)
    table = nearly_won(site, page)
    page.locator("[data-action='8']").click()
    expect(page.locator(".status.result")).to_have_text("You won.")
    page.click("#nav a[href='#/library']")
    row = page.locator(f"[data-table='{table}']")
    expect(row.locator(".result")).to_have_text("You won.")
    expect(row.locator(".rate")).to_have_text("0.00%")
    expect(page.locator(".figure", has_text="Results").locator(".big")).to_have_text(re.compile("1.0"))
    expect(page.locator("#analyse-all")).to_have_count(0)
    row.get_by_role("link", name="Review").click()
    page.wait_for_url(f"**/#/review/{table}")


def test_games_of_an_earlier_version_of_the_page_are_taken_in(site, page):
    page.add_init_script(browsing.HURRY)
    table, tokens = begin(site.client, "tic_tac_toe")
    for version, move in enumerate([*WON, 8]):
        act(site.client, table, ",".join(tokens), move, version)
    kept = json.dumps([{"id": table, "tokens": [tokens[0], None], "over": True}])
    page.goto(site.home)
    page.evaluate("kept => { localStorage['tablier.tables'] = kept; }", kept)
    enter(site, page)
    expect(page.locator(f"[data-table='{table}'] .rate")).to_contain_text("%")


def test_another_browser_opens_the_library_by_its_code_with_the_keyboard(site, page):
    table = nearly_won(site, page)
    enter(site, page)
    expect(page.locator(f"[data-table='{table}'] .result")).to_have_text("in progress")
    page.locator("#show-code").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#library-code")).to_be_focused()
    code = page.input_value("#library-code")
    with site.visitor(refused=True, locale="fr-FR", width=390, height=844) as other:
        enter(site, other)
        other.locator("#other-code").focus()
        other.keyboard.type(code[:20])
        other.keyboard.press("Enter")
        expect(other.locator(".owned [role='alert']")).to_contain_text("copiez-le en entier")
        other.keyboard.type(code[20:].lower())
        other.keyboard.press("Enter")
        expect(other.locator(".notice")).to_have_text("C’est fait. La bibliothèque compte 1 partie.")  # noqa: RUF001
        expect(other.locator(f"[data-table='{table}']")).to_be_visible()
        other.reload()
        expect(other.locator(f"[data-table='{table}']")).to_be_visible()


def test_everything_is_exported_with_the_progress_of_this_browser(site, page, code):
    enter(site, page, code)
    page.evaluate("() => { localStorage['tablier.learning'] = JSON.stringify({ steps: { a: ['1'] } }); }")
    with page.expect_download() as download:
        page.click("#export")
    assert download.value.suggested_filename == "tablier-library.json"
    whole = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert (whole["format"], len(whole["games"]), whole["learning"]) == ("tablier-library", 3, {"steps": {"a": ["1"]}})


def test_statistics_and_the_course_of_the_error_rate(site, page, code):
    enter(site, page, code)
    assert page.locator(".course .line").count() == 2
    assert page.locator(".sides tbody tr").count() == 2
    expect(page.locator(".sides tbody tr").first).to_contain_text("Hold")
    assert page.locator(".points tbody tr").count() > 1
    page.locator(".course svg").click(position={"x": 60, "y": 60})  # the first game
    page.wait_for_url("**/#/review/*")


def test_a_game_and_the_library_are_removed_by_touch_in_french(site):
    with site.visitor(width=390, height=844, has_touch=True, is_mobile=True, locale="fr-FR") as page:
        table = nearly_won(site, page)
        enter(site, page)
        page.locator(f"[data-table='{table}']").get_by_role("button").tap()
        expect(page.locator(".page")).to_contain_text("Aucune partie pour l")
        page.tap("#delete-library")
        page.tap("#keep-library")
        page.tap("#delete-library")
        page.tap("#really-delete")
        expect(page.locator(".notice")).to_contain_text("supprimée")


def test_a_library_that_the_server_does_not_know_can_be_started_anew(site):
    with site.visitor(refused=True) as page:
        enter(site, page, "0000-0000-0000-0000-0000-0000-0000")
        expect(page.locator("[role='alert']").first).to_contain_text("typing error")
        page.click("#new-library")
        expect(page.locator(".page")).to_contain_text("No games yet.")


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1600, "dark")])
def test_the_library_fits_and_axe_finds_nothing_serious(site, code, width, scheme):
    with site.visitor(width=width, height=844, color_scheme=scheme, locale="fr-FR") as page:
        enter(site, page, code)
        page.click("#show-code")
        page.click("#delete-library")
        assert overflow(page) <= 0
        assert violations(page) == []
