"""What new visitors stumbled over: broken links, hidden pages and controls, names and numbers in words."""

import json
import re

import browsing
import pytest
from browsing import begun, expect, hold_or_leave, to_mark
from serving import begin

page, site = browsing.a_page, browsing.a_site


@pytest.mark.parametrize(("language", "said"), [("en-US", "incomplete or wrong"), ("fr-FR", "incomplet ou erroné")])
@pytest.mark.parametrize("kind", ["table", "review"])
def test_a_truncated_link_is_explained_in_words(site, kind, language, said):
    with site.visitor(locale=language) as page:
        page.goto(f"{site.home}/#/{kind}/lo8gv0SVx7WuOH6C")
        expect(page.get_by_role("alert")).to_contain_text(said)


def test_answers_in_schools_are_written_as_sentences_and_costs_have_a_unit(site, page):
    table, tokens, _ = site.reach(to_mark, schools=True)
    site.sit(page, table, [tokens[0], None])
    page.locator(".amounts button").first.click()
    expect(page.locator(".verdict")).to_have_text(re.compile(r"^Mark nothing cost \d+ points?\. Better: mark \d+"))
    table, tokens, _ = site.reach(to_claim, schools=True)
    with site.visitor() as other:
        site.sit(other, table, [tokens[0], None])
        expect(other.locator(".bar .row button")).to_have_text([re.compile("^Claim nothing"), re.compile("^Have it")])


def to_claim(view):
    """White may claim what Black marked wrongly."""
    return view["to_move"] == 0 and any(one["verb"] == "claim" for one in view["legal"])


def test_on_a_phone_the_navigation_fades_out_where_more_pages_follow(site):
    with site.visitor(locale="fr-FR", width=390, height=844) as page:
        page.goto(site.home)
        nav = page.locator("#nav")
        expect(nav).to_have_class("after")
        nav.evaluate("(nav) => nav.scrollTo(nav.scrollWidth, 0)")
        expect(nav).to_have_class("before")
        expect(page.locator("#begin")).to_be_in_viewport(ratio=1)


def test_the_start_page_offers_only_what_applies_and_speaks_one_language(site):
    with site.visitor(locale="fr-FR") as page:
        page.goto(site.home)
        expect(page.locator("label[for=upload]")).to_have_text("Choisir un fichier")
        expect(page.locator("#upload")).to_have_class("hidden-text")  # its own button is in the browser's language
        page.click(".setup .more summary")
        expect(page.locator("#clock")).to_be_hidden()
        page.click(".level:has([value=person])")
        expect(page.locator("#clock")).to_be_visible()


def test_an_opponent_keeps_its_name_in_the_list_of_recent_games(site, page):
    table, tokens = begin(site.client, "trictrac", ["human", "level:n=2"], options={"first_throw": "white"}, seed=1)
    site.sit(page, table, tokens)
    expect(page.locator(".others")).to_contain_text("Beginner", ignore_case=True)
    kept = page.wait_for_function("JSON.parse(localStorage['tablier.tables'])[0].against").json_value()
    assert (kept["en"], kept["fr"]) == ("beginner", "débutant")
    page.goto(f"{site.home}/#/")
    expect(page.locator(".recent")).to_contain_text(re.compile("beginner · 0.0 · in progress · just now"))


@pytest.mark.parametrize("width", [390, 1024, 1600])
def test_all_tabs_of_a_table_are_visible(site, width):
    table, tokens = begin(site.client, "trictrac_a_ecrire", seed=1)
    with site.visitor(locale="fr-FR", width=width) as page:
        site.sit(page, table, [tokens[0], None])
        expect(page.get_by_role("tab")).to_have_count(5)
        assert page.get_by_role("tablist").evaluate("(tabs) => tabs.scrollWidth <= tabs.clientWidth")


def test_a_spectator_is_not_offered_the_tutor(site, page):
    table, _, _ = site.reach(begun)
    site.sit(page, table, [None, None])
    expect(page.locator("#hint")).to_be_hidden()
    expect(page.locator("#tutor-on")).to_be_hidden()


def test_the_table_tab_says_once_that_its_links_work_only_here(site, page):
    table, tokens = begin(site.client, "trictrac", seed=1)
    kept = json.dumps(json.dumps([{"id": table, "tokens": [tokens[0], None], "invites": [tokens[1]]}]))
    page.add_init_script(f"localStorage['tablier.tables'] ??= {kept};")
    page.goto(f"{site.home}/#/table/{table}")
    page.get_by_role("tab", name="Table").click()
    expect(page.locator("#panel-about .invite")).to_have_count(2)
    expect(page.locator("#panel-about .here")).to_have_count(1)


def test_on_a_phone_a_mistake_picked_in_the_review_is_shown_on_the_board(site):
    moves = [0, 1, 3, 4, 8, 6, 2, 5, 7]  # tic-tac-toe: White does not win at once
    record = json.dumps({"game": "tic_tac_toe", "options": {}, "header": {}, "actions": moves})
    table = site.client.post("/api/v1/records", content=record).json()["table"]
    with site.visitor(width=390, height=500) as page:
        page.goto(f"{site.home}/#/review/{table}")
        page.click("#analyse")
        page.locator("[data-mistake]").last.click()
        expect(page.locator(".review .play svg, .review .play img").first).to_be_in_viewport(ratio=0.9)


SHOW = "(one, [kind, text]) => { one.className = `banner ${kind}`; one.textContent = text; one.hidden = false; }"


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844), (1024, 768), (1600, 900)])
def test_the_banner_lies_on_the_board_beside_the_dice(site, width, height):
    table, tokens, _ = site.reach(hold_or_leave)
    with site.visitor(width=width, height=height) as page:
        site.sit(page, table, tokens)
        board = page.locator(".play .stage").bounding_box()
        middle, end = board["x"] + board["width"] / 2, board["x"] + board["width"]
        banner = page.locator(".banner")
        for kind, text in [("hole", "White wins 1 hole."), ("school", "White is right. " * 12), ("end", "You lost.")]:
            banner.evaluate(SHOW, [kind, text])
            box = banner.bounding_box()
            centre = box["x"] + box["width"] / 2
            assert centre == pytest.approx(middle if kind == "end" else (middle + end) / 2, abs=2), kind
            assert box["x"] >= (board["x"] if kind == "end" else middle), kind
            assert box["x"] + box["width"] <= end, kind
            assert board["y"] <= box["y"] < box["y"] + box["height"] <= board["y"] + board["height"], kind


def test_a_record_that_cannot_be_read_is_explained_in_the_readers_language(site):
    with site.visitor(refused=True) as page:  # the browser prefers English
        page.goto(site.home)
        page.click("#language")
        expect(page.locator("#begin")).to_have_text("Commencer")
        record = {"name": "game.txt", "mimeType": "text/plain", "buffer": b"[Game trictrac]\n1. 65 3-9"}
        page.set_input_files("input[type='file']", record)
        expect(page.locator(".notice.wrong")).to_contain_text("Ligne 1")


FONT = "(one) => getComputedStyle(one).fontFamily"


def test_a_page_looks_the_same_after_a_lesson(site, page):
    page.goto(f"{site.home}/#/analysis")
    before = page.locator("#open").evaluate(FONT)
    page.goto(f"{site.home}/#/lessons/trictrac/hitting/4")
    page.wait_for_selector(".exercise")
    page.goto(f"{site.home}/#/analysis")
    assert page.locator("#open").evaluate(FONT) == before


def test_the_way_back_is_below_what_went_wrong(site):
    with site.visitor(refused=True, width=1600) as page:
        page.goto(f"{site.home}/#/lessons")
        page.wait_for_selector(".lesson")
        page.goto(f"{site.home}/#/table/abc")
        notice, back = (page.locator(name).bounding_box() for name in (".notice.wrong", ".page a[href='#/']"))
        assert back["x"] == pytest.approx(notice["x"], abs=2)
        assert back["y"] > notice["y"]
        expect(page).to_have_title("Tablier")
