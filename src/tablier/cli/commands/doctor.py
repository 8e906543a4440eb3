"""`tablier doctor`: checks the installation and says how to install what is missing."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import re
import shutil
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablier.cli.arguments import add_cluster, add_json, add_lang, cluster_of, given_path, new_parser, writing
from tablier.messages import Message, Number, language, visible

if TYPE_CHECKING:
    from tablier.cli.terminal.screen import Screen
    from tablier.web.service.examine import Report

EXAMPLE = """exit code: 0 if the core works, 1 if it does not; extras may be missing. With --database: 0 if it is sound
or was repaired

example:
  tablier doctor
  tablier doctor --json
  tablier doctor --cluster ray://192.168.1.10:10001
  tablier doctor --database games.sqlite
  tablier doctor --database games.sqlite --export games"""
PURPOSES = {
    "play": "colours, progress bars, network players",
    "train": "learning by self-play",
    "arena": "ratings of tournaments",
    "cluster": "games on several machines",
    "web": "the web board",
    "openspiel": "the OpenSpiel adapter",
    "gymnasium": "the Gymnasium adapter",
    "pettingzoo": "the PettingZoo adapter",
    "dev": "building and testing",
}
THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
COMPILERS = ("c++", "g++", "clang++")
LONGEST = 200
"""How much of a program's version is shown."""


@dataclass(frozen=True)
class Finding:
    """The result of one check."""

    area: str
    """One of core, extra, tool and machine."""
    name: str
    ok: bool
    found: str
    remedy: str = ""
    """How to fix it, if it is not ok."""


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "doctor", "check the installation, a cluster or a game database", EXAMPLE)
    parser.add_argument("--database", type=given_path, metavar="FILE", help="check a game database of `tablier serve`")
    then = parser.add_mutually_exclusive_group()
    then.add_argument("--repair", action="store_true", help="keep its sound tables; the old file is kept beside it")
    then.add_argument("--export", type=given_path, metavar="FOLDER", help="write its games into a folder, as records")
    add_cluster(parser)
    add_lang(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from tablier.cli.terminal.screen import Screen

    if args.database:
        return _database(args, Screen(language(args.lang)))
    if args.repair or args.export:
        raise ValueError("--repair and --export need --database FILE")
    if args.cluster or args.workers:
        return _cluster(args, Screen(language(args.lang)))
    findings = [*core(), *extras(), *tools(), *machine()]
    works = all(finding.ok for finding in findings if finding.area == "core")
    if args.json:
        print(json.dumps({"core_works": works, "findings": [asdict(finding) for finding in findings]}, indent=2))
        return 0 if works else 1
    screen, area = Screen(), ""
    for finding in findings:
        if finding.area != area:
            area = finding.area
            screen.line((area, "bold"))
        mark = ("  ok       ", "green") if finding.ok else ("  missing  ", "red" if area == "core" else "yellow")
        screen.line(mark, f"{finding.name}: {finding.found}")
        if not finding.ok and finding.remedy:
            screen.line((f"           {finding.remedy}", "bold"))
    screen.line("The core works." if works else "The core does not work.")
    return 0 if works else 1


def _cluster(args: argparse.Namespace, screen: Screen) -> int:
    """Checks a cluster."""

    def tell(message: Message) -> None:
        if message.key != "cluster.ready" and not args.json:
            screen.text(message, "yellow")

    with cluster_of(args, tell) as pool:
        assert pool is not None
        from tablier.cluster.check import check
        from tablier.cluster.worker import my_facts

        found = check(pool)
        version, _, rules, _ = my_facts()
    if args.json:
        print(json.dumps({"address": args.cluster, "version": version, "rules": rules, **asdict(found)}))
        return 0
    screen.text(Message("cluster.doctor.address", address=args.cluster), "bold")
    screen.text(Message("cluster.doctor.workers", n=found.workers, version=version, rules=rules), indent="  ")
    for node, n in sorted(found.nodes.items()):
        screen.text(Message("cluster.doctor.node", n=n, node=node), indent="  ")
    ms, speed = Number(found.milliseconds, ".2f"), Number(found.megabytes, ".0f")
    screen.text(Message("cluster.doctor.network", ms=ms, speed=speed), indent="  ")
    return 0


def _database(args: argparse.Namespace, screen: Screen) -> int:
    """Checks a database of games, and repairs or exports it."""
    from tablier.web.service.examine import examine, export, repair

    path = Path(args.database)
    if not path.is_file():
        raise ValueError(f"{path} is not a file; give the database of `tablier serve`")
    kept = None
    if args.repair:
        report, kept = repair(path)
    else:
        report = examine(path)
    written = None
    if args.export:
        with writing(args.export):
            written = export(path, Path(args.export))
    if args.json:
        facts = {"ok": report.ok, **asdict(report), "sound": len(report.sound), "kept": kept and str(kept)}
        print(json.dumps({**facts, "exported": written}, indent=2))
    else:
        _tell_database(screen, path, report)
        if kept:
            screen.say("doctor.database.repaired", path=str(path), n=len(report.sound), kept=str(kept))
        elif written is not None:
            screen.say("doctor.database.exported", folder=args.export, n=written)
        elif not report.ok:
            screen.say("doctor.database.remedy", path=str(path))
    return 0 if report.ok or kept else 1


def _tell_database(screen: Screen, path: Path, report: Report) -> None:
    facts: dict[str, str | int] = {"path": str(path), "version": report.version, "n": len(report.sound)}
    screen.say("doctor.database.found", **facts, size=Number(report.size / 1e6, ".1f"))
    if report.pages:
        screen.text(Message("doctor.database.pages", problem=visible(report.pages)), "yellow")
    if report.damaged:
        screen.text(Message("doctor.database.damaged", n=len(report.damaged)), "yellow")
        for tid, problem in report.damaged.items():
            screen.text(visible(f"{tid}: {problem}"), indent="  ")
    if report.times:
        screen.text(Message("doctor.database.times", n=len(report.times)), "yellow")
        for tid, times in report.times.items():
            screen.text(visible(f"{tid}: {', '.join(times)}"), indent="  ")
    if report.ok:
        screen.say("doctor.database.sound")


def core() -> list[Finding]:
    """Checks the package: plays every native game, and saves and restores a state of it."""
    import tablier
    from tablier import _core

    again = "pip install --force-reinstall tablier"
    result = [Finding("core", "tablier", True, f"{tablier.__version__}, Python {platform.python_version()}")]
    result.append(Finding("core", "native module", True, str(Path(str(_core.__file__)).resolve())))
    for name in _core.native_games():
        try:
            game = tablier.load_game(name)
            played = game.random_playouts(20, seed=1)
            state = game.new_initial_state()
            same = game.deserialize(state.serialize()) == state and played.unfinished == 0
            found = f"20 games, {played.decisions} decisions" if same else "a saved state differs after it is restored"
        except Exception as error:  # report whatever is broken
            same, found = False, f"{type(error).__name__}: {error}"
        result.append(Finding("core", name, same, found, "" if same else again))
    return result


def extras() -> list[Finding]:
    """Checks the packages of each extra, as listed in the metadata of the package.

    Extras that this version does not use are left out.
    """
    try:
        lines = importlib.metadata.requires("tablier") or []
    except importlib.metadata.PackageNotFoundError:
        remedy = "run pip install . in the source folder"
        return [Finding("extra", "metadata", False, "tablier runs from source and is not installed", remedy)]
    wanted: dict[str, list[str]] = {}
    for line in lines:
        requirement, _, condition = line.partition(";")
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", condition)
        if extra and extra.group(1) in PURPOSES and not requirement.startswith("tablier"):
            wanted.setdefault(extra.group(1), []).append(requirement.strip())
    result = []
    for extra_name, requirements in wanted.items():
        have: list[str] = []
        lack: list[str] = []
        for requirement in requirements:
            version = _installed(requirement)
            (have if version else lack).append(f"{_bare(requirement)} {version}" if version else requirement)
        found = ", ".join([*have, *(f"no {requirement}" for requirement in lack)])
        result.append(
            Finding(
                "extra",
                f"{extra_name} ({PURPOSES[extra_name]})",
                not lack,
                found,
                f"pip install 'tablier[{extra_name}]'" if lack else "",
            )
        )
    return result


def tools() -> list[Finding]:
    """Checks other programs: a compiler to build from source, a browser to test the web board."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    return [
        Finding("tool", "C++ compiler", bool(compiler), _version(compiler), "apt install g++ (to build from source)"),
        Finding(
            "tool",
            "Chromium",
            bool(browser),
            _version(browser),
            "apt install chromium-headless-shell (to test the web board)",
        ),
    ]


def machine() -> list[Finding]:
    """Checks the machine: cores, threads, the folder of runs, the terminal."""
    from tablier.cli.terminal.screen import Screen

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    settings = ", ".join(f"{name}={os.environ[name]}" for name in THREADS if os.environ.get(name))
    runs = Path("runs")
    place = runs if runs.exists() else Path()
    writable = place.is_dir() and os.access(place, os.W_OK)
    where = f"{place.resolve()} is {'writable' if writable else 'not writable'}"
    return [
        Finding("machine", "cores", True, f"{cores} of {os.cpu_count()}, {platform.machine()}"),
        Finding("machine", "threads", True, settings or f"no limit set ({', '.join(THREADS)})"),
        Finding("machine", "folder of runs", writable, where, "" if writable else "tablier train --run FOLDER"),
        Finding("machine", "output", True, "colours" if Screen().colour else "no colours"),
    ]


def _bare(requirement: str) -> str:
    name = re.match(r"[\w.-]+", requirement)
    return name.group() if name else requirement


def _installed(requirement: str) -> str | None:
    """Returns the installed version if it satisfies the requirement, otherwise None."""
    try:
        version = importlib.metadata.version(_bare(requirement))
    except importlib.metadata.PackageNotFoundError:
        return None
    try:
        from packaging.requirements import Requirement
    except ImportError:
        return version
    accepted = Requirement(requirement).specifier.contains(version.partition("+")[0], prereleases=True)
    return version if accepted else None


def _version(program: str | None) -> str:
    if program is None:
        return "not found"
    try:
        output = subprocess.run([program, "--version"], capture_output=True, timeout=20, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return program
    lines = output.decode(errors="backslashreplace").strip().splitlines()  # another program's, in any encoding
    return f"{program}, {visible(lines[0].strip())[:LONGEST]}" if lines else program
