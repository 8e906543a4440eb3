"""What the reference shows: doctests become code blocks, special methods and type variables are left out."""

from __future__ import annotations

import re
from typing import Any

from griffe import Class, Extension, Object

DOCTEST = re.compile(r"^>>> .*\n?(?:^.+\n?)*", re.MULTILINE)
"""A prompt and every line up to the next empty one."""


class ReferencePages(Extension):
    """Decides what the reference shows, and how."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Handles a module, class, function or attribute."""
        if str(getattr(obj, "value", "")).startswith("TypeVar("):
            obj.public = False
        if obj.docstring is not None and "```" not in obj.docstring.value:
            obj.docstring.value = fenced(obj.docstring.value)

    def on_class_members(self, *, cls: Class, **_: Any) -> None:
        """Drops the special methods of a class; its page shows the signature of `__init__`."""
        for name in [name for name, member in cls.members.items() if member.is_special and name != "__init__"]:
            cls.del_member(name)


def fenced(docstring: str) -> str:
    """The docstring with its doctests in fences."""
    return DOCTEST.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", docstring)
