"""Takes the pictures of the README: python tools/pictures.py [FOLDER] plays a game on the web board.

Three screenshots, and a short animated picture of a few moves.

Needs the extras web and dev, and Chromium. The dice are random, so every picture is different.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import httpx
from browser import FLAGS, find_browser
from PIL import Image
from playwright.sync_api import Browser, FloatRect, Page, ViewportSize, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
OPPONENT = "level:n=4"
PATIENCE = 120
"""Seconds to wait for an answer of the server."""
FILM_MOVES = 3
FILM_WIDTH = 560
SLOW, SLOWER = 2.5, 8
"""How much the page's slow speed is slower than its normal one, and how much slower the film is recorded than shown."""
READY = ".field.source, .choices, #forced, .result"
"""What the page shows once it is White's turn, or the game is over."""
REST = 1200
"""Milliseconds the film rests on each decision."""


@contextmanager
def served(folder: Path) -> Iterator[httpx.Client]:
    """A client of a server of its own, which stores its games in `folder`."""
    words = ["serve", "--port", "0", "--db", str(folder / "games.sqlite"), "--runs", str(folder / "runs")]
    command = [sys.executable, "-u", "-m", "tablier", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            lines = iter(process.stdout or ())
            found = next((home for line in lines if (home := re.search(r"http://127\.0\.0\.1:\d+", line))), None)
            if found is None:
                raise SystemExit("the server did not start; try `tablier serve`")
            with httpx.Client(base_url=f"{found[0]}/api/v1/", timeout=PATIENCE) as client:
                yield client
        finally:
            process.terminate()


@dataclass
class Seat:
    """White's seat at a new table with a tutor."""

    client: httpx.Client
    table: str
    tokens: list[str | None]

    @classmethod
    def taken(cls, client: httpx.Client) -> Seat:
        """Creates the table."""
        wanted = {"game": "trictrac", "seats": ["human", OPPONENT], "tutor": True}
        begun = client.post("tables", json=wanted).raise_for_status().json()
        return cls(client, begun["table"], begun["tokens"])

    def ask(self, method: str, path: str = "", **body: Any) -> dict[str, Any]:
        """Sends a request about the table with White's token."""
        headers = {"Authorization": f"Bearer {self.tokens[0]}"}
        answer = self.client.request(
            method, f"tables/{self.table}{path}", headers=headers, json=body if method == "POST" else None
        )
        found: dict[str, Any] = answer.raise_for_status().json()
        return found

    def awaited(self) -> dict[str, Any]:
        """The view once White is to move or the game is over."""
        end = time.monotonic() + PATIENCE
        while not ((view := self.ask("GET"))["your_turn"] or view["over"]):
            if time.monotonic() > end:
                raise SystemExit(f"{OPPONENT} did not move within {PATIENCE} seconds")
            time.sleep(0.02)
        return view


def is_worth_a_picture(view: dict[str, Any]) -> bool:
    """Whether a position is mid-game, with points to explain and moves to choose from."""
    scene = view["scene"]
    scored = scene["throw"] and len(scene["throw"]["jans"]) > 1
    spread = sum(n != 0 for n in scene["men"]) > 12
    return bool(scored and spread and min(scene["holes"]) > 1 and len(view["legal"]) > 5)


def played(client: httpx.Client, stop: Callable[[dict[str, Any]], bool]) -> Seat:
    """Plays as White until `stop(view)`, with a few mistakes for the review."""
    while True:
        seat = Seat.taken(client)
        while not (view := seat.awaited())["over"] and not stop(view):
            candidates = seat.ask("POST", "/hint")["candidates"]
            choice = candidates[min(view["version"] % 4 // 3, len(candidates) - 1)]
            seat.ask("POST", "/actions", action=choice["action"], version=view["version"])
        if stop(view):
            return seat


@contextmanager
def visited(browser: Browser, seat: Seat, width: int, height: int, moves: bool = False) -> Iterator[Page]:
    """Opens the table from White's seat; `moves` lets the page move its men, slowly."""
    size = ViewportSize(width=width, height=height)
    motion: Literal["no-preference", "reduce"] = "no-preference" if moves else "reduce"
    with browser.new_context(viewport=size, locale="en-US", reduced_motion=motion) as context:
        page = context.new_page()
        if moves:
            wishes = json.dumps(json.dumps({"speed": "slow", "tutor": False}))
            page.add_init_script(f"localStorage['tablier.wishes'] ??= {wishes};")
            context.new_cdp_session(page).send("Animation.setPlaybackRate", {"playbackRate": SLOW / SLOWER})
        kept = json.dumps(json.dumps([{"id": seat.table, "tokens": seat.tokens}]))
        page.add_init_script(f"localStorage['tablier.tables'] ??= {kept};")
        page.goto(f"{home(seat)}/#/table/{seat.table}")
        page.wait_for_selector(".page[data-version]")
        yield page


def home(seat: Seat) -> str:
    """Returns the address of the server's pages."""
    return str(seat.client.base_url.copy_with(path="")).rstrip("/")


def save(page: Page, path: Path) -> None:
    """Saves a screenshot in 256 colours, a third of the size."""
    page.wait_for_timeout(800)
    Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(256).save(path, optimize=True)


class Film:
    """Screenshots of the board and the players' plates, with the milliseconds each is shown."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[Image.Image] = []
        self.times: list[float] = []
        boxes = [box for one in (".others", ".stage", ".play > .plate") if (box := page.locator(one).bounding_box())]
        top, left = min(box["y"] for box in boxes), min(box["x"] for box in boxes)
        wide = max(box["x"] + box["width"] for box in boxes) - left
        high = max(box["y"] + box["height"] for box in boxes) - top
        self.clip = FloatRect(x=left, y=top, width=wide, height=high)

    def take(self) -> None:
        """Adds a frame, or shows the last one longer if nothing has changed."""
        begun = time.monotonic()
        frame = Image.open(io.BytesIO(self.page.screenshot(clip=self.clip))).convert("RGB")
        frame = frame.resize((FILM_WIDTH, round(frame.height * FILM_WIDTH / frame.width)))
        spent = 1000 * (time.monotonic() - begun) / SLOWER
        if self.frames and frame.tobytes() == self.frames[-1].tobytes():
            self.times[-1] += spent
        else:
            self.frames.append(frame)
            self.times.append(spent)

    def rest(self) -> None:
        """Shows the last frame long enough to look at it."""
        self.take()
        self.times[-1] = max(self.times[-1], REST)

    def save(self, path: Path) -> None:
        """Saves the film as an animated picture that repeats forever."""
        first, *more = self.frames
        times = [round(spent) for spent in self.times]
        first.save(path, save_all=True, append_images=more, duration=times, loop=0, quality=62, method=6)


def film(page: Page) -> Film:
    """Films the best moves of a few turns and the opponent's answers."""
    page.wait_for_timeout(1000)
    found = Film(page)
    for _ in range(FILM_MOVES):
        found.rest()
        old = page.get_attribute(".page", "data-version")
        if page.locator("#forced").count():
            page.click("#forced")
        else:
            page.click("#hint")
            page.click(".candidates button")
        page.mouse.move(0, 0)
        while page.get_attribute(".page", "data-version") == old or not page.locator(READY).count():
            found.take()
    found.rest()
    return found


def photograph(folder: Path) -> None:
    """Takes the three pictures and the film."""
    with tempfile.TemporaryDirectory() as place, served(Path(place)) as client, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        seat = played(client, is_worth_a_picture)
        for name, width, height in (("board-wide", 1400, 900), ("board-phone", 390, 844)):
            with visited(browser, seat, width, height) as page:
                if width > 1000:
                    page.click("text=Show the best moves")
                    page.locator(".candidates button").nth(1).hover()
                save(page, folder / f"{name}.png")
        with visited(browser, seat, 1400, 900, moves=True) as page:
            film(page).save(folder / "moves.webp")
        seat = played(client, lambda view: bool(view["over"]))
        with visited(browser, seat, 1400, 900) as page:
            page.goto(f"{home(seat)}/#/review/{seat.table}")
            page.click("#analyse")
            page.locator("[data-mistake]").nth(1).click(timeout=300_000)
            save(page, folder / "review.png")
        browser.close()


if __name__ == "__main__":
    photograph(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images")
