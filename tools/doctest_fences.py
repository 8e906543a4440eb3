"""A Griffe extension: doctests in docstrings become code blocks in the reference."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

DOCTEST = re.compile(r"^>>> .*\n?(?:^.+\n?)*", re.MULTILINE)
"""A prompt and every line up to the next empty one."""


class DoctestFences(Extension):
    """Puts every doctest into a fence."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Rewrites the docstring of a module, class, function or attribute."""
        if obj.docstring is not None and "```" not in obj.docstring.value:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(docstring: str) -> str:
    """The docstring with its doctests in fences."""
    return DOCTEST.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", docstring)
