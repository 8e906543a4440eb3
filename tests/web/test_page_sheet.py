"""The score sheet of the scored game, at the table and in its review."""

import browsing
import pytest
from accessibility import violations
from playwright.sync_api import expect
from serving import act, begin, look
from test_page_look import overflow

site, page = browsing.a_site, browsing.a_page


def leaving(view):
    """Leaves after every hole, otherwise plays the last legal action."""
    return next((one for one in view["legal"] if one["verb"] == "leave"), view["legal"][-1])["action"]


@pytest.mark.parametrize(("locale", "text"), [("en-US", "six holes or more"), ("fr-FR", "au moins six trous")])
def test_an_empty_sheet_says_how_a_marque_is_won(site, locale, text):
    table, tokens = begin(site.client, "trictrac_a_ecrire", options={"marques": 2}, seed=4)
    with site.visitor(width=390, height=844, locale=locale) as page:
        site.sit(page, table, tokens)
        page.click("#tab-sheet")
        expect(page.locator(".sheets p")).to_contain_text(text)


def test_the_sheet_has_a_line_for_each_marque(site):
    table, tokens = begin(site.client, "trictrac_a_ecrire", options={"marques": 2}, seed=4)
    both = ",".join(tokens)
    view = look(site.client, table, both)
    assert [row["kind"] for row in view["sheet"]["rows"]] == ["sum", "sum", "sum", "total"]
    while view["sheet"]["rows"][0]["kind"] == "sum":
        view = act(site.client, table, both, leaving(view), view["version"]).json()
    (line,) = [row for row in view["sheet"]["rows"] if row["kind"] in ("line", "void")]
    before = look(site.client, table, at=view["version"] - 2)
    assert len(before["sheet"]["rows"]) == len(view["sheet"]["rows"]) - 1  # as it was then
    with site.visitor(width=390, height=844, locale="fr-FR") as page:
        site.sit(page, table, tokens)
        page.click("#tab-sheet")
        expect(page.locator(".sheet tbody tr").first).to_contain_text(line["text"]["fr"])
        expect(page.locator(".sheet .row-total")).to_contain_text("Solde")
        assert page.locator(".sheets p").count() == 0  # no longer needed
        assert overflow(page) <= 0
        assert violations(page) == []
    with site.visitor() as page:
        page.goto(f"{site.home}/#/review/{table}")
        expect(page.locator(".sheet tbody tr").first).to_contain_text(line["text"]["en"])
        page.click("#first")
        expect(page.locator(".sheet tbody tr")).to_have_count(4)
    ordinary, _ = begin(site.client, "trictrac")
    assert look(site.client, ordinary)["sheet"] is None
