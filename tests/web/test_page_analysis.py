"""The analysis board in a browser: positions, throws, tried moves, best moves, rollouts and sharing."""

import browsing
import pytest
from accessibility import violations
from browsing import begun, ended, fields, press
from playwright.sync_api import expect
from test_page_look import overflow

from tablier.backgammon import Position as BackgammonPosition
from tablier.trictrac import Position

site, page = browsing.a_site, browsing.a_page
BOARD = [9, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 2, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -7]
"""White holds the corner; Black has eight single men."""
THREE_ONE = Position.of(Position(board=BOARD).throw(3, 1)).id()


def link(position, game="trictrac"):
    return f"#/analysis/{game}/{position.replace('+', '-').replace('/', '_')}"


def visit(site, page, address="#/analysis/trictrac"):
    page.goto("about:blank")
    page.goto(f"{site.home}/{address}")
    page.wait_for_selector(".page.analysis[data-version]")


def choose(page, first, second):
    """Chooses a throw die by die."""
    page.click(f"[data-die='1'][data-number='{first}']")
    page.click(f"[data-die='2'][data-number='{second}']")
    page.wait_for_selector(".die")


def at(page, version):
    page.wait_for_selector(f".page.analysis[data-version='{version}']")


def men(page):
    """Returns the fields with men, as screen readers hear them."""
    names = [page.get_attribute(f"[data-field='{field}']", "aria-label") for field in range(1, 25)]
    return {field: name.split(": ")[1].split(",")[0] for field, name in enumerate(names, 1) if "empty" not in name}


def drag(page, start, stop):
    """Drags a man from one field to another with the mouse."""
    boxes = [page.locator(f"[data-field='{field}'] .touch").bounding_box() for field in (start, stop)]
    (x, y), (to_x, to_y) = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(to_x, to_y, steps=4)
    page.mouse.up()


def test_both_sides_are_played_back_and_forth_by_mouse(site, page):
    page.goto(site.home)
    page.click("a[href='#/analysis']")
    page.wait_for_selector("#throw")
    choose(page, 5, 2)
    assert page.locator(".plate.turn").inner_text().startswith("White")
    for start in (1, 1):
        press(page, start)
        if fields(page, "target"):
            press(page, fields(page, "target")[0])
        page.wait_for_selector(browsing.READY)
    page.click("#confirm")
    at(page, 2)
    choose(page, 6, 6)
    assert page.locator(".plate.turn").inner_text().startswith("Black")
    assert fields(page, "source") == [24]
    after = men(page)
    page.click("#back")
    at(page, 2)
    page.click("#back")
    at(page, 1)
    assert men(page) == {1: "15 white men", 24: "15 black men"}
    page.click("#forth")
    at(page, 2)
    page.click("#forth")
    at(page, 3)
    assert men(page) == after
    expect(page.locator("#forth")).to_be_disabled()


def test_an_illegal_move_is_explained_by_mouse(site, page):
    visit(site, page, link(THREE_ONE))
    drag(page, 12, 15)
    expect(page.locator(".told")).to_have_text(
        "Field 15 is in the opponent\u2019s big jan. No man may stop there as long as the opponent can still fill it."
    )
    press(page, 12)
    expect(page.locator(".told p").last).to_have_text(
        "By 1: Field 13 is the opponent\u2019s rest corner. Nobody ever stops there."
    )
    drag(page, 8, 5)
    expect(page.locator(".told")).to_have_text("Men only move forward.")


def test_the_best_moves_are_shown_and_played(site, page):
    visit(site, page, link(THREE_ONE))
    page.click("#candidates")
    line = page.locator(".candidates button").first
    expect(line).to_contain_text("best")
    line.hover()
    expect(page.locator(".arrow.best").first).to_be_visible()
    line.click()
    at(page, 1)
    expect(page.locator("#candidates")).to_be_disabled()
    page.check("#always")
    page.click("#back")
    expect(page.locator(".candidates button")).not_to_have_count(0)


def test_a_rollout_shows_its_progress_and_error_bars(site):
    with site.visitor(hurried=True) as page:
        visit(site, page, link(THREE_ONE))
        page.click("#tab-rollout")
        page.select_option("#rollout-games", "144")
        page.click("#rollout")
        expect(page.locator("#panel-rollout progress")).to_be_visible()
        expect(page.locator("#rollout")).to_be_enabled()
        expect(page.locator(".rollout tbody tr")).to_have_count(5)
        assert page.locator(".error-bar circle").count() == 5
        assert "± " in page.locator(".rollout tbody").inner_text()
        page.select_option("#rollout-games", "1296")
        page.click("#rollout")
        page.click("#rollout-stop")
        expect(page.locator("#panel-rollout")).to_contain_text("Stopped.")
        visit(site, page, "#/analysis/pig")
        page.click("#tab-rollout")
        expect(page.locator("#rollout")).to_be_disabled()


def test_a_position_is_set_up_by_mouse(site, page):
    visit(site, page)
    page.click("#set-up")
    page.click("#clear")
    expect(page.locator("#men-placed")).to_have_text("White: 0 of 15 · Black: 0 of 15")
    for field in (1, 1, 2):
        press(page, field)
    page.check("[name=tool][value='1']", force=True)
    press(page, 24)
    drag(page, 1, 3)
    page.check("[name=tool][value='take']", force=True)
    press(page, 2)
    assert men(page) == {1: "1 white man", 3: "1 white man", 24: "1 black man"}
    page.click("#set-up-start")
    assert men(page) == {1: "15 white men", 24: "15 black men"}
    page.click("#set-up-cancel")
    expect(page.locator("#set-up")).to_be_focused()
    assert men(page) == {1: "15 white men", 24: "15 black men"}


def test_an_impossible_position_is_refused_and_stays_to_be_mended(site):
    with site.visitor(refused=True, locale="fr-FR") as page:
        visit(site, page)
        page.click("#set-up")
        page.check("[name=tool][value='take']", force=True)
        press(page, 1)
        page.click("#set-up-done")
        expect(page.locator(".play [role=alert]")).to_contain_text(
            "des dames sont sorties alors que d\u2019autres ne sont pas"
        )
        page.check("[name=tool][value='0']", force=True)
        press(page, 1)
        page.select_option("#set-up-player", "1")
        page.select_option("#set-up-points-0", "4")
        page.click("#set-up-done")
        expect(page.locator("#throw")).to_be_focused()
        expect(page.locator(".plate.turn")).to_contain_text("Noir")
        expect(page.locator(".bar .status")).to_have_text("Noir a les dés. Lancez-les, ou choisissez-les.")


def touch(page, points):
    """Touches the screen at a point and moves the finger over others."""
    devtools = page.context.new_cdp_session(page)
    for kind, point in [("touchStart", points[0]), *(("touchMove", one) for one in points[1:]), ("touchEnd", None)]:
        spots = [{"x": point[0], "y": point[1]}] if point else []
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})


def test_by_touch_on_a_phone_in_french(site):
    settings = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True, "locale": "fr-FR"}
    with site.visitor(**settings) as page:
        visit(site, page, "#/analysis/backgammon")
        page.tap("#set-up")
        page.tap("#clear")
        for value, taps in ((0, (6, 6, 5)), (1, (19, 25))):
            page.locator(f".tool:has([value='{value}'])").tap()
            for field in taps:
                page.locator(f"[data-field='{field}'] .touch").tap()
        boxes = [page.locator(f"[data-field='{field}'] .touch").bounding_box() for field in (6, 4)]
        points = [(box["x"] + box["width"] / 2, box["y"] + box["height"] - 20) for box in boxes]
        between = [(points[0][0] + (points[1][0] - points[0][0]) * n / 4, points[0][1]) for n in range(1, 5)]
        touch(page, [points[0], *between])
        page.tap("#set-up-done")
        page.wait_for_selector("#throw")
        board = [0] * 24
        board[3] = board[4] = board[5] = 1
        board[18] = -1
        assert page.url.endswith(link(BackgammonPosition(board=board, bar=(0, 1)).id(), "backgammon"))
        page.tap("[data-die='1'][data-number='6']")
        page.tap("[data-die='2'][data-number='5']")
        page.wait_for_selector(".field.source")
        page.locator("[data-field='4'] .touch").tap()
        expect(page.locator(".told p").first).to_have_text(
            "Par 6 : Ici, un 6 ne sort que le pion le plus éloigné, celui de la flèche 6."
        )
        assert overflow(page) <= 0


def test_by_keyboard(site, page):
    visit(site, page)
    page.locator("#set-up").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[name=tool]").first).to_be_focused()
    page.locator("[data-field='24']").focus()
    page.keyboard.press("Delete")
    page.locator("[data-field='1']").focus()
    page.keyboard.press("Delete")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert men(page) == {1: "14 white men", 2: "1 white man", 24: "14 black men"}
    expect(page.locator("#live")).to_have_text("field 2: 1 white man")
    page.locator("#set-up-start").focus()
    page.keyboard.press("Enter")
    page.locator("#set-up-done").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#throw")).to_be_focused()
    for die, number in ((1, 6), (2, 6)):
        page.locator(f"[data-die='{die}'][data-number='{number}']").focus()
        page.keyboard.press("Enter")
    expect(page.locator("[data-field='1']")).to_be_focused()
    page.locator("body").focus()
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    at(page, 0)
    page.keyboard.press("ArrowRight")
    at(page, 1)
    visit(site, page, link(THREE_ONE))
    page.locator("[data-field='12']").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".told p")).to_have_count(2)


def test_a_throw_by_chance_is_one_of_the_throws(site, page):
    visit(site, page, link(Position(board=BOARD).id()))
    page.evaluate("() => { crypto.getRandomValues = (numbers) => numbers.fill(35); }")
    page.click("#throw")
    at(page, 1)
    page.click("#tab-history")
    expect(page.locator(".history li").first).to_contain_text("White throws 6 and 6")


def test_a_position_is_shared_as_link_id_and_picture(site, page):
    visit(site, page, link(THREE_ONE))
    page.click("#tab-share")
    assert page.input_value("#share-id") == THREE_ONE
    shared = page.input_value("#share-link")
    with page.expect_download() as vector:
        page.click("#picture-svg")
    with page.expect_download() as bitmap:
        page.click("#picture-png")
    assert vector.value.suggested_filename == "trictrac.svg"
    assert vector.value.path().read_bytes().startswith(b"<svg")
    found = bitmap.value.path().read_bytes()
    assert found.startswith(b"\x89PNG")
    assert len(found) > 20_000
    before = men(page)
    visit(site, page)
    page.fill("#position", shared)
    page.click("#open")
    page.wait_for_url(shared)
    page.wait_for_selector(".die")
    assert men(page) == before
    page.fill("#position", Position(board=BOARD, points=(8, 0)).id())
    page.click("#open")
    page.wait_for_selector("#throw")
    expect(page.locator(".plate.turn")).to_contain_text("8 points")


BROKEN = {
    link(THREE_ONE)[:-3]: ("Part of the id or of the link may be missing", "Il manque peut-être une partie"),
    "#/analysis/trictrac/~eNoL": ("incomplete or damaged", "incomplète ou altérée"),
    "#/analysis/trictra": ("no game called “trictra”", "pas de jeu nommé « trictra »"),
    "#/analysis/trictrac/x/holes_to_win=many": ("are not those of trictrac", "ne sont pas celles de trictrac"),
}
"""Links that are not whole, and what the page says about them."""


@pytest.mark.parametrize("language", [0, 1], ids=["English", "French"])
def test_a_broken_link_says_so_and_nothing_breaks(site, language):
    with site.visitor(refused=True, locale=("en-US", "fr-FR")[language]) as page:
        page.goto(site.home)
        for address, told in BROKEN.items():
            page.goto(f"{site.home}/{address}")
            expect(page.locator(".play [role=alert]")).to_contain_text(told[language])
        choose(page, 5, 2)
        expect(page.locator(".field.source").first).to_be_visible()


def test_another_language_keeps_what_was_tried(site, page):
    visit(site, page)
    choose(page, 5, 2)
    page.click("#language")
    expect(page.locator("#back")).to_have_text("Précédent")
    page.click("#back")
    at(page, 0)
    page.click("#forth")
    at(page, 1)


def test_games_are_changed_and_each_can_be_tried(site, page):
    visit(site, page)
    page.select_option("#game", "backgammon/hyper")
    page.wait_for_url("**/#/analysis/backgammon/*/start=hyper")
    choose(page, 3, 1)
    assert len(fields(page, "source")) == 3
    page.reload()
    expect(page.locator(".field.source")).to_have_count(3)
    page.select_option("#game", "pig")
    page.wait_for_selector("[data-choice]")
    page.locator("[data-choice]").first.click()
    page.locator("[data-outcome]").nth(3).click()
    at(page, 2)
    page.select_option("#game", "trictrac_a_ecrire")
    page.wait_for_selector("[data-die]")
    choose(page, 3, 1)
    assert fields(page, "source") == [1]


def test_a_table_and_a_review_lead_to_the_analysis(site, page):
    table, tokens, view = site.reach(begun)
    site.sit(page, table, tokens)
    page.click("#tab-about")
    page.click("#analyse-here")
    page.wait_for_selector(".page.analysis .field.source")
    assert len(view["legal"]) > 1
    whole, _, _ = site.reach(ended, holes_to_win=1)
    page.goto(f"{site.home}/#/review/{whole}/3")
    expect(page.locator(".steps")).to_contain_text("Step 3 of")
    page.click("#analyse-here")
    page.wait_for_url("**/#/analysis/trictrac/*/*holes_to_win=1*")
    page.wait_for_selector(".page.analysis[data-version]")


@pytest.mark.parametrize(("scheme", "width"), [("light", 1600), ("dark", 390)])
@pytest.mark.slow
def test_axe_finds_nothing_serious_on_the_analysis_board(site, scheme, width):
    with site.visitor(color_scheme=scheme, width=width) as page:
        visit(site, page, link(THREE_ONE))
        press(page, 12)
        page.wait_for_selector(".told .notice")
        page.click("#candidates" if scheme == "light" else "#tab-rollout")
        if scheme == "dark":
            page.select_option("#rollout-games", "144")
            page.click("#rollout")
        page.wait_for_selector(".candidates, .rollout")
        assert violations(page) == []
        page.click("#start")
        page.wait_for_selector("#throw")
        page.click("#tab-share")
        assert violations(page) == []
        page.click("#set-up")
        page.wait_for_selector(".editing")
        assert violations(page) == []


def test_the_analysis_board_fits_the_screen_in_french(site):
    with site.visitor(locale="fr-FR") as page:
        for width in (320, 1024):
            page.set_viewport_size({"width": width, "height": 844})
            visit(site, page, link(THREE_ONE))
            assert overflow(page) <= 0
            page.click("#set-up")
            page.wait_for_selector(".editing")
            assert overflow(page) <= 0
