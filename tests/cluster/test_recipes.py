"""The recipes of docs/scale.md are at least well formed; no batch system or container engine runs them here."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "scale.md").read_text()


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("script", blocks("bash"))
def test_scripts_are_valid_bash(script):
    assert subprocess.run(["bash", "-n"], input=script, text=True, check=False).returncode == 0


def test_the_cluster_of_kubernetes_uses_one_image_everywhere():
    (cluster,) = map(yaml.safe_load, blocks("yaml"))
    assert cluster["kind"] == "RayCluster"
    groups = [cluster["spec"]["headGroupSpec"], *cluster["spec"]["workerGroupSpecs"]]
    containers = [one for group in groups for one in group["template"]["spec"]["containers"]]
    assert len(containers) == 2
    assert len({one["image"] for one in containers}) == 1
    assert containers[0]["image"] in PAGE.partition("podman build")[2]


def test_the_files_of_the_image_exist():
    lines = (ROOT / "tools" / "Containerfile").read_text().splitlines()
    named = [word for line in lines if line.startswith("COPY ") and "--from" not in line for word in line.split()[1:-1]]
    assert named
    assert all((ROOT / one).exists() for one in named)
