"""The hosted workflow runs the same steps as `.ci/run`."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parent.parent


def test_the_workflow_runs_the_checks_of_ci_run():
    checks = re.findall(r"^make ([\w-]+)$", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
    job = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())["jobs"]["check"]
    assert job["strategy"]["matrix"]["check"] == checks
    assert job["steps"][-1]["run"] == "make ${{ matrix.check }} PYTHON=python"
