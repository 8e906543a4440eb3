"""Writes `requirements/*.txt`: every version with the hashes of its files, for `pip install --require-hashes`.

The versions of `dev.txt` are those of constraints.txt, with all extras, for every system and Python version that the
package supports. `release.txt` has the tools of a release. Run it with `make lock`, in the environment of release.txt.

On Linux, torch is the CPU build: only the hashes in requirements/torch-cpu.txt are accepted, and the CUDA packages are
left out. Elsewhere the package index has CPU builds.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "requirements"
OLDEST = "3.11.5"
"""Python version to lock for, with all later ones."""
CUDA = re.compile(r"(cuda|nvidia)-|triton==")
"""Packages that only the CUDA build of torch needs."""


def compiled(*arguments: str) -> str:
    """Returns what `uv pip compile` writes, without its header."""
    command = ["uv", "pip", "compile", "--quiet", "--universal", "--generate-hashes", "--no-header", "--no-annotate"]
    done = subprocess.run(
        [*command, "--python-version", OLDEST, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"uv found no versions that fit together:\n{done.stderr}")
    return done.stdout


def requirements(text: str) -> Iterator[str]:
    """Yields each requirement with its hashes."""
    yield from re.findall(r"^\S.*(?:\n[ \t]+.*)*\n", text, re.MULTILINE)


def version_of(name: str) -> str:
    """Returns the version of a package in constraints.txt."""
    found = re.search(rf"^{name}==(\S+)$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert found, f"constraints.txt does not pin {name}"
    return found[1]


def cpu_hashes() -> list[str]:
    """Returns the hashes of CPU builds of torch, after adding the wheels of $PIP_FIND_LINKS to their file."""
    file, version = FOLDER / "torch-cpu.txt", version_of("torch")
    lines = file.read_text(encoding="utf-8").splitlines()
    comment = [line for line in lines if line.startswith("#")]
    known = dict(line.split() for line in lines if line.startswith(f"torch-{version}+cpu"))
    for folder in os.environ.get("PIP_FIND_LINKS", "").split():
        for wheel in Path(folder).glob(f"torch-{version}+cpu-*.whl"):
            with wheel.open("rb") as opened:
                known[wheel.name] = hashlib.file_digest(opened, "sha256").hexdigest()
    file.write_text("\n".join([*comment, *(f"{name} {sum_}" for name, sum_ in sorted(known.items())), ""]))
    return sorted(known.values())


def torch(requirement: str) -> list[str]:
    """Returns the requirement for Linux and the one for other systems.

    Among the hashes of one requirement, pip would prefer a file of the index to the CPU build.
    """
    pin, hashes = requirement.split(" ", 1)
    cpu = " \\\n".join(f"    --hash=sha256:{sum_}" for sum_ in cpu_hashes())
    return [f"{pin} ; sys_platform == 'linux' \\\n{cpu}\n", f"{pin} ; sys_platform != 'linux' {hashes}"]


def main() -> None:
    """Writes both files."""
    dev = requirements(compiled("pyproject.toml", "--all-extras", "-c", "constraints.txt"))
    locked = [
        line for one in dev if not CUDA.match(one) for line in (torch(one) if one.startswith("torch==") else [one])
    ]
    release = list(requirements(compiled("requirements/release.in")))
    for name, found in (("dev", locked), ("release", release)):
        header = f"# Written by `make lock` (tools/lock.py), which explains it.\n{''.join(found)}"
        (FOLDER / f"{name}.txt").write_text(header, encoding="utf-8")
        print(f"requirements/{name}.txt: {len(found)} packages")


if __name__ == "__main__":
    main()
