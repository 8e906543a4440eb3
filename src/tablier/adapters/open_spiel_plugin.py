"""Builds and caches the plug-in that adds `trictrac` to an installed OpenSpiel.

A plug-in is compiled once for each version of OpenSpiel, compiler and version of the sources. The headers come from
the source package of the installed version, which pip downloads. `tablier.adapters.open_spiel_native` loads the
plug-in; this module never does.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tablier import _core, cache, locks
from tablier.messages import MessageError, visible
from tablier.registry import get_include

REMAINS = "python_trictrac remains available: import tablier.adapters.open_spiel"
"""The end of every error message."""

SOURCES = Path(_core.__file__).parent / "integrations" / "open_spiel" / "trictrac"
"""The sources of the plug-in, which CMake installs next to the core."""

PLACE = Path("open_spiel") / "games" / "trictrac"
"""Where the sources belong in OpenSpiel's source tree."""

PATIENCE = 20
"""How many seconds a compiler may take to tell its version."""

LONGEST = 200
"""How much of a line of a program's output is shown."""

Report = Callable[[str], None]
"""Called with a line of progress."""


class PluginError(ImportError):
    """The plug-in cannot be built or loaded. The message is one line that says what is missing."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"cannot add trictrac to OpenSpiel: {problem}; {REMAINS}")


def cache_folder() -> Path:
    """Returns the folder of plug-ins and source packages.

    It is `open_spiel` in `$TABLIER_CACHE`, by default in `$XDG_CACHE_HOME/tablier` or `~/.cache/tablier`.

    Raises:
        PluginError: no variable names a folder, and the user has no home folder.
    """
    try:
        return cache.cache_folder("open_spiel")
    except MessageError as error:
        raise PluginError(str(error)) from None


@dataclass(frozen=True)
class Compiler:
    """A C++ compiler: the command and what it says about itself."""

    command: tuple[str, ...]
    """The program and its first arguments."""
    version: str
    """The first line of `--version`."""

    @classmethod
    def find(cls) -> Compiler:
        """Returns the compiler that `$CXX` names, or the first of g++, c++ and clang++ that is installed.

        Raises:
            PluginError: there is no compiler, or it does not run.
        """
        command = os.environ.get("CXX", "")
        try:
            named = shlex.split(command)
        except ValueError as error:
            raise PluginError(f"CXX is '{command}', which is no command ({error})") from None
        candidates = [named] if named else [["g++"], ["c++"], ["clang++"]]
        found = [[program, *rest] for name, *rest in candidates if (program := shutil.which(name))]
        if not found:
            wanted = f"CXX is {named[0]}, which is not a program" if named else "no C++ compiler"
            raise PluginError(f"{wanted} (install g++ 12 or later, or set CXX)")
        try:
            shown = subprocess.run([*found[0], "--version"], capture_output=True, check=True, timeout=PATIENCE).stdout
        except subprocess.TimeoutExpired:
            problem = f"no answer to --version in {PATIENCE} seconds"
            raise PluginError(f"the compiler {found[0][0]} does not run ({problem})") from None
        except (OSError, subprocess.CalledProcessError) as error:
            raise PluginError(f"the compiler {found[0][0]} does not run ({_last_line(str(error))})") from None
        return cls(tuple(found[0]), _first_line(_text(shown)))

    def flags(self) -> list[str]:
        """Returns the options for compiling, without include folders."""
        machine = ["-march=x86-64-v2"] if platform.machine() in ("x86_64", "AMD64") else []
        return ["-std=c++20", "-O3", "-fPIC", "-fvisibility=hidden", "-w", *machine]


@dataclass(frozen=True)
class Plugin:
    """A plug-in for one installation of OpenSpiel: where it is cached and how it is built."""

    version: str
    """Version of OpenSpiel."""
    library: Path
    """OpenSpiel's own extension module, `pyspiel`."""
    compiler: Compiler
    """The compiler."""

    @property
    def folder(self) -> Path:
        """Cache folder of this version of OpenSpiel."""
        return cache_folder() / self.version

    @property
    def path(self) -> Path:
        """The shared library in the cache. Its name contains a hash of everything that it depends on."""
        digest = hashlib.sha256()
        described = (*self.compiler.command, self.compiler.version, *self.compiler.flags(), str(self.library))
        for text in described:
            digest.update(os.fsencode(text) + b"\0")
        for place, file in game_files().items():
            digest.update(place.encode() + b"\0" + file.read_bytes())
        return self.folder / f"trictrac-{digest.hexdigest()[:16]}.so"

    def is_built(self) -> bool:
        """Returns whether the cache holds this plug-in, undamaged."""
        try:
            return _checksum(self.path) == _seal(self.path).read_text()
        except OSError:
            return False

    def build(self, report: Report) -> Path:
        """Returns the plug-in, and compiles it first if the cache does not hold it.

        If another process is building it, waits for that process.

        Args:
            report: called with a line of progress before each slow step.

        Raises:
            PluginError: something that the build needs is missing.
        """
        if self.is_built():
            return self.path
        with self.locked():
            if not self.is_built():
                with source_tree(self.version, report) as tree:
                    report(f"compiling trictrac for open_spiel {self.version}, once, in half a minute or so")
                    code = [tree / PLACE / name for name in ("trictrac.cc", "trictrac_struct.cc")]
                    self.compile(code, tree, self.path)
        return self.path

    def compile(self, code: list[Path], tree: Path, output: Path, *more: str) -> None:
        """Compiles files into a shared library that uses OpenSpiel's extension module.

        Args:
            code: the C++ files.
            tree: the source tree with the headers, from `source_tree`.
            output: the shared library. It and its checksum are replaced only when they are complete.
            *more: further options of the compiler.

        Raises:
            PluginError: the compiler reports an error, or the cache cannot be written.
        """
        folders = [tree, tree / "open_spiel" / "abseil-cpp", tree / "open_spiel" / "json" / "include"]
        options = [*self.compiler.flags(), *(f"-I{folder}" for folder in folders), *more]
        objects = [tree / f"{file.stem}.o" for file in code]
        with contextlib.ExitStack() as running:
            jobs = [
                running.enter_context(_started([*self.compiler.command, *options, "-c", str(file), "-o", str(made)]))
                for file, made in zip(code, objects, strict=True)
            ]
            for job, made in zip(jobs, objects, strict=True):
                _check(job, made)
        with _writing(output):
            fresh = output.with_suffix(f".{os.getpid()}.new")
            # Linked by its path, so that loading finds the module that Python has already loaded.
            linked = [*self.compiler.command, "-shared", *map(str, objects), str(self.library), "-o", str(fresh)]
            with _started(linked) as job:
                _check(job, fresh)
            sealed = _seal(fresh)
            sealed.write_text(_checksum(fresh))
            fresh.replace(output)
            sealed.replace(_seal(output))

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Holds the lock of the cache folder, so that one process builds at a time.

        Raises:
            PluginError: the cache cannot be written.
        """
        with _writing(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = (self.folder / "lock").open("w")
        with lock:
            locks.acquire(lock.fileno(), wait=True)
            yield


def source_package(version: str, report: Report) -> Path:
    """Returns OpenSpiel's source package, and downloads it with pip if the cache does not hold it.

    Args:
        version: version of OpenSpiel.
        report: called with a line of progress before the download.

    Raises:
        PluginError: pip is missing or finds no such package, or the cache cannot be written.
    """
    folder = cache_folder() / version
    package = folder / f"open_spiel-{version}.tar.gz"
    with contextlib.suppress(OSError):
        if _checksum(package) == _seal(package).read_text():
            return package
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        room = tempfile.mkdtemp(dir=folder)
    try:
        report(f"downloading the source package of open_spiel {version}")
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
        command += ["--no-binary", "open_spiel", "--dest", room, f"open_spiel=={version}"]
        done = subprocess.run(command, capture_output=True)
        found = sorted(Path(room).glob("*.tar.gz"))
        if done.returncode != 0 or not found:
            said = _last_line(_text(done.stderr)) or "no output"
            raise PluginError(f"pip finds no source package of open_spiel {version} ({said})")
        with _writing(folder):
            _seal(package).write_text(_checksum(found[0]))
            found[0].replace(package)
    finally:
        shutil.rmtree(room, ignore_errors=True)
    return package


@contextlib.contextmanager
def source_tree(version: str, report: Report) -> Iterator[Path]:
    """Yields a temporary folder with OpenSpiel's headers, the game's files and the engine, each in its place.

    Args:
        version: version of OpenSpiel.
        report: called with a line of progress before a download.

    Raises:
        PluginError: there is no source package.
    """
    package = source_package(version, report)
    with tempfile.TemporaryDirectory(prefix="tablier-open-spiel-") as name:
        tree = Path(name)
        unpack(package, tree, (".h", ".hpp", ".inc"))
        add_game(tree)
        yield tree


def unpack(package: Path, folder: Path, endings: tuple[str, ...] = ("",)) -> None:
    """Unpacks the files of a source package whose names have one of the endings, without the package's own folder.

    Python 3.11.3 and earlier have no safe way to extract all of an archive, so the files are copied one by one.

    Raises:
        PluginError: a file of the package would be outside of the folder.
    """
    with tarfile.open(package) as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isfile() and member.name.endswith(endings) else None
            if content is None:
                continue
            target = folder / member.name.partition("/")[2]
            if not target.resolve().is_relative_to(folder.resolve()):
                raise PluginError(f"{member.name} of the source package is outside of its folder")
            target.parent.mkdir(parents=True, exist_ok=True)
            with content, target.open("wb") as file:
                shutil.copyfileobj(content, file)
            target.chmod(0o755 if member.mode & 0o100 else 0o644)


def game_files() -> dict[str, Path]:
    """Returns the game's files and the engine's headers that they use, by their place in `PLACE`."""
    include = Path(get_include()).resolve()
    files = {path.name: path for path in sorted(SOURCES.iterdir()) if not path.stem.endswith("_test")}
    waiting = list(files.values())
    while waiting:
        path = waiting.pop()
        for name in re.findall(r'^#include "([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE):
            local = path.parent / name
            used = (local if local.is_file() else include / name).resolve()
            if used.is_file() and used.is_relative_to(include):
                place = used.relative_to(include).as_posix()
                if place not in files:
                    files[place] = used
                    waiting.append(used)
    return dict(sorted(files.items()))


def add_game(tree: Path) -> None:
    """Copies the game's files and the engine's headers into a source tree of OpenSpiel."""
    for place, file in game_files().items():
        target = tree / PLACE / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)


@contextlib.contextmanager
def _started(command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a compiler. If it still runs at the end, kills it and the programs that it has started."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True) as job:
        try:
            yield job
        finally:
            if job.poll() is None:
                if sys.platform == "win32":
                    job.kill()
                else:
                    os.killpg(job.pid, signal.SIGKILL)


def _check(job: subprocess.Popen[bytes], made: Path) -> None:
    """Waits for a compiler; raises PluginError if it fails or has not written its file."""
    output = _text(job.communicate()[0])
    if job.returncode != 0:
        errors = "\n".join(line for line in output.splitlines() if "error" in line or "undefined" in line)
        raise PluginError(f"the compiler failed ({_first_line(errors) or _last_line(output)})")
    if not made.is_file():
        raise PluginError(f"the compiler wrote no {made.name}, but reports no error")


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise PluginError(
            f"cannot write to the cache, {path} ({error.strerror}); set TABLIER_CACHE to a folder that you can write to"
        ) from None


def _seal(path: Path) -> Path:
    return path.with_name(path.name + ".sha256")


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _text(output: bytes) -> str:
    """Returns the output of a program, which can have any encoding."""
    return output.decode(errors="backslashreplace")


def _first_line(text: str) -> str:
    return visible(next(iter(text.strip().splitlines()), "").strip())[:LONGEST]


def _last_line(text: str) -> str:
    return visible(next(reversed(text.strip().splitlines()), "").strip())[:LONGEST]
