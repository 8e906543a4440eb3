"""Puzzles on the page, and mistakes from reviews to retry, by mouse and by keyboard."""

import browsing
import pytest
from browsing import carry, ended, fields
from playwright.sync_api import expect

site, page = browsing.a_site, browsing.a_page
PUZZLES = "/api/v1/puzzles/trictrac"


def puzzle(site, page, name):
    page.goto("about:blank")
    page.goto(f"{site.home}/#/puzzles/trictrac/{name}")
    page.wait_for_selector(".exercise")


def solution(site, name):
    """Returns the right answer, and the posed puzzle."""
    posed = site.client.get(f"{PUZZLES}/{name}").json()
    guess = posed["options"][0]["value"] if posed["options"] else posed["view"]["legal"][0]["action"]
    return site.client.post(f"{PUZZLES}/{name}/answer", json={"answer": guess}).json()["solution"], posed


def make(page, posed, action):
    """Makes a move on the board, step by step."""
    colour = posed["view"]["scene"]["mover"]
    (move,) = [one for one in posed["view"]["legal"] if one["action"] == action]
    for start, stop, _ in move["orders"][0]:
        carry(page, *(field if colour == 0 or field == 0 else 25 - field for field in (start, stop)))
    page.click("#confirm")


def test_a_throw_is_counted_and_the_score_kept(site, page):
    page.goto(f"{site.home}/#/puzzles")
    page.locator("[data-set='count'] [data-level='1']").click()
    name = page.url.rsplit("/", 1)[1]
    right, _ = solution(site, name)
    page.wait_for_selector("[data-answer]")
    assert page.locator(".jan").count() == 0
    page.click(f"[data-answer='{right}']")
    expect(page.locator(".reply")).to_contain_text("Right.")
    expect(page.locator(".jan").first).to_be_visible()
    page.click("#next")
    expect(page.locator(".exercise [data-answer]").first).to_be_visible()
    assert not page.url.endswith(f"/{name}")
    page.goto(f"{site.home}/#/puzzles")
    expect(page.locator("[data-set='count']")).to_contain_text("1 of 90 solved")


def test_a_wrong_play_is_explained_and_the_best_one_shown(site, page):
    best, posed = solution(site, "play-1")
    worse = next(one["action"] for one in posed["view"]["legal"] if one["action"] != best)
    puzzle(site, page, "play-1")
    make(page, posed, worse)
    expect(page.locator(".reply")).to_contain_text("of the chance of winning")
    expect(page.locator(".arrow.best").first).to_be_visible()
    puzzle(site, page, "play-1")
    make(page, posed, best)
    expect(page.locator(".reply")).to_contain_text("Right.")


def test_to_hold_or_leave_by_keyboard_with_the_score(site, page):
    right, _ = solution(site, "leave-1")
    puzzle(site, page, "leave-1")
    expect(page.locator(".scores .plate")).to_have_count(2)
    page.locator(f"[data-answer='{right}']").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".reply")).to_contain_text("Right.")
    expect(page.locator("#next")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/leave-2")


def test_the_puzzle_of_the_day_and_the_books(site, page):
    page.goto(f"{site.home}/#/puzzles")
    page.click("#daily")
    page.wait_for_selector(".exercise")
    puzzle(site, page, "book-1")
    expect(page.locator(".asked")).to_contain_text("Fallavel, Le Jeu du trictrac (1776)")


def seated(site, page, seat):
    """Opens the review of a finished game with one seat of it."""
    table, tokens, _ = site.reach(ended, holes_to_win=1)
    site.sit(page, table, [token if n == seat else None for n, token in enumerate(tokens)])
    page.goto(f"{site.home}/#/review/{table}")
    page.click("#analyse")
    page.wait_for_selector(".mistakes")
    return table


@pytest.mark.parametrize("seat", [0, 1])
def test_a_review_takes_the_readers_seat(site, page, seat):
    seated(site, page, seat)
    side = ("White", "Black")[seat]
    expect(page.locator("h2").first).to_contain_text(f"{side}: chance of winning")
    rows = page.locator(".rated tbody tr")
    expect(rows.nth(seat)).to_contain_text(f"You ({side})")
    for row in rows.all():
        assert row.inner_text().count("%") == 2  # error rate and luck
    woods = [page.locator(f".mistakes .token.{wood}") for wood in ("ivory", "ebony")]
    assert woods[seat].count() == page.locator("[data-mistake]").count() > 0
    page.uncheck("#only-mine")
    expect(woods[1 - seat].first).to_be_visible()


def test_a_mistake_is_explained_retried_and_remembered(site, page):
    table = seated(site, page, 0)
    expect(page.locator(".why-better")).to_contain_text("Better:")
    count = page.locator("[data-mistake]").count()
    page.click("#learn")
    page.wait_for_selector(".exercise")
    version = int(page.evaluate("() => JSON.parse(localStorage['tablier.learning']).mistakes[0].version"))
    posed = site.client.get(f"/api/v1/tables/{table}/exercise", params={"at": version}).json()
    best = site.client.post(f"/api/v1/tables/{table}/hint", json={"at": version}).json()["candidates"][0]["action"]
    make(page, posed, best)
    expect(page.locator(".reply")).to_contain_text("Right.")
    page.click("#leave-retry")
    page.wait_for_selector(".mistakes")
    page.goto(f"{site.home}/#/puzzles")
    expect(page.locator("[data-set='mistakes'] a")).to_have_text(f"Retry {count - 1} mistakes")
    page.click("[data-set='mistakes'] a")
    expect(page.locator("h1")).to_have_text("Your mistakes")
    expect(page.locator(".field.source").first).to_be_visible()
    assert fields(page, "source")


def test_mistakes_of_a_table_that_is_gone_are_dropped(site):
    with site.visitor(refused=True) as page:
        gone = "[{table: 'x'.repeat(22), version: 3, titles: {en: 'Gone'}, cost: 0.1, unit: 'win'}]"
        page.goto(site.home)
        page.evaluate(f"() => {{ localStorage['tablier.learning'] = JSON.stringify({{mistakes: {gone}}}); }}")
        page.goto(f"{site.home}/#/puzzles/mistakes")
        expect(page.locator("[data-set='mistakes']")).to_contain_text("Review one of your games")


@pytest.mark.parametrize("width", [320, 390, 1024])
def test_puzzles_fit_the_screen_in_french(site, width):
    with site.visitor(width=width, height=844, locale="fr-FR") as page:
        for address in ("#/puzzles", "#/puzzles/trictrac/leave-1", "#/puzzles/trictrac/book-1"):
            page.goto(f"{site.home}/{address}")
            page.wait_for_selector(".puzzle-set, .exercise")
            assert page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth") <= 0, address
