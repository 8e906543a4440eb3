"""A browser for tests: Chromium, driven by Playwright, on a real server; its errors are collected."""

import json
from contextlib import contextmanager

import pytest
from browser import FLAGS, find_browser
from serving import PATIENCE, Process, act, begin, look

try:
    from playwright.sync_api import expect, sync_playwright
except ImportError:
    pytest.skip("the page needs Playwright: pip install '.[dev]'", allow_module_level=True)

CHROMIUM = find_browser()
if not CHROMIUM:
    pytest.skip("the page needs a browser: apt-get install chromium-headless-shell", allow_module_level=True)

READY = ".field.source, #confirm:enabled"  # no man is in flight
expect.set_options(timeout=1000 * PATIENCE)
HURRY = """{
  const later = window.setTimeout;
  window.setTimeout = (call, pause, ...rest) => later(call, Math.min(pause, 20), ...rest);
}"""


STUCK = """() => {
  Element.prototype.animate = () => {
    let land;
    return { finished: new Promise((done) => { land = done; }), finish: () => land() };
  };
}"""
"""Animations that end only if the page ends them."""


class Site:
    """A server and a browser. Visitors are isolated from each other, like people with separate browsers."""

    def __init__(self, process, browser):
        self.process, self.browser = process, browser
        self.client = process.client
        self.home = str(process.client.base_url)
        self.seeds = {}

    @contextmanager
    def visitor(self, refused=False, hurried=False, **settings):
        """Yields a page, then checks that it logged no errors. A request to another host would be one.

        `refused`: the server refuses a request, which the browser logs to its console. `hurried`: the page's pauses
        are cut short.
        """
        size = {"width": settings.pop("width", 1280), "height": settings.pop("height", 900)}
        settings = {"reduced_motion": "reduce", "locale": "en-US", "viewport": size, **settings}
        context = self.browser.new_context(**settings)
        context.set_default_timeout(1000 * PATIENCE)
        if hurried:
            context.add_init_script(HURRY)
        page = context.new_page()
        wrong = []
        page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        try:
            yield page
            assert refused or wrong == [], wrong
        finally:
            context.close()

    def sit(self, page, table, tokens, **wishes):
        """Opens a table with these seat tokens; `wishes` are the reader's settings, such as speed="slow"."""
        kept, wishes = json.dumps(json.dumps([{"id": table, "tokens": tokens}])), json.dumps(json.dumps(wishes))
        once = f"localStorage['tablier.tables'] ??= {kept};"  # after that the page stores it itself
        once += f"localStorage['tablier.wishes'] ??= {wishes};"
        page.add_init_script(f"if (location.protocol !== 'about:') {{ {once} }}")
        page.goto("about:blank")
        page.goto(f"{self.home}/#/table/{table}")
        page.wait_for_selector(".page[data-version]")

    def reach(self, wanted, game="trictrac", **options):
        """Plays last legal actions until `wanted(view)` holds; returns the table's id, tokens and view."""
        options = {"first_throw": "white", **options} if game == "trictrac" else options
        for seed in range(self.seeds.get(wanted, 1), 100):
            table, tokens = begin(self.client, game, options=options, seed=seed, tutor=True)
            both = ",".join(tokens)
            view = look(self.client, table, both)
            while not wanted(view) and not view["over"] and view["version"] < 300:
                view = act(self.client, table, both, view["legal"][-1]["action"], view["version"]).json()
            if wanted(view):
                self.seeds[wanted] = seed
                return table, tokens, view
        raise AssertionError(f"no table came to stand so: {wanted.__name__}")


def begun(view):
    """Only White's first throw has been made."""
    return view["version"] == 1


def to_mark(view):
    """White has to mark their throw themselves, which is asked only if it gives points."""
    return view["to_move"] == 0 == view["scene"]["mover"] and any(one["verb"] == "declare" for one in view["legal"])


def hold_or_leave(view):
    """White has made a hole and may hold or leave."""
    return view["to_move"] == 0 and len(view["legal"]) > 2 and any(one["verb"] == "leave" for one in view["legal"])


def plain_move(view):
    """White has several moves, each of two steps."""
    steps = [len(order) for one in view["legal"] for order in one.get("orders", ())]
    return view["to_move"] == 0 and len(view["legal"]) > 3 and set(steps) == {2} and not hold_or_leave(view)


def ended(view):
    """The game is over."""
    return view["over"]


@contextmanager
def site(folder, *more):
    """Starts a server, with `more` arguments, and a browser."""
    with Process(folder, "--think", "1", *more) as process, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield Site(process, browser)
        browser.close()


def version(page):
    return int(page.get_attribute(".page", "data-version"))


def after(page, old):
    """Waits until the page shows a later version."""
    page.wait_for_selector(f".page[data-version]:not([data-version='{old}'])")


def press(page, field):
    page.locator(f"[data-field='{field}'] .touch").click()


def carry(page, start, stop):
    """Moves a man from one field to another; a man with a single place to go is there after the first click."""
    press(page, start)
    page.wait_for_selector(f"{READY}, .field.target")
    if page.locator(f"[data-field='{stop}'].target").count():
        press(page, stop)
    page.wait_for_selector(READY)


def fields(page, kind):
    """Returns the fields that are "source" or "target" now, in White's numbering."""
    return [int(one.get_attribute("data-field")) for one in page.locator(f".field.{kind}").all()]


def step(page, start=None, press=press):
    """Moves a man, by default the first offered, to the first place offered; one press does if there is only one."""
    press(page, start or fields(page, "source")[0])
    if places := fields(page, "target"):
        press(page, places[0])


def move(page):
    """Plays a throw: clicks the first man and the first target offered until the move is complete, then confirms."""
    old = version(page)
    if page.locator("#forced").count():
        page.click("#forced")
    else:
        page.wait_for_selector(READY)
        while page.locator("#confirm").is_disabled():
            step(page)
            page.wait_for_selector(READY)
        page.click("#confirm")
    after(page, old)


@pytest.fixture(scope="module")
def a_site(tmp_path_factory):
    """A server and a browser shared by a test file, which assigns this fixture to `site`."""
    with site(tmp_path_factory.mktemp("page")) as found:
        yield found


@pytest.fixture
def a_page(site):
    """A visitor of that site, which test files assign to `page`."""
    with site.visitor() as found:
        yield found
