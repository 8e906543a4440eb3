"""Takes the screenshots of the README: python tools/pictures.py [FOLDER] plays a game on the web board.

Needs the extras web and dev, and Chromium. The dice are random, so every picture is different.
"""

from __future__ import annotations

import io
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests" / "web"))

from browsing import CHROMIUM, Site  # noqa: E402
from PIL import Image  # noqa: E402
from playwright.sync_api import Page, sync_playwright  # noqa: E402
from serving import API, Process, act, bearing, begin, look, until  # noqa: E402

OPPONENT = "greedy"


def is_worth_a_picture(view: dict[str, Any]) -> bool:
    """Whether a position is mid-game, with points to explain and moves to choose from."""
    scene = view["scene"]
    scored = scene["throw"] and len(scene["throw"]["jans"]) > 1
    spread = sum(n != 0 for n in scene["men"]) > 12
    return bool(scored and spread and min(scene["holes"]) > 1 and len(view["legal"]) > 5)


def awaited(site: Site, table: str, token: str) -> dict[str, Any] | None:
    """Returns the view if White is to move or the game is over, otherwise None."""
    view: dict[str, Any] = look(site.client, table, token)
    return view if view["your_turn"] or view["over"] else None


def played(site: Site, stop: Any) -> tuple[str, list[Any], dict[str, Any]]:
    """Plays as White until `stop(view)`, with a few mistakes for the review; returns table, tokens and view."""
    while True:
        table, tokens = begin(site.client, "trictrac", ["human", OPPONENT], tutor=True)
        while True:
            view = until(partial(awaited, site, table, tokens[0]), seconds=60)
            if stop(view):
                return table, tokens, view
            if view["over"]:
                break
            advice = site.client.post(f"{API}/tables/{table}/hint", json={}, headers=bearing(tokens[0])).json()
            best = advice["candidates"][min(view["version"] % 4 // 3, len(advice["candidates"]) - 1)]
            act(site.client, table, tokens[0], best["action"], view["version"])


def save(page: Page, path: Path) -> None:
    """Saves a screenshot in 256 colours, a third of the size."""
    Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(256).save(path, optimize=True)


def photograph(folder: Path) -> None:
    """Takes the three screenshots."""
    with tempfile.TemporaryDirectory() as place, Process(Path(place)) as process, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        site = Site(process, browser)
        table, tokens, _ = played(site, is_worth_a_picture)
        for name, width, height in (("board-wide", 1400, 900), ("board-phone", 390, 844)):
            with site.visitor(width=width, height=height) as page:
                site.sit(page, table, tokens)
                if width > 1000:
                    page.click("text=Show the best moves")
                    page.locator(".panels tr, .panels li").first.hover()
                page.wait_for_timeout(800)
                save(page, folder / f"{name}.png")
        table, tokens, _ = played(site, lambda view: view["over"])
        with site.visitor(width=1400, height=900) as page:
            site.sit(page, table, tokens)
            page.goto(f"{site.home}/#/review/{table}")
            page.click("#analyse")
            page.locator("[data-mistake]").nth(1).click(timeout=300_000)
            page.wait_for_timeout(800)
            save(page, folder / "review.png")
        browser.close()


if __name__ == "__main__":
    photograph(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images")
