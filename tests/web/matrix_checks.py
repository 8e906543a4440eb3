"""Every page at every size, in both languages, light and dark, and a move by mouse, touch and keyboard.

`make web-matrix` runs it; docs/proofs.md has the results. A visitor fails on console errors and on requests to other
hosts (browsing.py).
"""

import browsing
import pytest
from accessibility import violations
from browsing import READY, after, ended, plain_move, step, version
from test_page_library import code  # noqa: F401  (a fixture)
from test_page_look import FIRST_PAGE, overflow

site = browsing.a_site
HEIGHTS = {390: 844, 1024: 768, 1600: 900}
PAGES = {
    "": "#begin",
    "#/lessons": ".lesson",
    "#/lessons/trictrac/hitting/4": ".exercise",
    "#/puzzles": ".puzzle-set",
    "#/puzzles/trictrac/leave-1": ".exercise",
    "#/analysis": ".page.analysis[data-version]",
    "#/library": "[data-table]",
    "#/review/{over}": ".rated",
    "#/rules": "#rule-marks .jan",
    "#/runs": "h1",
}
"""Addresses of pages, and what is there once they are complete."""

pytestmark = [
    pytest.mark.parametrize("width", HEIGHTS),
    pytest.mark.parametrize("locale", ["en-US", "fr-FR"]),
    pytest.mark.parametrize("scheme", ["light", "dark"]),
]


@pytest.fixture
def page(site, width, locale, scheme):
    """A visitor with a screen of this width, a phone if it is narrow."""
    phone = width < 500
    screen = {"width": width, "height": HEIGHTS[width], "is_mobile": phone, "has_touch": True}
    with site.visitor(locale=locale, color_scheme=scheme, **screen) as found:
        yield found


def clean(page):
    assert overflow(page) <= 0, page.url
    assert violations(page) == [], page.url


def test_every_page_fits_and_is_accessible(site, page, code, locale, scheme):  # noqa: F811
    over, _, _ = site.reach(ended, holes_to_win=1)
    page.goto(site.home)
    page.evaluate("code => { localStorage['tablier.library'] = JSON.stringify({ code }); }", code)
    for address, ready in PAGES.items():
        page.goto(f"{site.home}/{address.format(over=over)}")
        if "review" in address:
            page.click("#analyse")
        page.wait_for_selector(ready)
        assert page.get_attribute("html", "lang") == locale[:2]
        assert page.get_attribute("html", "data-theme") == scheme
        clean(page)


def test_the_first_page_is_light(site, page):
    sizes = {}
    page.on("response", lambda answer: sizes.update({answer.url: len(answer.body())}))
    page.goto(site.home)
    page.wait_for_selector("#begin")
    page.wait_for_load_state("networkidle")
    print(f"first page: {sum(sizes.values())} bytes in {len(sizes)} requests")
    assert 20_000 < sum(sizes.values()) < FIRST_PAGE, sizes


def by_mouse(page, selector):
    page.locator(selector).click()


def by_touch(page, selector):
    page.locator(selector).tap()


def by_keyboard(page, selector):
    page.locator(selector.removesuffix(" .touch")).focus()
    page.keyboard.press("Enter")


HANDS = pytest.mark.parametrize("press", [by_mouse, by_touch, by_keyboard])


@HANDS
def test_the_menu_leads_to_every_page_and_a_lesson_is_answered(site, page, press):
    page.goto(site.home)
    page.wait_for_selector("#begin")
    first, *others = [link.get_attribute("href") for link in page.locator("#nav a").all()]
    for address in (*others, first):
        press(page, f"#nav a[href='{address}']")
        page.wait_for_selector(f"#nav a[href='{address}'][aria-current]")
        page.wait_for_selector("#main:focus h1")  # an open page takes the focus
        assert overflow(page) <= 0, address
    page.goto(f"{site.home}/#/lessons/trictrac/hitting/4")
    press(page, "[data-answer='6']")
    page.wait_for_selector(".reply")


@HANDS
def test_a_move_is_made_at_the_table(site, page, press):
    table, tokens, _ = site.reach(plain_move)
    site.sit(page, table, tokens)
    clean(page)
    old = version(page)
    page.wait_for_selector(READY)
    while page.locator("#confirm").is_disabled():
        step(page, press=lambda page, field: press(page, f"[data-field='{field}'] .touch"))
        page.wait_for_selector(READY)
    press(page, "#confirm")
    after(page, old)
    for panel in ("tutor", "engine", "history", "about"):
        press(page, f"#tab-{panel}")
        clean(page)
