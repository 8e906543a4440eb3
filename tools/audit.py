"""Writes a bill of materials of an environment and asks for known vulnerabilities: `tools/audit.py PYTHON FOLDER`.

Run it with `make audit`, in the environment of requirements/release.txt. PYTHON is the interpreter whose packages are
listed. FOLDER gets sbom.cdx.json (CycloneDX) and, if the advisory service answers, vulnerabilities.json.

A vulnerability fails the audit. Without an answer the audit says so and goes on, because there is nothing to report;
with `--strict` it fails then, too.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


def bill_of_materials(python: Path, file: Path) -> int:
    """Writes the bill of materials and returns the number of components."""
    command = [
        "-m",
        "cyclonedx_py",
        "environment",
        "--pyproject",
        str(ROOT / "pyproject.toml"),
        "--output-reproducible",
    ]
    command += ["--no-validate"]  # its check of the schema takes minutes for a large environment
    command += ["--output-format", "JSON", "--output-file", str(file), str(python)]
    subprocess.run([sys.executable, *command], check=True, capture_output=True)
    return len(json.loads(file.read_text(encoding="utf-8"))["components"])


def pins(python: Path) -> list[str]:
    """Returns the packages of an environment as requirements, without tablier and without local versions."""
    command = [str(python), "-m", "pip", "--disable-pip-version-check", "list", "--format=json"]
    listed = json.loads(subprocess.check_output(command))
    return [f"{one['name']}=={one['version'].split('+')[0]}" for one in listed if one["name"] != "tablier"]


def known_vulnerabilities(requirements: Path) -> dict[str, Any] | None:
    """Asks the advisory service about pinned requirements; None if it cannot be reached."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(requirements), "--no-deps", "--disable-pip"]
    done = subprocess.run(
        [*command, "--format=json", "--progress-spinner=off"], capture_output=True, text=True, check=False
    )
    try:
        found: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        print(
            done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "pip-audit gave no answer", file=sys.stderr
        )
        return None
    return found


def main() -> int:
    """Writes both reports."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("python", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--strict", action="store_true")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    file = args.folder / "sbom.cdx.json"
    print(f"{file}: {bill_of_materials(args.python, file)} components")

    listed = pins(args.python)
    requirements = args.folder / "requirements.txt"
    requirements.write_text("\n".join([*listed, ""]), encoding="utf-8")
    answer = known_vulnerabilities(requirements)
    packages = answer["dependencies"] if answer else []
    asked = [one for one in packages if "skip_reason" not in one]
    if len(asked) < len(listed):  # a mirror of a package index may know no advisories: pip-audit then skips packages
        print(
            f"NOT AUDITED: {len(listed) - len(asked)} of {len(listed)} packages, because the advisory service did not "
            "answer for them. Run `make audit` again on a machine that can reach it.",
            file=sys.stderr,
        )
        if args.strict:
            return 1
    if asked:
        (args.folder / "vulnerabilities.json").write_text(json.dumps(asked, indent=2) + "\n", encoding="utf-8")
    vulnerable = [one for one in asked if one["vulns"]]
    for one in vulnerable:
        print(f"{one['name']} {one['version']}: {', '.join(found['id'] for found in one['vulns'])}", file=sys.stderr)
    print(f"{len(asked)} packages audited, {len(vulnerable)} with known vulnerabilities")
    return 1 if vulnerable else 0


if __name__ == "__main__":
    sys.exit(main())
