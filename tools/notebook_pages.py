"""A MkDocs hook: shows each notebook of docs/notebooks as a page, with its saved output, and offers it for download."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

LINK = re.compile(r"\]\(([\w./-]+)\.ipynb\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds a Markdown page beside every notebook."""
    for notebook in [file for file in files if file.src_uri.endswith(".ipynb")]:
        page = notebook.src_uri.removesuffix(".ipynb") + ".md"
        files.append(File.generated(config, page, content=page_of(Path(str(notebook.abs_src_path)))))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Links to notebooks lead to their pages."""
    return LINK.sub(r"](\1.md)", markdown)


def page_of(path: Path) -> str:
    """The Markdown of a notebook: text as it is, code in fences, output below its code."""
    cells = [_cell(cell) for cell in json.loads(path.read_text())["cells"]]
    title, *rest = cells
    return "\n\n".join([title, f'<a href="{path.name}" download>Download this notebook</a>', *rest]) + "\n"


def _cell(cell: dict[str, Any]) -> str:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return source
    return "\n\n".join([f"```python\n{source}\n```", *(_output(output) for output in cell["outputs"])])


def _output(output: dict[str, Any]) -> str:
    data = output.get("data", {})
    if "image/svg+xml" in data:
        svg = base64.b64encode("".join(data["image/svg+xml"]).encode()).decode()
        return f'<div class="output"><img alt="The position as a picture" src="data:image/svg+xml;base64,{svg}"></div>'
    text = "".join(output["text"] if output["output_type"] == "stream" else data["text/plain"])
    return f'<div class="output" markdown>\n\n```text\n{text.rstrip()}\n```\n\n</div>'
