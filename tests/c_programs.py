"""Builds the C library and compiles programs with it, as a user would, with warnings as errors."""

import fcntl
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "build" / "c"


def make(target, *settings):
    """Runs make under a lock, since parallel test processes share the build folder."""
    (ROOT / "build").mkdir(exist_ok=True)
    with (ROOT / "build" / "c.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = ["make", "--no-print-directory", target, *settings]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def build_library():
    """Builds the static library and returns its folder."""
    result = make("lib")
    assert result.returncode == 0, result.stdout + result.stderr
    return BUILD


def compile_program(library, folder, source):
    """Returns the path of the program."""
    (folder / "program.c").write_text(source)
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]
    include = ["-I", str(ROOT / "core/c_api"), "-I", str(library / "include")]
    program, object_file = str(folder / "program"), str(folder / "program.o")
    subprocess.run(["cc", *strict, *include, "-c", str(folder / "program.c"), "-o", object_file], check=True)
    subprocess.run(["c++", object_file, str(library / "libtablier.a"), "-pthread", "-o", program], check=True)
    return program


def run(program, *arguments):
    """Returns what a program prints; fails if its status is not 0."""
    command = [program, *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def compile_and_run(library, folder, source, *arguments):
    """Returns what the compiled source prints."""
    return run(compile_program(library, folder, source), *arguments)
