"""What a browser's local storage and links mean, read from the page itself in Chromium."""

import json
import re
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from browser import FLAGS
from browsing import CHROMIUM
from playwright.sync_api import sync_playwright
from serving import API, HOME, PATIENCE, server

STORED = "() => JSON.stringify({...localStorage})"


@contextmanager
def page_of(client):
    """A page whose requests go straight to the application, without a port, and the tokens it sends, by table.

    Event streams fail here, so the page polls its table.
    """
    sent = {}

    def answer(route):
        asked, place = route.request, urlsplit(route.request.url)
        if place.path.endswith("/events"):
            route.abort()
            return
        if table := re.fullmatch(f"{API}/tables/([^/]+)", place.path):
            sent.setdefault(table[1], set()).add(asked.headers.get("authorization", ""))
        found = client.request(asked.method, asked.url, headers=asked.headers, content=asked.post_data_buffer)
        headers = {name: value for name, value in found.headers.items() if name not in ("content-encoding",)}
        route.fulfill(status=found.status_code, headers=headers, body=found.content)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_context(reduced_motion="reduce", locale="en-US").new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.route("**/*", answer)
        try:
            yield page, sent
        finally:
            browser.close()


def stored(page):
    """Returns the page's local storage as a dictionary."""
    return json.loads(page.evaluate(STORED))


def open_table(page, address):
    """Opens a table, or an invitation to one, from the start page."""
    page.goto(f"{HOME}/#/")
    page.wait_for_selector("#begin")  # the table before is gone
    page.goto(f"{HOME}/#/table/{address}")
    page.wait_for_selector(".page[data-version]")


def storage(path):
    """Returns what the page reads from a stored localStorage: preferences, tables, the tokens of each, invitations."""
    kept = json.loads(path.read_text())
    seats = json.loads((path.parent.parent / "web" / "seats.json").read_text())
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree(path.parent.parent / "web", Path(place) / "web")
        with server(Path(place) / "web") as client, page_of(client) as (page, sent):
            fill = "".join(f"localStorage[{json.dumps(name)}] ??= {json.dumps(text)};" for name, text in kept.items())
            page.add_init_script(f"if (location.protocol !== 'about:') {{ {fill} }}")
            return _start_facts(page) | {"tables": _table_facts(page, sent, kept), "invited": _invited(page, seats)}


def _start_facts(page):
    page.goto(HOME)
    page.wait_for_selector("#begin")
    return {
        "theme": page.evaluate("document.documentElement.dataset.theme"),
        "language": page.evaluate("document.documentElement.lang"),
        "game": page.locator("#game").input_value(),
        "opponent": page.locator("input[name=opponent]:checked").input_value(),
        "links": [link.get_attribute("href") for link in page.locator(".recent a").all()],
    }


def _table_facts(page, sent, kept):
    told = {}
    for table in json.loads(kept["tablier.tables"]):
        open_table(page, table["id"])
        links = [one.input_value() for one in page.locator(".inviting input").all()]
        told[table["id"]] = {
            "version": int(page.get_attribute(".page", "data-version")),
            "sent": sorted(sent[table["id"]]),
            "links": [link.partition("#")[2] for link in links],
        }
    return told


def _invited(page, seats):
    """Checks that a link sent to a friend still gives them the seat."""
    table, tokens = seats["invitation"]["table"], seats["invitation"]["tokens"]
    open_table(page, f"{table}/{tokens[1]}")
    (kept,) = [one for one in json.loads(stored(page)["tablier.tables"]) if one["id"] == table]
    return kept["tokens"]
