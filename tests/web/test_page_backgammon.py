"""Backgammon on the page: clicks, drags, keys, touch, the bar, bearing off, doublets, undo, hypergammon, the review."""

import re

import browsing
import pytest
from browsing import after, fields, move, press, version
from playwright.sync_api import expect
from serving import act, begin, look, until

site, page = browsing.a_site, browsing.a_page


def on_the_bar(view):
    """White has a man on the bar and a choice."""
    return view["to_move"] == 0 and view["scene"]["bar"][0] == 1 and len(view["legal"]) > 1


def bearing_off(view):
    """White can bear a man off at once."""
    return view["to_move"] == 0 and any(step[1] == 0 for step in first_steps(view))


def first_steps(view):
    """Returns the steps [from, to, die] that a move can begin with."""
    return [order[0] for one in view["legal"] for order in one["orders"] if order]


def doublet(view):
    """White has four moves to make, and several ways."""
    return view["to_move"] == 0 and view["scene"]["moves_left"] == 4 and len(view["legal"]) > 3


def can_hit(view):
    """White can hit with the first step of a move."""
    men = view["scene"]["men"]
    hits = any(to and men[to - 1] == -1 for _, to, _ in first_steps(view))
    return view["to_move"] == 0 and not view["scene"]["bar"][0] and hits


def plain(view):
    """White has a choice of moves of two different dice, and no man on the bar."""
    dice = view["scene"]["dice"]
    return view["to_move"] == 0 and len(view["legal"]) > 5 and dice[0] != dice[1] and not view["scene"]["bar"][0]


def men_on(page):
    """Returns the men on points 1 to 24 as labelled on the page, in White's numbering."""
    names = [page.get_attribute(f"[data-field='{field}']", "aria-label") for field in range(1, 25)]
    return [int(found[1]) if (found := re.search(r": (\d+) ", name)) else 0 for name in names]


def sitting(site, page, wanted):
    table, tokens, view = site.reach(wanted, "backgammon")
    site.sit(page, table, tokens, tap=False)  # a first press picks a man up, even if it has only one place to go
    return table, tokens, view


def test_a_move_is_made_by_clicks_undone_and_confirmed(site, page):
    table, tokens, view = sitting(site, page, plain)
    men = [abs(count) for count in view["scene"]["men"]]
    assert men_on(page) == men
    start = fields(page, "source")[0]
    press(page, start)
    end = next(field for field in fields(page, "target") if field)
    assert end < start, "White moves from 24 to 1"
    press(page, end)
    expect(page.locator("#undo")).to_be_enabled()
    assert men_on(page) != men
    page.click("#undo")
    assert men_on(page) == men
    move(page)
    assert look(site.client, table, tokens[0])["version"] > view["version"]


def test_a_man_is_dragged(site, page):
    sitting(site, page, plain)
    start = fields(page, "source")[0]
    press(page, start)
    end = next(field for field in fields(page, "target") if field)
    press(page, start)  # put it down again
    boxes = [page.locator(f"[data-field='{field}'] .touch").bounding_box() for field in (start, end)]
    (x0, y0), (x1, y1) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes)
    before = men_on(page)
    page.mouse.move(x0, y0)
    page.mouse.down()
    page.mouse.move((x0 + x1) / 2, (y0 + y1) / 2)
    page.mouse.move(x1, y1)
    page.mouse.up()
    now = men_on(page)
    assert now[start - 1] == before[start - 1] - 1
    expect(page.locator("#undo")).to_be_enabled()


def test_a_move_is_made_with_the_keyboard(site, page):
    sitting(site, page, plain)
    old = version(page)
    page.locator(".field.source[tabindex='0']").focus()
    for _ in range(8):
        if page.locator("#confirm").is_enabled():
            break
        page.keyboard.press("Enter")
        page.wait_for_selector(".field.target, #confirm:enabled")
        if page.locator(".field.picked").count():
            page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
            page.wait_for_selector(browsing.READY)
    expect(page.locator("#confirm")).to_be_focused()
    page.keyboard.press("Enter")
    after(page, old)


def test_the_man_on_the_bar_enters_first(site, page):
    sitting(site, page, on_the_bar)
    assert fields(page, "source") == [25]
    assert "the bar: 1 white man, can move" in page.get_attribute("[data-field='25']", "aria-label")
    expect(page.locator(".plate .badge", has_text="1 on the bar")).to_be_visible()
    press(page, 25)
    targets = fields(page, "target")
    assert all(19 <= field <= 24 for field in targets[:1])
    press(page, targets[0])
    expect(page.locator("[data-bar='0']")).to_have_count(0)
    assert 25 not in fields(page, "source")
    page.click("#undo")
    expect(page.locator("[data-bar='0'] .man")).to_have_count(1)


def test_a_hit_man_goes_to_the_bar_and_comes_back_with_undo(site, page):
    _, _, view = sitting(site, page, can_hit)
    men = view["scene"]["men"]
    start, end, _ = next(step for step in first_steps(view) if step[1] and men[step[1] - 1] == -1)
    bar = view["scene"]["bar"][1]
    press(page, start)
    press(page, end)
    expect(page.locator("[data-bar='1'] .man")).to_have_count(bar + 1)
    assert "1 white man" in page.get_attribute(f"[data-field='{end}']", "aria-label")
    page.keyboard.press("Escape")
    assert "1 black man" in page.get_attribute(f"[data-field='{end}']", "aria-label")


def test_a_man_is_borne_off(site, page):
    _, _, view = sitting(site, page, bearing_off)
    start = next(begin for begin, to, _ in first_steps(view) if to == 0)
    press(page, start)
    press(page, 0)
    off = view["scene"]["borne_off"][0]
    assert page.locator(".board .off.ivory").count() == off + 1
    assert page.locator("#undo").is_enabled()
    page.click("#undo")
    assert page.locator(".board .off.ivory").count() == off


def test_a_doublet_is_played_in_two_halves(site, page):
    table, tokens, _ = sitting(site, page, doublet)
    expect(page.locator(".bar .status")).to_contain_text("first two of four moves")
    move(page)
    view = look(site.client, table, ",".join(tokens))
    if view["to_move"] == 0 and view["scene"]["moves_left"] == 2:
        expect(page.locator(".bar .status")).to_contain_text("last two moves")


@pytest.mark.parametrize("width", [390, 1280])
def test_the_board_fits_the_screen(site, width):
    table, tokens, _ = site.reach(on_the_bar, "backgammon")
    with site.visitor(width=width, height=844, has_touch=width < 500, is_mobile=width < 500) as page:
        site.sit(page, table, tokens, tap=False)
        box = page.locator(".board").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        page.locator("[data-field='25'] .touch").tap() if width < 500 else press(page, 25)
        assert fields(page, "target")
        confirm = page.locator("#confirm").bounding_box()
        assert confirm["y"] + confirm["height"] <= 844


def test_black_sits_at_the_bottom_of_their_own_board(site, page):
    table, tokens = begin(site.client, "backgammon", seed=1)
    site.sit(page, table, [None, tokens[1]])
    assert page.locator(".labels [data-label='24']").text_content() == "1"
    assert page.locator(".plate .who").last.text_content().endswith("Black")


def test_hypergammon_is_offered_on_the_start_page(site, page):
    page.goto(site.home)
    page.wait_for_selector("#begin")
    assert page.locator("h1").inner_text() == "Trictrac", "the default game is shown first"
    page.select_option("#game", "backgammon/hyper")
    page.check("input[value='person']")
    page.click("#begin")
    page.wait_for_selector(".page[data-version]")
    assert sum(men_on(page)) == 6
    page.goto(f"{site.home}/#/")
    page.wait_for_selector("#begin")
    assert page.input_value("#game") == "backgammon/hyper", "the choice is remembered"
    page.select_option("#game", "backgammon")
    page.click("#begin")
    page.wait_for_selector("[data-field='1']")
    expect(page.locator(".man")).to_have_count(30)


def test_a_game_of_hypergammon_is_played_to_its_end_and_reviewed(site, page):
    seats = ["human", "random:seed=2"]
    table, tokens = begin(site.client, "backgammon", seats, options={"start": "hyper"}, seed=3)
    view = until(lambda: mine(site, table, tokens[0]))
    while view["scene"]["borne_off"][0] == 0 and not view["over"]:
        view = act(site.client, table, tokens[0], view["legal"][-1]["action"], view["version"]).json()
        view = until(lambda: mine(site, table, tokens[0]))
    site.sit(page, table, tokens)
    while True:
        page.wait_for_selector("#confirm, #forced, .result")
        if page.locator(".result").count():
            break
        if page.locator("#confirm:enabled").count() and not fields(page, "source"):
            old = version(page)
            page.click("#confirm")
            after(page, old)
        else:
            move(page)
    expect(page.locator(".result")).to_have_text(look(site.client, table)["results"][0]["en"])
    page.goto(f"{site.home}/#/review/{table}")
    page.click("#analyse")
    page.wait_for_selector("svg.chart, .mistakes, [data-mistake]")
    page.click("#first")
    expect(page.locator(".board .man")).to_have_count(6)


def mine(site, table, token):
    view = look(site.client, table, token)
    return view if view["your_turn"] or view["over"] else None


def test_the_tutors_best_move_is_drawn_on_the_board(site, page):
    sitting(site, page, plain)
    page.click("text=Show the best moves")
    page.locator(".candidates li").first.hover()
    page.wait_for_selector(".arrow.best")


@pytest.mark.parametrize("locale", ["en-US", "fr-FR"])
def test_the_rules_are_told_beside_boards(site, locale):
    with site.visitor(locale=locale) as page:
        page.goto(f"{site.home}/#/rules/backgammon")
        page.wait_for_selector(".rule")
        assert page.locator(".rule").count() == 7
        assert page.locator(".rule .board").count() == 7
        assert page.locator("#rule-bar [data-bar='0'] .man").count() == 1
        page.locator(".contents button").last.click()
        expect(page.locator("#rule-others")).to_be_focused()
