"""What a release consists of: wheels, workflows, licences, and the files that run a public server."""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import licences
import pytest
import wheel
import yaml

from tablier.cli import make_parser

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
METADATA = (
    "Metadata-Version: 2.4\nName: tablier\nRequires-Dist: numpy>=1.26\nRequires-Dist: rich>=13; extra == 'play'\n"
)
CONTENTS = {
    **{name if "." in name.rpartition("/")[2] else f"{name}/words.json": "" for name in wheel.NEEDED},
    "tablier/_core.cpython-311-x86_64-linux-gnu.so": "",
    "tablier-1.0.dist-info/METADATA": METADATA,
    "tablier-1.0.dist-info/entry_points.txt": "[console_scripts]\ntablier=tablier.cli:main\n",
    "tablier-1.0.dist-info/licenses/LICENSE": "",
}


def problems(folder, contents):
    with zipfile.ZipFile(folder / "some.whl", "w") as archive:
        for name, text in contents.items():
            archive.writestr(name, text)
    return wheel.problems(folder / "some.whl")


def test_a_complete_wheel_is_accepted(tmp_path):
    assert problems(tmp_path, CONTENTS) == []


@pytest.mark.parametrize("missing", sorted(set(CONTENTS) - {"tablier-1.0.dist-info/METADATA"}))
def test_a_wheel_without_one_of_its_files_is_rejected(tmp_path, missing):
    text = "" if missing.endswith("entry_points.txt") else None
    contents = {name: value for name, value in CONTENTS.items() if name != missing}
    if text is not None:
        contents[missing] = text  # the file is there, but the command is not
    assert len(problems(tmp_path, contents)) == 1


@pytest.mark.parametrize("stray", ["tests/test_pig.py", "setup.py", "tablier/__pycache__/registry.cpython-311.pyc"])
def test_a_wheel_with_a_stray_file_is_rejected(tmp_path, stray):
    assert problems(tmp_path, {**CONTENTS, stray: ""}) == [f"{stray} does not belong there"]


def test_a_wheel_that_needs_more_than_numpy_is_rejected(tmp_path):
    metadata = METADATA + "Requires-Dist: rich>=13\n"
    (problem,) = problems(tmp_path, {**CONTENTS, "tablier-1.0.dist-info/METADATA": metadata})
    assert "not NumPy alone" in problem


def test_wheels_are_built_for_the_versions_that_the_package_names():
    classifiers = "\n".join(PROJECT["project"]["classifiers"])
    named = re.findall(r"Python :: 3\.(\d+)$", classifiers, re.MULTILINE)
    assert PROJECT["tool"]["cibuildwheel"]["build"] == [f"cp3{minor}-*" for minor in named]
    assert PROJECT["project"]["requires-python"] == f">=3.{named[0]}"


def test_the_wheels_are_tried_with_files_that_exist():
    words = shlex.split(PROJECT["tool"]["cibuildwheel"]["test-command"])
    paths = [Path(word.format(project=ROOT)) for word in words if "{project}" in word]
    assert [path.name for path in paths] == ["smoke.py", "signature.txt"]
    assert all(path.is_file() for path in paths)


WORKFLOWS = {path.name: yaml.safe_load(path.read_text()) for path in (ROOT / ".github" / "workflows").glob("*.yml")}


@pytest.mark.parametrize("name", sorted(WORKFLOWS))
def test_a_workflow_has_few_rights_and_an_end(name):
    workflow = WORKFLOWS[name]
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert "timeout-minutes" in job
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            assert "@" in step.get("uses", "@")


def test_a_release_is_built_by_locked_tools_and_signed():
    jobs = WORKFLOWS["release.yml"]["jobs"]
    for name in ("wheels", "source"):
        installs = [step["run"] for step in jobs[name]["steps"] if "pip install" in step.get("run", "")]
        assert "--require-hashes -r requirements/release.txt" in installs[0]
    publish = jobs["publish"]
    assert publish["if"] == "startsWith(github.ref, 'refs/tags/v')"
    assert sorted(publish["needs"]) == ["source", "wheels"]
    assert publish["permissions"]["id-token"] == publish["permissions"]["attestations"] == "write"
    used = [step.get("uses", "").split("@")[0] for step in publish["steps"]]
    assert {"actions/attest-build-provenance", "actions/attest-sbom"} <= set(used)
    writing = [name for name, job in jobs.items() if "write" in job.get("permissions", {}).values()]
    assert writing == ["publish"], "only the last job may write"


@pytest.mark.parametrize(
    ("licence", "accepted"),
    [
        ("MIT", True),
        ("BSD-3-Clause AND 0BSD", True),
        ("GNU Library or Lesser General Public License (LGPL)", True),
        ("GPL-3.0-only OR MIT", True),
        ("GPL-3.0-only", False),
        ("MIT AND AGPL-3.0", False),
        ("GNU General Public License v3 (GPLv3)", False),
        ("Limited to members", False),
        ("", False),
    ],
)
def test_which_licences_are_accepted(licence, accepted):
    assert licences.is_accepted(licence) is accepted


def test_every_installed_package_has_an_accepted_licence(tmp_path):
    file = tmp_path / "licences.json"
    subprocess.run([sys.executable, ROOT / "tools" / "licences.py", file], check=True)
    assert {"numpy", "torch"} <= {row["name"] for row in json.loads(file.read_text())}


def service_command():
    (line,) = re.findall(r"^ExecStart=(.*)$", (ROOT / "deploy" / "tablier.service").read_text(), re.MULTILINE)
    return shlex.split(line)


def container_command():
    (line,) = re.findall(r"^ENTRYPOINT (.*)$", (ROOT / "deploy" / "Containerfile").read_text(), re.MULTILINE)
    return json.loads(line)


@pytest.mark.parametrize("command", [service_command(), container_command()], ids=["service", "container"])
def test_the_deployed_command_is_one_that_the_program_accepts(command):
    program, *arguments = command
    assert program == "/opt/tablier/bin/tablier"
    args = make_parser().parse_args(arguments)
    assert args.parser.prog.endswith("serve")
    assert args.port == 8000


def test_the_container_runs_without_privileges():
    text = (ROOT / "deploy" / "Containerfile").read_text()
    last = text[text.rindex("\nFROM ") :]
    assert re.search(r"^USER tablier$", last, re.MULTILINE)
    assert last.index("\nUSER ") < last.index("\nENTRYPOINT ")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_accepts_the_service_and_finds_it_hardened(tmp_path):
    text = (ROOT / "deploy" / "tablier.service").read_text()
    unit = tmp_path / "tablier.service"
    unit.write_text(text.replace("/opt/tablier/bin/tablier", sys.executable))
    verified = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert (verified.returncode, verified.stderr) == (0, "")
    rated = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=15", unit], capture_output=True, text=True
    )
    assert rated.returncode == 0, rated.stdout.splitlines()[-1]
