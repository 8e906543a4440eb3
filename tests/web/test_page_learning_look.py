"""Lessons, puzzles and retries pass axe, light and dark."""

import browsing
import pytest
from accessibility import SCHEMES, violations

site = browsing.a_site


@pytest.mark.parametrize(("scheme", "rules"), SCHEMES)
@pytest.mark.slow
def test_axe_finds_nothing_serious_where_people_learn(site, scheme, rules):
    with site.visitor(color_scheme=scheme) as page:
        for address, wait, answer in (
            ("#/lessons", ".lesson", None),
            ("#/lessons/trictrac/hitting/4", ".exercise", "[data-answer='6']"),
            ("#/lessons/trictrac/corner/1", ".field.source", None),
            ("#/puzzles", ".puzzle-set", None),
            ("#/puzzles/trictrac/leave-1", ".exercise", "[data-answer='0']"),
        ):
            page.goto(f"{site.home}/{address}")
            page.wait_for_selector(wait)
            if answer:
                page.click(answer)
                page.wait_for_selector(".reply")
            assert violations(page, rules) == [], address
