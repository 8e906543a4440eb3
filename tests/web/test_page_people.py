"""People at a table on the page: takebacks, resigning, sayings, names, clocks, rematches, the tutor, and the dice."""

import re

import browsing
from browsing import after, plain_move, version
from playwright.sync_api import expect
from serving import API, bearing, begin, look

site, page = browsing.a_site, browsing.a_page


def sat(site, page, game="tic_tac_toe", seat=0, **more):
    """Opens one seat of a table of two people; returns the table and the tokens."""
    table, tokens = begin(site.client, game, **more)
    site.sit(page, table, [token if n == seat else None for n, token in enumerate(tokens)])
    return table, tokens


def gesture(site, table, token, kind, value=""):
    body = {"kind": kind, "value": value, "version": look(site.client, table)["version"]}
    answer = site.client.post(f"{API}/tables/{table}/gestures", json=body, headers=bearing(token))
    assert answer.status_code == 200, answer.text


def test_a_move_against_the_machine_is_taken_back(site, page):
    table, tokens = begin(site.client, "tic_tac_toe", ["human", "random:seed=1"])
    site.sit(page, table, tokens)
    expect(page.locator("#takeback")).to_have_count(0)
    page.locator(".live[data-action='4']").click()
    expect(page.locator(".page")).to_have_attribute("data-version", "2")
    page.click("#takeback")
    expect(page.locator(".page")).to_have_attribute("data-version", "0")
    expect(page.locator(".live")).to_have_count(9)
    page.locator(".live[data-action='0']").click()
    expect(page.locator(".page")).to_have_attribute("data-version", "2")
    assert look(site.client, table, at=1)["log"][0]["text"]["en"] == "Cross: row 1, column 1."


def test_resigning_is_asked_twice_and_told_to_both(site, page):
    table, tokens = sat(site, page)
    with site.visitor() as other:
        site.sit(other, table, [None, tokens[1]])
        page.click("#resign")
        page.click("#cancel")
        page.click("#resign")
        page.click("#really")
        expect(page.locator(".result")).to_have_text("You resigned.")
        expect(other.locator(".result")).to_have_text("Cross resigns. You won.")
        expect(other.locator(".banner")).to_contain_text("You won.")
        expect(other.locator(".live")).to_have_count(0)
        other.click("#rematch")
        expect(page.locator(".bar")).to_contain_text("The other player wants a rematch.")
        page.click("#rematch")
        for browser in (page, other):
            browser.wait_for_url(lambda url: table not in url)
        expect(other.locator(".live")).to_have_count(9)  # the sides are swapped


def test_names_and_ready_made_messages_are_seen_by_the_other(site, page):
    table, tokens = sat(site, page)
    page.click("#tab-about")
    page.fill("#name", "Ada")
    page.locator("#name").blur()
    with site.visitor() as other:
        site.sit(other, table, [None, tokens[1]])
        expect(other.locator(".plate", has_text="Ada")).to_have_count(1)
        page.locator(".say summary").click()
        page.click("[data-say='good_luck']")
        expect(other.locator(".saying")).to_have_text("Good luck!")
        assert other.locator(".gestures input, .gestures textarea").count() == 0  # no free text


def test_the_tutor_waits_until_both_people_agree(site, page):
    table, tokens = sat(site, page)
    expect(page.locator("#hint")).to_be_disabled()
    page.click("#tutor-agree")
    expect(page.locator("#panel-tutor")).to_contain_text("the other player has not yet")
    gesture(site, table, tokens[1], "tutor")
    expect(page.locator("#hint")).to_be_enabled()


def test_a_saying_does_not_disturb_a_half_made_move(site, page):
    table, tokens, _ = site.reach(plain_move)
    site.sit(page, table, [tokens[0], None])
    browsing.step(page)
    expect(page.locator("#undo")).to_be_enabled()
    gesture(site, table, tokens[1], "say", "hello")
    expect(page.locator(".saying")).to_have_text("Hello!")
    expect(page.locator("#undo")).to_be_enabled()


def test_a_clock_runs_down_and_the_game_is_lost(site, page):
    table, tokens = sat(site, page, clock={"base": 10, "increment": 0})
    expect(page.locator(".time").first).to_have_text("0:10")
    page.locator(".live[data-action='4']").click()
    site.client.post(
        f"{API}/tables/{table}/actions", json={"action": 0, "version": 1}, headers=bearing(tokens[1])
    ).raise_for_status()
    expect(page.locator(".plate.turn .time")).to_have_text(re.compile("0:0[0-9]"))
    expect(page.locator(".result")).to_have_text("You ran out of time.")


def test_a_link_says_when_it_works_on_this_machine_only(site, page):
    page.goto(site.home)
    page.select_option("#game", "tic_tac_toe")
    page.check("input[value='link']")
    page.click("#begin")
    expect(page.locator(".inviting .here")).to_contain_text("works only on this computer")
    page.click("#tab-about")
    link = page.input_value("#watch")
    with site.visitor() as watcher:
        watcher.goto(link)
        expect(watcher.locator(".bar")).to_contain_text("You are watching")
        assert watcher.locator(".gestures button").count() == 0


def test_the_dice_are_checked_after_the_game(site, page):
    table, tokens = begin(site.client, "pig", ["human", "random"], options={"win_score": 30})
    site.sit(page, table, tokens)
    page.click("#tab-about")
    expect(page.locator("#dice-check")).to_be_hidden()
    old = version(page)
    page.click("[data-choice='0']")
    after(page, old)
    page.click("#resign")
    page.click("#really")
    page.click("#dice-check")
    expect(page.locator(".audit .gain")).to_contain_text(
        re.compile(r"The seed matches its hash, and (all|the) \d+ rolls?")
    )


def test_a_seed_that_was_not_promised_is_found_out(site, page):
    table, tokens = begin(site.client, "pig", ["human", "random"])
    page.route("**/dice", lambda route: route.fulfill(json={"commitment": "0", "seed": "another", "rolls": []}))
    site.sit(page, table, tokens)
    page.click("#resign")
    page.click("#really")
    page.click("#tab-about")
    page.click("#dice-check")
    expect(page.locator(".audit .loss")).to_contain_text("does not match the hash")


def test_the_end_names_the_costliest_move_and_leads_to_it(site, page):
    table, tokens = begin(site.client, "pig", ["human", "random"], tutor=True)
    site.sit(page, table, tokens)
    page.click("[data-choice='1']")  # holds with nothing
    expect(page.locator(".verdict .loss")).to_be_visible()
    page.click("#resign")
    page.click("#really")
    expect(page.locator(".learn")).to_contain_text("Your costliest move")
    page.locator(".learn a").click()
    expect(page.get_by_text("Step 0 of")).to_be_visible()
