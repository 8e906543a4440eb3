"""What new visitors stumbled over: broken links, hidden pages and controls, names and numbers in words."""

import json
import re

import browsing
import pytest
from browsing import begun, expect, to_mark
from serving import begin

page, site = browsing.a_page, browsing.a_site


@pytest.mark.parametrize(("language", "said"), [("en-US", "incomplete or wrong"), ("fr-FR", "incomplet ou erroné")])
@pytest.mark.parametrize("kind", ["table", "review"])
def test_a_truncated_link_is_explained_in_words(site, kind, language, said):
    with site.visitor(locale=language) as page:
        page.goto(f"{site.home}/#/{kind}/lo8gv0SVx7WuOH6C")
        expect(page.get_by_role("alert")).to_contain_text(said)
