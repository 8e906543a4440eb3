"""A game from outside the package on the page: its picture and text, and with a module also its own page."""

import re

import browsing
import pytest
from browsing import after, version
from doc_examples import code_blocks
from playwright.sync_api import expect

MODULE = """// Coin race on the page: the picture of any game, with a score on the plates, a front and rules.

import { h, put } from "../../js/dom.js";
import { t } from "../../js/i18n.js";

export const styles = ["race.css"];

export const plate = (view, seat) => ({ side: `Racer ${seat + 1}`, sign: null, score: [h("b", {}, view.scene.text)] });

export async function rules(main) {
  put(main, h("h1", {}, t("coin_race.title.coin_race")), h("p", {}, t("coin_race.stake", { n: 3 })));
}
"""


def write(folder, home):
    """Writes the files of docs/adding-a-game.md, with changes to the home."""
    game, _, plain = code_blocks("adding-a-game.md", "python")[:3]
    english, french = code_blocks("adding-a-game.md", "json")[:2]
    (folder / "messages").mkdir(parents=True)
    (folder / "coin_race.py").write_text(game)
    (folder / "coin_race_home.py").write_text(home(plain))
    (folder / "messages" / "en.json").write_text(english)
    (folder / "messages" / "fr.json").write_text(french)
    return folder / "coin_race_home.py"


@pytest.fixture
def site(tmp_path):
    home = write(tmp_path / "game", lambda text: text)
    with browsing.site(tmp_path, "--import", str(home)) as found:
        yield found


def test_a_documented_game_is_seen_and_played_in_french(site):
    with site.visitor(locale="fr-FR") as page:
        page.goto(site.home)
        page.select_option("#game", label="Course à la pièce")
        page.check("input[value='person']")
        page.locator(".more > summary").first.click()
        page.locator(".rules-of > summary").click()
        expect(page.locator(".rules-of")).to_contain_text("Pas à faire pour gagner")
        page.fill("#option-goal", "4")
        page.click("#begin")
        page.wait_for_selector(".page[data-version]")
        expect(page).to_have_title(re.compile("^Course à la pièce"))
        picture = page.locator(".stage svg")
        assert picture.locator("circle").count() == 3
        expect(picture).to_have_attribute("aria-label", "Le joueur 1 a fait 0 pas, le joueur 2 en a fait 0.")
        assert page.locator(".plate .who").all_inner_texts() == ["Joueur 2", "Joueur 1"]
        old = version(page)
        page.get_by_role("button", name="miser 3 pas", exact=True).first.click()
        after(page, old)
        page.click("#tab-history")
        expect(page.locator(".history")).to_contain_text("Joueur 1 : miser 3 pas.")
        expect(page.locator(".history")).to_contain_text(re.compile("Pile|Face"))


@pytest.fixture
def site_with_module(tmp_path):
    own_kind = '    def scene(self, state, memory):\n        return super().scene(state, memory) | {"kind": self.key}\n'
    home = write(tmp_path / "game", lambda text: text.replace("    def svg(", f"{own_kind}\n    def svg("))
    (tmp_path / "game" / "page").mkdir()
    (tmp_path / "game" / "page" / "table.js").write_text(MODULE)
    (tmp_path / "game" / "page" / "race.css").write_text(".plate b { color: rgb(1, 2, 3); }\n")
    with browsing.site(tmp_path, "--import", str(home)) as found:
        yield found


def test_a_module_of_its_own_adds_to_what_the_picture_offers(site_with_module):
    site = site_with_module
    table, tokens = browsing.begin(site.client, "coin_race", options={"goal": 4})
    with site.visitor() as page:
        site.sit(page, table, tokens)
        assert page.locator(".plate .who").all_inner_texts() == ["Racer 2", "Racer 1"]
        score = page.locator(".plate b").first
        expect(score).to_have_text("steps 0 0 of 4, player 0, stake -")
        expect(score).to_have_css("color", "rgb(1, 2, 3)")  # waits: the plate may just be drawn anew
        assert page.locator(".stage svg circle.live").count() == 3  # as in the picture of any game


def test_the_rules_of_several_games_are_chosen_by_a_link(site_with_module):
    site = site_with_module
    with site.visitor() as page:
        page.goto(f"{site.home}/#/rules/trictrac")
        page.wait_for_selector("#rule-marks .jan")
        page.get_by_role("link", name="Coin race").click()
        expect(page.locator("h1")).to_have_text("Coin race")
        expect(page.locator(".page.rules [aria-current='page']")).to_have_text("Coin race")
        expect(page.locator(".page.rules")).to_contain_text("stake 3 steps")
