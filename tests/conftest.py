"""Isolates every test: language, random seeds and registered games.

Tests run in any order and in several processes (`make test`), so no test may see state left by another.
"""

import os
import random
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from race import Race

import tablier
from tablier import games, imports, registry, search
from tablier.messages import catalogue

os.environ["OMP_NUM_THREADS"] = "1"  # torch, also in child processes: the test processes already use every core

# After `make dev`, importing Tablier starts cmake. This process has done that, so its children need not repeat it.
for finder in sys.meta_path:
    if type(finder).__name__ == "ScikitBuildRedirectingFinder" and finder.path:
        os.environ["SKBUILD_EDITABLE_SKIP"] = finder.path

os.environ.setdefault("TABLIER_CACHE", str(Path(__file__).parent.parent / "build" / "cache"))  # not the user's own

settings.register_profile(
    "tablier", derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(  # of `make fuzz`
    "fuzz", settings.get_profile("tablier"), derandomize=False, max_examples=1000, print_blob=True
)
settings.load_profile("tablier")


@pytest.fixture(autouse=True)
def _plain_surroundings(monkeypatch):
    """Commands print English whatever the machine's locale, and lines are not wrapped."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def _own_random_numbers():
    """Reseeds the global random generators, so that a test does not depend on the tests before it."""
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(1)


_TABLES = {name: getattr(registry, name).copy() for name in ("_loaders", "_python_games", "_homes")}


@pytest.fixture(autouse=True)
def _own_games(monkeypatch):
    """Each test starts with only the package's games, without those registered by a module-scoped fixture."""
    for name, table in _TABLES.items():
        monkeypatch.setattr(registry, name, table.copy())
    monkeypatch.setattr(imports, "_read", [])
    search._mean_legal.cache_clear()  # it knows games by name, and tests give one name to several games


_CATALOGUE = (catalogue.templates, catalogue.languages, games._furnished)


@pytest.fixture(autouse=True)
def _own_messages():
    """Each test starts with only the package's messages, without those of a home that another test registered."""
    before, catalogue._folders = catalogue._folders, catalogue._folders.copy()
    yield
    added, catalogue._folders = catalogue._folders != before, before
    if added:
        for cached in _CATALOGUE:
            cached.cache_clear()


@pytest.fixture
def race():
    tablier.register(Race)
    return tablier.load_game("race")


@pytest.fixture
def register():
    """Returns a function that registers a game written in Python and loads it."""

    def registered(definition, **options):
        tablier.register(definition, replace=True)
        return tablier.load_game(definition.name, **options)

    return registered


@pytest.fixture
def pig():
    return tablier.load_game("pig")


@pytest.fixture
def tic_tac_toe():
    return tablier.load_game("tic_tac_toe")
