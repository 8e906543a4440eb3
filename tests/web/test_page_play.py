"""Playing on the page: whole games, moves step by step, hold or leave, two people, and reloads that lose nothing."""

import random
import re

import browsing
import pytest
from browsing import after, fields, hold_or_leave, move, plain_move, step, version
from playwright.sync_api import expect
from serving import API, act, bearing, begin, look, until

site, page = browsing.a_site, browsing.a_page


def choose_opponent(page, site, game, opponent):
    page.goto(site.home)
    page.select_option("#game", game)
    if opponent == "free":
        page.locator(".advanced > summary").click()
    page.check(f"input[value='{opponent}']")


def my_turn(site, table, token):
    view = look(site.client, table, token)
    return view if view["your_turn"] or view["over"] else None


def test_a_whole_game_of_pig(site, page):
    table, tokens = begin(site.client, "pig", ["human", "random:seed=1"], options={"win_score": 40}, seed=2)
    site.sit(page, table, tokens)
    rolls = 0
    while True:
        page.wait_for_selector("[data-choice], .result")
        if page.locator(".result").count():
            break
        old, action = version(page), "0" if rolls < 4 else "1"
        rolls = rolls + 1 if action == "0" else 0
        page.click(f"[data-choice='{action}']")
        after(page, old)
    expect(page.locator(".result")).to_have_text(look(site.client, table)["results"][0]["en"])
    scores = page.locator(".stage svg").get_attribute("aria-label")
    assert re.search(r"has 40\b", scores), scores


def test_a_whole_game_of_tic_tac_toe_by_two_people_here(site, page):
    choose_opponent(page, site, "tic_tac_toe", "person")
    page.click("#begin")
    page.wait_for_selector(".live")
    for square in (0, 1, 4, 2, 8):  # x takes the diagonal
        old = version(page)
        page.locator(f".live[data-action='{square}']").click()
        after(page, old)
    expect(page.locator(".result")).to_contain_text(re.compile("wins"))
    assert page.locator("[data-choice], .live").count() == 0


def test_a_game_of_trictrac_against_a_player_of_the_machine(site, page):
    table, tokens = begin(site.client, "trictrac", ["human", "random:seed=2"], options={"holes_to_win": 1}, seed=2)
    view = until(lambda: my_turn(site, table, tokens[0]))
    while max(view["scene"]["points"]) < 8 and not view["over"]:  # the rest is played in the browser
        body = {"action": view["legal"][-1]["action"], "version": view["version"]}
        site.client.post(f"{API}/tables/{table}/actions", json=body, headers=bearing(tokens[0]))
        view = until(lambda: my_turn(site, table, tokens[0]))
    site.sit(page, table, tokens)
    while True:
        page.wait_for_selector("#confirm, #forced, #hold, .result")
        if page.locator(".result").count():
            break
        move(page)
    view = look(site.client, table)
    assert view["over"]
    assert max(view["scene"]["holes"]) >= 1
    expect(page.locator(".result")).to_have_text(view["results"][0]["en"])


def test_hold_step_by_step_undo_and_play_on(site, page):
    table, tokens, view = site.reach(hold_or_leave)
    site.sit(page, table, tokens)
    expect(page.locator("#hold")).to_contain_text("tenir")
    expect(page.locator("#leave")).to_contain_text("en aller")
    page.click("#hold")
    expect(page.locator("#confirm")).to_be_disabled()

    men = view["scene"]["men"]
    start = next(field for field in fields(page, "source") if men[field - 1] > 2)
    step(page, start)
    expect(page.locator(f"[data-field='{start}']")).to_have_attribute(
        "aria-label", re.compile(f": {men[start - 1] - 1} ")
    )
    page.click("#undo")
    expect(page.locator(f"[data-field='{start}']")).to_have_attribute("aria-label", re.compile(f": {men[start - 1]} "))
    expect(page.locator("#undo")).to_have_text("Back to the choice")
    page.click("#undo")
    expect(page.locator("#leave")).to_be_visible()
    assert look(site.client, table)["version"] == view["version"]  # none of this was sent

    page.click("#hold")
    for _ in range(4):
        move(page)
        page.wait_for_selector("#confirm, #forced, #hold")
        if page.locator("#hold").count():
            page.click("#hold")
    assert look(site.client, table)["version"] >= view["version"] + 8  # four throws and four moves


def test_leave_sets_the_men_up_anew(site, page):
    table, tokens, view = site.reach(hold_or_leave)
    site.sit(page, table, tokens)
    old = version(page)
    page.click("#leave")
    after(page, old)
    expect(page.locator("[data-field='24']")).to_have_attribute("aria-label", re.compile("15 black men"))
    seen = look(site.client, table)
    assert seen["scene"]["holes"] == view["scene"]["holes"]
    assert seen["scene"]["points"] == [0, 0]


def test_a_man_is_dragged(site, page):
    table, tokens, _ = site.reach(plain_move)
    site.sit(page, table, tokens)
    start = fields(page, "source")[0]
    page.locator(f"[data-field='{start}'] .touch").hover()
    page.mouse.down()
    page.locator(f"[data-field='{15}'] .touch").hover()
    page.mouse.move(5, 5, steps=3)
    targets = fields(page, "target")
    page.locator(f"[data-field='{targets[0]}'] .touch").hover()
    page.mouse.up()
    expect(page.locator("#undo")).to_be_enabled()
    move(page)


def tap(page, field):
    page.locator(f"[data-field='{field}'] .touch").tap()


def test_a_finger_plays_on_a_phone(site):
    table, tokens, _ = site.reach(plain_move)
    with site.visitor(width=390, height=844, has_touch=True, is_mobile=True) as page:
        site.sit(page, table, tokens)
        old = version(page)
        while page.locator("#confirm").is_disabled():
            step(page, press=tap)
        page.locator("#confirm").tap()
        after(page, old)
        box = page.locator("[data-field='6'] .touch").bounding_box()
        assert box["height"] >= 40
        assert box["width"] >= 26


def test_a_move_by_the_keyboard_alone(site, page):
    table, tokens, _ = site.reach(plain_move)
    site.sit(page, table, tokens)
    old = version(page)
    for _ in range(40):  # from the top of the page to the board
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.matches('.field.source')"):
            break
    page.keyboard.press("Enter")
    expect(page.locator(".field.picked")).to_be_focused()
    page.keyboard.press("Escape")
    assert page.locator(".field.picked").count() == 0
    while page.locator("#confirm").is_disabled():
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".field.target:focus")).to_have_count(1)
        page.keyboard.press("Enter")
        expect(page.locator(".field.source:focus, #confirm:focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("#confirm")).to_be_disabled()
    page.locator("#undo").press("Escape")
    move(page)
    assert version(page) > old
    assert "plays" in page.locator("#live").inner_text()  # announced to screen readers


def test_a_reload_in_mid_game_goes_on(site, page):
    table, tokens, _ = site.reach(plain_move)
    site.sit(page, table, tokens)
    move(page)
    old = version(page)
    page.reload()
    page.wait_for_selector(f".page[data-version='{old}']")
    move(page)
    page.goto(site.home)
    page.locator(".recent a").first.click()
    page.wait_for_selector(".page[data-version]")
    move(page)


def test_a_complete_move_may_be_played_without_confirming(site, page):
    table, tokens, _ = site.reach(plain_move)
    site.sit(page, table, tokens)
    page.click("#tab-about")
    page.check("#auto")
    old = version(page)
    for _ in range(2):  # two numbers, one after the other
        step(page)
    after(page, old)


def test_two_browsers_at_one_table(site, page):
    choose_opponent(page, site, "tic_tac_toe", "link")
    page.locator(".more > summary").first.click()
    page.select_option("#side", "0")
    page.click("#begin")
    page.wait_for_selector(".live")
    page.click("#tab-about")
    link = page.input_value("#invite")
    with site.visitor() as other:
        other.goto(link)
        other.wait_for_selector(".page[data-version]")
        assert link.rsplit("/", 1)[1] not in other.url  # the token does not stay in the address
        assert other.locator(".live").count() == 0
        page.locator(".live[data-action='4']").click()
        other.locator(".live[data-action='0']").click()
        page.wait_for_selector(".page[data-version='2']")
        page.locator(".live[data-action='8']").click()
        expect(other.locator(".page")).to_have_attribute("data-version", "3")


def test_refusals_are_french_on_the_french_page(site):
    with site.visitor(refused=True, locale="fr") as page:
        choose_opponent(page, site, "trictrac", "free")
        page.fill("#string", "nobody")
        page.click("#begin")
        expect(page.locator(".notice.wrong")).to_contain_text("« nobody » ; choisissez parmi")


def test_a_player_string_that_is_none_is_explained(site):
    with site.visitor(refused=True) as page:
        choose_opponent(page, site, "trictrac", "free")
        page.fill("#string", "nobody:here=1")
        page.click("#begin")
        expect(page.locator(".notice.wrong")).to_contain_text("nobody")


def test_every_rule_of_a_game_can_be_chosen(site, page):
    choose_opponent(page, site, "pig", "person")
    page.locator(".more > summary").first.click()
    page.locator(".rules-of > summary").click()
    page.fill("#option-win_score", "30")
    page.click("#begin")
    page.wait_for_selector("[data-choice]")
    table = page.url.rsplit("/", 1)[1]
    assert look(site.client, table)["options"] == {"win_score": 30}


def test_an_option_that_cannot_be_is_shown(site, page):
    """A collapsed control cannot show its error, so it is expanded."""
    choose_opponent(page, site, "pig", "person")
    page.locator(".more > summary").first.click()
    page.locator(".rules-of > summary").click()
    page.fill("#option-win_score", "0")
    page.locator(".more > summary").first.click()
    expect(page.locator("#option-win_score")).not_to_be_visible()
    page.click("#begin")
    expect(page.locator("#option-win_score")).to_be_visible()
    page.fill("#option-win_score", "20")
    page.click("#begin")
    page.wait_for_selector("[data-choice]")


def test_a_table_for_three(site, page):
    choose_opponent(page, site, "trictrac_a_ecrire", "free")
    page.fill("#string", "random:seed=1")
    page.locator(".more > summary").first.click()
    page.select_option("#side", "0")
    page.locator(".rules-of > summary").click()
    page.fill("#option-players", "3")
    page.click("#begin")
    page.wait_for_selector(".page[data-version]")
    expect(page.locator(".plate")).to_have_count(3)
    expect(page.locator(".others .plate").last).to_contain_text("sits out")


@pytest.mark.slow
def test_the_scored_game_for_three(site, page):
    """One player rests in each marqué; the person returns as Black and still sits below the board.

    The test plays all seats, so nothing happens while the page is looked at.
    """
    rules = {"players": 3, "marques": 3}
    table, tokens = begin(site.client, "trictrac_a_ecrire", ["human"] * 3, options=rules, seed=3)
    site.sit(page, table, [tokens[0], None, None])
    everyone, draw = ",".join(tokens), random.Random(3)

    def play_until(colour):
        while (view := look(site.client, table, everyone))["scene"]["colours"][0] != colour:
            action = draw.choice(view["legal"])["action"]
            assert act(site.client, table, everyone, action, view["version"]).status_code == 200
        return view

    assert any(play_until(None)["scene"]["tokens"])  # a marqué was played and paid
    expect(page.locator(".plate", has_text="You")).to_contain_text("sits out")
    play_until(1)
    expect(page.locator(".play > .plate")).to_contain_text("You (Player 1) Black")


def test_a_new_table_is_asked_for_with_the_oldest_seat(site, page):
    """So the server recognises somebody who plays here already."""
    table, tokens = begin(site.client, "tic_tac_toe", ["human", "human"])
    site.sit(page, table, tokens)
    page.goto("about:blank")
    page.goto(site.home)
    with page.expect_request(lambda asked: asked.method == "POST" and asked.url.endswith("/tables")) as asked:
        page.click("#begin")
    headers = asked.value.all_headers()
    assert headers["tablier-table"] == table
    assert headers["authorization"] == f"Bearer {tokens[0]}"
