"""The plug-in's cache and its errors. Each test imports the module in a process of its own."""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from stand_ins import stand_in

import tablier.adapters.open_spiel_native as native

IMPORT = "import tablier.adapters.open_spiel_native"
USE = f"""
import pyspiel
try:
    {IMPORT}
except ImportError as error:
    print("refused:", error)
assert "trictrac" not in pyspiel.registered_names()
import tablier.adapters.open_spiel
state = pyspiel.load_game("python_trictrac").new_initial_state()
state.apply_action(0)
print(len(state.legal_actions()) > 0)
"""
"""Imports the native game, which must fail, and then plays the Python one."""


def run(code, **environment):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **environment}
    )


def refused(words, **environment):
    """Checks that the import fails in one line with these words, and that nothing else is affected."""
    result = run(USE, **environment)
    lines = result.stdout.splitlines()
    assert len(lines) == 2, result
    assert lines[0].startswith("refused: cannot add trictrac to OpenSpiel: ")
    assert words in lines[0]
    assert lines[0].endswith("python_trictrac remains available: import tablier.adapters.open_spiel")
    assert lines[1] == "True"


@pytest.fixture
def cache(tmp_path):
    """A cache with this version's plug-in and source package, which tests may damage."""
    plugin = native.installed()
    copy = tmp_path / "open_spiel" / plugin.version
    copy.mkdir(parents=True)
    for path in plugin.folder.iterdir():
        if path.name.startswith((plugin.path.stem + ".so", "open_spiel-")):
            shutil.copy(path, copy)
    return copy


def plugin_in(cache):
    return cache / native.installed().path.name


def test_importing_tablier_or_the_python_adapter_builds_nothing(tmp_path):
    code = (
        "import tablier, tablier.adapters.open_spiel, sys; print('tablier.adapters.open_spiel_plugin' in sys.modules)"
    )
    assert run(code, TABLIER_CACHE=str(tmp_path)).stdout == "False\n"
    assert list(tmp_path.iterdir()) == []


def test_a_cached_plugin_loads_in_silence(cache):
    result = run(f"{IMPORT}, pyspiel; print(pyspiel.load_game('trictrac'))", TABLIER_CACHE=str(cache.parent.parent))
    assert (result.stdout, result.stderr) == ("trictrac()\n", "")


def test_importing_twice_is_harmless():
    native.register()
    native.register()


def test_the_command_reports_the_build():
    result = subprocess.run(
        [sys.executable, "-m", "tablier.adapters.open_spiel_native"], capture_output=True, text=True
    )
    assert (result.returncode, result.stderr) == (0, "")
    plugin = native.installed()
    assert result.stdout.splitlines() == [
        f"open_spiel {plugin.version} has the game trictrac()",
        f"compiler   {plugin.compiler.version}",
        f"plug-in    {plugin.path} (from the cache)",
    ]


def test_the_command_fails_in_one_line():
    result = subprocess.run(
        [sys.executable, "-m", "tablier.adapters.open_spiel_native"],
        capture_output=True,
        text=True,
        env={**os.environ, "CXX": "no-such-compiler"},
    )
    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1


def test_no_compiler(tmp_path):
    refused("no C++ compiler (install g++ 12 or later, or set CXX)", PATH=str(tmp_path), CXX="")


def test_a_compiler_that_does_not_exist():
    refused("CXX is no-such-compiler, which is not a program", CXX="no-such-compiler")


def test_a_compiler_that_fails(tmp_path, cache):
    code = "[ \"$1\" = --version ] && echo old 1.0 && exit\necho 'error: -std=c++20?' >&2\nexit 1"
    compiler = stand_in(tmp_path / "compiler", code)
    refused("the compiler failed (error: -std=c++20?)", CXX=str(compiler), TABLIER_CACHE=str(cache.parent.parent))
    assert not list(cache.glob("*.new*"))


def test_no_source_package(tmp_path):
    version = native.installed().version
    refused(
        f"pip finds no source package of open_spiel {version} (ERROR: ",
        TABLIER_CACHE=str(tmp_path),
        PIP_NO_INDEX="1",
        PIP_FIND_LINKS="",
        PIP_CONFIG_FILE=os.devnull,
    )
    assert [path.name for path in (tmp_path / "open_spiel" / version).iterdir()] == ["lock"]


@pytest.mark.parametrize("folder", ["/proc/nobody", "file/inside"])
def test_a_cache_that_cannot_be_written(folder, tmp_path):
    (tmp_path / "file").write_text("")
    place = Path(folder) if folder[0] == "/" else tmp_path / folder
    refused("set TABLIER_CACHE to a folder that you can write to", TABLIER_CACHE=str(place))


def fake(cache, name, code):
    """Puts a library that the plug-in's name and checksum vouch for into the cache."""
    source = cache / f"{name}.cc"
    source.write_text(code)
    path = plugin_in(cache)
    subprocess.run(["g++", "-shared", "-fPIC", str(source), "-o", str(path)], check=True)
    from tablier.adapters import open_spiel_plugin

    open_spiel_plugin._seal(path).write_text(open_spiel_plugin._checksum(path))


def test_a_wheel_whose_symbols_differ(cache):
    fake(cache, "missing", "void open_spiel_has_no_such_function(); void* f = (void*)open_spiel_has_no_such_function;")
    refused(
        "the installed pyspiel lacks the symbol _Z31open_spiel_has_no_such_functionv",
        TABLIER_CACHE=str(cache.parent.parent),
    )


def counting_compiler(folder):
    """Returns a compiler that notes each link in a file and copies the real plug-in instead of compiling."""
    log, real = folder / "links", native.installed().path
    code = f"""
[ "$1" = --version ] && echo counting 1.0 && exit
while [ "$1" != "" ]; do
  [ "$1" = -shared ] && link=1
  [ "$1" = -o ] && output=$2
  shift
done
if [ "$link" = 1 ]; then echo link >> {log}; cp {real} "$output"; else : > "$output"; fi
"""
    return stand_in(folder / "compiler", code), log


@pytest.mark.parametrize("damage", ["truncated", "empty", "gone", "no checksum"])
def test_damage_is_noticed(cache, monkeypatch, damage):
    monkeypatch.setenv("TABLIER_CACHE", str(cache.parent.parent))
    plugin = native.installed()
    assert plugin.is_built()
    if damage == "gone":
        plugin.path.unlink()
    elif damage == "no checksum":
        plugin.path.with_name(plugin.path.name + ".sha256").unlink()
    else:
        plugin.path.write_bytes(plugin.path.read_bytes()[: 5000 if damage == "truncated" else 0])
    assert not plugin.is_built()


def test_a_damaged_cache_is_repaired(cache, tmp_path):
    """Both the plug-in and the source package. A stand-in for pip hands out a good copy of the package."""
    compiler, log = counting_compiler(tmp_path)
    package = next(cache.glob("*.tar.gz"))
    good = tmp_path / package.name
    shutil.copy(package, good)
    package.write_bytes(package.read_bytes()[:1000])
    (tmp_path / "pip.py").write_text(f"""
import shutil, sys
assert "open_spiel=={cache.name}" in sys.argv
shutil.copy({str(good)!r}, sys.argv[sys.argv.index("--dest") + 1])
""")
    environment = {"TABLIER_CACHE": str(cache.parent.parent), "CXX": str(compiler), "PYTHONPATH": str(tmp_path)}
    plugin_in(cache).unlink()
    result = run(f"{IMPORT}, pyspiel; print(pyspiel.load_game('trictrac'))", **environment)
    assert result.stdout == "trictrac()\n", result.stderr
    assert log.read_text() == "link\n"
    assert package.read_bytes() == good.read_bytes()


def test_two_processes_build_once(cache, tmp_path):
    compiler, log = counting_compiler(tmp_path)
    environment = {**os.environ, "TABLIER_CACHE": str(cache.parent.parent), "CXX": str(compiler)}
    code = f"{IMPORT}, pyspiel; print(pyspiel.load_game('trictrac'))"
    jobs = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment)
        for _ in range(3)
    ]
    assert [job.communicate()[0] for job in jobs] == ["trictrac()\n"] * 3
    assert log.read_text() == "link\n"


def test_without_open_spiel_the_error_names_the_extra():
    result = run(f"import sys; sys.modules['pyspiel'] = None\n{IMPORT}")
    assert "pip install 'tablier[openspiel]'" in result.stderr


def test_a_package_is_unpacked_into_its_folder_alone(tmp_path):
    from tablier.adapters.open_spiel_plugin import PluginError, unpack

    (tmp_path / "a.h").write_text("content")
    package, place = tmp_path / "package.tar.gz", tmp_path / "place"
    place.mkdir()
    with tarfile.open(package, "w:gz") as archive:
        archive.add(tmp_path / "a.h", "package-1/inner/a.h")
        archive.add(tmp_path / "a.h", "package-1/inner/a.txt")
    unpack(package, place, (".h",))
    assert [path.name for path in sorted(place.rglob("*"))] == ["inner", "a.h"]
    assert (place / "inner" / "a.h").read_text() == "content"
    with tarfile.open(package, "w:gz") as archive:
        archive.add(tmp_path / "a.h", "package-1/../b.h")
    with pytest.raises(PluginError, match="outside of its folder"):
        unpack(package, place)
    assert not (tmp_path / "b.h").exists()
