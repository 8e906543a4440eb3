"""The lock covers what is installed, tested and released, and accepts nothing without a hash."""

import importlib.metadata
import re
import tomllib
from pathlib import Path

import lock
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
FILES = ("dev", "release")


def locked(name):
    """Returns the requirements of a locked file, each with its hashes."""
    lines = lock.requirements((ROOT / "requirements" / f"{name}.txt").read_text())
    texts = [line for line in lines if not line.startswith("#")]
    return [(Requirement(text.split("\\")[0]), re.findall(r"--hash=sha256:([0-9a-f]{64})\b", text)) for text in texts]


def versions(name):
    return {canonicalize_name(one.name): next(iter(one.specifier)).version for one, _ in locked(name)}


def pinned():
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in (line.split("==") for line in lines)}


def wanted(name):
    """Returns what a locked file must satisfy."""
    if name == "release":
        lines = (ROOT / "requirements" / "release.in").read_text().splitlines()
        return [Requirement(line) for line in lines if line and not line.startswith("#")]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = [project["project"]["dependencies"], *project["project"]["optional-dependencies"].values()]
    every = [Requirement(line) for group in [*groups, project["build-system"]["requires"]] for line in group]
    return [one for one in every if one.name != "tablier"]


@pytest.mark.parametrize("name", FILES)
def test_every_requirement_is_one_version_with_hashes(name):
    found = locked(name)
    assert len(found) > 50
    for requirement, hashes in found:
        assert [one.operator for one in requirement.specifier] == ["=="], requirement
        assert hashes, f"{requirement} has no hash"


@pytest.mark.parametrize("name", FILES)
def test_the_lock_names_packages_and_no_place_to_get_them(name):
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    assert not re.search(r"^\s*--(?!hash=)|://", text, re.MULTILINE)


@pytest.mark.parametrize("name", FILES)
def test_the_lock_satisfies_what_is_asked_for(name):
    found = versions(name)
    for requirement in wanted(name):
        assert found[canonicalize_name(requirement.name)] in requirement.specifier, f"{requirement}: run `make lock`"


def test_the_lock_has_the_versions_of_the_constraints():
    found = versions("dev")
    assert {name: found.get(name) for name in pinned()} == pinned(), "run `make lock`"


def test_what_is_tested_here_is_what_the_lock_lists():
    found, here = versions("dev"), importlib.metadata.distributions()
    installed = {canonicalize_name(one.metadata["Name"]): one.version.split("+")[0] for one in here}
    came_with_python = {"pip", "setuptools"}
    both = (installed.keys() & found.keys()) - came_with_python
    assert {"numpy", "torch", "fastapi", "pytest"} <= both
    assert {name: installed[name] for name in both} == {name: found[name] for name in both}


def test_on_linux_only_cpu_builds_of_torch_are_accepted():
    listed = (ROOT / "requirements" / "torch-cpu.txt").read_text().splitlines()
    cpu = {line.split()[1] for line in listed if not line.startswith("#")}
    found = {str(one.marker): set(hashes) for one, hashes in locked("dev") if one.name == "torch"}
    assert found['sys_platform == "linux"'] == cpu
    assert found['sys_platform != "linux"'] & cpu == set()
    assert not [one.name for one, _ in locked("dev") if re.match(r"(nvidia|cuda)-|triton$", one.name)]
