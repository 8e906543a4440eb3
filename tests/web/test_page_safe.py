"""Robustness of the page: double clicks, lost seats, many windows, a broken connection, bad links."""

import json
from itertools import pairwise

import browsing
import pytest
from browsing import after, version
from playwright.sync_api import expect
from serving import act, begin, look

site, page = browsing.a_site, browsing.a_page


@pytest.fixture
def cut_off(site):
    """A page whose requests a test blocks, so that it waits and retries."""
    with site.visitor(refused=True, hurried=True) as found:
        yield found


def forced(view):
    """Only one move is legal, and it moves men."""
    moves = [one for one in view["legal"] if one["kind"] == "move" and any(one.get("orders") or ())]
    return len(view["legal"]) == len(moves) == 1


def actions_sent(page):
    sent = []
    page.on("request", lambda asked: sent.append(asked.post_data_json) if asked.url.endswith("/actions") else None)
    return sent


def ask_elsewhere(site):
    with site.visitor() as page:
        page.goto(site.home)
        ask = "() => fetch('http://127.0.0.2:9/').then(() => 'answered', () => 'refused')"
        assert page.evaluate(ask) == "refused"


def test_a_request_to_another_host_is_refused_and_seen(site):
    with pytest.raises(AssertionError, match="Content Security Policy"):
        ask_elsewhere(site)


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
        assert page.locator("#forced").count() == 0  # while the men are animated
        button.evaluate("button => button.click()")
        after(page, view["version"])
        assert [one["version"] for one in sent] == [view["version"]]
        expect(page.locator("[role=alert]:not(:empty)")).to_have_count(0)


HIDE = """hidden => {
  Object.defineProperty(document, "hidden", {get: () => hidden, configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.mark.parametrize(("game", "part"), [("tic_tac_toe", ".live"), ("pig", ".live"), ("pig", "[data-choice]")])
def test_a_double_press_in_a_picture_counts_once(site, page, game, part):
    table, tokens = begin(site.client, game)
    site.sit(page, table, tokens)
    sent = actions_sent(page)
    old = version(page)
    page.evaluate(PRESS_TWICE, part)
    after(page, old)
    page.evaluate(HIDE, True)  # without its stream, the page can be idle
    page.wait_for_load_state("networkidle")
    assert [one["version"] for one in sent] == [old]
    assert page.locator(".notice").count() == 0


def test_an_action_is_sent_with_the_version_at_which_it_was_offered(site, cut_off):
    """An action refers to the view that the person saw, even if an update arrived in between."""
    page = cut_off
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


def keep(page, entries):
    """Stores these tables in the browser before the page is first opened."""
    once = f"localStorage['tablier.tables'] ??= {json.dumps(json.dumps(entries))};"
    page.add_init_script(f"if (location.protocol !== 'about:') {once}")


def kept(page):
    return json.loads(page.evaluate("localStorage['tablier.tables']"))


def test_no_seat_of_a_running_game_is_dropped(site, page):
    seats = [{"id": f"mine-{n}", "title": f"Mine {n}", "tokens": ["secret", None], "opened": n} for n in range(30)]
    watched = [{"id": f"seen-{n}", "title": f"Seen {n}", "tokens": [None, None], "opened": n} for n in range(30)]
    over = [
        {"id": f"over-{n}", "title": f"Over {n}", "tokens": ["secret"], "over": True, "opened": n} for n in range(9)
    ]
    table, _ = begin(site.client, "pig")
    keep(page, [*watched, *over, *seats])
    page.goto(f"{site.home}/#/table/{table}")  # one more to watch
    page.wait_for_selector(".page[data-version]")
    found = [one["id"] for one in kept(page)]
    assert [one for one in found if one.startswith("mine")] == [one["id"] for one in seats]
    assert len(found) == 30 + 20  # the newest of the others are kept
    page.goto(f"{site.home}/#/")
    expect(page.locator(".recent a")).to_have_count(30)
    expect(page.locator(".recent a", has_text="Mine 29")).to_have_count(1)


def test_a_table_that_is_not_here_stays_in_the_list_until_it_is_taken_off(site, cut_off):
    page, table = cut_off, "x" * 22
    keep(page, [{"id": table, "title": "Away", "tokens": ["secret", None]}])
    page.goto(f"{site.home}/#/table/{table}")
    expect(page.locator(".notice")).to_contain_text("not on this server")
    assert kept(page)[0]["tokens"] == ["secret", None]
    page.goto(f"{site.home}/#/")
    expect(page.locator(".recent li")).to_contain_text("not on this server")
    page.get_by_role("button", name="Remove from this list").click()
    assert kept(page) == []


def test_many_windows_of_one_browser_do_not_stop_each_other(site):
    """A browser opens six connections to a host; one stream per window would leave none for requests."""
    table, tokens = begin(site.client, "pig")
    with site.visitor(hurried=True) as first:
        windows = [first, *(first.context.new_page() for _ in range(6))]
        for window in windows:
            site.sit(window, table, tokens)
        windows[-1].click("[data-choice='0']")
        for window in windows:
            after(window, 0)


def is_stream(asked):
    return asked.url.endswith("/events")


def test_a_hidden_page_lets_go_of_its_stream_and_comes_back(site, page):
    table, tokens = begin(site.client, "pig")
    with page.expect_event("response", is_stream) as opened:
        site.sit(page, table, tokens)
    assert opened.value.request.headers["authorization"] == f"Bearer {','.join(tokens)}"  # players are no watchers
    with page.expect_event("requestfailed", is_stream):  # reported when the page closes the stream
        page.evaluate(HIDE, True)
    answer = act(site.client, table, tokens[0], 0, 0)
    with page.expect_request("**/events"):
        page.evaluate(HIDE, False)
    expect(page.locator(".page")).to_have_attribute("data-version", str(answer.json()["version"]))


def test_a_refused_stream_is_replaced_by_asking_and_tried_again(site, cut_off):
    page = cut_off
    table, tokens = begin(site.client, "pig")
    page.route("**/events", lambda route: route.fulfill(status=429, body="{}"))
    site.sit(page, table, tokens)
    answer = act(site.client, table, tokens[0], 0, 0).json()
    expect(page.locator(".page")).to_have_attribute("data-version", str(answer["version"]))
    assert page.locator(".notice").count() == 0  # nothing is lost, only slower
    with page.expect_event("response", lambda got: is_stream(got) and got.status == 200):
        page.unroute("**/events")


def test_a_lost_connection_is_told_when_it_stays_lost_and_taken_back(site, cut_off):
    page = cut_off
    table, tokens = begin(site.client, "pig")
    site.sit(page, table, tokens)
    page.route(f"**/tables/{table}", lambda route: route.abort())
    answer = act(site.client, table, tokens[0], 0, 0).json()  # the stream reports it, but fetching the view fails
    expect(page.locator(".notice")).to_contain_text("connection to the server is lost")
    page.unroute(f"**/tables/{table}")
    expect(page.locator(".page")).to_have_attribute("data-version", str(answer["version"]))
    expect(page.locator(".notice")).to_have_count(0)


def test_the_link_for_the_other_lies_by_the_board_until_he_plays(site, page):
    page.goto(site.home)
    page.select_option("#game", "tic_tac_toe")
    page.check("input[value='link']")
    page.locator(".more > summary").first.click()
    page.select_option("#side", "0")
    page.click("#begin")
    card = page.locator(".inviting")
    expect(card).to_be_visible()
    link = card.locator("input").input_value()
    boxes = [page.locator(name).bounding_box() for name in (".stage", ".inviting", ".bar")]
    assert all(one["y"] + one["height"] <= below["y"] for one, below in pairwise(boxes))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    card.get_by_role("button", name="Copy").click()
    expect(card).to_contain_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == link
    with site.visitor() as other:
        other.goto(link)
        other.wait_for_selector(".page[data-version]")
        assert other.locator(".inviting:visible, .notice").count() == 0
        page.locator(".live[data-action='4']").click()
        expect(card).to_be_visible()
        other.locator(".live[data-action='0']").click()
        expect(card).to_be_hidden()
    page.click("#tab-about")
    assert page.input_value("#invite") == link


def test_the_link_can_be_put_away(site, page):
    page.goto(site.home)
    page.check("input[value='link']")
    page.click("#begin")
    page.click("#dismiss")
    expect(page.locator(".inviting")).to_be_hidden()
    page.reload()
    page.wait_for_selector(".page[data-version]")
    expect(page.locator(".inviting")).to_be_hidden()


@pytest.mark.parametrize("token", ["AAAA", "%C3%A9"])
def test_a_link_that_opens_no_seat_says_so(site, page, token):
    table, _ = begin(site.client, "pig")
    page.goto(f"{site.home}/#/table/{table}/{token}")
    expect(page.locator(".notice")).to_contain_text("does not give you a seat")
    expect(page.locator(".bar")).to_contain_text("You are watching")
    assert page.url.endswith(f"#/table/{table}")
    assert not any(kept(page)[0]["tokens"])
