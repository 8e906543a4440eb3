"""A browser for tests: Chromium, driven by Playwright, on a real server; what goes wrong in it is collected."""

import json
import shutil
from contextlib import contextmanager

import pytest
from serving import PATIENCE, Process, act, begin, look

try:
    from playwright.sync_api import expect, sync_playwright
except ImportError:
    pytest.skip("the page needs Playwright: pip install '.[dev]'", allow_module_level=True)

CHROMIUM = shutil.which("chromium")
if not CHROMIUM:
    pytest.skip("the page needs a browser: apt-get install chromium", allow_module_level=True)

READY = ".field.source, #confirm:enabled"  # no man is in flight
expect.set_options(timeout=1000 * PATIENCE)
HURRY = """{
  const later = window.setTimeout;
  window.setTimeout = (call, pause, ...rest) => later(call, Math.min(pause, 20), ...rest);
}"""


class Site:
    """A server and a browser. Visitors are apart from each other, as people with their own browsers are."""

    def __init__(self, process, browser):
        self.process, self.browser = process, browser
        self.client = process.client
        self.home = str(process.client.base_url)
        self.seeds = {}

    @contextmanager
    def visitor(self, refused=False, hurried=False, **settings):
        """A page; at the end nothing must have gone wrong in it, and nothing may have come from another host.

        `refused`: the server refuses something, which a browser tells in its console. `hurried`: the page's pauses are
        cut short.
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
        page.on("request", lambda asked: None if asked.url.startswith(self.home) else wrong.append(asked.url))
        try:
            yield page
            assert refused or wrong == [], wrong
        finally:
            context.close()

    def sit(self, page, table, tokens):
        """Opens a table with the tokens of the seats."""
        kept = json.dumps(json.dumps([{"id": table, "tokens": tokens}]))
        once = f"localStorage['tablier.tables'] ??= {kept};"  # later the page keeps it itself
        page.add_init_script(f"if (location.protocol !== 'about:') {once}")
        page.goto("about:blank")
        page.goto(f"{self.home}/#/table/{table}")
        page.wait_for_selector(".page[data-version]")

    def reach(self, wanted, **options):
        """A table of two people that stands as wanted: its id, tokens and view. Till then the last legal actions."""
        options = {"first_throw": "white", **options}
        for seed in range(self.seeds.get(wanted, 1), 100):
            table, tokens = begin(self.client, "trictrac", options=options, seed=seed, tutor=True)
            both = ",".join(tokens)
            view = look(self.client, table, both)
            while not wanted(view) and not view["over"] and view["version"] < 300:
                view = act(self.client, table, both, view["legal"][-1]["action"], view["version"]).json()
            if wanted(view):
                self.seeds[wanted] = seed
                return table, tokens, view
        raise AssertionError(f"no table came to stand so: {wanted.__name__}")


def begun(view):
    """Just begun: nothing but White's first throw."""
    return view["version"] == 1


def hold_or_leave(view):
    """White has made a hole and may hold or leave."""
    return view["to_move"] == 0 and len(view["legal"]) > 2 and any(one["verb"] == "leave" for one in view["legal"])


def plain_move(view):
    """White has some moves, all of two steps."""
    steps = [len(order) for one in view["legal"] for order in one.get("orders", ())]
    return view["to_move"] == 0 and len(view["legal"]) > 3 and set(steps) == {2} and not hold_or_leave(view)


def ended(view):
    """The game is over."""
    return view["over"]


@contextmanager
def site(folder, *more):
    """A server, started with `more` arguments, and a browser."""
    with Process(folder, "--think", "1", *more) as process, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield Site(process, browser)
        browser.close()


def version(page):
    return int(page.get_attribute(".page", "data-version"))


def after(page, old):
    """Waits until the page shows a later version."""
    page.wait_for_selector(f".page[data-version]:not([data-version='{old}'])")


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
        page.wait_for_selector(READY)
        while page.locator("#confirm").is_disabled():
            press(page, fields(page, "source")[0])
            press(page, fields(page, "target")[0])
            page.wait_for_selector(READY)
        page.click("#confirm")
    after(page, old)


@pytest.fixture(scope="module")
def a_site(tmp_path_factory):
    """For tests that name it `site`: a server and a browser of their file."""
    with site(tmp_path_factory.mktemp("page")) as found:
        yield found


@pytest.fixture
def a_page(site):
    """For tests that name it `page`: a visitor of that site."""
    with site.visitor() as found:
        yield found
