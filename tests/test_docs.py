"""The documentation does what it says."""

import doctest
import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from doc_examples import DOCS, code_blocks

import tablier
from tablier.testing import check_game

ROOT = Path(__file__).parent.parent


def test_the_documented_python_game_works():
    scope = {}
    for block in code_blocks("adding-a-game.md", "python")[:2]:
        exec(block, scope)
    assert "coin_race" in tablier.registered_games()
    check_game(tablier.load_game("coin_race"))


PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
PAGES_WITH_EXAMPLES = [
    "../README.md",
    "index.md",
    "quickstart.md",
    "python.md",
    "search.md",
    "trictrac.md",
    "networks.md",
    "open-spiel.md",
    "arena.md",
]


@pytest.mark.parametrize("page", PAGES_WITH_EXAMPLES)
def test_the_examples_of_a_page_run(page, capsys, tmp_path, monkeypatch):
    """In order: later examples use what earlier ones defined."""
    monkeypatch.chdir(tmp_path)
    blocks, scope = code_blocks(page, "python"), {}
    assert blocks
    for block in blocks:
        exec(block, scope)
    assert capsys.readouterr().out


@pytest.mark.parametrize(
    "module",
    [
        "tablier",
        "tablier.registry",
        "tablier.analysis.decisions",
        "tablier.analysis.judges",
        "tablier.analysis.luck",
        "tablier.analysis.ratings",
        "tablier.records",
        "tablier.cli.arguments",
        "tablier.batch",
        "tablier.candidate",
        "tablier.playouts",
        "tablier.python_game",
        "tablier.search",
        "tablier.testing",
        "tablier.messages",
        "tablier.messages.catalogue",
        "tablier.messages.message",
        "tablier.evaluators",
        "tablier.evaluators.searched_game",
        "tablier.players",
        "tablier.players.strings",
        "tablier.arena.match",
        "tablier.arena.match_result",
        "tablier.arena.means",
        "tablier.arena.sprt",
        "tablier.arena.bradley_terry",
        "tablier.cli.commands.ladder",
        "tablier.bench.timing",
        "tablier.games.trictrac",
        "tablier.games.trictrac.jans",
        "tablier.games.trictrac.position",
        "tablier.games.trictrac.record",
        "tablier.games.trictrac.stakes",
        "tablier.games.trictrac.drawing",
        "tablier.games.trictrac.telling",
        "tablier.games.trictrac.text_board",
        "tablier.games.trictrac.typed",
        "tablier.web.http.refusals",
        "tablier.web.service.clients",
    ],
)
def test_docstring_examples(module):
    results = doctest.testmod(importlib.import_module(module))
    assert results.attempted > 0
    assert results.failed == 0


def test_every_file_named_in_the_tour_exists():
    named = re.findall(r"`((?:core|src|tests|docs|tools)/[\w./-]+)`", (DOCS / "architecture.md").read_text())
    assert len(named) > 15
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_folder_of_the_code_is_in_the_tour():
    tour = (DOCS / "architecture.md").read_text()
    folders = [folder for room in ("core", "src/tablier") for folder in (ROOT / room).iterdir() if folder.is_dir()]
    names = sorted(folder.relative_to(ROOT).as_posix() for folder in folders if folder.name != "__pycache__")
    assert [name for name in names if f"`{name}/`" not in tour] == []


def anchors(page):
    """Returns the ids of a page's headings, as GitHub and MkDocs generate them."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S), re.MULTILINE)
    return {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


def assert_links_resolve(text, page):
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)]*))?\)", text):
        if not target.startswith("http"):
            found = page.parent / target if target else page
            assert found.exists(), target
            assert not anchor or anchor in anchors(found), f"{target}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    assert_links_resolve(page.read_text(), page)


def test_a_broken_link_is_found(tmp_path):
    (tmp_path / "page.md").write_text("# A page\n\n## One idea\n")
    assert_links_resolve("[here](page.md#one-idea)", tmp_path / "page.md")
    for broken in ("[gone](gone.md)", "[gone](page.md#two-ideas)"):
        with pytest.raises(AssertionError):
            assert_links_resolve(broken, tmp_path / "page.md")


@pytest.mark.parametrize("notebook", sorted(DOCS.glob("notebooks/*.ipynb")), ids=lambda path: path.name)
def test_links_of_notebooks_lead_somewhere(notebook):
    cells = json.loads(notebook.read_text())["cells"]
    assert_links_resolve(
        "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"), notebook
    )


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text().partition("\nnav:")[2]
    pages = [*DOCS.rglob("*.md"), *(path.with_suffix(".md") for path in DOCS.glob("notebooks/*.ipynb"))]
    names = [path.relative_to(DOCS).as_posix() for path in pages]
    assert [name for name in names if not re.search(rf"[ ]{re.escape(name)}$", navigation, re.MULTILINE)] == []


UNLISTED = {
    "backgammon",
    "bench",
    "cache",
    "cli",
    "elf",
    "imports",
    "locks",
    "paths",
    "python_game",
    "raster",
    "record_format",
    "registry",
    "regular_files",
    "run_metrics",
    "short_repr",
    "trictrac",
    "web",
    "whole_files",
}
"""Modules without a reference page: commands, internals, and names listed under another module."""


def test_every_public_module_is_in_the_reference():
    listed = re.findall(r"^::: tablier\.(\w+)", "".join(page.read_text() for page in DOCS.glob("reference/*.md")), re.M)
    modules = {path.stem for path in (ROOT / "src" / "tablier").iterdir() if path.suffix == ".py" or path.is_dir()}
    assert {name for name in modules if not name.startswith("_")} - UNLISTED == set(listed)


@pytest.mark.timeout(600)  # without a cache, mypy would read all of NumPy
def test_the_first_examples_are_typed(tmp_path):
    pages = ["../README.md", "quickstart.md", "python.md"]
    for page in pages:
        (tmp_path / f"{Path(page).stem.lower()}.py").write_text("".join(code_blocks(page, "python")))
    files = sorted(str(file) for file in tmp_path.glob("*.py"))
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", *files]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
