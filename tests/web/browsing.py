"""A browser for tests: Chromium, driven by Playwright, on a real server; what goes wrong in it is collected."""

import json
import shutil
from contextlib import contextmanager

import pytest
from serving import API, Process, bearing, begin, look

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    pytest.skip("the page needs Playwright: pip install '.[dev]'", allow_module_level=True)

CHROMIUM = shutil.which("chromium")
if not CHROMIUM:
    pytest.skip("the page needs a browser: apt-get install chromium", allow_module_level=True)

PATIENCE = 30_000  # milliseconds that a busy machine may take


class Site:
    """A server and a browser. Visitors are apart from each other, as people with their own browsers are."""

    def __init__(self, process, browser):
        self.process, self.browser = process, browser
        self.client = process.client
        self.home = str(process.client.base_url)

    @contextmanager
    def visitor(self, **settings):
        """A page; at the end nothing must have gone wrong in it, and nothing may have come from another host."""
        size = {"width": settings.pop("width", 1280), "height": settings.pop("height", 900)}
        settings = {"reduced_motion": "reduce", "locale": "en-US", "viewport": size, **settings}
        context = self.browser.new_context(**settings)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        wrong = []
        page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda asked: None if asked.url.startswith(self.home) else wrong.append(asked.url))
        try:
            yield page
            assert wrong == [], wrong
        finally:
            context.close()

    def sit(self, page, table, tokens):
        """Opens a table with the tokens of the seats."""
        kept = json.dumps(json.dumps([{"id": table, "tokens": tokens}]))
        once = f"localStorage['tablier.tables'] ??= {kept};"  # later the page keeps it itself
        page.add_init_script(f"if (location.protocol !== 'about:') {once}")
        page.goto("about:blank")
        page.goto(f"{self.home}/#/table/{table}")
        page.wait_for_selector("#main[data-version]")

    def played(self, moves, seed=7, **options):
        """A table of two people after so many actions, always the last legal one: its id, tokens and view.

        With the seed 7 White may hold or leave after eight of them.
        """
        options = {"first_throw": "white", **options}
        table, tokens = begin(self.client, "trictrac", options=options, seed=seed, tutor=True)
        both = bearing(",".join(tokens))
        view = look(self.client, table, ",".join(tokens))
        for _ in range(moves):
            if view["over"]:
                break
            body = {"action": view["legal"][-1]["action"], "version": view["version"]}
            answer = self.client.post(f"{API}/tables/{table}/actions", json=body, headers=both)
            assert answer.status_code == 200, answer.text
            view = answer.json()
        return table, tokens, view


@contextmanager
def site(folder):
    with Process(folder, "--think", "1") as process, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield Site(process, browser)
        browser.close()


def version(page):
    return int(page.get_attribute("#main", "data-version"))


def after(page, old):
    """Waits until the page shows a later version."""
    page.wait_for_selector(f"#main[data-version]:not([data-version='{old}'])")


def press(page, field):
    page.locator(f"[data-field='{field}'] .touch").click()


def fields(page, kind):
    """The fields that are live now: "source" or "target", in White's numbers."""
    return [int(one.get_attribute("data-field")) for one in page.locator(f".field.{kind}").all()]


def move(page):
    """Plays a throw by pressing the first man and the first target that are offered, until nothing is left to do."""
    old = version(page)
    if page.locator("#forced").count():
        page.click("#forced")
    else:
        while page.locator("#confirm").is_disabled():
            press(page, fields(page, "source")[0])
            press(page, fields(page, "target")[0])
        page.click("#confirm")
    after(page, old)
