"""The tutor on the page: colours from 1% on, and reasons for the better move."""

import browsing
import pytest
from browsing import after, carry, fields, plain_move, version
from playwright.sync_api import expect

site, page = browsing.a_site, browsing.a_page


def in_the_middle(view):
    """A decision in the middle of a setting, with good moves and bad ones."""
    return view["version"] > 25 and plain_move(view)


@pytest.fixture
def table(site, page):
    """A decision of White on the page: the tutor's candidates and the view."""
    table, tokens, view = site.reach(in_the_middle)
    site.sit(page, table, tokens)
    return site.client.post(f"/api/v1/tables/{table}/hint", json={"at": view["version"]}).json()["candidates"], view


def play(page, view, action):
    old = version(page)
    (move,) = [one for one in view["legal"] if one["action"] == action]
    for start, stop, _ in move["orders"][0]:
        carry(page, start, stop)
    page.click("#confirm")
    after(page, old)


def test_a_mistake_is_told_in_colour_with_its_reasons(table, page):
    ranked, view = table
    dear = ranked[-1]
    assert dear["cost"] > 0.02
    assert dear["reasons"]
    play(page, view, dear["action"])
    expect(page.locator(".verdict .loss")).to_contain_text("cost")
    expect(page.locator(".verdict .reasons li").first).to_be_visible()


def test_the_best_move_is_told_without_colour(table, page):
    ranked, view = table
    play(page, view, ranked[0]["action"])
    expect(page.locator(".verdict p")).to_contain_text(ranked[0]["text"]["en"])
    assert page.locator(".verdict .loss, .verdict .reasons").count() == 0


def test_the_best_moves_say_why_they_are_better(table, page):
    ranked, _ = table
    page.click("#hint")
    lines = page.locator(".candidates li")
    expect(lines.first).to_contain_text("best")
    for line in lines.all()[1:]:
        cost = float(line.locator(".cost").inner_text()[1:].strip("%"))
        assert (line.locator(".cost.loss").count() == 1) == (cost >= 1.0) or cost == 1.0  # 1.0 may be 0.96, rounded
    lines.last.hover()
    expect(page.locator(".why-better")).to_contain_text("Why the best move is better than")
    assert fields(page, "source")
    assert ranked[0]["reasons"] == []
