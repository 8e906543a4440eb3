"""Puts Trictrac into OpenSpiel's source tree: writes the patch, and builds and tests it there.

    python tools/open_spiel_tree.py patch    # rewrites the patch and the playthrough in integrations/open_spiel
    python tools/open_spiel_tree.py check    # fails if they are not current
    python tools/open_spiel_tree.py tidy     # runs clang-tidy on the game
    python tools/open_spiel_tree.py build    # applies the patch to a fresh tree; builds and runs two programs there

The tree is OpenSpiel's source package, which pip downloads. It has no documentation, so the row of the games table is
part of the patch but is not applied here.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from absl import flags
from open_spiel.python.algorithms import generate_playthrough

import tablier.adapters.open_spiel_native as native
from tablier.adapters.open_spiel_plugin import PLACE, SOURCES, add_game, source_package, source_tree
from tablier.adapters.open_spiel_plugin import unpack as unpack_package

ROOT = Path(__file__).parent.parent
HOME = ROOT / "integrations" / "open_spiel"
VERSION = "2.0.2"
PATCH = HOME / f"open_spiel-{VERSION}.patch"
PLAYTHROUGH = HOME / "playthroughs" / "trictrac.txt"
TREE = ROOT / "build" / "open-spiel"

GAMES_PAGE = """diff --git a/docs/games.md b/docs/games.md
--- a/docs/games.md
+++ b/docs/games.md
@@ -95,2 +95,3 @@
 ![](_static/green_circ10.png "green circle") | [Trade Comm](#trade-comm)
+<font color="orange"><b>~</b></font>         | [Trictrac](#trictrac)
 <font color="orange"><b>~</b></font>         | [Ultimate Tic-Tac-Toe](#ultimate-tic-tac-toe)
"""
"""The row of the games table. The source package does not contain the page, so this part is written by hand."""


def unpack(folder: Path) -> None:
    """Unpacks the source package into a folder and makes it a git repository."""
    unpack_package(source_package(VERSION, native.show_progress), folder)
    git(folder, "init", "--quiet")
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "--quiet", "--message", f"OpenSpiel {VERSION}")


def git(folder: Path, *arguments: str) -> str:
    """Runs git in a folder and returns what it prints."""
    identity = ["-c", "user.name=Tablier", "-c", "user.email=tablier@localhost", "-c", "core.autocrlf=false"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, stdout=subprocess.PIPE)
    return done.stdout.decode()


def insert(path: Path, after: str, lines: str) -> None:
    """Inserts lines after every line that matches a pattern; there must be one."""
    text, count = re.subn(f"^({after})\n", lambda match: f"{match[1]}\n{lines}", path.read_text(), flags=re.MULTILINE)
    if count == 0:
        raise SystemExit(f"{path} has no line like {after}: is this OpenSpiel {VERSION}?")
    path.write_text(text)


def edit(folder: Path) -> None:
    """Makes the changes of the patch in an unpacked tree."""
    add_game(folder)
    shutil.copyfile(SOURCES / "trictrac_test.cc", folder / PLACE / "trictrac_test.cc")
    games = folder / "open_spiel" / "games" / "CMakeLists.txt"
    names = ("trictrac.cc", "trictrac.h", "trictrac_struct.cc", "trictrac_struct.h")
    insert(games, r"  trade_comm/trade_comm\.h", "".join(f"  trictrac/{name}\n" for name in names))
    test = "add_executable(trictrac_test trictrac/trictrac_test.cc ${OPEN_SPIEL_OBJECTS}\n"
    test += "               $<TARGET_OBJECTS:tests>)\nadd_test(trictrac_test trictrac_test)\n"
    insert(games, r"add_test\(trade_comm_test trade_comm_test\)", f"\n{test}")
    insert(folder / "open_spiel" / "python" / "tests" / "pyspiel_test.py", '    "trade_comm",', '    "trictrac",\n')
    playthroughs = folder / "open_spiel" / "integration_tests" / "playthroughs"
    playthroughs.mkdir(exist_ok=True)
    shutil.copyfile(PLAYTHROUGH, playthroughs / PLAYTHROUGH.name)


def make_patch() -> str:
    """Returns the patch: the changes to the source package, and the row of the games table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        unpack(folder)
        edit(folder)
        git(folder, "add", "--all", "--force")
        return GAMES_PAGE + git(folder, "diff", "--cached", "--no-renames", "--full-index")


def make_playthrough() -> str:
    """Returns a random game in OpenSpiel's format for golden games."""
    text: str = generate_playthrough.playthrough("trictrac", action_sequence=None, seed=1)
    return text


def keep_only_trictrac(folder: Path) -> None:
    """Reduces what the two programs link to the core, Trictrac and minimax: everything else takes half an hour."""
    top = folder / "open_spiel" / "CMakeLists.txt"
    text = top.read_text()
    for objects in ("bots", "game_transforms", "bridge_double_dummy_solver", "algorithms", "evaluation", "utils"):
        text = text.replace(f"  $<TARGET_OBJECTS:{objects}>\n", "")
    top.write_text(text.replace("  action_view.cc\n", "  action_view.cc\n  algorithms/minimax.cc\n"))
    games = folder / "open_spiel" / "games" / "CMakeLists.txt"
    head, rest = games.read_text().split("set(GAME_SOURCES\n", 1)
    listed, tail = rest.split(")\n", 1)
    kept = [line for line in listed.splitlines(keepends=True) if line.startswith("  trictrac/")]
    games.write_text(f"{head}set(GAME_SOURCES\n{''.join(kept)})\n{tail}")


def build(jobs: int) -> None:
    """Applies the patch to a fresh tree, builds trictrac_test and example there, and runs them."""
    shutil.rmtree(TREE / "tree", ignore_errors=True)
    unpack(TREE / "tree")
    git(TREE / "tree", "apply", "--exclude=docs/games.md", str(PATCH))
    keep_only_trictrac(TREE / "tree")
    output = TREE / "output"
    environment = {**os.environ, "OPEN_SPIEL_BUILD_WITH_PYTHON": "OFF", "BUILD_TYPE": "Testing"}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    configure = ["cmake", "-G", "Ninja", "-S", str(TREE / "tree" / "open_spiel"), "-B", str(output)]
    subprocess.run(configure, check=True, env=environment, stdout=subprocess.DEVNULL)
    targets = ["--target", "trictrac_test", "example"]
    subprocess.run(["cmake", "--build", str(output), "-j", str(jobs), *targets], check=True, env=environment)
    for program in (["games/trictrac_test"], ["examples/example", "--game=trictrac", "--seed=1"]):
        command = [str(output / program[0]), *program[1:]]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(f"{' '.join(program)}: exit status {done.returncode}, ends with")
        print("\n".join(f"  {line}" for line in done.stdout.split("\n") if line.strip())[-200:])
        if done.returncode != 0:
            raise SystemExit(1)


def tidy() -> int:
    """Runs clang-tidy on the game's own files and returns its exit status."""
    with source_tree(VERSION, native.show_progress) as tree:
        folders = [tree, tree / "open_spiel" / "abseil-cpp", tree / "open_spiel" / "json" / "include"]
        includes = [option for folder in folders for option in ("-isystem", str(folder))]
        code = [str(tree / PLACE / name) for name in ("trictrac.cc", "trictrac_struct.cc")]
        program = [str(Path(sys.executable).parent / "clang-tidy"), "--quiet", f"--config-file={ROOT / '.clang-tidy'}"]
        return subprocess.run([*program, *code, "--", "-std=c++20", "-w", *includes]).returncode


def check() -> int:
    """Returns how many of the files in integrations/open_spiel are not what this program would write."""
    stale = 0
    for path, text in ((PLAYTHROUGH, make_playthrough()), (PATCH, make_patch())):
        if not path.exists() or path.read_text() != text:
            print(f"{path.relative_to(ROOT)} is not current: run make golden")
            stale += 1
        else:
            print(f"{path.relative_to(ROOT)} is current")
    return stale


def main() -> int:
    """Runs one of the tasks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("task", choices=("patch", "check", "tidy", "build"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at a time (default: one per core)")
    args = parser.parse_args()
    flags.FLAGS.mark_as_parsed()
    if args.task == "check":
        return check()
    if args.task == "tidy":
        return tidy()
    if args.task == "build":
        build(args.jobs)
        return 0
    PLAYTHROUGH.write_text(make_playthrough())
    PATCH.write_text(make_patch())
    return 0


if __name__ == "__main__":
    sys.exit(main())
