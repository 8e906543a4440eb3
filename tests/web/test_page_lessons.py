"""Lessons on the page: moves and answers by mouse and by keyboard, hints, progress that stays, and French."""

import browsing
import pytest
from browsing import carry
from playwright.sync_api import expect

site, page = browsing.a_site, browsing.a_page


def lesson(site, page, name, step=1):
    page.goto("about:blank")
    page.goto(f"{site.home}/#/lessons/trictrac/{name}/{step}")
    page.wait_for_selector(".exercise")


def test_a_learner_begins_plays_and_goes_on(site, page):
    page.goto(f"{site.home}/#/lessons")
    page.click("#continue")
    expect(page.locator(".ask")).to_contain_text("You threw 5 and 3")
    carry(page, 1, 9)  # one man with both numbers
    page.click("#confirm")
    expect(page.locator(".reply")).to_contain_text("Right.")
    page.click("#next")
    expect(page.locator(".ask")).to_contain_text("take the man on field 4")
    expect(page.locator(".dots .done")).to_have_count(1)
    page.goto(f"{site.home}/#/lessons")
    expect(page.locator(".lesson").first).to_contain_text("1 of 4")
    expect(page.locator("#continue")).to_have_text("Continue")


def test_a_wrong_move_gets_a_hint_and_another_try(site, page):
    lesson(site, page, "corner", 1)
    carry(page, 1, 11)
    page.click("#confirm")
    expect(page.locator(".reply")).to_contain_text("Not quite.")
    expect(page.locator(".reply")).to_contain_text("From which field does a 4 reach 12?")
    page.click("#solution")
    expect(page.locator(".arrow.best")).to_have_count(2)
    carry(page, 8, 12)
    carry(page, 6, 12)
    page.click("#confirm")
    expect(page.locator(".reply")).to_contain_text("by effect")


def test_points_are_named_and_then_explained(site, page):
    lesson(site, page, "hitting", 4)
    assert page.locator(".jan").count() == 0
    page.click("[data-answer='4']")
    expect(page.locator(".reply")).to_contain_text("Each way is worth 2 points.")
    assert page.locator(".jan").count() == 0
    page.click("#again")
    page.click("[data-answer='6']")
    expect(page.locator(".jan")).to_contain_text("17 from 12 by 5")
    page.locator(".jan").hover()
    expect(page.locator(".board .glow path").first).to_be_visible()


def test_the_last_step_leads_to_the_next_lesson_and_the_last_lesson_to_a_game(site, page):
    lesson(site, page, "leaving", 3)
    page.get_by_role("button", name="Leave", exact=True).click()
    expect(page.locator("#next")).to_contain_text("The return")
    page.click("#next")
    expect(page.locator("h1")).to_have_text("The return, and bearing off")
    lesson(site, page, "schools", 4)
    page.get_by_role("button", name="Claim nothing").click()
    page.click("#next")
    page.wait_for_selector("#begin")


def test_a_lesson_by_keyboard(site, page):
    lesson(site, page, "corner", 2)
    page.locator("[data-field='7']").focus()
    for start in (7, 10):
        page.locator(f"[data-field='{start}']").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(f"{browsing.READY}, .field.target")
        if page.locator("[data-field='12'].target").count():
            page.locator("[data-field='12']").focus()
            page.keyboard.press("Enter")
        page.wait_for_selector(browsing.READY)
    page.locator("#confirm").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".reply")).to_contain_text("by power")
    expect(page.locator("#next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".ask")).to_contain_text("alone")


@pytest.mark.parametrize("width", [320, 390, 1024])
def test_lessons_fit_the_screen(site, width):
    with site.visitor(width=width, height=844, locale="fr-FR") as page:
        for address in ("#/lessons", "#/lessons/trictrac/hitting/4", "#/lessons/trictrac/leaving/1"):
            page.goto(f"{site.home}/{address}")
            page.wait_for_selector(".lesson, .exercise")
            assert page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth") <= 0, address
        expect(page.get_by_role("button", name="en aller")).to_be_visible()


def test_a_lesson_that_does_not_exist_says_so(site):
    with site.visitor(refused=True) as page:
        page.goto(f"{site.home}/#/lessons/trictrac/nothing")
        expect(page.locator(".notice.wrong")).to_contain_text("no lesson called 'nothing'")
