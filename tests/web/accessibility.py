"""Accessibility of pages, checked by axe."""

from importlib.resources import files

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
BAD = ("serious", "critical")
COLOURS = ("color-contrast", "link-in-text-block")
SCHEMES = [("light", ()), ("dark", COLOURS)]
"""The rules that axe runs in each scheme: all once, and those about colours again where only colours differ."""


def violations(page, rules=()):
    """Runs all rules of axe, or only the named ones, and returns what it finds serious."""
    if page.evaluate("() => !window.axe"):
        page.evaluate(AXE)
    only = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else {}
    options = {"resultTypes": ["violations"], **only}
    found = page.evaluate("async options => (await axe.run(document, options)).violations", options)
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in found if one["impact"] in BAD]
