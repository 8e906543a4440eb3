"""Finds the browser for tests and pictures of the page."""

from __future__ import annotations

import shutil

BROWSERS = ("chromium-headless-shell", "chromium")
"""Commands of Chromium. The first has no window, and needs a fifth less of the processor."""
FLAGS = ["--no-sandbox", "--disable-gpu"]


def find_browser() -> str | None:
    """Returns the path of Chromium; None if it is not installed."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)
