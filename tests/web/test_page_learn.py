"""Learning on the page: jans explained, the tutor, schools, the rules, reviews, records and the engine's view."""

import json
import re

import browsing
import pytest
from browsing import after, ended, fields, hold_or_leave, move, plain_move, to_mark, version
from playwright.sync_api import expect
from serving import look


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    run = folder / "runs" / "first"
    run.mkdir(parents=True)
    run.joinpath("config.json").write_text(json.dumps({"algorithm": "td", "game": "pig"}))
    rows = [{"step": 10 * n, "seconds": n, "loss": 1 / n, "win_rate": 1 - 1 / n} for n in range(1, 30)]
    run.joinpath("metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with browsing.site(folder) as found:
        yield found


page = browsing.a_page


def test_a_throw_lists_its_jans_and_shows_their_fields(site, page):
    table, tokens, view = site.reach(hold_or_leave)
    site.sit(page, table, tokens)
    jan = view["scene"]["throw"]["jans"][0]
    line = page.locator(".throw:not(.old) .jan").first
    expect(line).to_contain_text(jan["why"]["en"])
    expect(line).to_contain_text(f"+{jan['points']}")
    assert page.locator(".board .glow path").count() == 0
    line.hover()
    assert page.locator(".board .glow path").count() == len(jan["fields"])
    lit = page.locator(".board .labels .lit").all_text_contents()
    assert sorted(map(int, lit)) == jan["fields"]
    page.mouse.move(1, 1)
    line.focus()
    assert page.locator(".board .glow path").count() == len(jan["fields"])


def test_the_tutor_shows_the_best_and_tells_what_a_move_cost(site, page):
    table, tokens, _ = site.reach(plain_move)
    site.sit(page, table, tokens)
    page.click("#hint")
    first = page.locator(".candidates li").first
    expect(first).to_contain_text("best")
    expect(first).to_contain_text("%")
    first.hover()
    assert page.locator(".board .arrow.best").count() >= 1
    move(page)
    expect(page.locator(".verdict")).to_contain_text(re.compile("cost|nearly as good|nothing was better"))


def test_a_look_inside_shows_visits_and_values(site, page):
    table, tokens, _ = site.reach(plain_move)
    site.sit(page, table, tokens)
    page.click("#tab-engine")
    page.fill("#engine-player", "mcts:sims=60")
    page.keyboard.press("Enter")
    rows = page.locator("#panel-engine tbody tr")
    expect(rows.first).to_be_visible()
    visits = [int(row.locator("td").nth(1).inner_text()) for row in rows.all()]
    assert visits == sorted(visits, reverse=True)
    assert 0 < sum(visits) <= 60


def test_schools_the_person_marks_and_the_other_claims(site, page):
    table, tokens, view = site.reach(to_mark, schools=True)
    throw = {"board": view["scene"]["men"], "dice": view["scene"]["dice"]}
    points, others = site.client.post("/api/v1/throws", json=throw).json()["points"]
    assert (points > 0, others) == (True, 0)
    site.sit(page, table, tokens)

    def answer(asked, name):
        expect(page.locator(".bar .status")).to_contain_text(asked)
        old = version(page)
        page.locator(".bar").get_by_role("button", name=name, exact=True).click()
        after(page, old)

    expect(page.locator(".throw").first).to_contain_text("With schools, you do the counting")
    answer("Mark your points", "mark nothing")
    move(page)
    answer("Mark your points", "mark nothing")  # now Black, for the points White's throw gives them
    answer("Did your opponent mark correctly?", f"claim a school of {points} points")
    answer("Did your opponent mark correctly?", "Claim nothing")
    won = look(site.client, table)["scene"]["points"][1] - view["scene"]["points"][1]
    assert won % 12 == points
    expect(page.locator("#live")).to_contain_text(f"Black is right: White marked 0 points instead of {points}.")


def test_the_rules_score_any_throw_live(site, page):
    page.goto(f"{site.home}/#/rules")
    board = page.locator("#rule-fill")
    expect(board.locator(".total")).to_have_text("White marks 4, Black 0.")
    more = board.get_by_role("button", name="Die 1: one more")
    more.click()  # 5-1: still filled
    expect(board.locator("output").first).to_have_text("5")
    expect(board.locator(".jan")).to_contain_text("fills")
    more.click()  # 6-1: not filled
    expect(board.locator(".total")).to_have_text("White marks 0, Black 0.")
    assert board.locator(".jan").count() == 0


def test_a_review_with_its_graph_and_mistakes(site, page):
    table, _, view = site.reach(ended, holes_to_win=1)
    assert view["over"]
    page.goto(f"{site.home}/#/review/{table}")
    page.click("#analyse")
    page.wait_for_selector(".mistakes")
    assert page.locator(".graph .line").count() == 1
    first = page.locator("[data-mistake]").first
    expect(first).to_have_attribute("aria-current", "true")
    costs = [float(text[1:].strip("%")) for text in page.locator(".mistakes .cost").all_inner_texts()]
    assert costs == sorted(costs, reverse=True)
    last = page.locator("[data-mistake]").last
    last.click()
    expect(last).to_have_attribute("aria-current", "true")
    at = int(last.get_attribute("data-mistake"))
    expect(page.get_by_text(f"Step {at} of {view['version']}")).to_be_visible()
    page.locator("h1").click()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text(f"Step {at - 1} of")).to_be_visible()
    page.click("#first")
    expect(page.get_by_text("Step 0 of")).to_be_visible()
    page.click("#last")
    expect(page.get_by_text(view["log"][-1]["text"]["en"]).first).to_be_visible()


def test_a_record_is_downloaded_brought_back_and_replayed(site, page, tmp_path):
    table, tokens, view = site.reach(hold_or_leave)
    site.sit(page, table, tokens)
    page.click("#tab-about")
    with page.expect_download() as coming:
        page.get_by_role("link", name="Record (text)").click()
    record = tmp_path / "game.txt"
    coming.value.save_as(record)
    assert record.read_text().startswith('[Game "trictrac"]')
    page.goto(site.home)
    page.set_input_files("#upload", record)
    page.wait_for_selector("#next")
    assert page.url.rsplit("/", 1)[1] != table
    expect(page.get_by_text(f"Step {view['version']} of {view['version']}")).to_be_visible()
    page.click("#first")
    page.click("#next")
    expect(page.get_by_text("Step 1 of")).to_be_visible()


def test_training_curves(site, page):
    page.goto(f"{site.home}/#/runs")
    expect(page.get_by_text("first", exact=True)).to_be_visible()
    curves = page.locator(".curve")
    expect(curves).to_have_count(2)
    expect(curves.first).to_contain_text("loss")
    assert page.locator(".curve .line").count() == 2
    page.uncheck(".run-list input")
    expect(curves).to_have_count(0)


def test_turning_the_board_changes_who_sits_below(site, page):
    table, tokens, _ = site.reach(plain_move)
    site.sit(page, table, tokens)
    below = page.locator(".plate").nth(1)
    expect(below).to_contain_text("White")
    before = page.locator("[data-field='1'] .touch").bounding_box()
    page.click("#tab-about")
    page.click("#turn")
    expect(below).to_contain_text("Black")
    assert page.locator("[data-field='1'] .touch").bounding_box()["y"] < before["y"]
    assert fields(page, "source")
