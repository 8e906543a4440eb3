"""Extracts the code blocks of the documentation so that tests can run them."""

import re
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"


def code_blocks(file, language):
    """Returns the fenced code blocks in one language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```", (DOCS / file).read_text(), re.MULTILINE | re.DOTALL)
