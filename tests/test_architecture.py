"""The folder tree is the architecture: imports point one way, and a game is named only in its own rooms."""

import ast
import re
from pathlib import Path

import pytest

import tablier

PACKAGE = Path(tablier.__file__).parent
ROOMS = (
    ("_core", "messages"),
    (
        "python_game",
        "registry",
        "imports",
        "cache",
        "elf",
        "locks",
        "paths",
        "regular_files",
        "whole_files",
        "game_type",
        "short_repr",
        "batch",
        "playouts",
        "run_metrics",
    ),
    (
        "models",
        "games",
        "backgammon",
        "trictrac",
        "drawing",
        "raster",
        "record_format",
        "records",
        "candidate",
        "testing",
    ),
    ("search", "evaluators"),
    ("players", "analysis"),
    ("arena",),
    ("learn",),
    ("cluster",),
    ("adapters",),
    ("web.service",),
    ("web.http", "web"),
    ("bench",),
    ("cli.extras", "cli.arguments", "cli.entrants"),
    ("cli.terminal",),
    ("cli.commands", "cli"),
)
"""Rooms in the order of docs/architecture.md: each may import from its own row and the rows before it."""
ROOT = Path(__file__).parent.parent
NAMES = re.compile(r'"trictrac|TRICTRAC|tic_tac_toe|"pig"')


def place(module):
    """Returns the row of the room that a module belongs to."""
    rows = [(row, room) for row, rooms in enumerate(ROOMS) for room in rooms]
    found = [(row, room) for row, room in rows if module == room or module.startswith(f"{room}.")]
    assert found, f"tablier.{module} belongs to no room of docs/architecture.md"
    return max(found, key=lambda one: len(one[1]))[0]


def imported(path):
    """Yields the tablier modules that a file imports at run time, without those under TYPE_CHECKING."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("tablier"):
            base = node.module.removeprefix("tablier").removeprefix(".")
            yield from (f"{base}.{alias.name}".removeprefix(".") for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (n.name.removeprefix("tablier.") for n in node.names if n.name.startswith("tablier."))


def sources():
    return sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.stem[:2] != "__")


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_one_way(path):
    module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
    known = [name for name in imported(path) if (PACKAGE / name.split(".")[0]).exists() or is_module(name)]
    above = [name for name in known if place(name) > place(module)]
    assert above == []


@pytest.mark.parametrize(
    "path", sorted(ROOT.glob("tools/*.py")) + sorted(ROOT.glob("examples/*.py")), ids=lambda p: p.name
)
def test_tools_and_examples_do_not_import_tests(path):
    found = {alias.name for node in ast.walk(ast.parse(path.read_text())) for alias in modules(node)}
    of_tests = {test.stem for test in ROOT.glob("tests/**/*.py")} | {"tests"}
    assert {name.split(".")[0] for name in found} & of_tests == set()


def modules(node):
    """Returns the modules that a statement imports."""
    if isinstance(node, ast.ImportFrom):
        return [ast.alias(node.module or "")]
    return node.names if isinstance(node, ast.Import) else []


def is_module(name):
    return (PACKAGE / f"{name.split('.')[0]}.py").exists()


def test_a_games_name_stands_in_its_own_rooms():
    """Elsewhere only the default game and one command example name a game; doctests do not count."""
    own = ("games", "bench", "adapters")
    lines = [
        f"{path.relative_to(PACKAGE)}: {line.strip()}"
        for path in PACKAGE.rglob("*.py")
        if path.relative_to(PACKAGE).parts[0] not in own
        for line in path.read_text().splitlines()
        if NAMES.search(line) and not line.lstrip().startswith(">>>")
    ]
    assert len(lines) <= 3, "\n".join(lines)
