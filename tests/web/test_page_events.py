"""What the page tells and shows of the game: banners, the end, the last move, pace, hints that play, touch, sound."""

import re

import browsing
from browsing import after, fields, hold_or_leave, plain_move, step, version
from playwright.sync_api import expect
from serving import act, begin, look

site, page = browsing.a_site, browsing.a_page

BANNERS = """() => {
  window.told = [];
  const banner = document.querySelector(".banner");
  new MutationObserver(() => banner.hidden || window.told.push(banner.textContent))
    .observe(banner, {attributes: true, childList: true});
}"""


def play(site, table, tokens, view, verb):
    """Plays the first action with this verb."""
    action = next(one["action"] for one in view["legal"] if one["verb"] == verb)
    return act(site.client, table, ",".join(tokens), action, view["version"]).json()


def test_leaving_is_told_in_one_sentence_and_kept_in_the_log(site, page):
    table, tokens, view = site.reach(hold_or_leave)
    site.sit(page, table, [None, tokens[1]])
    page.evaluate(BANNERS)
    play(site, table, tokens, view, "leave")
    expect(page.locator(".banner")).to_have_text(re.compile(r"^White wins \d holes?.* and leaves: new setting\."))
    expect(page.locator(".field[data-field='24']")).to_have_attribute("aria-label", re.compile("15 black men"))
    page.click("#tab-history")
    assert page.locator(".history .event").count() >= 2  # the hole and the leaving


def test_a_banner_holds_the_game_until_it_is_clicked(site):
    table, tokens, view = site.reach(hold_or_leave)
    with site.visitor(reduced_motion="no-preference") as page:
        page.clock.install()  # so that the banner is not taken away because it has been read
        site.sit(page, table, [None, tokens[1]])
        play(site, table, tokens, view, "leave")
        banner = page.locator(".banner:not(.passing)")
        expect(banner).to_be_visible()
        page.clock.run_for(1000)
        expect(banner).to_be_visible()
        old = version(page)
        banner.click()
        while version(page) == old:
            page.clock.run_for(100)
        expect(banner).to_be_hidden()


def test_the_end_names_the_score_and_offers_a_rematch_with_sides_swapped(site, page):
    table, tokens = begin(site.client, "tic_tac_toe", ["human", "random:seed=1"])
    site.sit(page, table, tokens)
    while page.locator(".result").count() == 0:
        old = version(page)
        page.locator(".live").first.click()
        after(page, old)
        page.wait_for_selector(".live, .result")
    view = look(site.client, table)
    expect(page.locator(".result")).to_have_text(view["results"][0]["en"])
    expect(page.locator(".banner")).to_have_text(view["results"][0]["en"])
    page.click("#rematch")
    page.wait_for_url(lambda url: table not in url)
    page.wait_for_selector(".live")
    seats = look(site.client, page.url.rsplit("/", 1)[1])["seats"]
    assert [seat["player"] for seat in seats] == ["random:seed=1", "human"]


def test_the_last_move_stays_on_the_board_until_the_next_one_begins(site, page):
    table, tokens, _ = site.reach(plain_move)
    site.sit(page, table, tokens)
    assert page.locator(".trail .arrow.last").count() >= 1
    step(page)
    expect(page.locator(".trail .arrow")).to_have_count(0)
    page.click("#undo")
    assert page.locator(".trail .arrow.last").count() >= 1


def test_a_line_of_the_log_shows_its_move_and_a_half_made_move_comes_back(site, page):
    table, tokens, view = site.reach(plain_move)
    site.sit(page, table, tokens)
    step(page)
    expect(page.locator("#undo")).to_be_enabled()
    half = page.locator(".board .men").inner_html()
    page.click("#tab-history")
    page.locator(".history .move").nth(1).hover()
    expect(page.locator(".board .arrow.played")).not_to_have_count(0)
    moves = [one for one in view["log"] if one["kind"] == "move"]
    men = look(site.client, table, at=moves[-2]["version"] - 1)["scene"]["men"]
    assert page.locator(".board .stack[data-stack]").count() == sum(count != 0 for count in men)
    page.mouse.move(5, 5)
    expect(page.locator(".board .arrow.played")).to_have_count(0)
    assert page.locator(".board .men").inner_html() == half


def test_a_click_skips_the_animation(site):
    table, tokens, view = site.reach(plain_move)
    with site.visitor(reduced_motion="no-preference") as page:
        page.clock.install()  # pauses and animations end only if they are skipped
        site.sit(page, table, tokens, speed="slow")
        page.evaluate(browsing.STUCK)
        act(site.client, table, tokens[0], view["legal"][0]["action"], view["version"])
        page.wait_for_selector(".flying", state="attached")
        page.locator(".board").click(position={"x": 5, "y": 5})
        after(page, view["version"])


def test_speed_and_its_setting_are_kept(site, page):
    table, tokens, _ = site.reach(plain_move)
    site.sit(page, table, tokens)
    page.click("#tab-about")
    page.select_option("#speed", "instant")
    page.reload()
    page.click("#tab-about")
    expect(page.locator("#speed")).to_have_value("instant")


def test_clicking_a_hint_plays_it(site, page):
    table, tokens, view = site.reach(plain_move)
    site.sit(page, table, tokens)
    step(page)  # a half-made move is taken back first
    page.click("#hint")
    first = page.locator(".candidates button").first
    text = first.locator(".text").inner_text()
    first.click()
    after(page, view["version"])
    played = look(site.client, table, at=view["version"] + 1)["log"][-1]
    assert text in played["text"]["en"]


def test_a_man_is_dragged_by_a_finger_and_leaves_its_place(site):
    table, tokens, _ = site.reach(plain_move)
    with site.visitor(width=390, height=600, has_touch=True, is_mobile=True) as page:
        site.sit(page, table, tokens)
        finger = page.context.new_cdp_session(page)
        start = fields(page, "source")[0]
        standing = page.locator(f"[data-stack='{start}'] .man").count()

        def touch(kind, field=None):
            box = field is not None and page.locator(f"[data-field='{field}'] .touch").bounding_box()
            points = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}] if box else []
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        page.locator(f"[data-field='{start}'] .touch").scroll_into_view_if_needed()
        scrolled = page.evaluate("scrollY")
        touch("touchStart", start)
        for field in (start + 1, start + 3, 25 - start):  # along the rail and across the board, as if to scroll
            touch("touchMove", field)
        expect(page.locator(".dragged")).to_have_count(1)
        assert page.locator(f"[data-stack='{start}'] .man").count() == standing - 1
        target = fields(page, "target")[0]
        touch("touchMove", target)
        touch("touchEnd")
        expect(page.locator("#undo")).to_be_enabled()
        assert page.evaluate("scrollY") == scrolled
        assert page.locator(f"[data-stack='{start}'] .man").count() == standing - 1
        expect(page.locator(".dragged")).to_have_count(0)


HEARD = """() => {
  window.heard = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...rest) { window.heard += 1; return start.apply(this, rest); };
}"""


def test_men_are_heard_unless_the_sound_is_off(site, page):
    table, tokens, _ = site.reach(plain_move)
    site.sit(page, table, tokens)
    page.evaluate(HEARD)
    step(page)
    assert page.evaluate("window.heard") > 0
    page.click("#tab-about")
    page.uncheck("#sound")
    page.evaluate("window.heard = 0")
    page.click("#undo")
    step(page)
    assert page.evaluate("window.heard") == 0


def test_a_phone_is_silent_until_asked(site):
    table, tokens, _ = site.reach(plain_move)
    with site.visitor(width=390, height=844, has_touch=True, is_mobile=True) as page:
        site.sit(page, table, tokens)
        page.click("#tab-about")
        expect(page.locator("#sound")).not_to_be_checked()


def test_another_language_keeps_a_half_made_move(site, page):
    table, tokens, _ = site.reach(plain_move)
    site.sit(page, table, tokens)
    step(page)
    expect(page.locator("#undo")).to_be_enabled()
    half = page.locator(".board .men").inner_html()
    page.click("#language")
    expect(page.locator("#undo")).to_have_text("Annuler")
    expect(page.locator("#undo")).to_be_enabled()
    assert re.sub(r"b\d+-", "", page.locator(".board .men").inner_html()) == re.sub(r"b\d+-", "", half)


def test_games_are_told_apart_by_opponent_and_score(site, page):
    table, tokens = begin(site.client, "trictrac", ["human", "level:n=3"], options={"first_throw": "white"})
    site.sit(page, table, tokens)
    page.wait_for_selector(".plate:has-text('easy')")
    browsing.move(page)
    page.goto(f"{site.home}/#/")
    expect(page.locator(".recent li").first).to_contain_text("easy · 0\N{EN DASH}0 · in progress")


def test_the_tutor_counts_in_tokens_in_the_scored_game(site, page):
    table, tokens = begin(site.client, "trictrac_a_ecrire", seed=1, tutor=True)
    site.sit(page, table, tokens)
    page.click("#hint")
    expect(page.locator(".candidates button").first).to_contain_text("tokens")
