"""The documentation does what it says."""

import doctest
import importlib
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


def readme_blocks():
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    return blocks


def test_the_readme_examples_run(capsys):
    scope = {}
    for block in readme_blocks():
        exec(block, scope)


@pytest.mark.parametrize(
    "module",
    [
        "tablier",
        "tablier.registry",
        "tablier.analysis",
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


@pytest.mark.parametrize("page", [ROOT / "README.md", *sorted(DOCS.glob("*.md"))], ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text()):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


@pytest.mark.timeout(600)  # without a cache mypy reads all of NumPy
def test_the_readme_examples_are_typed(tmp_path):
    (tmp_path / "readme.py").write_text("".join(readme_blocks()))
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", str(tmp_path / "readme.py")]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
