"""Every file ever written still opens, or migrates, and means the same (docs/formats.md)."""

import importlib
import json
import math
from pathlib import Path

import pytest
from meaning import DROPPED, MEANING, SUMS, checksum, files, meaning, names

HERE = Path(__file__).parent
VERSIONS = sorted(HERE.glob("v*"))
FIXTURES = [(root, name) for root in VERSIONS for name in names(root)]


def differences(found, expected, place="facts"):
    """Yields where facts differ from the expected ones. New and dropped entries do not count."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key, value in expected.items():
            if key in found:
                yield from differences(found[key], value, f"{place}/{key}")
            elif key not in DROPPED:
                yield f"{place}/{key} is missing"
    elif isinstance(expected, list) and isinstance(found, list) and len(found) == len(expected):
        for n, value in enumerate(expected):
            yield from differences(found[n], value, f"{place}/{n}")
    elif isinstance(expected, float) and isinstance(found, int | float):
        if not math.isclose(found, expected, rel_tol=1e-5, abs_tol=1e-5):
            yield f"{place} is {found}, not {expected}"
    elif found != expected:
        yield f"{place} is {found!r:.200}, not {expected!r:.200}"


@pytest.mark.parametrize(("root", "name"), FIXTURES, ids=[f"{root.name}/{name}" for root, name in FIXTURES])
def test_a_file_means_what_it_meant(root, name):
    expected = json.loads((root / MEANING).read_text())[name]
    found = json.loads(json.dumps(meaning(root, name)))  # as stored in JSON, where tuples become lists
    assert list(differences(found, expected)) == []


@pytest.mark.parametrize("root", VERSIONS, ids=[root.name for root in VERSIONS])
def test_no_fixture_was_changed_added_or_lost(root):
    sums = dict(line.split("  ")[::-1] for line in (root / SUMS).read_text().splitlines())
    assert {str(path.relative_to(root)): checksum(path) for path in files(root)} == sums


@pytest.mark.parametrize("root", VERSIONS, ids=[root.name for root in VERSIONS])
def test_every_fixture_has_a_meaning(root):
    assert sorted(json.loads((root / MEANING).read_text())) == names(root)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("v0.1", "already exists and must not change"),
        ("../v9", "must be named after a version"),
        ("new", "must be named after"),
    ],
)
def test_a_folder_that_exists_is_never_written_to(name, message, monkeypatch):
    monkeypatch.syspath_prepend(HERE.parent / "trictrac")
    with pytest.raises(SystemExit, match=message):
        importlib.import_module("make_fixtures").main(name)


def test_differences_are_found_but_not_what_is_new_or_dropped():
    told = {"options": {"fill_way_rule": "nominal", "schools": True}, "values": [1.0, 2], "gone": 1}
    found = {"options": {"schools": False, "new": 1}, "values": [1.0000001, 3], "more": 0}
    assert list(differences(found, told)) == [
        "facts/options/schools is False, not True",
        "facts/values/1 is 3, not 2",
        "facts/gone is missing",
    ]
    assert list(differences([1, 2], [1])) == ["facts is [1, 2], not [1]"]
    assert list(differences(1.1, 1.0)) == ["facts is 1.1, not 1.0"]
