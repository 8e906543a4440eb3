"""The compiler of the OpenSpiel plug-in: what it says and does is never a traceback. Shell scripts stand in for it."""

import os
import sys
from pathlib import Path

import pytest
from stand_ins import stand_in

from tablier.adapters import open_spiel_plugin
from tablier.adapters.open_spiel_plugin import Compiler, Plugin, PluginError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are shell scripts")


@pytest.fixture
def compiler(tmp_path, monkeypatch):
    """Returns a function that makes a shell script the compiler that CXX names."""

    def made(script):
        path = stand_in(tmp_path / "compiler", script)
        monkeypatch.setenv("CXX", str(path))
        return path

    return made


def compiled(path, folder):
    """Compiles two files that are not there."""
    plugin = Plugin("1.0", Path("pyspiel.so"), Compiler((str(path),), "stand-in 1.0"))
    plugin.compile([Path("first.cc"), Path("second.cc")], folder, folder / "plugin.so")


def test_a_command_that_cannot_be_read(monkeypatch):
    monkeypatch.setenv("CXX", '"unclosed')
    with pytest.raises(PluginError, match=r"CXX is '\"unclosed', which is no command \(No closing quotation\)"):
        Compiler.find()


def test_a_version_in_another_encoding(compiler, tmp_path):
    compiler(r"printf '\377 g++\033[31m\n'")
    found = Compiler.find()
    assert found.version == r"\xff g++\x1b[31m"
    assert Plugin("1.0", tmp_path, found).path.name.startswith("trictrac-")


def test_a_command_in_another_encoding(compiler, tmp_path, monkeypatch):
    path = compiler("echo stand-in 1.0")
    renamed = path.rename(tmp_path / os.fsdecode(b"caf\xe9")) if sys.platform == "linux" else path
    monkeypatch.setenv("CXX", str(renamed))
    assert Plugin("1.0", renamed, Compiler.find()).path.name.startswith("trictrac-")


def test_errors_in_another_encoding(compiler, tmp_path):
    with pytest.raises(PluginError, match=r"the compiler failed \(error: \\xff\\xfe\)"):
        compiled(compiler(r"printf 'error: \377\376\n'; exit 1"), tmp_path)


def test_errors_of_any_length(compiler, tmp_path):
    with pytest.raises(PluginError, match=r"the compiler failed \(error: 0+") as raised:
        compiled(compiler("printf 'error: %05000d' 0; exit 1"), tmp_path)
    assert len(str(raised.value)) < 1000


def test_a_compiler_that_hangs(compiler, monkeypatch):
    compiler("exec sleep 1000")
    monkeypatch.setattr(open_spiel_plugin, "PATIENCE", 0.01)
    with pytest.raises(PluginError, match=r"compiler does not run \(no answer to --version in 0.01 seconds\)"):
        Compiler.find()


def test_a_compiler_that_writes_nothing(compiler, tmp_path):
    with pytest.raises(PluginError, match=r"the compiler wrote no first\.o, but reports no error"):
        compiled(compiler("exit 0"), tmp_path)
    writes_objects = 'while [ "$1" != -o ]; do [ "$1" = -shared ] && exit 0; shift; done; : > "$2"'
    with pytest.raises(PluginError, match=r"the compiler wrote no plugin\.\d+\.new, but reports no error"):
        compiled(compiler(writes_objects), tmp_path)


def test_after_an_error_no_compiler_runs_on(compiler, tmp_path):
    """The second compilation starts a program of its own, and both would take long."""
    running, ended = tmp_path / "running", tmp_path / "ended"
    os.mkfifo(ended)
    reader = os.open(ended, os.O_RDONLY | os.O_NONBLOCK)
    path = compiler(f"""
case "$*" in
  *first.cc*) while [ ! -s {running} ]; do sleep 0.01; done; echo error: no; exit 1;;
esac
exec 9> {ended}
sleep 1000 &
echo $$ > {running}
wait""")
    with pytest.raises(PluginError, match=r"the compiler failed \(error: no\)"):
        compiled(path, tmp_path)
    with pytest.raises(ProcessLookupError):
        os.kill(int(running.read_text()), 0)
    os.set_blocking(reader, True)
    assert os.read(reader, 1) == b"", "nothing has the pipe open for writing"
    os.close(reader)
