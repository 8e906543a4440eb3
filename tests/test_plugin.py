"""A game in C++ from outside the tree, compiled against the installed headers as docs/adding-a-game.md says."""

import subprocess

import pytest
from doc_examples import code_blocks

import tablier
from tablier.testing import check_game


def compile_plugin(folder, source):
    (folder / "plugin.cpp").write_text(source)
    command = ["c++", "-std=c++20", "-O2", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror"]
    command += ["-I", tablier.get_include(), str(folder / "plugin.cpp"), "-o", str(folder / "plugin.so"), "-pthread"]
    subprocess.run(command, check=True)
    return folder / "plugin.so"


def test_the_documented_game_works_as_a_plugin(tmp_path):
    game_file, plugin_file = code_blocks("adding-a-game.md", "cpp")[:2]
    (tmp_path / "nim.h").write_text(game_file)
    name = tablier.load_plugin(compile_plugin(tmp_path, plugin_file))
    assert name == "nim"
    assert name in tablier.registered_games()
    game = tablier.load_game(name, stones=15)
    check_game(game)
    assert game.random_playouts(100, threads=2).unfinished == 0
    with pytest.raises(ValueError, match="already registered"):
        tablier.load_plugin(tmp_path / "plugin.so")


def test_a_library_that_is_no_plugin_is_refused(tmp_path):
    library = compile_plugin(tmp_path, "int answer() { return 42; }")
    with pytest.raises(ValueError, match="is no plugin for this tablier.*it is not one"):
        tablier.load_plugin(library)


def test_a_plugin_of_another_version_is_refused(tmp_path):
    source = """
    extern "C" const char* tablier_plugin_abi() { return "tablier-plugin-0"; }
    extern "C" const void* tablier_plugin_game() { return nullptr; }
    """
    with pytest.raises(ValueError, match="it was built as 'tablier-plugin-0'"):
        tablier.load_plugin(compile_plugin(tmp_path, source))


def test_a_file_that_is_no_library(tmp_path):
    with pytest.raises(FileNotFoundError, match="no plugin at"):
        tablier.load_plugin(tmp_path / "nothing.so")
    (tmp_path / "text.so").write_text("hello")
    with pytest.raises(ValueError, match="cannot be opened"):
        tablier.load_plugin(tmp_path / "text.so")
