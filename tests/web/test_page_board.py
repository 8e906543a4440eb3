"""Using the board: animated moves, phones in landscape, whose numbers are shown, schools on one screen, pig's die."""

import re

import browsing
import pytest
from browsing import fields, hold_or_leave, plain_move, press, step
from playwright.sync_api import expect
from serving import act, begin, look, until

site, page = browsing.a_site, browsing.a_page


def after_a_throw_of_blacks(view):
    """White may hold or leave, and Black's last throw scored on some fields."""
    throws = [one for one in view["log"] if one["kind"] == "throw" and one["colour"] is not None]
    return hold_or_leave(view) and throws[-2]["colour"] == 1 and any(jan["fields"] for jan in throws[-2]["jans"])


def to_declare(view):
    """White has to declare what the throw is worth to them."""
    return any(one["verb"] == "declare" for one in view["legal"])


def to_claim(view):
    """A player has to say whether their opponent marked correctly."""
    return any(one["verb"] == "claim" for one in view["legal"])


def men_on(page):
    """Returns the men on each field as labelled on the page, in White's numbering."""
    names = [page.get_attribute(f"[data-field='{field}']", "aria-label") for field in range(1, 25)]
    return [int(found[1]) if (found := re.search(r": (\d+) ", name)) else 0 for name in names]


HELD_UP = """() => {
  Element.prototype.animate = () => ({ finished: new Promise((done) => { window.land = done; }) });
}"""


def test_what_is_pressed_while_a_man_flies_changes_nothing(site):
    table, tokens, view = site.reach(plain_move)
    with site.visitor(reduced_motion="no-preference") as page:
        site.sit(page, table, tokens)
        page.wait_for_selector(".field.source")
        page.evaluate(HELD_UP)  # the animation ends when the test says so
        for _ in range(2):
            start = fields(page, "source")[0]
            step(page, start)
            page.wait_for_selector(".flying", state="attached")
            assert page.locator("#undo").is_disabled()
            page.keyboard.press("Escape")
            page.locator(f"[data-field='{start}'] .touch").click(force=True)
            page.evaluate("() => window.land()")
            page.wait_for_selector(".flying", state="detached")
            page.wait_for_selector("#undo:enabled")
        expect(page.locator("#confirm")).to_be_enabled()
        assert sum(men_on(page)) == sum(map(abs, view["scene"]["men"]))
        page.click("#undo")
        page.click("#undo")
        assert men_on(page) == [abs(count) for count in view["scene"]["men"]]


def test_a_turned_phone_keeps_a_half_made_move(site):
    table, tokens, _ = site.reach(plain_move)
    with site.visitor(width=390, height=844, has_touch=True, is_mobile=True) as page:
        site.sit(page, table, tokens)
        step(page)
        expect(page.locator("#undo")).to_be_enabled()
        men = men_on(page)
        page.set_viewport_size({"width": 844, "height": 390})
        expect(page.locator(".board.tall")).to_have_count(0)
        assert men_on(page) == men
        expect(page.locator("#undo")).to_be_enabled()
        assert fields(page, "source")


@pytest.mark.parametrize(("width", "height"), [(844, 390), (667, 375), (800, 600), (1024, 768)])
def test_on_a_low_screen_board_and_buttons_are_seen_together(site, width, height):
    """For example on a phone in landscape."""
    table, tokens, _ = site.reach(hold_or_leave)
    with site.visitor(width=width, height=height, has_touch=True, is_mobile=True, locale="fr-FR") as page:
        site.sit(page, table, tokens)
        for name in (".board", "#hold", "#leave"):
            assert lowest(page, name) <= height, name
        page.click("#hold")
        assert lowest(page, "#confirm") <= height


def lowest(page, name):
    box = page.locator(name).last.bounding_box()
    return box["y"] + box["height"]


@pytest.mark.parametrize(("width", "height"), [(1600, 900), (1024, 768), (390, 844)])
def test_questions_of_schools_are_on_the_screen_with_their_answers(site, width, height):
    for wanted in (to_declare, to_claim):
        table, tokens, _ = site.reach(wanted, schools=True)
        with site.visitor(width=width, height=height) as page:
            site.sit(page, table, tokens)
            assert lowest(page, ".amounts button") <= height, wanted.__doc__
            assert page.locator(".bar .status").bounding_box()["y"] >= 0
            assert page.locator(".board").bounding_box()["width"] >= min(370, width - 20)


def test_who_may_claim_reads_what_the_other_marked(site, page):
    table, tokens, view = site.reach(to_claim, schools=True)
    mine = view["scene"]["colours"][view["to_move"]]
    marked = [one for one in view["log"] if one.get("verb") == "declare" and one["colour"] != mine][-1]
    site.sit(page, table, tokens)
    expect(page.locator(".bar .status")).to_contain_text(marked["text"]["en"])


def label(page, field):
    return page.locator(f".labels [data-label='{field}']").text_content()


def test_the_board_counts_as_he_does_whose_line_is_read(site, page):
    table, tokens, _ = site.reach(after_a_throw_of_blacks)
    site.sit(page, table, tokens)
    assert label(page, 1) == "1"
    expect(page.locator(".throw.old .numbers")).to_contain_text("from Black")
    assert page.locator(".throw:not(.old) .numbers").count() == 0
    line = page.locator(".throw.old .jan[tabindex]").first
    line.hover()
    assert label(page, 1) == "24"
    page.mouse.move(1, 1)
    assert label(page, 1) == "1"
    line.focus()
    assert label(page, 1) == "24"
    page.click("#tab-history")
    assert label(page, 1) == "1"
    page.locator(".history").focus()
    for _ in range(12):  # from the newest line to one of Black's
        page.keyboard.press("ArrowDown")
        if page.locator(".history li:focus .token.ebony").count():
            break
    assert label(page, 1) == "24"
    page.locator(".history li:has(.token.ivory)").first.hover()
    assert label(page, 1) == "1"


def test_dice_from_a_seed_are_told(site, page):
    for seed in (7, None):
        table, _ = begin(site.client, "trictrac", seed=seed)
        page.goto(f"{site.home}/#/table/{table}")
        page.wait_for_selector(".page[data-version]")
        assert page.locator(".seeded:visible", has_text="predict").count() == (seed is not None)


def test_men_that_may_move_carry_a_sign(site, page):
    table, tokens, _ = site.reach(plain_move)
    site.sit(page, table, tokens)
    marked = page.locator(".stack:has(.cue)").evaluate_all("all => all.map((one) => Number(one.dataset.stack))")
    assert sorted(marked) == sorted(fields(page, "source"))
    page.click("#tab-about")
    page.uncheck("#tap")  # otherwise a man with one place to go moves at once
    press(page, marked[0])
    expect(page.locator(".stack.picked .cue").first).to_be_hidden()


@pytest.mark.parametrize(
    ("game", "names", "picture"),
    [
        ("pig", ["Joueur 2", "Joueur 1"], "Cochon, en 100 points. Joueur 1\N{NO-BREAK SPACE}: 0"),
        ("tic_tac_toe", ["Rond", "Croix"], "Morpion. Croix\N{NO-BREAK SPACE}: aucune case"),
        ("trictrac", ["Noir", "Blanc"], None),
    ],
)
def test_seats_and_pictures_have_the_words_of_the_log(site, game, names, picture):
    table, tokens = begin(site.client, game)
    with site.visitor(locale="fr-FR") as page:
        site.sit(page, table, tokens)
        assert page.locator(".plate .who").all_inner_texts() == names
        if picture:
            assert page.locator(".drawn").get_attribute("aria-label").startswith(picture)


def test_the_other_seat_is_named_once(site, page):
    table, tokens = begin(site.client, "pig")
    site.sit(page, table, [tokens[0], None])
    assert page.locator(".plate .who").all_inner_texts() == ["Opponent Player 2", "You Player 1"]
    with site.visitor() as watcher:
        watcher.goto(f"{site.home}/#/table/{table}")
        watcher.wait_for_selector(".page[data-version]")
        assert watcher.locator(".plate .who").all_inner_texts() == ["Player 2", "Player 1"]


WATCH = """() => {
  window.told = [];
  window.rolled = 0;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    if (this.matches(".die")) window.rolled += 1;
    return animate.apply(this, how);
  };
  new MutationObserver(() => {
    const now = document.querySelector(".bar .status")?.textContent;
    if (now && now !== window.told.at(-1)) window.told.push(now);
  }).observe(document.querySelector(".bar"), {childList: true, subtree: true});
}"""


def mine_again(site, table, token):
    view = look(site.client, table, token)
    return view if view["your_turn"] and any(one["player"] == 1 for one in view["log"]) else None


def test_a_turn_of_the_machine_at_pig_is_told_line_by_line(site):
    table, tokens = begin(site.client, "pig", ["human", "random:seed=1"], seed=5)  # the seeds fix the turn
    with site.visitor(reduced_motion="no-preference", hurried=True) as page:
        site.sit(page, table, tokens)
        page.evaluate(WATCH)
        view = look(site.client, table, tokens[0])
        while view["to_move"] == 0:  # roll once, then hold: the machine is next, unless the die showed 1
            view = act(site.client, table, tokens[0], 0 if view["version"] == 0 else 1, view["version"]).json()
        log = until(lambda: mine_again(site, table, tokens[0]))["log"]
        expect(page.locator(".page")).to_have_attribute("data-version", str(log[-1]["version"]))
        told = page.evaluate("() => window.told")
        lines = [one["text"]["en"] for one in log]
        assert [one for one in told if one in lines] == [
            one for n, one in enumerate(lines) if n == 0 or lines[n - 1] != one
        ]
        assert page.evaluate("() => window.rolled") == sum(one["kind"] == "throw" for one in log)
