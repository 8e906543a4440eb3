"""What must not go wrong on the page: double presses, lost seats, many windows, a broken connection, wrong links."""

import json

import browsing
import pytest
from browsing import after, fields, plain_move, press, version
from playwright.sync_api import expect
from serving import act, begin, look

PATIENCE = 60_000  # milliseconds


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with browsing.site(tmp_path_factory.mktemp("page")) as found:
        yield found


@pytest.fixture
def page(site):
    with site.visitor() as found:
        yield found


@pytest.fixture
def browser_page(site):
    """A page whose console may tell of refused requests."""
    context = site.browser.new_context(reduced_motion="reduce", locale="en-US", viewport={"width": 1280, "height": 900})
    found = context.new_page()
    found.set_default_timeout(PATIENCE)
    yield found
    context.close()


def forced(view):
    """One move is legal, and it moves men."""
    moves = [one for one in view["legal"] if one["kind"] == "move" and any(one.get("orders") or ())]
    return len(view["legal"]) == len(moves) == 1


def actions_sent(page):
    sent = []
    page.on("request", lambda asked: sent.append(asked.post_data_json) if asked.url.endswith("/actions") else None)
    return sent


PRESS_TWICE = """selector => {
  const found = document.querySelector(selector);
  for (let n = 0; n < 2; n++) found.dispatchEvent(new MouseEvent("click", {bubbles: true}));
}"""


def test_the_only_move_pressed_twice_is_played_once(site):
    table, tokens, view = site.reach(forced)
    with site.visitor(reduced_motion="no-preference") as page:
        site.sit(page, table, tokens)
        sent = actions_sent(page)
        button = page.locator("#forced").element_handle()
        button.click()
        assert page.locator("#forced").count() == 0  # while the men fly
        button.evaluate("button => button.click()")
        after(page, view["version"])
        assert [one["version"] for one in sent] == [view["version"]]
        expect(page.locator("[role=alert]:not(:empty)")).to_have_count(0)


@pytest.mark.parametrize(("game", "part"), [("tic_tac_toe", ".live"), ("pig", ".live"), ("pig", "[data-choice]")])
def test_a_double_press_in_a_picture_counts_once(site, page, game, part):
    table, tokens = begin(site.client, game)
    site.sit(page, table, tokens)
    sent = actions_sent(page)
    old = version(page)
    page.evaluate(PRESS_TWICE, part)
    after(page, old)
    page.wait_for_load_state("networkidle")
    assert [one["version"] for one in sent] == [old]
    assert page.locator(".notice").count() == 0


def test_an_action_is_sent_with_the_version_at_which_it_was_offered(site, browser_page):
    """News that come while a person looks at an older view do not turn his answer into one to the newer."""
    page = browser_page
    table, tokens = begin(site.client, "pig")
    page.route("**/events", lambda route: route.abort())
    site.sit(page, table, tokens)
    shown = version(page)
    sent = actions_sent(page)
    page.evaluate("() => { window.kept = document.querySelector('[data-choice]'); }")
    act(site.client, table, tokens[0], 0, look(site.client, table, tokens[0])["version"])
    after(page, shown)
    with page.expect_response("**/actions") as answer:
        page.evaluate("() => window.kept.click()")
    assert sent[-1]["version"] == shown
    assert answer.value.status == 409
