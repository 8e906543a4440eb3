"""Looks and accessibility: languages, light and dark, phones, page weight, screen reader text, axe."""

import re

import browsing
import pytest
from accessibility import COLOURS, SCHEMES, violations
from browsing import ended, hold_or_leave, plain_move, to_mark
from playwright.sync_api import expect
from serving import PATIENCE

FIRST_PAGE = 200_000  # bytes, uncompressed


site = browsing.a_site


@pytest.mark.parametrize(("scheme", "rules"), SCHEMES)
@pytest.mark.slow
def test_axe_finds_nothing_serious(site, scheme, rules):
    middle, tokens, _ = site.reach(hold_or_leave)
    whole, _, _ = site.reach(ended, holes_to_win=1)
    with site.visitor(color_scheme=scheme) as page:
        page.goto(site.home)
        page.wait_for_selector("#begin")
        assert page.evaluate("() => document.documentElement.dataset.theme") == scheme
        assert violations(page, rules) == []
        page.goto(f"{site.home}/#/rules")
        page.wait_for_selector("#rule-marks .jan")
        assert violations(page, rules) == []
        page.goto(f"{site.home}/#/review/{whole}")
        page.click("#analyse")
        page.wait_for_selector(".mistakes")
        assert violations(page, rules) == []
        site.sit(page, middle, tokens)
        page.click("#hint")
        page.wait_for_selector(".candidates")
        for panel in ("tutor", "engine", "history", "about") if scheme == "light" else ("tutor",):
            page.click(f"#tab-{panel}")
            assert violations(page, rules) == []
    marked, tokens, _ = site.reach(to_mark, schools=True)
    with site.visitor(color_scheme=scheme) as page:
        site.sit(page, marked, tokens)
        page.wait_for_selector(".amounts")
        assert violations(page, rules) == []
        page.goto(f"{site.home}/#/")
        page.check("input[value='link']")
        page.click("#begin")
        page.wait_for_selector(".inviting:not([hidden])")
        page.locator(".say summary").click()
        assert violations(page, rules) == []
        page.click("#resign")
        page.click("#really")
        page.wait_for_selector(".banner.end")
        page.click("#tab-about")
        assert violations(page, rules) == []


def test_axe_is_really_at_work(site):
    page = site.browser.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.set_content("<html lang=en><title>bad</title><main><h1>Heading</h1><button></button></main></html>")
    assert [name for name, _ in violations(page)] == ["button-name"]
    assert violations(page, COLOURS) == []
    page.locator("h1").evaluate("heading => { heading.style.color = '#eee'; }")
    assert [name for name, _ in violations(page, COLOURS)] == ["color-contrast"]
    page.close()


@pytest.mark.parametrize("locale", ["en-US", "fr-FR"])
def test_the_first_page_is_light_and_all_from_here(site, locale):
    sizes = {}
    with site.visitor(locale=locale) as page:  # a visitor fails on requests to other hosts
        page.on("response", lambda answer: sizes.update({answer.url: len(answer.body())}))
        page.goto(site.home)
        page.wait_for_selector("#begin")
        page.wait_for_load_state("networkidle")
    assert 20_000 < sum(sizes.values()) < FIRST_PAGE, sizes


@pytest.mark.parametrize("width", [320, 390])
def test_a_phone_scrolls_in_one_direction_only(site, width):
    table, tokens, _ = site.reach(hold_or_leave)
    with site.visitor(width=width, height=844, has_touch=True, is_mobile=True) as page:
        for address in ("", "#/rules", "#/runs", f"#/review/{table}"):
            page.goto(f"{site.home}/{address}")
            page.wait_for_selector("h1")
            assert overflow(page) <= 0, address
        site.sit(page, table, tokens)
        assert overflow(page) <= 0
        bar = page.locator("#leave").bounding_box()
        assert bar["y"] + bar["height"] < 844  # the choice is visible with the board, without scrolling
        assert page.locator(".board.tall").count() == 1
        for panel in ("engine", "history", "about"):
            page.click(f"#tab-{panel}")
            assert overflow(page) <= 0, panel


def overflow(page):
    return page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth")


def test_on_a_wide_screen_board_and_buttons_fit_without_scrolling(site):
    table, tokens, _ = site.reach(hold_or_leave)
    with site.visitor(width=1600, height=900) as page:
        site.sit(page, table, tokens)
        bar, board, side = (page.locator(name).bounding_box() for name in ("#leave", ".board", ".side"))
        assert bar["y"] + bar["height"] <= 900
        assert side["x"] > board["x"] + board["width"]


def test_french(site):
    table, tokens, view = site.reach(hold_or_leave)
    with site.visitor(locale="fr-FR") as page:
        page.goto(site.home)
        expect(page.locator("#begin")).to_have_text("Commencer")
        assert page.get_attribute("html", "lang") == "fr"
        site.sit(page, table, tokens)
        expect(page.locator("#leave")).to_contain_text("en aller")
        expect(page.locator(".throw:not(.old) .jan").first).to_contain_text(
            view["scene"]["throw"]["jans"][0]["why"]["fr"]
        )
        expect(page.locator("[data-field='12']")).to_have_attribute(
            "aria-label", re.compile("flèche 12 .coin de repos.")
        )
        page.click("#language")
        expect(page.locator("#leave")).to_contain_text("Leave")
        page.reload()  # the choice is remembered
        expect(page.locator("#leave")).to_contain_text("Leave")


def test_who_goes_on_quickly_sees_the_last_page_only(site):
    table, tokens, _ = site.reach(plain_move)
    with site.visitor() as page:
        site.sit(page, table, tokens)
        for address in ("#/rules", f"#/table/{table}", "#/", "#/no-such-page", "#/%E0", "#/rules"):
            page.evaluate("address => { location.hash = address; }", address)
        page.wait_for_selector("#rule-marks .jan")
        page.wait_for_load_state("networkidle")
        assert page.locator(".page").count() == 1
        assert page.locator("h1").all_inner_texts() == ["How to play Trictrac"]
        assert page.locator("#begin, .bar").count() == 0


def test_the_switch_to_dark_is_kept(site):
    with site.visitor(color_scheme="light") as page:
        page.goto(site.home)
        light = page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor")
        page.click("#theme")
        assert page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor") != light
        page.reload()
        page.wait_for_selector("#begin")
        assert page.evaluate("() => document.documentElement.dataset.theme") == "dark"


def test_every_field_is_told_in_words(site):
    table, tokens, view = site.reach(hold_or_leave)
    with site.visitor() as page:
        site.sit(page, table, tokens)
        page.click("#hold")
        for field, count in enumerate(view["scene"]["men"], 1):
            colour = "white" if count > 0 else "black"
            men = f"{abs(count)} {colour} m{'a' if abs(count) == 1 else 'e'}n" if count else "empty"
            name = page.get_attribute(f"[data-field='{field}']", "aria-label")
            assert re.match(rf"field {field}\b.*: {men}", name), name
        sources = page.locator(".field.source").count()
        assert page.get_by_role("button", name=re.compile("can move"), disabled=False).count() == sources > 0
        assert page.get_by_role("button", name=re.compile("^field "), disabled=True).count() == 24 - sources


def test_motion_ends_where_calm_would_be(site):
    table, tokens, _ = site.reach(plain_move)
    with site.visitor(reduced_motion="no-preference") as page:
        site.sit(page, table, tokens)
        browsing.move(page)
        page.wait_for_selector("#confirm, #forced")
        assert page.locator(".flying").count() == 0
        assert page.locator(".die").count() == 2
