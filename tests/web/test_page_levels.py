"""Choosing an opponent: the ladder of levels, a newcomer's first level, and what three wins in a row suggest."""

import json

import browsing
import pytest
from browsing import after, version
from playwright.sync_api import expect
from serving import begin

site, page = browsing.a_site, browsing.a_page


def test_a_newcomer_begins_on_level_two_and_sees_eight_levels_and_the_champion(site, page):
    page.goto(site.home)
    page.wait_for_selector("#begin")
    expect(page.locator("input[name=opponent]:checked")).to_have_value("level:n=2")
    filled = [one.locator(".full").count() for one in page.locator(".strength").all()]
    assert filled == list(range(1, 10))
    expect(page.locator("#string")).to_be_hidden()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_phone_shows_the_start_button_without_scrolling(site, language):
    with site.visitor(width=390, height=844, has_touch=True, is_mobile=True, locale=language) as page:
        page.goto(site.home)
        box = page.locator("#begin").bounding_box()
        assert box["y"] + box["height"] < 844


def test_three_wins_in_a_row_suggest_the_next_level(site, page):
    kept = json.dumps(json.dumps({"streaks": {"trictrac": {"player": "level:n=2", "run": 3}}}))
    page.add_init_script(f"localStorage['tablier.wishes'] = {kept};")
    page.goto(site.home)
    expect(page.locator(".levels .notice")).to_have_text("You won three in a row: try level 3, easy.")


def test_the_third_win_offers_the_next_level_at_once(site, page):
    table, tokens = begin(site.client, "tic_tac_toe", ["human", "random"], tutor=True)
    site.sit(page, table, tokens, streaks={"tic_tac_toe": {"player": "random", "run": 2}})
    while page.locator(".result").count() == 0:
        page.wait_for_selector(".live, .result")
        page.click("#hint")  # the tutor finds the winning moves
        old = version(page)
        page.locator(".candidates button").first.click()
        after(page, old)
        page.wait_for_selector(".live, .result")
    expect(page.locator(".result")).to_have_text("You won.")
    expect(page.locator(".next")).to_contain_text("You won three in a row")
    page.click("#next")
    page.wait_for_url(lambda url: table not in url)
    expect(page.locator(".plate", has_text="easy")).to_have_count(1)
