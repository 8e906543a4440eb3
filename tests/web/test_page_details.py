"""Details that people stumbled over: names, units, levels, the first screen of a phone, and the list of games."""

import browsing
import pytest
from browsing import step
from playwright.sync_api import expect
from serving import act, begin, until

site, page = browsing.a_site, browsing.a_page
WON = [0, 1, 4, 2, 8]
"""A game of tic-tac-toe that the first player wins."""

MEN = "() => [...document.querySelectorAll('.board .men .man')].map((man) => man.getAttribute('transform')).sort()"


def finished(site):
    table, tokens = begin(site.client, "tic_tac_toe")
    for version, move in enumerate(WON):
        act(site.client, table, ",".join(tokens), move, version)
    return table, tokens


def test_a_review_of_tic_tac_toe_speaks_of_its_own_sides(site, page):
    table, tokens = finished(site)
    site.sit(page, table, [None, tokens[1]])
    page.goto(f"{site.home}/#/review/{table}")
    page.click("#analyse")
    page.wait_for_selector(".rated")
    words = page.locator(".page").inner_text()
    assert "Cross" in words
    assert "You (Nought)" in words
    assert "White" not in words
    assert "Black" not in words


def test_the_tutor_counts_in_tokens_in_the_scored_game(site, page):
    options = {"first_throw": "white", "marques": 2}
    table, tokens = begin(site.client, "trictrac_a_ecrire", options=options, seed=3, tutor=True)
    site.sit(page, table, tokens)
    page.click("#hint")
    expect(page.locator(".candidates .cost").nth(1)).to_contain_text("tokens")


def test_switching_the_language_keeps_a_half_made_move(site, page):
    table, tokens, _ = site.reach(browsing.plain_move)
    site.sit(page, table, tokens)
    step(page)
    page.wait_for_selector(browsing.READY)
    half = page.evaluate(MEN)
    page.click("#language")
    expect(page.locator("#confirm")).to_have_text("Confirmer")
    page.wait_for_selector(browsing.READY)
    assert page.evaluate(MEN) == half
    page.reload()
    page.wait_for_selector(browsing.READY)
    assert page.evaluate(MEN) != half  # the move was really half made


@pytest.mark.parametrize("locale", ["en-US", "fr-FR"])
def test_on_a_phone_the_game_begins_without_scrolling(site, locale):
    with site.visitor(width=390, height=844, has_touch=True, is_mobile=True, locale=locale) as page:
        page.goto(site.home)
        page.wait_for_selector(".levels .about:not(:empty)")
        box = page.locator("#begin").bounding_box()
        assert box["y"] + box["height"] <= 844


def test_levels_of_a_game_without_dice_do_not_speak_of_throws(site):
    for game in ("tic_tac_toe", "pig", "backgammon", "trictrac"):
        levels = site.client.get("/api/v1/players", params={"game": game}).json()["levels"]
        texts = " ".join(level["about"]["en"] for level in levels)
        assert "`" not in texts
        assert game != "tic_tac_toe" or "throw" not in texts


def test_finished_games_stay_listed_and_lead_to_all_games(site, page):
    table, tokens = finished(site)
    site.sit(page, table, [tokens[0], None])
    page.goto(site.home)
    expect(page.locator(".recent li").first).to_contain_text("finished")
    assert page.locator("#nav a[href='#/runs']").count() == 0  # for researchers, under Advanced
    page.locator("a[href='#/library']").last.click()
    expect(page.locator(f"[data-table='{table}'] .result")).to_have_text("You won.")
    assert until(lambda: page.locator(".games tbody tr").count() == 1)
