"""Measures how long a person waits on the web board: from confirming a move to their next decision.

Plays Trictrac in Chromium against an instant opponent, at the page's normal speed, and prints the median and other
quantiles of the wait in milliseconds. The page itself takes the times, so the browser's driver does not count.

    python tools/page_pace.py --moves 40
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import urllib.request

from browser import FLAGS, find_browser
from playwright.sync_api import Page, sync_playwright

WATCH = """() => {
  window.waits = [];
  let began = null;
  addEventListener("click", (event) => {
    if (event.target.closest("#confirm, #forced")) began = performance.now();
  }, true);
  new MutationObserver(() => {
    if (began === null || !document.querySelector(".field.source, #confirm, #forced, #hold")) return;
    window.waits.push(performance.now() - began);
    began = null;
  }).observe(document.querySelector(".page"), {attributes: true, attributeFilter: ["data-version"]});
}"""
PLAY = """() => {
  const press = (element) => element?.dispatchEvent(new MouseEvent("click", {bubbles: true}));
  const hold = document.querySelector("#hold"), hint = document.querySelector("#confirm:enabled, #forced");
  if (hold) return press(hold);
  if (hint) return press(hint);
}"""


def main() -> None:
    """Runs the measurement."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=40, help="waits to measure (default: 40)")
    parser.add_argument("--opponent", default="random:seed=1", help="player string (default: random:seed=1)")
    parser.add_argument("--speed", default="normal", choices=["slow", "normal", "fast", "instant"])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        command = [sys.executable, "-m", "tablier", "serve", "--port", "0", "--db", f"{folder}/games.sqlite"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            home = _address(server)
            browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
            waits = _measure(browser.new_page(), home, given)
            browser.close()
        finally:
            server.terminate()
            server.wait()
    waits.sort()
    print(f"{len(waits)} waits at {given.speed} speed: median {statistics.median(waits):.0f} ms, ", end="")
    print(f"fastest {waits[0]:.0f} ms, nine in ten within {waits[int(0.9 * len(waits))]:.0f} ms")


def _address(server: subprocess.Popen[str]) -> str:
    assert server.stdout
    for line in server.stdout:
        if found := re.search(r"http://127\.0\.0\.1:\d+", line):
            return found[0]
    raise SystemExit("the server did not start")


def _measure(page: Page, home: str, given: argparse.Namespace) -> list[float]:
    wanted = {"game": "trictrac", "seats": ["human", given.opponent], "options": {"holes_to_win": 50}, "seed": 1}
    request = urllib.request.Request(f"{home}/api/v1/tables", json.dumps(wanted).encode())
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request) as answer:
        begun = json.load(answer)
    kept = json.dumps([{"id": begun["table"], "tokens": begun["tokens"]}])
    wishes = json.dumps({"speed": given.speed, "sound": False})
    page.add_init_script(f"localStorage['tablier.tables'] = {kept!r}; localStorage['tablier.wishes'] = {wishes!r};")
    page.goto(f"{home}/#/table/{begun['table']}")
    page.wait_for_selector(".page[data-version]")
    page.evaluate(WATCH)
    while page.evaluate("window.waits.length") < given.moves:
        page.wait_for_selector(".field.source, #confirm:enabled, #forced, #hold")
        if page.locator(".field.source").count() and not page.locator("#confirm:enabled, #forced, #hold").count():
            _step(page)
        else:
            page.evaluate(PLAY)
    found: list[float] = page.evaluate("window.waits")
    return found


def _step(page: Page) -> None:
    """Moves the first man offered to the first place offered."""
    page.locator(".field.source .touch").first.click()
    page.wait_for_selector(".field.target, .field.source, #confirm:enabled")
    if page.locator(".field.target").count():
        page.locator(".field.target .touch").first.click()


if __name__ == "__main__":
    main()
